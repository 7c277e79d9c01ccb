//! Other names for names of people.
//!
//! Until names of other cultures are at hand, a placeholder stands for a name: never the name itself.

use super::{Choice, Outcome, Spot, placeholders};
use crate::error::CloakError;
use crate::text::profile::Profile;
use crate::text::session::TextSession;

/// Makes whole names of a text known before any is replaced.
pub(super) fn prepare(
    _names: &[&str],
    _text: &str,
    _profile: &Profile,
    _session: &mut TextSession,
) -> Result<(), CloakError> {
    Ok(())
}

/// What stands for a name.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    placeholders(spot, choice.profile, session).map(Some)
}
