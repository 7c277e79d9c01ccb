//! Values that the detectors do not look for, or not where a service does: the operator's terms, lines that are one
//! value.
//!
//! In: one innermost text with what the detectors found in it. Out: more candidates. Invariant: cost is linear in
//! the text; each look is bounded. Not here: which candidates win (`candidate`), what stands for them (`operators`).

mod imitation;
mod lines;

use cloakgate_detect::FieldKind;

use super::candidate::Candidate;
use super::operators::What;
use super::profile::Profile;
use crate::texts::Text;

pub(crate) use imitation::imitations;

/// Adds what is sought in one innermost text to what the detectors found there.
pub(crate) fn seek(text: &Text<'_>, profile: &Profile, found: &mut Vec<Candidate>) {
    if text.kind != FieldKind::Text {
        return;
    }
    for (span, term) in profile.knowledge_base.find(text.text) {
        found.push(Candidate::sought(span, What::Term(term.option), term.field));
    }
    if text.key.is_none() {
        lines::seek(text.text, profile, found);
    }
}
