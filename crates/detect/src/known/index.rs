//! The index of known values: probes read each word of a text once.
//!
//! In: values made by `admit`, later texts. Out: findings; at the end of a text that may have been cut, those of the
//! beginnings of values too. Invariant: an insert costs O(1), a probe O(words); only keyed hashes and lengths are
//! held.

use std::collections::HashMap;

use cloakgate_vocab::{Category, Detector, Finding, Span, Strength, UpstreamName};

use super::beginnings::{self, BEGINNING, HEAD_CHARS, MAX_TAIL_BYTES};
use super::prefixes::Prefixes;
use super::sieve::Sieve;
use super::{Anchor, Form, KnownKey, KnownValue, LOOSE, MAX_WORDS, Reach, field_hash, joins};
use crate::canonical::{Words, fold_into, folded, is_word_char, stands_alone};
use crate::engine::{Field, FieldKind};
use crate::{edges, work};

const KNOWN: Detector = Detector("known");

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
    beginnings: HashMap<u64, Category>,
    count: usize,
}

impl KnownValues {
    /// An empty index.
    #[must_use]
    pub fn new(key: KnownKey) -> Self {
        Self {
            key,
            sieve: Sieve::default(),
            anchors: HashMap::new(),
            entries: HashMap::new(),
            beginnings: HashMap::new(),
            count: 0,
        }
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
        let joined = value.form.is_loose().then_some(value.joined);
        for anchor in [Some(value.anchor), joined, value.beginnings.head].into_iter().flatten() {
            let lengths = self.anchor(anchor);
            match value.form {
                Form::Loose => insert_sorted(&mut lengths.loose, value.length),
                Form::Tight { lead, trail } => {
                    insert_sorted(&mut lengths.tight, (lead, value.length, trail));
                }
            }
        }
        for hash in value.beginnings.hashes {
            self.beginnings.entry(hash).or_insert(value.category);
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

    /// Finds the known values in a field of a message of `upstream`, longest first where two begin alike.
    #[must_use]
    pub fn probe(&self, field: &Field<'_>, upstream: Option<&UpstreamName>) -> Vec<Finding> {
        let mut findings = Vec::new();
        probe_all(&[self], &Place::of(field, upstream), &mut findings);
        findings
    }

    /// The longest value whose first word is the one given.
    #[cold]
    fn longest(&self, place: &Place<'_>, word: Span, form: &str) -> Option<Found> {
        let lengths = self.anchors.get(&self.key.anchor(form.as_bytes()))?;
        let loose = self.longest_loose(place, word, &lengths.loose);
        let tight = self.longest_tight(place, word, &lengths.tight);
        let whole = [loose, tight].into_iter().flatten().max_by_key(|(span, _)| span.len());
        match self.beginning(place, word, lengths) {
            Some((span, category)) if whole.is_none_or(|(other, _)| span.end() > other.end()) => {
                Some(Found { span, category, detector: BEGINNING })
            }
            _ => whole.map(|(span, category)| Found { span, category, detector: KNOWN }),
        }
    }

    /// The beginning of a value from a word on to the cut.
    fn beginning(&self, place: &Place<'_>, first: Span, lengths: &Lengths) -> Option<(Span, Category)> {
        let cut = place.cut.filter(|cut| first.start() + MAX_TAIL_BYTES >= *cut && first.end() <= *cut)?;
        let mut best = None;
        if !lengths.loose.is_empty() {
            best = self.loose_beginning(place, first, cut);
        }
        for group in lengths.tight.chunk_by(|one, next| one.0 == next.0) {
            let lead = group.first().map_or(0, |(lead, ..)| usize::from(*lead));
            let Some(start) = first.start().checked_sub(lead) else { continue };
            let Some(tail) = place.text.get(start..cut) else { continue };
            work::count(tail.len());
            let found = self.begins(false, &folded(tail), place);
            best = best.or_else(|| Some((Span::new(start, cut)?, found?)));
        }
        best
    }

    fn loose_beginning(&self, place: &Place<'_>, first: Span, cut: usize) -> Option<(Span, Category)> {
        let tail = place.text.get(..cut)?;
        let mut form = String::new();
        let mut end = first.start();
        for word in Words::from(tail, first.start()) {
            if end > first.start() && !joins(tail.get(end..word.start())?) {
                return None;
            }
            end = word.end();
            work::count(word.len());
            fold_into(word.of(tail)?, &mut form);
        }
        if !tail.get(end..).is_some_and(|rest| rest.is_empty() || joins(rest)) {
            return None;
        }
        Some((Span::new(first.start(), end)?, self.begins(true, &form, place)?))
    }

    /// The category of the values that begin so.
    fn begins(&self, loose: bool, form: &str, place: &Place<'_>) -> Option<Category> {
        let known =
            |reach: &Reach| self.beginnings.get(&beginnings::hash(&self.key, loose, reach, form)).copied();
        known(&Reach::Everywhere).or_else(|| known(&Reach::Upstream(place.upstream?.clone())))
    }

    /// The beginning of a value whose first word is cut itself: `run` is the last word of the text.
    #[cold]
    fn beginning_of_head(&self, place: &Place<'_>, run: Span) -> Option<Found> {
        let head = beginnings::head(&self.key, &folded(run.of(place.text)?))?;
        let (span, category) = self.beginning(place, run, self.anchors.get(&head.hash)?)?;
        Some(Found { span, category, detector: BEGINNING })
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
    text: &'a str,
    field_key: Option<&'a str>,
    upstream: Option<&'a UpstreamName>,
    cut: Option<usize>, // where a value that stands last may have been cut
}

impl<'a> Place<'a> {
    /// The place of a field in a message of `upstream`. Numbers and keys are not cut.
    pub(crate) fn of(field: &Field<'a>, upstream: Option<&'a UpstreamName>) -> Self {
        let cut = (field.kind == FieldKind::Text)
            .then(|| field.text.get(..edges::end(field.text)).unwrap_or_default().trim_end().len());
        Self { text: field.text, field_key: field.key, upstream, cut }
    }
}

/// A value at a place.
struct Found {
    span: Span,
    category: Category,
    detector: Detector,
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
            if let Some(found) = index.longest(place, word, &form).filter(|found| found.span.end() > covered)
            {
                end = end.max(found.span.end());
                findings.push(found.into());
            }
        }
        covered = end;
    }
    let run = last_run(place).filter(|run| run.end() > covered);
    if let Some((run, hash)) = run.and_then(|run| Some((run, head_hash(place, run, first)?))) {
        let may_hold = indexes.iter().filter(|index| index.sieve.may_hold(hash));
        findings.extend(may_hold.filter_map(|index| index.beginning_of_head(place, run)).map(Finding::from));
    }
}

impl From<Found> for Finding {
    fn from(found: Found) -> Self {
        Self::new(found.category, found.span, found.detector, Strength::Known)
    }
}

/// The word that ends where the text may have been cut, if it is long enough to begin a value.
fn last_run(place: &Place<'_>) -> Option<Span> {
    let tail = place.text.get(..place.cut?)?;
    let word = |c: &char| is_word_char(*c) && !stands_alone(*c);
    let len: usize = tail.chars().rev().take(MAX_TAIL_BYTES).take_while(word).map(char::len_utf8).sum();
    Span::new(tail.len() - len, tail.len()).filter(|run| run.len() >= HEAD_CHARS)
}

/// Hash of the first characters of a run in the filters.
fn head_hash(place: &Place<'_>, run: Span, index: &KnownValues) -> Option<u32> {
    let scheme = index.key.scheme();
    scheme
        .ascii(place.text.as_bytes(), run.start(), HEAD_CHARS)
        .or_else(|| Some(beginnings::head(&index.key, &folded(run.of(place.text)?))?.sieved))
}

fn insert_sorted<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
}
