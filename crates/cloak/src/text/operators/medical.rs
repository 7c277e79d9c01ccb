//! Conditions, drugs and tests: placeholders, asterisks, and groups.
//!
//! In: a medical term or a code. Out: what stands for it; what is said around it (`no history of`) stays. Invariant: a
//! mask has one length; a group never says more than the term's chapter, and nothing narrow of what is sensitive. Not
//! here: what terms mean (`cloakgate_detect::medical_meaning`).

mod group;

use cloakgate_vocab::{Category, Span};

use self::group::{group_of_code, group_of_term};
use super::{Choice, Outcome, Replacement, Spot, What, placeholder};
use crate::text::profile::MedicalOption;
use crate::text::session::TextSession;

/// What stands for every term that is masked, whatever its length.
const MASK: &str = "*****";
/// Words before a number that say how far a condition went, or of which kind it is.
const STAGES: &[&str] = &[
    "stage", "grade", "phase", "stadium", "stade", "estadio", "stadio", "grado", "grad", "type", "typ",
    "tipo", "тип",
];

/// What stands for a medical term.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    match choice.profile.medical_condition {
        MedicalOption::Keep | MedicalOption::Block => Ok(None),
        MedicalOption::Mask => Ok(Some(Replacement::shared(spot, MASK).over(with_stage(spot)))),
        MedicalOption::Placeholder => match with_stage(spot) {
            span if span == spot.span => placeholder::cloak(spot, label(spot), choice.profile, session),
            span => placeholder::cloak_over(spot, (label(spot), span), choice, session),
        },
        MedicalOption::Group => {
            let medication = spot.what == What::Found(Category::Medication);
            let detail = choice.profile.medical_detail;
            let code = if medication { None } else { group_of_code(spot.value) };
            let group = code.unwrap_or_else(|| group_of_term(spot.value, medication));
            let text = group.label(detail, choice.language().code());
            let text = in_case(text, spot);
            let span = with_stage(spot);
            let (lead, span) = match joined_to(spot, span, &text, choice) {
                Some((word, start)) => (word, Span::new(start, span.end()).unwrap_or(span)),
                None => (String::new(), span),
            };
            Ok(Some(Replacement::shared(spot, lead + &text).over(span)))
        }
    }
}

/// What a placeholder says.
fn label(spot: &Spot<'_>) -> &'static str {
    match spot.what {
        What::Found(Category::Medication) => "MEDICATION",
        _ if group_of_code(spot.value).is_some() => "MEDICAL_CODE",
        _ => "MEDICAL_CONDITION",
    }
}

/// The span with `stage II` before it.
fn with_stage(spot: &Spot<'_>) -> Span {
    let before = spot.before();
    let mut words = before.rsplit_terminator(' ');
    let blank = before.ends_with(' ');
    let (Some(number), Some(stage)) = (words.next(), words.next()) else { return spot.span };
    let numeral = (1..=4).contains(&number.len())
        && (number.bytes().all(|byte| b"IVX".contains(&byte.to_ascii_uppercase()))
            || number.starts_with(|c: char| c.is_ascii_digit()));
    let told = STAGES.iter().any(|other| stage.trim_start_matches('(').eq_ignore_ascii_case(other));
    if !blank || !numeral || !told {
        return spot.span;
    }
    let back = number.len() + 1 + stage.trim_start_matches('(').len() + 1;
    Span::new(spot.span.start().saturating_sub(back), spot.span.end()).unwrap_or(spot.span)
}

/// The article or link right before a term, as the label wants it, and where it starts; `None` where it fits: `a` before
/// `injury` is `an`, and `d'` before `maladie` is `de`.
fn joined_to(spot: &Spot<'_>, span: Span, label: &str, choice: &Choice<'_>) -> Option<(String, usize)> {
    let back = spot.span.start() - span.start();
    let before = spot.before();
    let before = before.get(..before.len().checked_sub(back)?)?;
    let vowel = label.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    let forms: &[(&str, &str)] = match (choice.language().code(), vowel) {
        ("en", true) => &[("a ", "an "), ("A ", "An ")],
        ("en", false) => &[("an ", "a "), ("An ", "A ")],
        ("fr", false) => {
            &[("d'", "de "), ("d\u{2019}", "de "), ("D'", "De "), ("l'", "la "), ("l\u{2019}", "la ")]
        }
        _ => &[],
    };
    let (old, new) = forms.iter().find(|(old, _)| {
        before
            .strip_suffix(old)
            .is_some_and(|head| !head.ends_with(|c: char| c.is_alphanumeric() || c == '\''))
    })?;
    Some(((*new).to_owned(), span.start() - old.len()))
}

/// A label with a capital where the term begins a text or a sentence with one.
fn in_case(label: &str, spot: &Spot<'_>) -> String {
    let before = spot.before().trim_end();
    let begins = before.is_empty() || before.ends_with(['.', '!', '?']);
    let capital = spot.value.chars().next().is_some_and(char::is_uppercase);
    let name = spot.value.chars().all(|c| !c.is_lowercase());
    let mut letters = label.chars();
    match letters.next() {
        Some(first) if begins && capital && !name && spot.after().starts_with(' ') => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => label.to_owned(),
    }
}

#[cfg(test)]
mod tests;
