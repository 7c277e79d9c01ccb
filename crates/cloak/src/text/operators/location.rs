//! Addresses and places: placeholders, and what is coarser.
//!
//! Until a gazetteer is at hand, a placeholder stands for a place that should be coarser: never the place itself.

use super::{Choice, Outcome, Spot, placeholder};
use crate::text::profile::LocationOption;
use crate::text::session::TextSession;

/// What stands for a place.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    match choice.profile.location {
        LocationOption::Keep | LocationOption::Block => Ok(None),
        _ => placeholder::cloak(spot, "LOCATION", choice.profile, session),
    }
}
