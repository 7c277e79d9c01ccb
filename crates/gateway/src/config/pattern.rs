//! Regular expressions of the operator's own.
//!
//! In: an expression with its category and a sample. Out: a pattern that is proved to compile small, to match no
//! empty text and to match its sample. Invariant: a look through a text is linear in its length: the engine knows
//! no back-tracking, and where a match begins is settled by the shortest match there, so no search reads far
//! beyond what it gives. Not here: lists (`terms`), what a match means (`detect`).

mod sample;

use std::fmt;
use std::sync::Arc;

use cloakgate_detect::FieldPath;
use cloakgate_vocab::{Category, Span};
use regex_automata::meta::{BuildError, Config, Regex};
use regex_automata::{Anchored, Input};
use regex_syntax::hir::Hir;

/// Longest expression in bytes.
const MAX_SOURCE_BYTES: usize = 2048;
/// Most memory, in bytes, of the compiled expression; the time for each byte of a text grows with it.
const MAX_COMPILED_BYTES: usize = 256 << 10;
/// Most memory of the tables that a search makes on its way; past it they are made anew.
const MAX_CACHE_BYTES: usize = 2 << 20;
/// How far beyond its start a match is looked for at first.
const FIRST_WINDOW_BYTES: usize = 1024;

/// Why a pattern was refused. No text of the pattern is repeated.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is no regular expression of the kinds that take linear time.
    #[error("it is no regular expression of linear time: {0}")]
    Syntax(String),
    /// The expression is too long.
    #[error("it is longer than {MAX_SOURCE_BYTES} bytes")]
    TooLong,
    /// Compiled it is too big.
    #[error(
        "compiled it takes more than {MAX_COMPILED_BYTES} bytes: give fewer or smaller repetitions, or ASCII classes such as `(?-u:\\w)`"
    )]
    TooBig,
    /// It matches the empty text, and so everywhere, or it matches nothing at all.
    #[error("it matches the empty text, or nothing at all")]
    Empty,
    /// It does not match its own sample.
    #[error("it does not match its `test`")]
    Sample,
}

/// How much of its sample a pattern must match.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Cover {
    /// Some part: it is looked for inside texts.
    Part,
    /// All: whole values are held against it.
    Whole,
}

/// A checked pattern. Cheap to clone.
#[derive(Clone)]
pub struct Pattern {
    source: Arc<str>,
    category: Category,
    sample: Option<Arc<str>>,
    regex: Regex,
    field: Option<FieldPath>,
}

impl Pattern {
    /// Checks an expression. Without a `test` a sample is made up from the expression where that can be done.
    pub(super) fn new(
        source: &str,
        category: Category,
        test: Option<&str>,
        cover: Cover,
    ) -> Result<Self, PatternError> {
        if source.len() > MAX_SOURCE_BYTES {
            return Err(PatternError::TooLong);
        }
        let hir = regex_syntax::parse(source).map_err(|error| PatternError::Syntax(reason(&error)))?;
        if hir.properties().minimum_len().is_none_or(|least| least == 0) {
            return Err(PatternError::Empty);
        }
        let regex = compile(&hir)?;
        let mut pattern = Self { source: source.into(), category, sample: None, regex, field: None };
        let matches = |text: &str| match cover {
            Cover::Part => pattern.find(text, 0).is_some(),
            Cover::Whole => pattern.covers(text),
        };
        pattern.sample = match test {
            Some(test) if matches(test) => Some(test.into()),
            Some(_) => return Err(PatternError::Sample),
            None => sample::made_up(&hir).filter(|text| matches(text)).map(Arc::from),
        };
        Ok(pattern)
    }

    /// What a match is.
    #[must_use]
    pub fn category(&self) -> Category {
        self.category
    }

    /// The same pattern, for values at or within a path only.
    pub(super) fn at(self, field: Option<FieldPath>) -> Self {
        Self { field, ..self }
    }

    /// Where it counts; `None` = everywhere.
    #[must_use]
    pub fn field(&self) -> Option<&FieldPath> {
        self.field.as_ref()
    }

    /// A text that matches, for the self-test; `None` where none was given and none could be made up.
    #[must_use]
    pub fn sample(&self) -> Option<&str> {
        self.sample.as_deref()
    }

    /// Where the pattern matches, from left to right; no two overlap.
    pub fn find_all<'a>(&'a self, text: &'a str) -> impl Iterator<Item = Span> + use<'a> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.find(text, from)?;
            from = found.end();
            Some(found)
        })
    }

    /// True when the pattern matches the whole value.
    #[must_use]
    pub fn covers(&self, value: &str) -> bool {
        // Leftmost-first may stop early where a longer match exists; a found value that is only half covered
        // is not let through, which errs towards cloaking.
        let whole = Input::new(value).anchored(Anchored::Yes);
        self.regex.find(whole).is_some_and(|found| found.end() == value.len())
    }

    /// The first match that begins at `from` or later.
    fn find(&self, text: &str, from: usize) -> Option<Span> {
        let shortest = self.regex.find(Input::new(text).range(from..).earliest(true))?;
        let start = shortest.start();
        let mut end = shortest.end();
        let mut window = FIRST_WINDOW_BYTES;
        loop {
            let limit = text.len().min(start.saturating_add(window));
            let input = Input::new(text).range(start..limit.max(end)).anchored(Anchored::Yes);
            end = self.regex.find(input).map_or(end, |found| found.end().max(end));
            if end < limit || limit == text.len() {
                break;
            }
            window = window.saturating_mul(2);
        }
        Span::new(start, end)
    }
}

fn compile(hir: &Hir) -> Result<Regex, PatternError> {
    let config = Config::new()
        .utf8_empty(true)
        .nfa_size_limit(Some(MAX_COMPILED_BYTES))
        .onepass(false)
        .backtrack(false)
        .hybrid_cache_capacity(MAX_CACHE_BYTES);
    Regex::builder().configure(config).build_from_hir(hir).map_err(|error: BuildError| {
        if error.size_limit().is_some() {
            PatternError::TooBig
        } else {
            PatternError::Syntax(error.to_string())
        }
    })
}

/// What the parser has against an expression, without the expression.
fn reason(error: &regex_syntax::Error) -> String {
    match error {
        regex_syntax::Error::Parse(error) => error.kind().to_string(),
        regex_syntax::Error::Translate(error) => error.kind().to_string(),
        _ => "it cannot be parsed".to_owned(),
    }
}

/// An expression may hold what it looks for.
impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pattern").field("category", &self.category).finish_non_exhaustive()
    }
}

/// The same expression for the same category at the same place.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.category == other.category && self.field == other.field
    }
}

impl Eq for Pattern {}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(source: &str, test: Option<&str>) -> Result<Pattern, PatternError> {
        Pattern::new(source, Category::Custom, test, Cover::Part)
    }

    #[test]
    fn bad_and_unsafe_patterns_are_refused_with_a_reason() {
        let big = format!("{}x", "(?:\\w{50}){50}".repeat(3));
        let long = "a".repeat(MAX_SOURCE_BYTES + 1);
        for (source, test, reason) in [
            ("heron-(", "heron-", "unclosed group"),
            ("(a)\\1", "aa", "backreferences are not supported"),
            ("(?=a)b", "b", "look-around, including look-ahead and look-behind, is not supported"),
            ("[z-a]", "a", "invalid character class range"),
            ("a*", "a", "matches the empty text"),
            ("|a", "a", "matches the empty text"),
            ("$", "a", "matches the empty text"),
            ("[a&&b]", "a", "nothing at all"),
            (big.as_str(), "a", "compiled it takes more than"),
            ("(?:(?:a{900}){900}){900}", "a", "compiled it takes more than"),
            (long.as_str(), "a", "longer than 2048 bytes"),
            ("heron-[0-9]+", "heron", "does not match its `test`"),
        ] {
            let error = pattern(source, Some(test)).expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}\nis not\n{reason}");
        }
    }

    #[test]
    fn matches_are_found_whole_and_in_order() {
        let long = format!("id:{}", "7".repeat(5000));
        for (source, text, found) in [
            ("heron-[0-9]+", "heron-12, heron-3456", vec!["heron-12", "heron-3456"]),
            ("(?i)projekt \\w+", "PROJEKT Müller.", vec!["PROJEKT Müller"]),
            ("\\bÉric\\b", "Éric, Érica, (Éric)", vec!["Éric", "Éric"]),
            ("a.*b", "xaxbxb\nab", vec!["axbxb", "ab"]),
            ("a|ab", "ab", vec!["a"]),
            ("id:[0-9]+", &long, vec![&long]),
            ("x", "", vec![]),
        ] {
            let pattern = pattern(source, None).expect(source);
            let spans: Vec<&str> =
                pattern.find_all(text).map(|span| text.get(span.range()).expect("in range")).collect();
            assert_eq!(spans, found, "{source}");
        }
    }

    #[test]
    fn a_value_is_covered_only_as_a_whole() {
        let pattern = pattern("build-[0-9]{4}", None).expect("valid");
        for (value, covered) in
            [("build-1234", true), ("build-12345", false), ("a build-1234", false), ("", false)]
        {
            assert_eq!(pattern.covers(value), covered, "{value}");
        }
        assert_eq!(
            Pattern::new("[0-9]+", Category::Custom, Some("12a"), Cover::Whole),
            Err(PatternError::Sample)
        );
    }

    #[test]
    fn a_search_ends_although_each_match_could_be_longer() {
        // Each `a` is a match, and each is followed by a tail that could still make it longer: a search that read
        // to the end for each would take hours.
        let pattern = pattern("a(?:[^z]*z)?", None).expect("valid");
        let text = "a".repeat(1 << 20);
        assert_eq!(pattern.find_all(&text).count(), 1 << 20);
    }
}
