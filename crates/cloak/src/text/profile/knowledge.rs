//! The operator's own terms: words and patterns that are always cloaked, and values that are left alone.
//!
//! In: terms, each a text or a regular expression, with the field that it counts for. Out: where they stand in a
//! line. Invariant: a look is linear in the line: the engine knows no back-tracking, and a match is at most
//! `MAX_MATCH_BYTES` longer than its shortest form. Not here: replacing (`operators`).

use std::collections::HashSet;
use std::sync::Arc;

use cloakgate_vocab::Span;
use regex_automata::meta::{Config, Regex};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::super::field::Field;
use super::options::OptionError;

/// Most terms, and most values that are left alone.
const MAX_TERMS: usize = 10_000;
/// Longest term in bytes.
const MAX_TERM_BYTES: usize = 2048;
/// Most memory, in bytes, of all terms compiled.
const MAX_COMPILED_BYTES: usize = 32 << 20;
/// Most memory of the tables that a search makes on its way; past it they are made anew.
const MAX_CACHE_BYTES: usize = 4 << 20;
/// How far beyond its start a match may reach.
const MAX_MATCH_BYTES: usize = 1024;

/// What a term is looked for by.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TermText {
    /// These words, in any case, standing by themselves.
    Text(String),
    /// A regular expression of the kinds that take linear time.
    Regex(String),
}

/// What is done where a term stands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum TermOption {
    /// What is done with other values of its field.
    #[default]
    Field,
    /// It stays.
    Keep,
    /// A placeholder stands for it.
    Placeholder,
    /// Asterisks stand for it.
    Mask,
    /// A message that holds it is refused.
    Block,
}

impl TermOption {
    /// The codes of all options; without a code the field decides.
    pub const CODES: &'static [&'static str] = &["keep", "placeholder", "mask", "block"];

    /// The option of a code.
    ///
    /// # Errors
    /// When there is none.
    pub fn from_code(code: &str) -> Result<Self, OptionError> {
        match code {
            "keep" => Ok(Self::Keep),
            "placeholder" => Ok(Self::Placeholder),
            "mask" => Ok(Self::Mask),
            "block" => Ok(Self::Block),
            _ => Err(OptionError::Unknown { allowed: Self::CODES }),
        }
    }
}

/// One term.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Term {
    /// What it is looked for by.
    pub text: TermText,
    /// The field that it counts for.
    pub field: Field,
    /// What is done with it.
    pub option: TermOption,
}

/// Why terms were refused. No term is repeated.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum KnowledgeError {
    /// There are too many.
    #[error("at most {MAX_TERMS} terms and as many values that are left alone")]
    Count,
    /// A term is empty, too long, or matches the empty text.
    #[error("term {0} is empty, longer than {MAX_TERM_BYTES} bytes, or matches the empty text")]
    Length(usize),
    /// A term is no regular expression of linear time.
    #[error("term {0} is no regular expression of linear time")]
    Syntax(usize),
    /// All together take too much memory.
    #[error("the terms take more than {MAX_COMPILED_BYTES} bytes once they are compiled")]
    Size,
}

/// Checked terms. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct KnowledgeBase {
    terms: Arc<[Term]>,
    regex: Option<Regex>,
    allow: Arc<HashSet<String>>,
}

impl PartialEq for KnowledgeBase {
    fn eq(&self, other: &Self) -> bool {
        self.terms == other.terms && self.allow == other.allow
    }
}

impl KnowledgeBase {
    /// Compiles terms; `allow` lists values that are left alone whatever a rule says, in any case.
    ///
    /// # Errors
    /// When a term is empty, too long or no expression of linear time, or there are too many. Terms are counted
    /// from 1.
    pub fn new(terms: Vec<Term>, allow: &[String]) -> Result<Self, KnowledgeError> {
        if terms.len() > MAX_TERMS || allow.len() > MAX_TERMS {
            return Err(KnowledgeError::Count);
        }
        let mut sources = Vec::with_capacity(terms.len());
        for (place, term) in (1..).zip(&terms) {
            let (source, written) = match &term.text {
                TermText::Text(text) => (escaped(text.trim()), text),
                TermText::Regex(regex) => (regex.clone(), regex),
            };
            if written.trim().is_empty() || written.len() > MAX_TERM_BYTES {
                return Err(KnowledgeError::Length(place));
            }
            let alone = compile(std::slice::from_ref(&source)).map_err(|size| match size {
                TooBig::Yes => KnowledgeError::Size,
                TooBig::No => KnowledgeError::Syntax(place),
            })?;
            if alone.is_match("") {
                return Err(KnowledgeError::Length(place));
            }
            sources.push(source);
        }
        let regex = match sources.as_slice() {
            [] => None,
            sources => Some(compile(sources).map_err(|_| KnowledgeError::Size)?),
        };
        let allow = allow.iter().map(|value| folded(value)).collect();
        Ok(Self { terms: terms.into(), regex, allow: Arc::new(allow) })
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// True when a value is to be left alone.
    pub(crate) fn allows(&self, value: &str) -> bool {
        !self.allow.is_empty() && self.allow.contains(&folded(value))
    }

    /// Where terms stand in a text, from left to right; no two overlap and none crosses a line break.
    pub(crate) fn find(&self, text: &str) -> Vec<(Span, &Term)> {
        let mut found = Vec::new();
        let Some(regex) = &self.regex else { return found };
        let mut line_start = 0;
        for line in text.split_inclusive('\n') {
            let end = line_start + line.trim_end_matches(['\n', '\r']).len();
            let mut from = line_start;
            while let Some((span, term)) = self.next(regex, text, (from, end)) {
                from = span.end().max(from + 1);
                from = text.ceil_char_boundary(from);
                if !span.is_empty() && (matches!(term.text, TermText::Regex(_)) || stands_alone(text, span)) {
                    found.push((span, term));
                }
            }
            line_start += line.len();
        }
        found
    }

    /// The first match in a part of a text: where it begins is settled by the shortest match, so that no search
    /// reads far beyond what it gives.
    fn next(&self, regex: &Regex, text: &str, (from, end): (usize, usize)) -> Option<(Span, &Term)> {
        if from >= end {
            return None;
        }
        let shortest = regex.find(Input::new(text).range(from..end).earliest(true))?;
        let start = shortest.start();
        let limit = text.floor_char_boundary(end.min(start + MAX_MATCH_BYTES)).max(shortest.end());
        let anchored = Input::new(text).range(start..limit).anchored(Anchored::Yes);
        let longest = regex.find(anchored).unwrap_or(shortest);
        let term = self.terms.get(longest.pattern().as_usize())?;
        Some((Span::new(start, longest.end())?, term))
    }
}

/// A value in the form in which values that are left alone are compared.
fn folded(value: &str) -> String {
    value.trim().to_lowercase()
}

/// Whether expressions were refused for their size.
enum TooBig {
    Yes,
    No,
}

fn compile(sources: &[String]) -> Result<Regex, TooBig> {
    let config = Config::new()
        .nfa_size_limit(Some(MAX_COMPILED_BYTES))
        .hybrid_cache_capacity(MAX_CACHE_BYTES)
        .onepass(false)
        .dfa(false);
    Regex::builder()
        .configure(config)
        .syntax(syntax::Config::new().crlf(true))
        .build_many(sources)
        .map_err(|error| if error.size_limit().is_some() { TooBig::Yes } else { TooBig::No })
}

/// An expression for words in any case, with any blanks between them.
fn escaped(text: &str) -> String {
    let mut out = String::from("(?i:");
    for (place, word) in text.split_whitespace().enumerate() {
        if place > 0 {
            out.push_str("[ \\t\\u{a0}]+");
        }
        for c in word.chars() {
            if c.is_ascii_punctuation() {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out.push(')');
    out
}

/// True when no letter or digit touches a span that begins or ends with one.
fn stands_alone(text: &str, span: Span) -> bool {
    let value = span.of(text).unwrap_or_default();
    let before = text.get(..span.start()).and_then(|head| head.chars().next_back());
    let after = text.get(span.end()..).and_then(|tail| tail.chars().next());
    let joined = |inner: Option<char>, outer: Option<char>| {
        inner.is_some_and(char::is_alphanumeric) && outer.is_some_and(char::is_alphanumeric)
    };
    !joined(value.chars().next(), before) && !joined(value.chars().next_back(), after)
}

#[cfg(test)]
mod tests {
    use super::{Field, KnowledgeBase, KnowledgeError, Term, TermOption, TermText};

    fn term(text: TermText) -> Term {
        Term { text, field: Field::Custom, option: TermOption::Field }
    }

    fn found<'a>(base: &KnowledgeBase, text: &'a str) -> Vec<&'a str> {
        base.find(text).iter().filter_map(|(span, _)| span.of(text)).collect()
    }

    #[test]
    fn words_stand_by_themselves_in_any_case_and_patterns_anywhere() {
        let words = |text: &str| term(TermText::Text(text.to_owned()));
        let terms =
            vec![words("Project Heron"), words("C++"), term(TermText::Regex("PRJ-[0-9]{4}".to_owned()))];
        let base = KnowledgeBase::new(terms, &["PRJ-0000".to_owned()]).expect("valid");
        for (text, expected) in [
            ("the project  heron, Project Herons", &["project  heron"][..]),
            ("xPRJ-12345 in c++", &["PRJ-1234", "c++"]),
            ("project\nheron", &[]),
            ("", &[]),
            ("PROJECT HERON\r\nproject heron\n", &["PROJECT HERON", "project heron"]),
        ] {
            assert_eq!(found(&base, text), expected, "{text}");
        }
        assert!(base.allows(" prj-0000 ") && !base.allows("PRJ-0001"));
    }

    #[test]
    fn terms_that_would_match_everywhere_are_refused() {
        for (text, error) in [
            (TermText::Text("  ".to_owned()), KnowledgeError::Length(1)),
            (TermText::Regex("a*".to_owned()), KnowledgeError::Length(1)),
            (TermText::Regex("a(".to_owned()), KnowledgeError::Syntax(1)),
            (TermText::Regex("(a)\\1".to_owned()), KnowledgeError::Syntax(1)),
            (TermText::Regex("a".repeat(3000)), KnowledgeError::Length(1)),
        ] {
            assert_eq!(KnowledgeBase::new(vec![term(text)], &[]), Err(error));
        }
    }

    #[test]
    fn long_texts_of_greedy_patterns_are_read_in_linear_time() {
        let base = KnowledgeBase::new(vec![term(TermText::Regex("a(.*z)?".to_owned()))], &[]);
        let base = base.expect("valid");
        assert_eq!(base.find(&"a".repeat(50_000)).len(), 50_000);
    }
}
