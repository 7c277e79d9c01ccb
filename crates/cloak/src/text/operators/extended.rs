//! The fields beyond the eight: a placeholder that says the kind, or asterisks.

use cloakgate_vocab::Category;

use super::{Choice, Outcome, Replacement, Spot, What, placeholder};
use crate::text::profile::ExtendedOption;
use crate::text::session::TextSession;

/// What stands for every value that is masked, whatever its length.
pub(crate) const MASK: &str = "*****";

/// What stands for a value.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    match choice.profile.extended_option(spot.field) {
        None | Some(ExtendedOption::Keep | ExtendedOption::Block) => Ok(None),
        Some(ExtendedOption::Mask) => Ok(Some(Replacement::shared(spot, MASK))),
        Some(ExtendedOption::Placeholder) => {
            placeholder::cloak(spot, label(spot.what), choice.profile, session)
        }
    }
}

/// What a placeholder says.
pub(super) fn label(what: What) -> &'static str {
    match what {
        What::Found(Category::Org) => "ORGANIZATION",
        What::Found(category) => category.name(),
        What::Pin => "PIN",
        What::CardCode | What::CardExpiry | What::Pronoun | What::Term(_) => "CUSTOM",
    }
}
