//! Not whole yet: a placeholder.

use super::{Choice, Outcome, Spot, placeholder};
use crate::text::session::TextSession;

/// What stands for a value.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    placeholder::cloak(spot, "FINANCIAL", choice.profile, session)
}
