//! The operator's own words: what is always cloaked, and what is left alone whatever a rule says.
//!
//! In: texts, found values. Out: findings, verdicts. Invariant: an implementation takes time linear in the text.
//! Not here: how terms are written down and checked.

use cloakgate_vocab::{Category, Finding};

use crate::path::Fields;

/// Words, patterns and fields that somebody has listed. `within` names the paths of `fields` that a text lies at or
/// within.
pub trait Terms: Send + Sync + std::fmt::Debug {
    /// The paths that entries name; empty where they name none.
    fn fields(&self) -> &Fields;

    /// Adds a finding for each place in `text` where a term stands that must be cloaked.
    fn find(&self, text: &str, within: &[u16], findings: &mut Vec<Finding>);

    /// What any value there is, where all of it must be cloaked.
    fn whole(&self, within: &[u16]) -> Option<Category>;

    /// True when a found value is to be left as it is.
    fn allows(&self, category: Category, value: &str, within: &[u16]) -> bool;
}
