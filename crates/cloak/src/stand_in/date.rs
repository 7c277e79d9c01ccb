//! Stand-ins that are dates: years 3000 to 9898, days 1 to 28.
//!
//! Invariant: years that people write to mean "never" (2999, 9999) are none of them. Of the dates in these years one
//! in eight verifies. A time is always midnight.

use cloakgate_vocab::{Category, TokenId};

use super::permutation::Numbering;
use crate::keys::SessionKeys;

/// What follows the date in a date with a time.
pub(super) const MIDNIGHT: &str = "T00:00:00Z";

const FIRST_YEAR: u64 = 3000;
const YEARS: u64 = 6899;
const MONTHS: u64 = 12;
const DAYS: u64 = 28;

/// Categories that have dates. Entries are added at the end only.
const CATEGORIES: &[Category] = &[Category::DateOfBirth, Category::Date, Category::Literal, Category::Opaque];
const DATES: Numbering<'static> = Numbering {
    categories: CATEGORIES,
    slots: 4,
    size: YEARS * MONTHS * DAYS,
    redundancy: 3,
    tweak: b"date",
};

/// Writes the date of an id.
pub(super) fn write(id: TokenId, keys: &SessionKeys) -> Option<String> {
    let number = DATES.number(id, keys)?;
    let (days, months) = (number % DAYS + 1, number / DAYS % MONTHS + 1);
    Some(format!("{:04}-{months:02}-{days:02}", number / DAYS / MONTHS + FIRST_YEAR))
}

/// Reads a date, or a date with a time of midnight, that verifies.
pub(super) fn read(text: &str, keys: &SessionKeys) -> Option<TokenId> {
    let mark = |at: usize| text.as_bytes().get(at) == Some(&b'-');
    if !text.starts_with(['3', '4', '5', '6', '7', '8', '9']) || !mark(4) || !mark(7) {
        return None;
    }
    let number = |from: usize, to: usize| -> Option<u64> {
        let digits = text.get(from..to)?;
        digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let year = number(0, 4)?.checked_sub(FIRST_YEAR).filter(|year| *year < YEARS)?;
    let month = number(5, 7)?.checked_sub(1).filter(|month| *month < MONTHS)?;
    let day = number(8, 10)?.checked_sub(1).filter(|day| *day < DAYS)?;
    // `T00:00:00.000Z`, ` 00:00`, `T00:00:00+00:00`: midnight however it is written.
    let time = text.get(10..)?;
    let midnight = time.is_empty()
        || (time.len() <= 20
            && time.starts_with(['T', 't', ' '])
            && time.bytes().skip(1).all(|b| matches!(b, b'0' | b':' | b'.' | b'Z' | b'z' | b'+' | b'-')));
    midnight.then(|| DATES.id((year * MONTHS + month) * DAYS + day, keys))?
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Secret, Spelling, TokenId};

    use super::{read, write};
    use crate::keys::SessionKeys;

    #[test]
    fn dates_are_read_however_their_midnight_is_written() {
        let keys = SessionKeys::derive(&Secret::new([5; 32]));
        let id = TokenId { category: Category::DateOfBirth, number: 4, spelling: Spelling::new(0) };
        let date = write(id, &keys).unwrap();
        for time in ["", "T00:00:00Z", "T00:00:00.000Z", " 00:00:00", "T00:00:00+00:00"] {
            assert_eq!(read(&format!("{date}{time}"), &keys), Some(id), "{time}");
        }
        for other in ["T10:00:00Z", "x", "1", "T00:00:00Z and more text"] {
            assert_eq!(read(&format!("{date}{other}"), &keys), None, "{other}");
        }
        for text in ["", "1984-03-12", "9999-12-31", "2999-12-31", "5000-13-01", "5000-00-10", "5000-02-29"] {
            assert_eq!(read(text, &keys), None, "{text}");
        }
        assert_eq!(write(TokenId { category: Category::Person, ..id }, &keys), None);
    }
}
