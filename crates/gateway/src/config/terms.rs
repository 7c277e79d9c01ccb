//! Lists of terms: what is cloaked, or left alone, whatever the detectors say.
//!
//! In: the lists `allow` and `deny` of the file. Out: checked terms and patterns. Invariant: a term of a `deny` list
//! has a category; the same term never stands in both lists of one table. Not here: looking for them.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use cloakgate_detect::FieldPath;
use cloakgate_vocab::Category;

use super::pattern::{Cover, Pattern};
use super::section::{Section, expected, plain_text};
use super::tables::{FIELD, MAX_FIELDS, MAX_PATTERNS, PATTERN, TERM};
use super::tree::{Node, Value};
use super::{ConfigError, KeyProblem};

/// Fewest characters, blanks aside: one letter stands in every text.
const MIN_TERM_CHARACTERS: usize = 2;
/// Longest term in bytes.
const MAX_TERM_BYTES: usize = 512;

/// How a term is compared.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Folding {
    /// Character for character.
    Exact,
    /// Case, runs of blanks and compatible forms of a character (NFKC) do not count.
    Folded,
}

/// One word or phrase.
#[derive(Clone, Eq, Hash, PartialEq)]
pub struct Term {
    text: Arc<str>,
    folding: Folding,
    category: Option<Category>,
    field: Option<FieldPath>,
}

impl Term {
    /// The term as the file has it, without blanks at its ends.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it is compared.
    #[must_use]
    pub fn folding(&self) -> Folding {
        self.folding
    }

    /// What it is. Always there in a `deny` list; in an `allow` list `None` stands for every category.
    #[must_use]
    pub fn category(&self) -> Option<Category> {
        self.category
    }

    /// Where it counts; `None` = everywhere.
    #[must_use]
    pub fn field(&self) -> Option<&FieldPath> {
        self.field.as_ref()
    }
}

/// A place that is cloaked, or let through, whatever stands there.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct FieldEntry {
    field: FieldPath,
    category: Option<Category>,
}

impl FieldEntry {
    /// The path of the values.
    #[must_use]
    pub fn field(&self) -> &FieldPath {
        &self.field
    }

    /// What they are. Always there in a `deny` list; in an `allow` list `None` stands for every category.
    #[must_use]
    pub fn category(&self) -> Option<Category> {
        self.category
    }
}

/// A term may be the very value that must stay out of logs.
impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Term")
            .field("folding", &self.folding)
            .field("category", &self.category)
            .finish_non_exhaustive()
    }
}

/// Terms and patterns, in the order of the file; those of the wider scope come first.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TermList {
    terms: Vec<Term>,
    patterns: Vec<Pattern>,
    places: Vec<FieldEntry>,
}

impl TermList {
    /// Words and phrases.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Patterns. In a `deny` list they are looked for inside texts, in an `allow` list found values are held
    /// against them as a whole.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Places that count whatever stands there.
    #[must_use]
    pub fn places(&self) -> &[FieldEntry] {
        &self.places
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.terms.len().saturating_add(self.patterns.len()).saturating_add(self.places.len())
    }

    /// True when there is nothing in the list.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The paths that entries name, each once for every entry.
    pub fn fields(&self) -> impl Iterator<Item = &FieldPath> {
        let of_terms = self.terms.iter().filter_map(Term::field);
        let of_patterns = self.patterns.iter().filter_map(Pattern::field);
        of_terms.chain(of_patterns).chain(self.places.iter().map(FieldEntry::field))
    }

    pub(super) fn add_pattern(&mut self, pattern: Pattern) {
        self.patterns.push(pattern);
    }

    /// This list and what a narrower scope adds to it.
    pub(super) fn with(&self, more: &Self) -> Self {
        let mut list = self.clone();
        let own: HashSet<&Term> = self.terms.iter().collect();
        list.terms.extend(more.terms.iter().filter(|term| !own.contains(term)).cloned());
        list.places.extend(more.places.iter().filter(|place| !self.places.contains(place)).cloned());
        list.patterns
            .extend(more.patterns.iter().filter(|pattern| !self.patterns.contains(pattern)).cloned());
        list
    }
}

/// Which of the two lists is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum List {
    Allow,
    Deny,
}

/// Reads both lists of a table.
pub(super) fn read(section: &Section<'_>) -> Result<(TermList, TermList), ConfigError> {
    let allow = read_list(section, "allow", List::Allow)?;
    let deny = read_list(section, "deny", List::Deny)?;
    let folded = |term: &Term| (term.text.to_lowercase(), term.field.clone());
    let denied: HashSet<_> = deny.terms.iter().map(folded).collect();
    let places: HashSet<&FieldPath> = deny.places.iter().map(FieldEntry::field).collect();
    if allow.terms.iter().any(|term| denied.contains(&folded(term)))
        || allow.places.iter().any(|place| places.contains(place.field()))
    {
        let (path, line) = section.place("allow");
        return Err(ConfigError::key(path, line, KeyProblem::Contradicts(section.path_of("deny"))));
    }
    Ok((allow, deny))
}

fn read_list(section: &Section<'_>, key: &'static str, list: List) -> Result<TermList, ConfigError> {
    let mut read = TermList::default();
    for (path, node) in section.items(key)? {
        match &node.value {
            Value::Text(_) => read.terms.push(exact(path, node, list)?),
            Value::Table(table) if table.contains_key("pattern") => {
                read.patterns.push(pattern(&Section::of(path, node, PATTERN)?, list)?);
            }
            Value::Table(table)
                if table.contains_key("field") && table.keys().all(|key| is_of_place(key)) =>
            {
                read.places.push(place(&Section::of(path, node, FIELD)?, list)?);
            }
            Value::Table(_) => read.terms.push(described(&Section::of(path, node, TERM)?, list)?),
            _ => {
                return Err(expected(
                    path,
                    node.line,
                    "a text, or an object with `term`, `pattern` or `field`",
                ));
            }
        }
    }
    if read.patterns.len() > MAX_PATTERNS {
        let (path, line) = section.place(key);
        return Err(expected(path, line, &format!("a list with at most {MAX_PATTERNS} patterns")));
    }
    if read.fields().collect::<HashSet<_>>().len() > MAX_FIELDS {
        let (path, line) = section.place(key);
        return Err(expected(
            path,
            line,
            &format!("a list that names at most {MAX_FIELDS} different fields"),
        ));
    }
    Ok(read)
}

/// True for the keys of an entry that is a place.
fn is_of_place(key: &str) -> bool {
    FIELD.iter().any(|known| known.name == key)
}

fn place(section: &Section<'_>, list: List) -> Result<FieldEntry, ConfigError> {
    let category = category(section.category("category")?, list);
    match field(section)? {
        Some(field) => Ok(FieldEntry { field, category }),
        None => {
            Err(ConfigError::key(section.path_of("field"), section.place("field").1, KeyProblem::Missing))
        }
    }
}

fn field(section: &Section<'_>) -> Result<Option<FieldPath>, ConfigError> {
    let Some(text) = section.text("field")? else { return Ok(None) };
    FieldPath::parse(&text).map(Some).map_err(|error| {
        let (path, line) = section.place("field");
        ConfigError::key(path, line, KeyProblem::Field(error))
    })
}

fn exact(path: String, node: &Node, list: List) -> Result<Term, ConfigError> {
    let text = plain_text(&node.value).and_then(|text| checked(&text));
    match text {
        Some(text) => Ok(Term { text, folding: Folding::Exact, category: category(None, list), field: None }),
        None => Err(no_term(path, node.line)),
    }
}

fn described(section: &Section<'_>, list: List) -> Result<Term, ConfigError> {
    let category = category(section.category("category")?, list);
    let folding = if section.flag("exact")? == Some(true) { Folding::Exact } else { Folding::Folded };
    match section.text("term")?.and_then(|text| checked(&text)) {
        Some(text) => Ok(Term { text, folding, category, field: field(section)? }),
        None => {
            let (path, line) = section.place("term");
            Err(no_term(path, line))
        }
    }
}

fn pattern(section: &Section<'_>, list: List) -> Result<Pattern, ConfigError> {
    let category = section.category("category")?.unwrap_or(Category::Custom);
    let source = section.text("pattern")?.unwrap_or_default();
    let test = section.text("test")?;
    let cover = match list {
        List::Allow => Cover::Whole,
        List::Deny => Cover::Part,
    };
    let field = field(section)?;
    let pattern = Pattern::new(&source, category, test.as_deref(), cover).map_err(|error| {
        let (path, line) = section.place("pattern");
        ConfigError::key(path, line, KeyProblem::Pattern(error))
    })?;
    Ok(pattern.at(field))
}

/// What a term is where the file does not say.
fn category(named: Option<Category>, list: List) -> Option<Category> {
    named.or(match list {
        List::Allow => None,
        List::Deny => Some(Category::Custom),
    })
}

fn checked(text: &str) -> Option<Arc<str>> {
    let text = text.trim();
    let characters = text.chars().filter(|character| !character.is_whitespace()).count();
    (characters >= MIN_TERM_CHARACTERS && text.len() <= MAX_TERM_BYTES).then(|| Arc::from(text))
}

fn no_term(path: String, line: usize) -> ConfigError {
    expected(
        path,
        line,
        &format!("a text of at least {MIN_TERM_CHARACTERS} characters and at most {MAX_TERM_BYTES} bytes"),
    )
}
