//! Brazil: cartão nacional de saúde.
//!
//! Issuer: Ministério da Saúde. Positions: fifteen digits, the first 1, 2, 7, 8 or 9. Check rule: weights 15 to 1,
//! the sum is a multiple of 11. Example: `700000000000005`. Source: Portaria 940/2011.

use cloakgate_vocab::Category;

use super::super::arithmetic::{digit, is_repetition, weighted};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "br.sus",
    category: Category::HealthId,
    shapes: &["999999999999999"],
    grouped: &["999 9999 9999 9999"],
    odds: 22,
    alone: Alone::Never,
    check,
    cues: &["cns", "cartão sus", "cartão nacional de saúde", "cartao sus", "número do sus"],
    examples: &["700000000000005"],
};

fn check(id: &[u8]) -> bool {
    matches!(digit(id, 0), 1 | 2 | 7 | 8 | 9)
        && weighted(id, &[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
        && !is_repetition(id)
}
