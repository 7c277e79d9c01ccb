//! Mexico: RFC.
//!
//! Issuer: SAT. Positions: three or four letters, six digits of a date, two characters, one check character. Check
//! rule: letters and digits; the last is a digit or A. Example: `DUMA840312AB1`. Source: SAT, anexo 1-A.

use cloakgate_vocab::Category;

use super::super::arithmetic::{byte, is_yymmdd};
use super::super::{Alone, Kind};

pub(super) const KIND: Kind = Kind {
    name: "mx.rfc",
    category: Category::TaxId,
    shapes: &["AAAA999999***", "AAA999999***"],
    grouped: &["AAAA-999999-***", "AAA-999999-***", "AAAA 999999 ***"],
    odds: 400,
    alone: Alone::Never,
    check,
    cues: &["rfc", "registro federal de contribuyentes", "rfc con homoclave"],
    examples: &["DUMA840312AB1", "GODE561231GR8"],
};

fn check(id: &[u8]) -> bool {
    let from = id.len().saturating_sub(9);
    is_yymmdd(id, from) && matches!(byte(id, id.len().saturating_sub(1)), b'A' | b'0'..=b'9')
}
