//! Values that a session has cloaked are recognised again, in any case and spacing.
//!
//! In: values with their category, later texts. Out: findings where a text holds such a value. The index holds
//! keyed hashes only. A value is anchored at its first canonical word; an anchor knows the lengths of the values
//! that begin with it, so a probe reads each word of a text once and looks further only where an anchor says so.
//! Invariant: an insert costs O(1); a probe O(words); no text of a value is kept. Not here: what a session is.

use std::borrow::Cow;
use std::hash::Hasher;

use cloakgate_vocab::{Category, Span, UpstreamName};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::canonical::{Words, fold_into, folded, is_grouped};
use crate::lexicon::is_key_char;

mod admission;
mod beginnings;
mod index;
mod prefixes;
mod sieve;
mod stored;

pub(crate) use admission::is_common as is_common_word;
use admission::{Admission, admission, is_plain_key};
pub(crate) use beginnings::BEGINNING;
use beginnings::{Beginnings, Value};
pub use index::KnownValues;
pub(crate) use index::{Place, probe_all};

/// Longest canonical form, in bytes, that is remembered; longer values (keys over many lines) have marks of their
/// own that detectors find.
const MAX_FORM_BYTES: usize = 512;
/// Most words of one value.
const MAX_WORDS: usize = 48;
/// Longest field key, in bytes, under which a value is recognised.
const MAX_KEY_BYTES: usize = 256;
/// Most characters between two words of one value.
const MAX_GAP_CHARS: usize = 8;

/// Key of a session's known values.
#[derive(Clone, Copy)]
pub struct KnownKey([u8; 16]);

impl KnownKey {
    /// Wraps key bytes; they must differ between sessions and come from a secret.
    #[must_use]
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    fn hasher(&self) -> SipHasher24 {
        SipHasher24::new_with_key(&self.0)
    }

    /// A hasher that goes on with the bytes of a form.
    fn opened(&self, domain: u8) -> SipHasher24 {
        let mut hasher = self.hasher();
        hasher.write_u8(domain);
        hasher
    }

    fn hash(&self, domain: u8, bytes: &[u8]) -> u128 {
        let mut hasher = self.opened(domain);
        hasher.write(bytes);
        hasher.finish128().as_u128()
    }

    const fn scheme(&self) -> sieve::Scheme {
        sieve::Scheme::new(&self.0)
    }

    fn anchor(&self, word: &[u8]) -> u64 {
        self.anchor_in(ANCHOR, word)
    }

    fn anchor_in(&self, domain: u8, word: &[u8]) -> u64 {
        let mut hasher = self.opened(domain);
        hasher.write(word);
        hasher.finish()
    }
}

impl std::fmt::Debug for KnownKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KnownKey(..)")
    }
}

const ANCHOR: u8 = 0;
const LOOSE: u8 = 1;
const TIGHT: u8 = 2;
const FIELD: u8 = 3;

/// Where a known value is recognised.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Reach {
    /// In every message of the session.
    Everywhere,
    /// Only in messages of this upstream, until a second source brings the value.
    Upstream(UpstreamName),
}

/// How the words of a value may be joined.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Form {
    /// By any blank, dash or dot, or by nothing: names, numbers.
    Loose,
    /// Exactly as in the value: addresses of machines and mail, secrets. `lead` and `trail` are the bytes before
    /// the first and after the last word.
    Tight { lead: u16, trail: u16 },
}

impl Form {
    const fn is_loose(self) -> bool {
        matches!(self, Self::Loose)
    }
}

/// Hashes of a folded word: for the index, and for the filter before it.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
struct Anchor {
    hash: u64,
    sieved: u32,
}

impl Anchor {
    fn of(key: &KnownKey, word: &[u8]) -> Self {
        Self { hash: key.anchor(word), sieved: key.scheme().folded(word) }
    }
}

/// One value as the index keeps it: hashes, no text.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct KnownValue {
    hash: u128,
    anchor: Anchor,
    joined: Anchor, // of all words written as one
    length: u16,    // bytes of the canonical form
    form: Form,
    category: Category,
    field: Option<u128>, // keyed hash of the only field key under which it is recognised
    reach: Reach,
    beginnings: Beginnings,
}

/// Makes a value recognisable, where the rules of admission allow.
///
/// A value of two words or more, of a checked kind, or of eight characters is recognised everywhere, unless it is made
/// of common words or is a name of code; a single short word, a date, an amount or a short number only under the
/// same field key, and not under a key that any message has (`text`, `name`). `None`: the value may not be
/// recognised at all.
#[must_use]
pub fn admit(
    key: &KnownKey,
    category: Category,
    value: &str,
    field_key: Option<&str>,
    reach: Reach,
) -> Option<KnownValue> {
    if matches!(category, Category::Opaque | Category::Literal) || value.len() > 4 * MAX_FORM_BYTES {
        return None;
    }
    let value = value.trim();
    let words: Vec<Span> = Words::of(value).collect();
    if words.is_empty() || words.len() > MAX_WORDS {
        return None;
    }
    let field = match admission(category, value, &words) {
        Admission::Everywhere => None,
        Admission::SameField => Some(field_hash(key, field_key.filter(|name| !is_plain_key(name))?)?),
    };
    let mut joined = String::with_capacity(value.len());
    for word in &words {
        fold_into(word.of(value)?, &mut joined);
    }
    let first = folded(words.first()?.of(value)?);
    let (kind, form) = form_of(category, value, &words, &joined)?;
    if form.len() > MAX_FORM_BYTES {
        return None;
    }
    let described = Value { category, text: value, words: &words, form: &form, kind };
    Some(KnownValue {
        hash: key.hash(if kind.is_loose() { LOOSE } else { TIGHT }, form.as_bytes()),
        anchor: Anchor::of(key, first.as_bytes()),
        joined: Anchor::of(key, joined.as_bytes()),
        length: u16::try_from(form.len()).ok()?,
        form: kind,
        category,
        field,
        beginnings: if field.is_none() {
            Beginnings::of(key, &described, &reach)
        } else {
            Beginnings::default()
        },
        reach,
    })
}

/// How the words of a value may be joined, and its canonical form; `joined` is all its words as one.
fn form_of<'a>(
    category: Category,
    value: &str,
    words: &[Span],
    joined: &'a str,
) -> Option<(Form, Cow<'a, str>)> {
    let gaps = words
        .iter()
        .zip(words.iter().skip(1))
        .all(|(one, next)| value.get(one.end()..next.start()).is_some_and(joins));
    if is_loose(category) && gaps {
        return Some((Form::Loose, Cow::Borrowed(joined)));
    }
    let lead = u16::try_from(words.first()?.start()).ok()?;
    let trail = u16::try_from(value.len() - words.last()?.end()).ok()?;
    Some((Form::Tight { lead, trail }, Cow::Owned(folded(value))))
}

/// Kinds whose spelling varies in blanks and separators.
fn is_loose(category: Category) -> bool {
    match category {
        Category::Person
        | Category::Address
        | Category::Phone
        | Category::Location
        | Category::Org
        | Category::Medical
        | Category::Custom => true,
        // Known with the separators that it was cloaked with.
        Category::MacAddress => false,
        _ => is_grouped(category),
    }
}

/// Hash of a field key in any spelling; `None` for a text too long to be the key of a field.
fn field_hash(key: &KnownKey, field_key: &str) -> Option<u128> {
    if field_key.len() > MAX_KEY_BYTES {
        return None;
    }
    let name: String = field_key.chars().filter(|c| is_key_char(*c)).flat_map(char::to_lowercase).collect();
    Some(key.hash(FIELD, name.as_bytes()))
}

/// True when the text between two words may stand inside one value.
fn joins(gap: &str) -> bool {
    let mut marks = 0;
    for (count, c) in gap.chars().enumerate() {
        if count >= MAX_GAP_CHARS {
            return false;
        }
        if !c.is_whitespace() {
            marks += 1;
            if !matches!(
                c,
                '-' | '_' | '.' | '\'' | '’' | '+' | '(' | ')' | '/' | ',' | '‐' | '–' | '·' | '・'
            ) {
                return false;
            }
        }
    }
    // `a,b` are two cells; `a, b` may be an address.
    marks <= 2 && gap != ","
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, UpstreamName};

    use super::{KnownKey, KnownValues, Reach, admit};
    use crate::engine::{Field, FieldKind};

    const KEY: KnownKey = KnownKey::new([7; 16]);

    fn index(values: &[(Category, &str)]) -> KnownValues {
        let mut index = KnownValues::new(KEY);
        for (category, value) in values {
            index.insert(admit(&KEY, *category, value, Some("given_name"), Reach::Everywhere).expect(value));
        }
        index
    }

    fn marked(index: &KnownValues, text: &str, field: Option<&str>) -> String {
        let mut out = text.to_owned();
        let field = Field { key: field, ..Field::text(text) };
        for finding in index.probe(&field, None).iter().rev() {
            let hull = finding.hull();
            out.insert(hull.end(), '»');
            out.insert(hull.start(), '«');
        }
        out
    }

    #[test]
    fn known_values_are_found_in_any_case_and_spacing() {
        let index = index(&[
            (Category::Person, "Marie Dubois"),
            (Category::Person, "Marie Dubois-Lenoir"),
            (Category::Person, "陈凤兰"),
            (Category::Person, "Seán O'Brien"),
            (Category::Address, "12 rue des Lilas, 69003 Lyon"),
            (Category::Email, "m.dubois@example.eu"),
            (Category::Password, "!S3cret+word!"),
            (Category::IpAddress, "203.0.113.7"),
        ]);
        for text in [
            "ask «Marie Dubois» now",
            "«MARIE   DUBOIS»",
            "{\"«marie_dubois»\": 1}",
            "/home/«mariedubois»/x",
            "«Marie\nDubois»",
            "«Marie Dubois-Lenoir» and «Marie Dubois»",
            "联系人«陈凤兰»的电话",
            "«seán o’brien»'s",
            "«12 Rue des Lilas 69003 LYON»",
            "to «M.Dubois@EXAMPLE.eu».",
            "pw=«!s3cret+word!»!",
            "from «203.0.113.7»:80",
            "203.0.113.70 and 2030113.7 and 203 0 113 7",
            "Marie met Dubois; Marie,Dubois",
            "Mariedubois2",
        ] {
            assert_eq!(marked(&index, &text.replace(['«', '»'], ""), None), text);
        }
    }

    #[test]
    fn short_values_are_known_only_under_their_key() {
        let index = index(&[
            (Category::Person, "Will"),
            (Category::Password, "4711"),
            (Category::Date, "2024-05-03"),
        ]);
        assert_eq!(marked(&index, "Will 4711 2024-05-03", None), "Will 4711 2024-05-03");
        assert_eq!(marked(&index, "Will", Some("givenName")), "«Will»");
        assert_eq!(marked(&index, "Will", Some("verb")), "Will");
    }

    #[test]
    fn poison_is_not_admitted() {
        for (category, value) in [
            (Category::Opaque, "x'; drop table orders;--"),
            (Category::Literal, "[EMAIL_0_aaa]"),
            (Category::Person, "Administrator"),
            (Category::Person, "the"),
            (Category::Person, "true"),
            (Category::Person, "..."),
            (Category::Person, ""),
        ] {
            assert_eq!(admit(&KEY, category, value, None, Reach::Everywhere), None, "{value}");
        }
    }

    #[test]
    fn third_party_values_are_known_only_there_until_a_second_source_agrees() {
        let one: UpstreamName = "one".parse().unwrap();
        let two: UpstreamName = "two".parse().unwrap();
        let mut index = KnownValues::new(KEY);
        index.insert(admit(&KEY, Category::Person, "Ada Byron", None, Reach::Upstream(one.clone())).unwrap());
        assert_eq!(index.probe(&Field::text("Ada Byron"), Some(&one)).len(), 1);
        assert_eq!(index.probe(&Field::text("Ada Byron"), Some(&two)).len(), 0);
        assert_eq!(index.probe(&Field::text("Ada Byron"), None).len(), 0);
        let agreed = admit(&KEY, Category::Person, "ADA BYRON", None, Reach::Everywhere).unwrap();
        index.insert(agreed.clone());
        index.insert(agreed);
        assert_eq!((index.len(), index.probe(&Field::text("Ada Byron"), Some(&two)).len()), (2, 1));
    }

    #[test]
    fn probing_repeated_anchors_stays_linear() {
        let index =
            index(&[(Category::Person, &["Ada"; 40].join(" ")), (Category::Secret, &"Ada/".repeat(40))]);
        let text = "ada ".repeat(100_000);
        assert!(!index.probe(&Field::text(&text), None).is_empty());
        assert!(index.probe(&Field::text(&"ada; ".repeat(100_000)), None).is_empty());
    }

    #[test]
    fn beginnings_of_known_values_are_found_at_the_end_of_a_text() {
        let index = index(&[
            (Category::Person, "Marie Dubois"),
            (Category::Person, "Will Smith"),
            (Category::Person, "Jürgen Müller-Lüdenscheidt"),
            (Category::Person, "陈凤兰"),
            (Category::Person, "Kowalczyk"),
            (Category::Email, "marie.dubois@example.eu"),
            (Category::Email, "jsmith1984@example.org"),
            (Category::Email, "contact@example.org"),
            (Category::Phone, "+44 20 7946 0958"),
            (Category::Iban, "DE89370400440532013000"),
            (Category::Address, "12 rue des Lilas, 69003 Lyon"),
            (Category::Password, "!S3cret+word!-and-more"),
        ]);
        for text in [
            "signed «Marie D»",
            "signed «MARIE\nDUBO»",
            "signed «Marie Dub»...",
            "signed «Marie Dub»… [truncated]",
            "signed «Marie Dubois»",
            "{\"owner\": \"«marie-dub»",
            "signed «Jürgen Mül»",
            "signed «Jürgen Müller-Lü»",
            "by «Will Smi»",
            "联系人«陈凤»",
            "write to «marie.d»",
            "write to «marie.dubois@»",
            "write to «marie.dubois@example.e»",
            "write to «jsmith19»",
            "write to «contact@e»",
            "call «+44 20 7946»",
            "call «+442079460»",
            "pay to «DE8937040044»",
            "pay to «DE89370400440532013»",
            "at «12 rue des Lil»",
            "pw=«!s3cret+word!-a»",
        ] {
            let text = text.replace("«+", "+«");
            assert_eq!(marked(&index, &text.replace(['«', '»'], ""), None), text);
        }
        for text in [
            "signed Marie",
            "signed Mar",
            "Marie ",
            "Marie.",
            "Marie Dub was here",
            "Marie Dub\nwas here",
            "Marie,Du",
            "Will S",
            "i will sm",
            "the will",
            "Kowalczy",
            "陈",
            "marie.",
            "write to marie",
            "contact",
            "contac",
            "jsmith1",
            "call +44 20 79",
            "call 4420794",
            "DE89 3704 0044",
            "DE8937",
            "at 12 rue",
            "!s3cret",
            "",
        ] {
            assert_eq!(marked(&index, text, None), text);
        }
        for kind in [FieldKind::Number, FieldKind::Key] {
            let field = Field { kind, ..Field::text("44207946095") };
            assert!(index.probe(&field, None).is_empty());
        }
    }

    #[test]
    fn beginnings_reach_as_far_as_their_values() {
        let one: UpstreamName = "one".parse().unwrap();
        let two: UpstreamName = "two".parse().unwrap();
        let mut index = KnownValues::new(KEY);
        index.insert(admit(&KEY, Category::Person, "Ada Byron", None, Reach::Upstream(one.clone())).unwrap());
        let field = Field::text("for Ada Byr");
        assert_eq!(index.probe(&field, Some(&one)).len(), 1);
        assert_eq!(index.probe(&field, Some(&two)).len() + index.probe(&field, None).len(), 0);
    }
}
