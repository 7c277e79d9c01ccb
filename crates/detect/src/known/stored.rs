//! A known value as bytes, for a store that keeps it between runs.
//!
//! In: a value, or bytes that were written here. Out: the other. Invariant: bytes that are cut off, too long or of another
//! format are refused; a value comes back equal. Not here: sealing the bytes, which a store does.

use cloakgate_vocab::{ByteReader, Category};

use super::beginnings::{Beginnings, MAX_BEGINNINGS};
use super::{Anchor, Form, KnownValue, Reach};

const FORMAT: u8 = 1;

impl KnownValue {
    /// The value as bytes. They hold keyed hashes, its length and its category.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT];
        bytes.extend(self.hash.to_be_bytes());
        write_anchor(&mut bytes, self.anchor);
        write_anchor(&mut bytes, self.joined);
        bytes.extend(self.length.to_be_bytes());
        match self.form {
            Form::Loose => bytes.push(0),
            Form::Tight { lead, trail } => {
                bytes.push(1);
                bytes.extend(lead.to_be_bytes());
                bytes.extend(trail.to_be_bytes());
            }
        }
        write_text(&mut bytes, self.category.name());
        match self.field {
            None => bytes.push(0),
            Some(field) => {
                bytes.push(1);
                bytes.extend(field.to_be_bytes());
            }
        }
        match &self.reach {
            Reach::Everywhere => bytes.push(0),
            Reach::Upstream(name) => {
                bytes.push(1);
                write_text(&mut bytes, name.as_str());
            }
        }
        // At most `MAX_BEGINNINGS`, which a byte holds.
        bytes.push(u8::try_from(self.beginnings.hashes.len()).unwrap_or(u8::MAX));
        bytes.extend(self.beginnings.hashes.iter().flat_map(|hash| hash.to_be_bytes()));
        match self.beginnings.head {
            None => bytes.push(0),
            Some(head) => {
                bytes.push(1);
                write_anchor(&mut bytes, head);
            }
        }
        bytes
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote; `None` for anything else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = ByteReader(bytes);
        if rest.byte()? != FORMAT {
            return None;
        }
        let value = Self {
            hash: u128::from_be_bytes(rest.array()?),
            anchor: read_anchor(&mut rest)?,
            joined: read_anchor(&mut rest)?,
            length: u16::from_be_bytes(rest.array()?),
            form: match rest.byte()? {
                0 => Form::Loose,
                1 => Form::Tight {
                    lead: u16::from_be_bytes(rest.array()?),
                    trail: u16::from_be_bytes(rest.array()?),
                },
                _ => return None,
            },
            category: read_text(&mut rest)?.parse::<Category>().ok()?,
            field: match rest.byte()? {
                0 => None,
                1 => Some(u128::from_be_bytes(rest.array()?)),
                _ => return None,
            },
            reach: match rest.byte()? {
                0 => Reach::Everywhere,
                1 => Reach::Upstream(read_text(&mut rest)?.parse().ok()?),
                _ => return None,
            },
            beginnings: read_beginnings(&mut rest)?,
        };
        rest.0.is_empty().then_some(value)
    }
}

fn write_anchor(bytes: &mut Vec<u8>, anchor: Anchor) {
    bytes.extend(anchor.hash.to_be_bytes());
    bytes.extend(anchor.sieved.to_be_bytes());
}

/// Names of categories and upstreams are far shorter than 255 bytes.
fn write_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
    bytes.extend(text.as_bytes());
}

fn read_text<'a>(bytes: &mut ByteReader<'a>) -> Option<&'a str> {
    let length = bytes.byte()?;
    bytes.text(length.into())
}

fn read_anchor(bytes: &mut ByteReader<'_>) -> Option<Anchor> {
    let hash = u64::from_be_bytes(bytes.array()?);
    Some(Anchor { hash, sieved: u32::from_be_bytes(bytes.array()?) })
}

fn read_beginnings(bytes: &mut ByteReader<'_>) -> Option<Beginnings> {
    let count = usize::from(bytes.byte()?);
    if count > MAX_BEGINNINGS {
        return None;
    }
    let hashes = (0..count).map(|_| bytes.array().map(u64::from_be_bytes)).collect::<Option<_>>()?;
    let head = match bytes.byte()? {
        0 => None,
        1 => Some(read_anchor(bytes)?),
        _ => return None,
    };
    Some(Beginnings { hashes, head })
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Category;

    use super::super::{KnownKey, KnownValue, Reach, admit};

    #[test]
    fn every_kind_of_value_comes_back_equal_and_nothing_else_is_read() {
        let key = KnownKey::new([9; 16]);
        let upstream = Reach::Upstream("crm".parse().unwrap());
        for (name, category, value, field, reach) in [
            ("words", Category::Person, "Marie-Claire Dubois", None, Reach::Everywhere),
            ("tight", Category::Email, "marie.dubois@example.eu", None, upstream.clone()),
            ("under a field", Category::Person, "Li", Some("first_name"), Reach::Everywhere),
            ("long", Category::Iban, "DE89 3704 0044 0532 0130 00", None, upstream),
        ] {
            let Some(value) = admit(&key, category, value, field, reach) else {
                panic!("{name}: not admitted")
            };
            let bytes = value.to_bytes();
            assert_eq!(KnownValue::from_bytes(&bytes), Some(value), "{name}");
            for end in 0..bytes.len() {
                assert_eq!(KnownValue::from_bytes(&bytes[..end]), None, "{name} cut at {end}");
            }
            assert_eq!(KnownValue::from_bytes(&[&bytes[..], &[0]].concat()), None, "{name}, longer");
        }
    }
}
