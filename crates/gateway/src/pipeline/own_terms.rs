//! The operator's lists, compiled: one search finds all denied terms of a text, one look-up tells an allowed value.
//!
//! In: the lists of a configuration. Out: what the detectors ask. Invariant: terms stand as whole words, and a
//! search is linear in the text however many terms there are. Not here: reading and checking the lists.

use std::collections::HashSet;
use std::sync::Arc;

use cloakgate_detect::Terms;
use cloakgate_vocab::{Category, Detector, Finding, Span, Strength};
use regex_automata::meta;
use regex_automata::util::syntax;
use unicode_normalization::UnicodeNormalization;

use crate::config::{Detection, Folding, Pattern, Term};

const DENIED: Detector = Detector("deny list");

/// Memory that the compiled terms may take.
const MAX_TERMS_BYTES: usize = 64 << 20;

/// Too many or too long terms for one search.
#[derive(Debug, thiserror::Error)]
#[error("the list of denied terms is too big to be searched for at once")]
pub struct TermsError(#[source] Box<meta::BuildError>);

struct OwnTerms {
    denied: Option<(meta::Regex, Vec<Category>)>,
    denied_patterns: Vec<Pattern>,
    allowed: HashSet<(Option<Category>, String)>,
    allowed_folded: HashSet<(Option<Category>, String)>,
    allowed_patterns: Vec<Pattern>,
}

/// Terms may be the very values that must stay out of logs.
impl std::fmt::Debug for OwnTerms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OwnTerms(..)")
    }
}

/// Compiles the lists; `None` when both are empty.
pub(crate) fn compile(detection: &Detection) -> Result<Option<Arc<dyn Terms>>, TermsError> {
    if detection.allow.is_empty() && detection.deny.is_empty() {
        return Ok(None);
    }
    let denied = if detection.deny.terms().is_empty() {
        None
    } else {
        let sources: Vec<String> = detection.deny.terms().iter().map(source).collect();
        let config = meta::Regex::config().nfa_size_limit(Some(MAX_TERMS_BYTES));
        let regex = meta::Regex::builder()
            .configure(config)
            .syntax(syntax::Config::new())
            .build_many(&sources)
            .map_err(|error| TermsError(Box::new(error)))?;
        let category = |term: &Term| term.category().unwrap_or(Category::Custom);
        Some((regex, detection.deny.terms().iter().map(category).collect()))
    };
    let allowed = |folding: Folding| {
        let terms = detection.allow.terms().iter().filter(move |term| term.folding() == folding);
        terms.map(move |term| match folding {
            Folding::Exact => (term.category(), term.text().to_owned()),
            Folding::Folded => (term.category(), folded(term.text())),
        })
    };
    Ok(Some(Arc::new(OwnTerms {
        denied,
        denied_patterns: detection.deny.patterns().to_vec(),
        allowed: allowed(Folding::Exact).collect(),
        allowed_folded: allowed(Folding::Folded).collect(),
        allowed_patterns: detection.allow.patterns().to_vec(),
    })))
}

/// A term as an expression: whole words, blanks of any length where folded.
fn source(term: &Term) -> String {
    let words: Vec<String> = match term.folding() {
        Folding::Exact => vec![regex_syntax::escape(term.text())],
        Folding::Folded => term.text().split_whitespace().map(regex_syntax::escape).collect(),
    };
    let boundary =
        |c: Option<char>| if c.is_some_and(|c| c.is_alphanumeric() || c == '_') { r"\b" } else { "" };
    let flags = if term.folding() == Folding::Folded { "(?i)" } else { "" };
    let (first, last) = (boundary(term.text().chars().next()), boundary(term.text().chars().next_back()));
    format!("{flags}{first}{}{last}", words.join(r"\s+"))
}

fn folded(text: &str) -> String {
    let text: String = text.nfkc().flat_map(char::to_lowercase).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Terms for OwnTerms {
    fn find(&self, text: &str, findings: &mut Vec<Finding>) {
        let finding = |category, span| Finding::new(category, span, DENIED, Strength::Checked);
        if let Some((regex, categories)) = &self.denied {
            for found in regex.find_iter(text) {
                let category =
                    categories.get(found.pattern().as_usize()).copied().unwrap_or(Category::Custom);
                findings.extend(Span::new(found.start(), found.end()).map(|span| finding(category, span)));
            }
        }
        for pattern in &self.denied_patterns {
            findings.extend(pattern.find_all(text).map(|span| finding(pattern.category(), span)));
        }
    }

    fn allows(&self, category: Category, value: &str) -> bool {
        let listed = |set: &HashSet<(Option<Category>, String)>, value: &str| {
            !set.is_empty()
                && [None, Some(category)].iter().any(|kind| set.contains(&(*kind, value.to_owned())))
        };
        listed(&self.allowed, value)
            || (!self.allowed_folded.is_empty() && listed(&self.allowed_folded, &folded(value)))
            || self.allowed_patterns.iter().any(|pattern| pattern.covers(value))
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_detect::{Engine, Field, Settings};

    use crate::config::{Config, Format};

    fn found(config: &str, text: &str) -> Vec<String> {
        let (config, _) = Config::parse(config, Format::Json).unwrap();
        let terms = super::compile(&config.detection).unwrap().unwrap();
        let engine = Engine::new(Settings { categories: config.categories }).with_terms(terms);
        engine
            .scan(&Field::text(text))
            .iter()
            .map(|finding| format!("{}={}", finding.category, finding.hull().of(text).unwrap()))
            .collect()
    }

    #[test]
    fn denied_terms_are_found_and_allowed_values_are_not() {
        let config = r#"{"upstreams": {"fs": {"command": "x"}},
            "deny": ["Heron", {"term": "blue  whale", "category": "ORG"}, {"pattern": "PRJ-[0-9]{4}", "category": "CUSTOM", "test": "PRJ-1234"}],
            "allow": ["support@example.org", {"term": "INFO@example.org"}]}"#;
        assert_eq!(
            found(config, "Heron, heron, Herons; Blue Whale and BLUE\n whale; PRJ-1234 PRJ-12"),
            ["CUSTOM=Heron", "ORG=Blue Whale", "ORG=BLUE\n whale", "CUSTOM=PRJ-1234"]
        );
        assert_eq!(
            found(config, "support@example.org info@example.org ann.lee@example.org"),
            ["EMAIL=ann.lee@example.org"]
        );
    }
}
