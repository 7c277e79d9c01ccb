//! The index of known values: probes read each word of a text once.
//!
//! In: values made by `admit`, later texts. Out: findings. Invariant: an insert costs O(1), a probe O(words); only
//! keyed hashes and lengths are held.

use std::collections::HashMap;
use std::hash::Hasher;

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength, UpstreamName};
use siphasher::sip128::{Hasher128, SipHasher24};
use unicode_normalization::char::is_combining_mark;

use super::sieve::Sieve;
use super::{Anchor, Form, KnownKey, KnownValue, LOOSE, MAX_WORDS, Reach, TIGHT, field_hash, joins};
use crate::canonical::{Words, fold_into};
use crate::work;

/// Lengths of the values that begin with one word.
#[derive(Clone, Debug, Default)]
struct Lengths {
    sieved: u32,                 // hash of the word in the filter
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
    sieve: Sieve, // holds each anchor
    anchors: HashMap<u64, Lengths>,
    entries: HashMap<u128, Vec<Entry>>,
    count: usize,
}

impl KnownValues {
    /// An empty index.
    #[must_use]
    pub fn new(key: KnownKey) -> Self {
        Self { key, sieve: Sieve::default(), anchors: HashMap::new(), entries: HashMap::new(), count: 0 }
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
                    insert_sorted(&mut self.anchor(anchor).loose, value.length);
                }
            }
            Form::Tight { lead, trail } => {
                insert_sorted(&mut self.anchor(value.anchor).tight, (lead, value.length, trail));
            }
        }
    }

    /// The lengths of an anchor, new or not.
    fn anchor(&mut self, anchor: Anchor) -> &mut Lengths {
        if !self.sieve.has_room(self.anchors.len() + 1) {
            self.sieve = Sieve::for_anchors(self.anchors.len() + 1);
            self.anchors.values().for_each(|lengths| self.sieve.add(lengths.sieved));
        }
        self.sieve.add(anchor.sieved);
        let lengths = self.anchors.entry(anchor.hash).or_default();
        lengths.sieved = anchor.sieved;
        lengths
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
        let mut findings = Vec::new();
        probe_all(&[self], &Place { text, field_key, upstream }, &mut findings);
        findings
    }

    /// The longest value whose first word is the one given.
    #[cold]
    fn longest(&self, place: &Place<'_>, word: Span, form: &str) -> Option<(Span, Category)> {
        let lengths = self.anchors.get(&self.key.anchor(form.as_bytes()))?;
        let loose = self.longest_loose(place, word, &lengths.loose);
        let tight = self.longest_tight(place, word, &lengths.tight);
        [loose, tight].into_iter().flatten().max_by_key(|(span, _)| span.len())
    }

    fn longest_loose(&self, place: &Place<'_>, first: Span, lengths: &[u16]) -> Option<(Span, Category)> {
        let longest = usize::from(*lengths.last()?);
        let mut best = None;
        let mut form = String::new();
        let mut end = first.start();
        for (count, word) in Words::from(place.text, first.start()).take(MAX_WORDS).enumerate() {
            if count > 0 && !joins(place.text.get(end..word.start())?) {
                break;
            }
            end = word.end();
            work::count(word.len());
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

    /// Shapes are sorted, so those with one lead stand together and the shorter come first.
    fn longest_tight(
        &self,
        place: &Place<'_>,
        word: Span,
        shapes: &[(u16, u16, u16)],
    ) -> Option<(Span, Category)> {
        let mut best: Option<(Span, Category)> = None;
        for group in shapes.chunk_by(|one, next| one.0 == next.0) {
            let (Some(&(lead, ..)), Some(&(_, longest, _))) = (group.first(), group.last()) else { continue };
            let Some(start) = word.start().checked_sub(usize::from(lead)) else { continue };
            let Some(rest) = place.text.get(start..) else { continue };
            let mut prefixes = Prefixes::new(self.key, rest, usize::from(longest));
            for &(_, length, trail) in group {
                let Some((len, hash)) = prefixes.hash_of(usize::from(length)) else { continue };
                let span = Span::sized(start, len);
                let ends_in_word = trail == 0 && crate::lex::word_char_at(place.text, span.end());
                if ends_in_word || best.is_some_and(|(other, _)| other.len() >= span.len()) {
                    continue;
                }
                if let Some(category) = self.known_here(hash, place) {
                    best = Some((span, category));
                }
            }
        }
        best
    }

    fn known_here(&self, hash: u128, place: &Place<'_>) -> Option<Category> {
        let entries = self.entries.get(&hash)?;
        entries.iter().find(|entry| self.admits(entry, place)).map(|entry| entry.category)
    }

    fn admits(&self, entry: &Entry, place: &Place<'_>) -> bool {
        let reached = match &entry.reach {
            Reach::Everywhere => true,
            Reach::Upstream(name) => place.upstream == Some(name),
        };
        let here = |field| place.field_key.and_then(|key| field_hash(&self.key, key)) == Some(field);
        reached && entry.field.is_none_or(here)
    }
}

/// A text to probe and where it stands.
pub(crate) struct Place<'a> {
    pub(crate) text: &'a str,
    pub(crate) field_key: Option<&'a str>,
    pub(crate) upstream: Option<&'a UpstreamName>,
}

/// Finds the values of several indexes in one pass over the words of a text.
pub(crate) fn probe_all(indexes: &[&KnownValues], place: &Place<'_>, findings: &mut Vec<Finding>) {
    let Some(first) = indexes.iter().find(|index| !index.is_empty()) else { return };
    let scheme = first.key.scheme();
    if indexes.iter().any(|index| !index.is_empty() && index.key.scheme() != scheme) {
        indexes.iter().for_each(|index| probe_all(&[index], place, findings));
        return;
    }
    let mut form = String::new();
    let mut covered = 0; // end of the last finding
    for word in Words::of(place.text) {
        form.clear();
        let hash = scheme.ascii(place.text.as_bytes(), word.start(), word.len()).unwrap_or_else(|| {
            fold_into(word.of(place.text).unwrap_or_default(), &mut form);
            scheme.folded(form.as_bytes())
        });
        let mut end = covered;
        for index in indexes.iter().filter(|index| index.sieve.may_hold(hash)) {
            if form.is_empty() {
                fold_into(word.of(place.text).unwrap_or_default(), &mut form);
            }
            if let Some((span, category)) =
                index.longest(place, word, &form).filter(|(span, _)| span.end() > covered)
            {
                end = end.max(span.end());
                findings.push(Finding::new(category, span, Detector("known"), Strength::Known));
            }
        }
        covered = end;
    }
}

fn insert_sorted<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
}

/// Hashes of the beginnings of a text, folded: each byte is folded and hashed once, however many are asked for.
struct Prefixes {
    form: String,               // the text, folded
    borders: Vec<(u16, usize)>, // lengths of the form where the text may be cut, and of the text; empty for ASCII
    hasher: SipHasher24,
    hashed: usize, // how much of the form the hasher has read
}

impl Prefixes {
    /// Beginnings of up to `longest` bytes.
    fn new(key: KnownKey, text: &str, longest: usize) -> Self {
        let mut prefixes = Self {
            form: String::with_capacity(longest),
            borders: Vec::new(),
            hasher: key.opened(TIGHT),
            hashed: 0,
        };
        if let Some(ascii) = text.get(..longest.min(text.len())).filter(|head| head.is_ascii()) {
            fold_into(ascii, &mut prefixes.form);
            work::count(prefixes.form.len());
            return prefixes;
        }
        let mut start = 0;
        let borders = text.char_indices().skip(1).filter(|(_, c)| !continues(*c)).map(|(at, _)| at);
        for end in borders.chain([text.len()]) {
            fold_into(text.get(start..end).unwrap_or_default(), &mut prefixes.form);
            let Some(length) =
                u16::try_from(prefixes.form.len()).ok().filter(|len| usize::from(*len) <= longest)
            else {
                break;
            };
            work::count(end - start);
            prefixes.borders.push((length, end));
            start = end;
        }
        prefixes
    }

    /// The length in the text of the beginning whose form has `length` bytes, and its hash. Lengths must rise.
    fn hash_of(&mut self, length: usize) -> Option<(usize, u128)> {
        let len = if self.borders.is_empty() {
            (length <= self.form.len()).then_some(length)?
        } else {
            let at = self.borders.binary_search_by_key(&length, |(form, _)| usize::from(*form)).ok()?;
            self.borders.get(at)?.1
        };
        work::count(length.saturating_sub(self.hashed) + 1);
        if length > self.hashed {
            self.hasher.write(self.form.as_bytes().get(self.hashed..length)?);
            self.hashed = length;
        }
        Some((len, self.hasher.finish128().as_u128()))
    }
}

/// True for a character that folding may join to the one before: marks, and what folds to marks or vowels of Hangul.
fn continues(c: char) -> bool {
    !c.is_ascii()
        && (is_combining_mark(c)
            || matches!(c, '\u{1160}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{d7b0}'..='\u{d7ff}' | '\u{ff9e}'..='\u{ffdc}'))
}
