//! Conditions, drugs and tests: placeholders, asterisks, and groups.
//!
//! Until groups are at hand, a placeholder stands for a term that should be general: never the term itself.

use cloakgate_vocab::Category;

use super::{Choice, Outcome, Replacement, Spot, What, placeholder};
use crate::text::profile::MedicalOption;
use crate::text::session::TextSession;

/// What stands for every term that is masked, whatever its length.
const MASK: &str = "*****";

/// What stands for a medical term.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    match choice.profile.medical_condition {
        MedicalOption::Keep | MedicalOption::Block => Ok(None),
        MedicalOption::Mask => Ok(Some(Replacement::shared(spot, MASK))),
        MedicalOption::Group | MedicalOption::Placeholder => {
            placeholder::cloak(spot, label(spot), choice.profile, session)
        }
    }
}

/// What a placeholder says.
fn label(spot: &Spot<'_>) -> &'static str {
    let code = spot.value.len() <= 8
        && spot.value.starts_with(|c: char| c.is_ascii_uppercase())
        && spot.value.bytes().any(|byte| byte.is_ascii_digit())
        && !spot.value.contains(' ');
    match spot.what {
        What::Found(Category::Medication) => "MEDICATION",
        _ if code => "MEDICAL_CODE",
        _ => "MEDICAL_CONDITION",
    }
}
