//! Costa Rica: cédula.
//!
//! Issuer: TSE. Positions: one digit of the province, eight digits. Check rule: no check digit. Example:
//! `1-0913-0259`. Source: TSE.

use cloakgate_vocab::Category;

use super::super::arithmetic::structure;
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "cr.cpf",
    category: Category::NationalId,
    shapes: &["999999999"],
    grouped: &["9-9999-9999"],
    odds: 1,
    alone: Alone::Never,
    check: structure,
    cues: &["cédula costarricense", "cédula física", "cédula"],
    examples: &["1-0913-0259"],
};
