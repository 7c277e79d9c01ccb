//! The operator's own words: what is always cloaked, and what is left alone whatever a rule says.
//!
//! In: texts, found values. Out: findings, verdicts. Invariant: an implementation takes time linear in the text.
//! Not here: how terms are written down and checked.

use cloakgate_vocab::{Category, Finding};

/// Words and patterns that somebody has listed.
pub trait Terms: Send + Sync + std::fmt::Debug {
    /// Adds a finding for each place in `text` where a term stands that must be cloaked.
    fn find(&self, text: &str, findings: &mut Vec<Finding>);

    /// True when a found value is to be left as it is.
    fn allows(&self, category: Category, value: &str) -> bool;
}
