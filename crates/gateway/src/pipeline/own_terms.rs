//! Looks for the operator's own terms.
//!
//! In: the two lists of a scope; then texts and found values with the paths that they lie at. Out: findings, verdicts.
//! Invariant: a look takes one pass over the text for all words in their exact form, one for all in any form, and one
//! for each pattern, and the same for each path that entries name and the text lies at; a value that holds a denied
//! term is never let through. Not here: decoding (`detect` asks about its views as well).

mod folded;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aho_corasick::{AhoCorasick, BuildError};
use cloakgate_detect::{FieldPath, Fields, Terms};
use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};

use crate::config::{Detection, FieldEntry, Folding, Pattern, Term, TermList};
use folded::Folded;

const TERM: Detector = Detector("term");
const PATTERN: Detector = Detector("pattern");

/// The lists of terms cannot be compiled.
#[derive(Debug, thiserror::Error)]
#[error("the lists of terms cannot be compiled")]
pub struct TermsError(#[source] BuildError);

/// Both lists of a scope, compiled.
#[derive(Default)]
struct Matcher {
    fields: Fields,
    everywhere: Lists,
    /// What counts at the paths of `fields` only, in their order.
    at_fields: Vec<Lists>,
}

/// What counts at one place.
#[derive(Default)]
struct Lists {
    whole: Option<Category>,
    exact: Option<Words>,
    folded: Option<Words>,
    patterns: Vec<Pattern>,
    allowed: Allowed,
}

/// Words that are looked for in one pass, each with what it is.
struct Words {
    automaton: AhoCorasick,
    categories: Vec<Category>, // in the order of the automaton's words
}

/// Values that pass; `None` lets a value pass as whatever it was found.
#[derive(Default)]
struct Allowed {
    whole: Vec<Option<Category>>,
    exact: HashMap<Arc<str>, Vec<Option<Category>>>,
    folded: HashMap<String, Vec<Option<Category>>>,
    patterns: Vec<Pattern>,
}

/// Compiles the lists; `None` when both are empty.
pub(crate) fn compile(detection: &Detection) -> Result<Option<Arc<dyn Terms>>, TermsError> {
    let Detection { allow, deny, .. } = detection;
    if allow.is_empty() && deny.is_empty() {
        return Ok(None);
    }
    let mut fields = Fields::default();
    let mut paths: Vec<FieldPath> = Vec::new();
    let mut known: HashSet<&FieldPath> = HashSet::new();
    for field in deny.fields().chain(allow.fields()).filter(|field| known.insert(field)) {
        fields.add(field);
        paths.push(field.clone());
    }
    let everywhere = Lists::of(allow, deny, None).map_err(TermsError)?;
    let at_fields = paths.iter().map(|path| Lists::of(allow, deny, Some(path))).collect::<Result<_, _>>();
    Ok(Some(Arc::new(Matcher { fields, everywhere, at_fields: at_fields.map_err(TermsError)? })))
}

/// Terms may be the very values that must stay out of logs.
impl std::fmt::Debug for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Matcher(..)")
    }
}

impl Matcher {
    /// The lists that count at a place.
    fn lists(&self, within: &[u16]) -> impl Iterator<Item = &Lists> {
        let at_fields = within.iter().filter_map(|field| self.at_fields.get(usize::from(*field)));
        std::iter::once(&self.everywhere).chain(at_fields)
    }
}

impl Terms for Matcher {
    fn fields(&self) -> &Fields {
        &self.fields
    }

    fn find(&self, text: &str, within: &[u16], findings: &mut Vec<Finding>) {
        self.lists(within).for_each(|lists| lists.find(text, findings));
    }

    fn whole(&self, within: &[u16]) -> Option<Category> {
        self.lists(within).find_map(|lists| lists.whole)
    }

    fn allows(&self, category: Category, value: &str, within: &[u16]) -> bool {
        let value = value.trim();
        if !self.lists(within).any(|lists| lists.allowed.holds(category, value))
            || self.whole(within).is_some()
        {
            return false;
        }
        let mut denied = Vec::new();
        self.find(value, within, &mut denied);
        denied.is_empty()
    }
}

impl Lists {
    /// The entries that name this path, or none.
    fn of(allow: &TermList, deny: &TermList, field: Option<&FieldPath>) -> Result<Self, BuildError> {
        let here = |place: &&FieldEntry| Some(place.field()) == field;
        Ok(Self {
            whole: deny.places().iter().find(here).map(|place| place.category().unwrap_or(Category::Custom)),
            exact: Words::of(deny, Folding::Exact, field)?,
            folded: Words::of(deny, Folding::Folded, field)?,
            patterns: patterns(deny, field),
            allowed: Allowed::of(allow, field),
        })
    }

    fn find(&self, text: &str, findings: &mut Vec<Finding>) {
        let mut found = |category: Category, span: Span, detector: Detector| {
            let pieces = lines(text, span);
            if !pieces.is_empty() {
                findings.push(Finding {
                    category,
                    pieces,
                    decoded: None,
                    detector,
                    strength: Strength::Checked,
                });
            }
        };
        if let Some(words) = &self.exact {
            words.find(text, |span, category| {
                if stands_alone(text, span) {
                    found(category, span, TERM);
                }
            });
        }
        if let Some(words) = &self.folded {
            let folded = Folded::of(text);
            words.find(folded.text(), |span, category| {
                if let Some(span) = folded.original(span).filter(|span| stands_alone(text, *span)) {
                    found(category, span, TERM);
                }
            });
        }
        for pattern in &self.patterns {
            pattern.find_all(text).for_each(|span| found(pattern.category(), span, PATTERN));
        }
    }
}

/// The patterns of a list that name this path, or none.
fn patterns(list: &TermList, field: Option<&FieldPath>) -> Vec<Pattern> {
    list.patterns().iter().filter(|pattern| pattern.field() == field).cloned().collect()
}

impl Words {
    fn of(list: &TermList, folding: Folding, field: Option<&FieldPath>) -> Result<Option<Self>, BuildError> {
        let here = |term: &&Term| term.folding() == folding && term.field() == field;
        let terms = || list.terms().iter().filter(here);
        if terms().next().is_none() {
            return Ok(None);
        }
        let automaton = AhoCorasick::new(terms().map(form))?;
        let categories = terms().map(|term| term.category().unwrap_or(Category::Custom)).collect();
        Ok(Some(Self { automaton, categories }))
    }

    /// Every place of every word, those inside each other included: which of them counts is settled with all
    /// other findings.
    fn find(&self, text: &str, mut found: impl FnMut(Span, Category)) {
        for place in self.automaton.find_overlapping_iter(text) {
            let category =
                self.categories.get(place.pattern().as_usize()).copied().unwrap_or(Category::Custom);
            if let Some(span) = Span::new(place.start(), place.end()) {
                found(span, category);
            }
        }
    }
}

impl Allowed {
    fn of(list: &TermList, field: Option<&FieldPath>) -> Self {
        let places = list.places().iter().filter(|place| Some(place.field()) == field);
        let whole = places.map(FieldEntry::category).collect();
        let mut allowed = Self { whole, patterns: patterns(list, field), ..Self::default() };
        for term in list.terms().iter().filter(|term| term.field() == field) {
            match term.folding() {
                Folding::Exact => allowed.exact.entry(term.text().into()).or_default().push(term.category()),
                Folding::Folded => allowed.folded.entry(form(term)).or_default().push(term.category()),
            }
        }
        allowed
    }

    fn holds(&self, category: Category, value: &str) -> bool {
        let fits = |categories: &Vec<Option<Category>>| {
            categories.iter().any(|allowed| allowed.is_none_or(|allowed| allowed == category))
        };
        fits(&self.whole)
            || self.exact.get(value).is_some_and(fits)
            || (!self.folded.is_empty() && self.folded.get(Folded::of(value).text()).is_some_and(fits))
            || self.patterns.iter().any(|pattern| pattern.category() == category && pattern.covers(value))
    }
}

/// A term in the form in which it is compared.
fn form(term: &Term) -> String {
    match term.folding() {
        Folding::Exact => term.text().to_owned(),
        Folding::Folded => Folded::of(term.text()).text().to_owned(),
    }
}

/// Whether a span begins and ends where a word may: a term is no part of a longer word, but in scripts that are
/// written without blanks, or whose words take endings without one, any place may begin or end a word.
fn stands_alone(text: &str, span: Span) -> bool {
    let joins = |left: Option<char>, right: Option<char>| matches!((left, right), (Some(left), Some(right)) if is_joined(left) && is_joined(right));
    let (before, from) = text.split_at_checked(span.start()).unwrap_or_default();
    let (until, after) = text.split_at_checked(span.end()).unwrap_or_default();
    !joins(before.chars().next_back(), from.chars().next())
        && !joins(until.chars().next_back(), after.chars().next())
}

fn is_joined(character: char) -> bool {
    let is_unspaced = matches!(u32::from(character),
        0x0e00..=0x0eff // Thai, Lao
        | 0x1000..=0x109f // Myanmar
        | 0x1780..=0x17ff // Khmer
        | 0x3040..=0x30ff // kana
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_ffff // Han
        | 0xac00..=0xd7af); // Hangul
    character.is_alphanumeric() && !is_unspaced
}

/// The lines of a span without the blanks around them: each line is replaced by itself, so that lines keep their
/// numbers.
fn lines(text: &str, span: Span) -> Vec<Span> {
    let mut at = span.start();
    let mut pieces = Vec::new();
    for line in span.of(text).unwrap_or_default().split_inclusive('\n') {
        let start = at.saturating_add(line.len().saturating_sub(line.trim_start().len()));
        at = at.saturating_add(line.len());
        if !line.trim().is_empty() {
            pieces.push(Span::sized(start, line.trim().len()));
        }
    }
    pieces
}

#[cfg(test)]
mod tests;
