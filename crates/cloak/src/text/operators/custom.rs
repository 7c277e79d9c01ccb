//! The operator's own terms, where they have an option of their own.

use super::{Choice, Outcome, Replacement, Spot, extended, placeholder};
use crate::error::CloakError;
use crate::text::field::Field;
use crate::text::profile::TermOption;
use crate::text::session::TextSession;

/// What stands for a term.
pub(super) fn cloak(
    spot: &Spot<'_>,
    option: TermOption,
    choice: &Choice<'_>,
    session: &mut TextSession,
) -> Outcome {
    match option {
        TermOption::Keep | TermOption::Field => Ok(None),
        TermOption::Placeholder => placeholder::cloak(spot, label(spot.field), choice.profile, session),
        TermOption::Mask => Ok(Some(Replacement::shared(spot, extended::MASK))),
        TermOption::Block => Err(CloakError::Blocked(spot.field)),
    }
}

/// What a placeholder says of a term of a field.
fn label(field: Field) -> &'static str {
    match field {
        Field::Name => "NAME",
        Field::Age => "AGE",
        Field::Gender => "GENDER",
        Field::Location => "LOCATION",
        Field::Medical => "MEDICAL_CONDITION",
        Field::Financial => "FINANCIAL",
        Field::Weight => "WEIGHT",
        Field::Email => "EMAIL",
        Field::Phone => "PHONE",
        Field::GovernmentId => "GOVERNMENT_ID",
        Field::NetworkId => "NETWORK_ID",
        Field::Url => "URL",
        Field::Date => "DATE",
        Field::Organization => "ORGANIZATION",
        Field::Credential => "SECRET",
        Field::Custom => "CUSTOM",
    }
}
