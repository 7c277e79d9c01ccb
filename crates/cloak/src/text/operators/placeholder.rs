//! Placeholders: `{{NAME}}` for the first value of its kind, `{{NAME_2}}` for the next; `[NAME_0]`, `[NAME_1]` in brackets.
//!
//! Invariant: a placeholder stands for one value in its session, and for none that a text brought along itself.

use super::{Choice, Outcome, Replacement, Spot};
use crate::text::field::Field;
use crate::text::profile::{PlaceholderStyle, Profile};
use crate::text::session::{Kind, NewEntry, SessionError, TextSession, canonical};

/// How many numbers in a row are tried. Texts may bring placeholders along to take them; no text can take numbers
/// that the session's key chooses.
const NEXT_TRIES: usize = 64;
/// The numbers that are chosen then.
const CHOSEN: std::ops::Range<usize> = 1_000_000..1_000_000_000;

/// A value that a placeholder stands for.
pub(crate) struct Value<'a> {
    /// What the placeholder says.
    pub(crate) label: Kind,
    /// The field.
    pub(crate) field: Field,
    /// Its canonical form.
    pub(crate) identity: &'a str,
    /// The value.
    pub(crate) original: &'a str,
}

/// A placeholder with a label for the value of a spot.
pub(crate) fn cloak(
    spot: &Spot<'_>,
    label: &'static str,
    profile: &Profile,
    session: &mut TextSession,
) -> Outcome {
    let identity = canonical(spot.value);
    let value =
        Value { label: Kind::of(label), field: spot.field, identity: &identity, original: spot.written() };
    Ok(Some(Replacement::unique(spot, stand_in(&value, profile, session)?)))
}

/// The same for a value that is written over more than the spot, as its reader writes it.
pub(crate) fn cloak_over(
    spot: &Spot<'_>,
    (label, over): (&'static str, cloakgate_vocab::Span),
    choice: &Choice<'_>,
    session: &mut TextSession,
) -> Outcome {
    let original = over.of(spot.text).unwrap_or_default();
    let identity = canonical(original);
    let value = Value { label: Kind::of(label), field: spot.field, identity: &identity, original };
    let text = stand_in(&value, choice.profile, session)?;
    Ok(Some(Replacement::unique(spot, text).over(over)))
}

/// The placeholder of a value: the one that it has, or the next.
pub(crate) fn stand_in(
    value: &Value<'_>,
    profile: &Profile,
    session: &mut TextSession,
) -> Result<String, SessionError> {
    if let Some(entry) = session.entry(&value.label, value.identity) {
        return Ok(entry.shown.to_string());
    }
    let shown = free(value, profile.placeholder_style, session);
    session.add(NewEntry {
        kind: value.label.clone(),
        field: value.field,
        identity: value.identity,
        shown: &shown,
        original: value.original,
        unique: true,
    })?;
    Ok(shown)
}

/// A placeholder that nothing has.
fn free(value: &Value<'_>, style: PlaceholderStyle, session: &TextSession) -> String {
    let label = value.label.label();
    let next = session.count(&value.label);
    let in_row = (next..next + NEXT_TRIES).map(|number| write(label, number, style));
    let chosen = (0u32..).map(|attempt| {
        let subject = format!("{label} {} {attempt}", value.identity);
        let number = session.choose("placeholder", &subject, CHOSEN.len());
        write(label, CHOSEN.start + number, style)
    });
    in_row.chain(chosen).find(|shown| !session.is_taken(shown)).unwrap_or_default()
}

/// The placeholder of a number, counted from 0.
fn write(label: &str, number: usize, style: PlaceholderStyle) -> String {
    match (style, number) {
        (PlaceholderStyle::Bracket, number) => format!("[{label}_{number}]"),
        (PlaceholderStyle::Curly, 0) => format!("{{{{{label}}}}}"),
        (PlaceholderStyle::Curly, number) => format!("{{{{{label}_{}}}}}", number + 1),
    }
}

/// `{{NAME_2.LAST}}` of `{{NAME_2}}`.
pub(crate) fn with_suffix(shown: &str, suffix: &str) -> String {
    let end = shown.trim_end_matches(['}', ']']).len();
    let (head, tail) = shown.split_at_checked(end).unwrap_or((shown, ""));
    format!("{head}{suffix}{tail}")
}

#[cfg(test)]
mod tests {
    use super::{Field, Kind, Value, stand_in, with_suffix};
    use crate::text::profile::{PlaceholderStyle, Profile};
    use crate::text::session::{NewEntry, TextSession};

    fn of(value: &str, style: PlaceholderStyle, session: &mut TextSession) -> String {
        let profile = Profile { placeholder_style: style, ..Profile::default() };
        let label = Kind::of("EMAIL");
        let value = Value { label, field: Field::Email, identity: value, original: value };
        stand_in(&value, &profile, session).expect("it fits")
    }

    #[test]
    fn values_are_numbered_by_kind() {
        let mut session = TextSession::new([1; 32]);
        for (value, shown) in [("a", "{{EMAIL}}"), ("b", "{{EMAIL_2}}"), ("a", "{{EMAIL}}")] {
            assert_eq!(of(value, PlaceholderStyle::Curly, &mut session), shown);
        }
        let mut session = TextSession::new([1; 32]);
        for (value, shown) in [("a", "[EMAIL_0]"), ("b", "[EMAIL_1]"), ("a", "[EMAIL_0]")] {
            assert_eq!(of(value, PlaceholderStyle::Bracket, &mut session), shown);
        }
        assert_eq!(with_suffix("{{NAME_2}}", ".LAST"), "{{NAME_2.LAST}}");
        assert_eq!(with_suffix("[NAME_1]", ".LAST"), "[NAME_1.LAST]");
    }

    #[test]
    fn numbers_that_a_text_took_are_left_out() {
        let mut session = TextSession::new([1; 32]);
        for number in 1..=200 {
            let shown = if number == 1 { "{{EMAIL}}".to_owned() } else { format!("{{{{EMAIL_{number}}}}}") };
            let kind = Kind::of("LITERAL");
            let new = NewEntry {
                kind,
                field: Field::Custom,
                identity: &shown,
                shown: &shown,
                original: &shown,
                unique: true,
            };
            session.add(new).expect("it fits");
        }
        let shown = of("a", PlaceholderStyle::Curly, &mut session);
        assert!(shown.starts_with("{{EMAIL_") && shown.len() > "{{EMAIL_999}}".len(), "{shown}");
    }
}
