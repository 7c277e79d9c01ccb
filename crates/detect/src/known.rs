//! Values that a session has cloaked are recognised again, in any case and spacing.
//!
//! In: values with their category, later texts. Out: findings where a text holds such a value. The index holds
//! keyed hashes only. A value is anchored at its first canonical word; an anchor knows the lengths of the values
//! that begin with it, so a probe reads each word of a text once and looks further only where an anchor says so.
//! Invariant: an insert costs O(1); a probe O(words); no text of a value is kept. Not here: what a session is.

use std::collections::HashMap;
use std::hash::Hasher;

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength, UpstreamName};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::canonical::{Words, fold_into, folded, stands_alone};
use crate::lexicon::is_key_char;

/// Longest canonical form, in bytes, that is remembered; longer values (keys over many lines) have marks of their
/// own that detectors find.
const MAX_FORM_BYTES: usize = 512;
/// Most words of one value.
const MAX_WORDS: usize = 48;
/// Most characters between two words of one value.
const MAX_GAP_CHARS: usize = 8;

/// Words of eight letters and more that are no names: a value made of them alone is never remembered.
const COMMON_WORDS: &str = include_str!("../data/common.txt");

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

    fn hash(&self, domain: u8, bytes: &[u8]) -> u128 {
        let mut hasher = self.hasher();
        hasher.write_u8(domain);
        hasher.write(bytes);
        hasher.finish128().as_u128()
    }

    fn anchor(&self, word: &[u8]) -> u64 {
        let mut hasher = self.hasher();
        hasher.write_u8(ANCHOR);
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

/// One value as the index keeps it: hashes, no text.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct KnownValue {
    hash: u128,
    anchor: u64,
    joined: u64, // anchor of all words written as one
    length: u16, // bytes of the canonical form
    form: Form,
    category: Category,
    field: Option<u128>, // keyed hash of the only field key under which it is recognised
    reach: Reach,
}

/// Makes a value recognisable, where the rules of admission allow.
///
/// A value of two words or more, of a checked kind, or of eight characters that are no common word is recognised
/// everywhere; a single short word, a date, an amount or a short number only under the same field key. `None`:
/// the value may not be recognised at all.
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
        Admission::SameField => Some(field_hash(key, field_key?)),
    };
    let mut joined = String::with_capacity(value.len());
    for word in &words {
        fold_into(word.of(value)?, &mut joined);
    }
    let first = folded(words.first()?.of(value)?);
    let gaps = words
        .iter()
        .zip(words.iter().skip(1))
        .all(|(one, next)| value.get(one.end()..next.start()).is_some_and(joins));
    let (form, hash, length) = if is_loose(category) && gaps {
        (Form::Loose, key.hash(LOOSE, joined.as_bytes()), joined.len())
    } else {
        let lead = u16::try_from(words.first()?.start()).ok()?;
        let trail = u16::try_from(value.len() - words.last()?.end()).ok()?;
        let exact = folded(value);
        (Form::Tight { lead, trail }, key.hash(TIGHT, exact.as_bytes()), exact.len())
    };
    if length > MAX_FORM_BYTES {
        return None;
    }
    Some(KnownValue {
        hash,
        anchor: key.anchor(first.as_bytes()),
        joined: key.anchor(joined.as_bytes()),
        length: u16::try_from(length).ok()?,
        form,
        category,
        field,
        reach,
    })
}

/// Kinds whose spelling varies in blanks and separators.
fn is_loose(category: Category) -> bool {
    matches!(
        category,
        Category::Person
            | Category::Address
            | Category::Phone
            | Category::CreditCard
            | Category::Iban
            | Category::Ssn
            | Category::NationalId
            | Category::Passport
            | Category::DriverLicense
            | Category::TaxId
            | Category::HealthId
            | Category::OtherId
            | Category::BankAccount
            | Category::Vehicle
            | Category::Location
            | Category::Org
            | Category::Medical
            | Category::Custom
    )
}

enum Admission {
    Everywhere,
    SameField,
}

fn admission(category: Category, value: &str, words: &[Span]) -> Admission {
    if matches!(
        category,
        Category::DateOfBirth
            | Category::Date
            | Category::Money
            | Category::Age
            | Category::Weight
            | Category::Gender
    ) {
        return Admission::SameField;
    }
    if category == Category::Custom || category.is_checked_kind() {
        return Admission::Everywhere;
    }
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    if letters == 0 {
        return if digits >= 6 { Admission::Everywhere } else { Admission::SameField };
    }
    let common = words.iter().all(|word| word.of(value).is_some_and(is_common_word));
    if value.chars().any(stands_alone) {
        // One character is a word there; three are as telling as two words elsewhere.
        return if letters >= 3 { Admission::Everywhere } else { Admission::SameField };
    }
    match (common, words.len()) {
        (true, _) => Admission::SameField,
        (false, 1) if letters + digits < 8 => Admission::SameField,
        (false, _) => Admission::Everywhere,
    }
}

fn is_common_word(word: &str) -> bool {
    COMMON_WORDS.split_ascii_whitespace().any(|common| common.eq_ignore_ascii_case(word))
}

fn field_hash(key: &KnownKey, field_key: &str) -> u128 {
    let name: String = field_key.chars().filter(|c| is_key_char(*c)).flat_map(char::to_lowercase).collect();
    key.hash(FIELD, name.as_bytes())
}

/// Lengths of the values that begin with one word.
#[derive(Clone, Debug, Default)]
struct Lengths {
    loose: Vec<u16>,             // sorted
    tight: Vec<(u16, u16, u16)>, // lead, length, trail; sorted
}

#[derive(Clone, Debug)]
struct Entry {
    category: Category,
    field: Option<u128>,
    reach: Reach,
}

/// The known values of one session.
#[derive(Clone, Debug)]
pub struct KnownValues {
    key: KnownKey,
    anchors: HashMap<u64, Lengths>,
    entries: HashMap<u128, Vec<Entry>>,
    count: usize,
}

impl KnownValues {
    /// An empty index.
    #[must_use]
    pub fn new(key: KnownKey) -> Self {
        Self { key, anchors: HashMap::new(), entries: HashMap::new(), count: 0 }
    }

    /// Number of values, those included that differ only in where they are recognised.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// True when no value is known.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a value made with the same key; adding it again changes nothing.
    pub fn insert(&mut self, value: KnownValue) {
        let entries = self.entries.entry(value.hash).or_default();
        let entry = Entry { category: value.category, field: value.field, reach: value.reach };
        let again = entries.iter().any(|other| {
            other.category == entry.category && other.field == entry.field && other.reach == entry.reach
        });
        if again {
            return;
        }
        entries.push(entry);
        self.count += 1;
        match value.form {
            Form::Loose => {
                for anchor in [value.anchor, value.joined] {
                    insert_sorted(&mut self.anchors.entry(anchor).or_default().loose, value.length);
                }
            }
            Form::Tight { lead, trail } => {
                let lengths = self.anchors.entry(value.anchor).or_default();
                insert_sorted(&mut lengths.tight, (lead, value.length, trail));
            }
        }
    }

    /// Finds the known values in a text, longest first where two begin alike.
    ///
    /// `field_key` is the key under which the text stands; `upstream` whose message it is.
    #[must_use]
    pub fn probe(
        &self,
        text: &str,
        field_key: Option<&str>,
        upstream: Option<&UpstreamName>,
    ) -> Vec<Finding> {
        if self.entries.is_empty() {
            return Vec::new();
        }
        let field = field_key.map(|name| field_hash(&self.key, name));
        let place = Place { text, field, upstream };
        let words: Vec<Span> = Words::of(text).collect();
        let mut findings = Vec::new();
        let mut form = String::new();
        let mut covered = 0; // end of the last finding
        for (index, word) in words.iter().enumerate() {
            form.clear();
            fold_into(word.of(text).unwrap_or_default(), &mut form);
            let Some(lengths) = self.anchors.get(&self.key.anchor(form.as_bytes())) else { continue };
            let loose = self.longest_loose(&place, words.get(index..).unwrap_or_default(), &lengths.loose);
            let tight = self.longest_tight(&place, *word, &lengths.tight);
            let Some((span, category)) =
                [loose, tight].into_iter().flatten().max_by_key(|(span, _)| span.len())
            else {
                continue;
            };
            if span.end() > covered {
                covered = span.end();
                findings.push(Finding::new(category, span, Detector("known"), Strength::Known));
            }
        }
        findings
    }

    fn longest_loose(&self, place: &Place<'_>, words: &[Span], lengths: &[u16]) -> Option<(Span, Category)> {
        let longest = usize::from(*lengths.last()?);
        let first = words.first()?;
        let mut best = None;
        let mut form = String::new();
        let mut end = first.start();
        for (count, word) in words.iter().take(MAX_WORDS).enumerate() {
            if count > 0 && !joins(place.text.get(end..word.start())?) {
                break;
            }
            end = word.end();
            fold_into(word.of(place.text)?, &mut form);
            if form.len() > longest {
                break;
            }
            if u16::try_from(form.len()).is_ok_and(|length| lengths.binary_search(&length).is_ok())
                && let Some(category) = self.known_here(self.key.hash(LOOSE, form.as_bytes()), place)
            {
                best = Some((Span::new(first.start(), end)?, category));
            }
        }
        best
    }

    fn longest_tight(
        &self,
        place: &Place<'_>,
        word: Span,
        shapes: &[(u16, u16, u16)],
    ) -> Option<(Span, Category)> {
        let mut best: Option<(Span, Category)> = None;
        for (lead, length, trail) in shapes {
            let Some(start) = word.start().checked_sub(usize::from(*lead)) else { continue };
            let Some((span, form)) = folded_prefix(place.text, start, usize::from(*length)) else { continue };
            let ends_in_word = *trail == 0 && crate::lex::word_char_at(place.text, span.end());
            if ends_in_word || best.is_some_and(|(other, _)| other.len() >= span.len()) {
                continue;
            }
            if let Some(category) = self.known_here(self.key.hash(TIGHT, form.as_bytes()), place) {
                best = Some((span, category));
            }
        }
        best
    }

    fn known_here(&self, hash: u128, place: &Place<'_>) -> Option<Category> {
        self.entries.get(&hash)?.iter().find(|entry| place.admits(entry)).map(|entry| entry.category)
    }
}

struct Place<'a> {
    text: &'a str,
    field: Option<u128>,
    upstream: Option<&'a UpstreamName>,
}

impl Place<'_> {
    fn admits(&self, entry: &Entry) -> bool {
        let reached = match &entry.reach {
            Reach::Everywhere => true,
            Reach::Upstream(name) => self.upstream == Some(name),
        };
        reached && entry.field.is_none_or(|field| self.field == Some(field))
    }
}

fn insert_sorted<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
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

/// The text from `start` whose folded form has exactly `length` bytes.
fn folded_prefix(text: &str, start: usize, length: usize) -> Option<(Span, String)> {
    let rest = text.get(start..)?;
    if let Some(exact) = rest.get(..length).filter(|exact| exact.is_ascii()) {
        return Some((Span::sized(start, length), folded(exact)));
    }
    // Folding may change lengths, so the end is looked for near where it must be.
    let mut best = None;
    for (offset, c) in rest.char_indices() {
        let end = offset + c.len_utf8();
        if end > 4 * length {
            break;
        }
        if end * 4 < length {
            continue;
        }
        let candidate = rest.get(..end)?;
        if c.is_ascii() && end + 64 < length {
            continue;
        }
        let form = folded(candidate);
        if form.len() == length {
            best = Some((Span::sized(start, end), form));
            break;
        }
        if form.len() > length + 16 {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, UpstreamName};

    use super::{KnownKey, KnownValues, Reach, admit};

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
        for finding in index.probe(text, field, None).iter().rev() {
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
        assert_eq!(index.probe("Ada Byron", None, Some(&one)).len(), 1);
        assert_eq!(index.probe("Ada Byron", None, Some(&two)).len(), 0);
        assert_eq!(index.probe("Ada Byron", None, None).len(), 0);
        let agreed = admit(&KEY, Category::Person, "ADA BYRON", None, Reach::Everywhere).unwrap();
        index.insert(agreed.clone());
        index.insert(agreed);
        assert_eq!((index.len(), index.probe("Ada Byron", None, Some(&two)).len()), (2, 1));
    }

    #[test]
    fn probing_repeated_anchors_stays_linear() {
        let index =
            index(&[(Category::Person, &["Ada"; 40].join(" ")), (Category::Secret, &"Ada/".repeat(40))]);
        let text = "ada ".repeat(100_000);
        assert!(!index.probe(&text, None, None).is_empty());
        assert!(index.probe(&"ada; ".repeat(100_000), None, None).is_empty());
    }
}
