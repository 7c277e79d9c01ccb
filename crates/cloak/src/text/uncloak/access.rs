//! Which values of a session a reader gets back, and in which form.
//!
//! In: fields, and how their values are shown. Out: for a value, what is written in its place. Invariant: a field that is
//! not named is withheld; a mask tells no length and at most two first letters or four last digits. Not here: who the
//! reader is.

use crate::text::Field;
use crate::text::operators::MASK;
use crate::text::profile::Reveal;

/// Digits of the shortest number whose last ones a mask shows: half of it stays hidden at least.
const LEAST_DIGITS: usize = 8;
/// Last digits that a mask of a card or an account shows.
const SHOWN_DIGITS: usize = 4;
/// Letters of the shortest word whose first one a mask shows.
const LEAST_LETTERS: usize = 3;

/// What a reader of restored texts may see.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Access {
    fields: u32, // one bit for each, by its number
    reveal: Reveal,
}

impl Default for Access {
    fn default() -> Self {
        Self::EVERYTHING
    }
}

impl Access {
    /// Every value as it was.
    pub const EVERYTHING: Self = Self { fields: u32::MAX, reveal: Reveal::Plain };
    /// No value.
    pub const NOTHING: Self = Self { fields: 0, reveal: Reveal::None };

    /// The values of these fields in this form, and no others.
    #[must_use]
    pub fn to(fields: impl IntoIterator<Item = Field>, reveal: Reveal) -> Self {
        let fields = fields.into_iter().fold(0, |all, field| all | bit(field));
        Self { fields, reveal }
    }

    /// True when nothing is withheld or masked.
    #[must_use]
    pub fn is_everything(self) -> bool {
        self == Self::EVERYTHING
    }

    /// What is written for a value.
    pub(super) fn shown(self, field: Field, value: &str) -> Shown<'_> {
        match self.reveal {
            Reveal::Plain if self.fields & bit(field) != 0 => Shown::Plain(value),
            Reveal::Masked if self.fields & bit(field) != 0 => Shown::Masked(mask(field, value)),
            Reveal::Plain | Reveal::Masked | Reveal::None => Shown::Withheld,
        }
    }
}

/// A value in the form in which its reader may see it.
pub(super) enum Shown<'v> {
    Plain(&'v str),
    Masked(String),
    Withheld,
}

fn bit(field: Field) -> u32 {
    1 << field.number()
}

/// `j***@e***` for an address, `A*** J***` for a name, `****1111` for a card or an account, else asterisks alone. What is
/// written with escapes is not looked into: the letter behind one is none of the value's.
fn mask(field: Field, value: &str) -> String {
    let masked = match field {
        _ if value.contains(['\\', '%', '&']) => None,
        Field::Name => masked_name(value),
        Field::Email => value.split_once('@').and_then(|(local, host)| {
            let host = initial(host.split('.').next()?)?;
            Some(format!("{}***@{host}***", initial(local)?))
        }),
        Field::Financial => masked_number(value),
        _ => None,
    };
    masked.unwrap_or_else(|| MASK.to_owned())
}

fn masked_name(name: &str) -> Option<String> {
    let mut words = name.split_whitespace();
    let first = initial(words.next()?)?;
    match words.next_back() {
        Some(last) => Some(format!("{first}*** {}***", initial(last)?)),
        None => Some(format!("{first}***")),
    }
}

fn masked_number(number: &str) -> Option<String> {
    let digits: Vec<char> = number.chars().filter(char::is_ascii_digit).collect();
    let last = digits.len().checked_sub(SHOWN_DIGITS).filter(|_| digits.len() >= LEAST_DIGITS)?;
    Some(format!("****{}", digits.get(last..)?.iter().collect::<String>()))
}

/// The first letter of a word that is long enough to keep the rest to itself.
fn initial(word: &str) -> Option<char> {
    let mut letters = word.chars().filter(|letter| letter.is_alphanumeric());
    let first = letters.next()?;
    letters.nth(LEAST_LETTERS - 2).map(|_| first)
}

#[cfg(test)]
mod tests {
    use super::{Access, Shown, mask};
    use crate::text::Field;
    use crate::text::profile::Reveal;

    #[test]
    fn masks_tell_a_letter_or_four_digits_and_no_length() {
        for (field, value, expected) in [
            (Field::Email, "jane.roe@example.org", "j***@e***"),
            (Field::Email, "jr@example.org", "*****"),
            (Field::Email, "jane.roe@a.example", "*****"),
            (Field::Name, "Alice Johnson", "A*** J***"),
            (Field::Name, "Alice Maria van Johnson", "A*** J***"),
            (Field::Name, "Alice", "A***"),
            (Field::Name, "Li Wu", "*****"),
            (Field::Name, "山田太郎", "山***"),
            (Field::Name, "\\u00c9milie Laurent", "*****"),
            (Field::Financial, "4111 1111 1111 1234", "****1234"),
            (Field::Financial, "DE02 1203 0000 0000 2020 51", "****2051"),
            (Field::Financial, "$5,400", "*****"),
            (Field::GovernmentId, "123-45-6789", "*****"),
            (Field::Phone, "+1 202 555 0143", "*****"),
            (Field::Credential, "hunter2hunter2", "*****"),
            (Field::Age, "34", "*****"),
            (Field::Name, "", "*****"),
        ] {
            assert_eq!(mask(field, value), expected, "{field}");
        }
    }

    #[test]
    fn what_is_not_named_is_withheld() {
        let form = |access: Access, field| match access.shown(field, "Alice Johnson") {
            Shown::Plain(_) => "plain",
            Shown::Masked(_) => "masked",
            Shown::Withheld => "withheld",
        };
        for field in Field::ALL.iter().copied() {
            let named = field == Field::Name;
            let only = |reveal| Access::to([Field::Name], reveal);
            assert_eq!(form(Access::EVERYTHING, field), "plain");
            assert_eq!(form(Access::NOTHING, field), "withheld");
            assert_eq!(form(only(Reveal::Plain), field), if named { "plain" } else { "withheld" });
            assert_eq!(form(only(Reveal::Masked), field), if named { "masked" } else { "withheld" });
            assert_eq!(form(only(Reveal::None), field), "withheld");
        }
        assert!(Access::default().is_everything() && !Access::to([], Reveal::Plain).is_everything());
    }
}
