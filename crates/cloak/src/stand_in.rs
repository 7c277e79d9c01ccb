//! What stands for a value where a schema, or the type of a JSON value, allows no token.
//!
//! In: an id, a family, the value. Out: text that carries the id and a check: `email_0_k7q@cloakgate.invalid`,
//! `https://cloakgate.invalid/url_0_k7q`, `ip-address-0-k7q.cloakgate.invalid`, a UUID with a keyed tail, an address
//! of a reserved range, a date in a year that nobody uses, letters and digits in the value's own shape.
//! Invariant: what is written for an id reads back as that id; what another session or nobody wrote does not verify,
//! or, in the small families, does so by rare chance and then names no entry. Those are read only where they are all
//! there is. Not here: which family a place allows (`plan`), names with our domain and UUIDs in running text (`reader`).

mod address;
mod date;
mod permutation;
mod shape;

use cloakgate_vocab::TokenId;

use crate::keys::SessionKeys;
use crate::token;
use shape::Shape;

pub(crate) use address::{UUID_LEN, read_uuid};

/// The domain of stand-ins; `.invalid` is reserved (RFC 2606), so nothing is ever sent there.
pub(crate) const DOMAIN: &str = "cloakgate.invalid";

/// Shortest stand-in: five letters have less room than seven digits.
const MIN_LEN: usize = 5;
/// Longest stand-in of those that are read only as a whole, with blanks around it.
const MAX_LEN: usize = 160;
/// Longest text that is read by its key.
const MAX_BY_KEY: usize = 40;

/// A way to write a token that is none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Family {
    /// `email_0_k7q@cloakgate.invalid`.
    Email,
    /// `https://cloakgate.invalid/url_0_k7q`.
    Uri,
    /// `ip-address-0-k7q.cloakgate.invalid`.
    Host,
    /// Number, spelling and category, then 60 bits that verify them.
    Uuid,
    /// In `240.0.0.0/4`, which is reserved.
    Ipv4,
    /// In `2001:db8::/32`, which is for documentation.
    Ipv6,
    /// `5120-04-17`.
    Date,
    /// `5120-04-17T00:00:00Z`.
    DateTime,
    /// The value's own shape.
    Shape,
}

/// The families of strings, in the order in which they are tried.
pub(crate) const OF_STRINGS: [Family; 9] = [
    Family::Email,
    Family::Uri,
    Family::Host,
    Family::Uuid,
    Family::Ipv4,
    Family::Ipv6,
    Family::Date,
    Family::DateTime,
    Family::Shape,
];

/// Whether text in the shape of any value may be a stand-in where it stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shapes {
    /// A schema constrains the place.
    Read,
    /// Only under the key of an identifier, and only what is mostly digits.
    ByKey,
}

impl Family {
    /// Writes the stand-in of an id for `value`. The text is ASCII and needs no escape in JSON. `None` when the
    /// family has no room for the id, or would write the value itself.
    pub(crate) fn write(self, id: TokenId, value: &str, keys: &SessionKeys) -> Option<String> {
        let written = match self {
            Self::Email => format!("{}@{DOMAIN}", token::name(id, keys)),
            Self::Uri => format!("https://{DOMAIN}/{}", token::name(id, keys)),
            Self::Host => format!("{}.{DOMAIN}", token::name(id, keys).replace('_', "-")),
            Self::Uuid => address::uuid(id, keys)?,
            Self::Ipv4 => address::ipv4(id, keys)?,
            Self::Ipv6 => address::ipv6(id, keys)?,
            Self::Date => date::write(id, keys)?,
            Self::DateTime => format!("{}{}", date::write(id, keys)?, date::MIDNIGHT),
            Self::Shape => Shape::of(value)?.write(id, keys)?,
        };
        (written != value).then_some(written)
    }

    /// What stands for a value that is gone for good, where the family has such a text.
    pub(crate) fn redacted(self, category: cloakgate_vocab::Category) -> Option<String> {
        let name = format!("{}_redacted", category.name().to_ascii_lowercase());
        match self {
            Self::Email => Some(format!("{name}@{DOMAIN}")),
            Self::Uri => Some(format!("https://{DOMAIN}/{name}")),
            Self::Host => Some(format!("{}.{DOMAIN}", name.replace('_', "-"))),
            _ => None,
        }
    }
}

/// Digits in place of a number; `None` where the value is no whole number of seven digits or more.
pub(crate) fn number(id: TokenId, value: &str, keys: &SessionKeys) -> Option<String> {
    Shape::of(value)?.is_number().then(|| Family::Shape.write(id, value, keys))?
}

/// A stand-in that is all there is in its text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Whole {
    /// What it names, if the session has it.
    pub(crate) id: TokenId,
    /// It has the shape of its value.
    pub(crate) shaped: bool, // else the family alone is a mark
}

/// Whether a text has a length that a stand-in may have.
pub(crate) fn may_be(text: &str) -> bool {
    (MIN_LEN..=MAX_LEN).contains(&text.len())
}

/// Reads a text that may as a whole be a stand-in of one of the families that are not read in running text. `key` is
/// the nearest above it.
pub(crate) fn read_whole(
    text: &str,
    keys: &SessionKeys,
    (shapes, key): (Shapes, Option<&str>),
) -> Option<Whole> {
    if !may_be(text) {
        return None;
    }
    let text = text.trim_matches(' ');
    let marked = date::read(text, keys).or_else(|| address::read_ip(text, keys));
    if let Some(id) = marked {
        return Some(Whole { id, shaped: false });
    }
    // The text first: it costs less than looking up the key.
    let read = shapes == Shapes::Read
        || (is_mostly_digits(text) && key.is_some_and(cloakgate_detect::is_identifier_key));
    if !read {
        return None;
    }
    let id = Shape::of(text)?.read(text, keys)?;
    Some(Whole { id, shaped: true })
}

/// Whether a text is one that its key can make a stand-in.
pub(crate) fn is_mostly_digits(text: &str) -> bool {
    let digits = || text.bytes().filter(u8::is_ascii_digit).count();
    text.len() <= MAX_BY_KEY && digits() * 2 >= text.len().max(MIN_LEN)
}

/// True when a text could be the stand-in of a value by its shape.
pub(crate) fn same_shape(text: &str, value: &str) -> bool {
    Shape::of(text.trim_matches(' ')).is_some_and(|shape| Shape::of(value) == Some(shape))
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Secret, Spelling, TokenId};

    use super::{Family, OF_STRINGS, Shapes, number, read_whole, same_shape};
    use crate::keys::SessionKeys;
    use crate::reader;

    fn keys() -> SessionKeys {
        SessionKeys::derive(&Secret::new([7; 32]))
    }

    #[test]
    fn what_is_written_reads_back() {
        for (category, value) in [
            (Category::Email, "marie.dubois@example.eu"),
            (Category::DateOfBirth, "1984-03-12"),
            (Category::IpAddress, "203.0.113.7"),
            (Category::Literal, "[EMAIL_0_aaa] or so"),
        ] {
            let mut written = 0;
            for family in OF_STRINGS {
                for (number, spelling) in [(0, 0), (12, 0), (3, 2)] {
                    let id = TokenId { category, number, spelling: Spelling::new(spelling) };
                    let Some(text) = family.write(id, value, &keys()) else { continue };
                    written += 1;
                    let running = reader::read(&text, &keys());
                    let read = match running.first() {
                        Some(reading) => {
                            assert_eq!(reading.span.len(), text.len(), "{text}");
                            Some(reading.id)
                        }
                        None => read_whole(&text, &keys(), (Shapes::Read, None)).map(|whole| whole.id),
                    };
                    assert_eq!(read, Some(id), "{family:?} {text}");
                    let other = SessionKeys::derive(&Secret::new([8; 32]));
                    let foreign = read_whole(&text, &other, (Shapes::Read, None)).map(|whole| whole.id);
                    assert_ne!(foreign, Some(id), "{text}");
                }
            }
            assert!(written >= 15, "{category}: {written}");
        }
    }

    #[test]
    fn numbers_are_whole_numbers_of_seven_digits_or_more() {
        let id = TokenId { category: Category::Phone, number: 0, spelling: Spelling::new(0) };
        for (value, expected) in [
            ("2025550143", true),
            ("5550143", true),
            ("555014", false),
            ("5550143.5", false),
            ("-5550143", false),
        ] {
            let written = number(id, value, &keys());
            assert_eq!(written.is_some(), expected, "{value}");
            if let Some(written) = written {
                assert!(same_shape(&written, value) && !written.starts_with('0'));
                let read = |key| read_whole(&written, &keys(), (Shapes::ByKey, Some(key)));
                assert_eq!(read("phone").map(|whole| whole.id), Some(id));
                assert_eq!(read("total"), None, "only where it may stand");
            }
        }
    }

    #[test]
    fn what_is_gone_for_good_reads_as_nothing() {
        for family in [Family::Email, Family::Uri, Family::Host] {
            let text = family.redacted(Category::Email).unwrap();
            assert_eq!(reader::read(&text, &keys()), [], "{text}");
        }
    }
}
