//! The index of known values: probes read each word of a text once.
//!
//! In: values made by `admit`, later texts. Out: findings. Invariant: an insert costs O(1), a probe O(words); only
//! keyed hashes and lengths are held.

use std::collections::HashMap;

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength, UpstreamName};
use unicode_normalization::UnicodeNormalization;

use super::{Form, KnownKey, KnownValue, LOOSE, MAX_WORDS, Reach, TIGHT, field_hash, joins};
use crate::canonical::{Words, fold_into, folded};

/// How far, in bytes, the folded form of a text may differ from the folded forms of its characters.
const MAX_DRIFT_BYTES: usize = 16;

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

/// The text from `start` whose folded form has exactly `length` bytes.
fn folded_prefix(text: &str, start: usize, length: usize) -> Option<(Span, String)> {
    let rest = text.get(start..)?;
    if let Some(exact) = rest.get(..length).filter(|exact| exact.is_ascii()) {
        return Some((Span::sized(start, length), folded(exact)));
    }
    // Folding may change lengths, so the whole is folded only where the parts come near.
    let mut near = 0;
    for (offset, c) in rest.char_indices() {
        near += std::iter::once(c).nfkc().flat_map(char::to_lowercase).map(char::len_utf8).sum::<usize>();
        if near > length + MAX_DRIFT_BYTES {
            break;
        }
        if near + MAX_DRIFT_BYTES < length {
            continue;
        }
        let end = offset + c.len_utf8();
        let form = folded(rest.get(..end)?);
        if form.len() == length {
            return Some((Span::sized(start, end), form));
        }
    }
    None
}
