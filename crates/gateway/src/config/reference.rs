//! The reference gateway's `detection` table: each key is honoured, mapped, accepted with a warning, or refused
//! where it asks for protection that is not there.

use cloakgate_names::Effort;
use cloakgate_vocab::{Category, Defaults};

use super::categories::{FOUND_BY_NOTHING, Switch};
use super::choices::{Mode, Operator};
use super::pattern::{Cover, Pattern};
use super::section::{Section, configurable, expected, plain_text};
use super::tables::{CUSTOM_PATTERN, DETECTION};
use super::tree::{Node, Value};
use super::{ConfigError, KeyProblem, Warning};

/// The reference's switches and the categories that each governs. Its keys, AWS keys and web tokens hang on one.
const SWITCHES: &[(&str, &[Category])] = &[
    ("detect_emails", &[Category::Email]),
    ("detect_phones", &[Category::Phone]),
    ("detect_ssns", &[Category::Ssn]),
    ("detect_credit_cards", &[Category::CreditCard]),
    ("detect_api_keys", &[Category::ApiKey, Category::AwsKey, Category::Jwt]),
    ("detect_ip_addresses", &[Category::IpAddress]),
    ("detect_iban", &[Category::Iban]),
];
/// The labels that the reference reads as a person's name.
const PERSON_LABELS: &[&str] = &["PERSON", "PER", "persName", "PS"];
/// Labels of models that say nothing of a person.
const IDLE_LABELS: &[&str] = &[
    "CARDINAL",
    "EVENT",
    "LANGUAGE",
    "LAW",
    "ORDINAL",
    "PERCENT",
    "PRODUCT",
    "QUANTITY",
    "TIME",
    "WORK_OF_ART",
];

const WARN_LOCALE: &str = "has no effect: the rules of all countries are always on";
const WARN_MODEL: &str = "has no effect: the models are built in, and `names` says which of them read";
const WARN_LABELS: &str = "is read as categories: PERSON is on in any case, places and organisations are read for as well, \
     others are found by fields, headers and lists, and labels that nothing finds have no effect";
const WARN_NAMES_OFF: &str =
    "is read as categories, found by fields, headers and lists: no model reads while `names` is off";
const WARN_DESCRIPTIVE: &str = "has no effect: tokens always say their category";
const WARN_PATTERN_NAMES: &str = "is honoured, but tokens say CUSTOM, not the patterns' names";

/// What the table says.
#[derive(Default)]
pub(super) struct Reference {
    /// Each with the key that says it, and its line.
    pub(super) switches: Vec<(Category, Switch, String, usize)>,
    pub(super) operator: Operator,
    /// Path and line of a key that wants names to be read.
    required: Option<(String, usize)>,
    /// Path and line of labels of a model.
    labels: Option<(String, usize)>,
    pub(super) patterns: Vec<Pattern>,
    /// In characters.
    pub(super) max_input_length: Option<usize>,
}

impl Reference {
    /// Holds what the table says of models against what is read for names.
    pub(super) fn check_names(&self, names: Effort, warnings: &mut Vec<Warning>) -> Result<(), ConfigError> {
        if names != Effort::OFF {
            return Ok(());
        }
        if let Some((path, line)) = &self.required {
            return Err(ConfigError::key(path, *line, KeyProblem::Contradicts("names".to_owned())));
        }
        if let Some((path, line)) = self.labels.clone() {
            warnings.push(Warning { path, line, reason: WARN_NAMES_OFF });
        }
        Ok(())
    }
}

/// Reads the table.
pub(super) fn read(
    root: &Section<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Reference>, ConfigError> {
    let Some(section) = root.section("detection", DETECTION)? else { return Ok(None) };
    let mut warn = |key: &str, reason| {
        let (path, line) = section.place(key);
        warnings.push(Warning { path, line, reason });
    };
    let mut switches = Vec::new();
    for (key, categories) in SWITCHES {
        if let Some(on) = section.flag(key)? {
            let (path, line) = section.place(key);
            let switch = Switch { on, operator: None };
            switches.extend(categories.iter().map(|category| (*category, switch, path.clone(), line)));
        }
    }
    let required = (section.flag("ner_required")? == Some(true)).then(|| section.place("ner_required"));
    let labels = section.texts("ner_entity_types")?;
    let place_of_labels = labels.as_ref().map(|_| section.place("ner_entity_types"));
    if let (Some(labels), Some((path, line))) = (labels, &place_of_labels) {
        if labels.is_empty() || !labels.iter().all(|label| is_person(label)) {
            warn("ner_entity_types", WARN_LABELS);
        }
        let wider = widened(&labels).map_err(|expectation| expected(path.clone(), *line, expectation))?;
        let switch = Switch { on: true, operator: None };
        switches.extend(wider.into_iter().map(|category| (category, switch, path.clone(), *line)));
    }
    if section.text("locale")?.is_some() {
        warn("locale", WARN_LOCALE);
    }
    if section.text("spacy_model")?.is_some() {
        warn("spacy_model", WARN_MODEL);
    }
    if section.flag("descriptive_tokens")?.is_some() {
        warn("descriptive_tokens", WARN_DESCRIPTIVE);
    }
    let patterns = patterns(&section)?;
    if !patterns.is_empty() {
        warn("custom_patterns", WARN_PATTERN_NAMES);
    }
    let Mode(operator) = section.choice("mode")?.unwrap_or(Mode(Operator::Token));
    let max_input_length = section.integer("max_input_length")?;
    Ok(Some(Reference { switches, operator, required, labels: place_of_labels, patterns, max_input_length }))
}

fn is_person(label: &str) -> bool {
    PERSON_LABELS.contains(&label)
}

/// Whether nothing finds what a label names.
fn is_idle(label: &str) -> bool {
    let by_nothing = |category: Category| FOUND_BY_NOTHING.contains(&category);
    IDLE_LABELS.contains(&label) || configurable(label).is_some_and(by_nothing)
}

/// The categories that labels switch on beside PERSON.
fn widened(labels: &[String]) -> Result<Vec<Category>, &'static str> {
    let mut wider = Vec::new();
    for label in labels.iter().map(String::as_str) {
        if is_person(label) || is_idle(label) {
            continue;
        }
        match configurable(label) {
            Some(category) if category.defaults() == Defaults::Extended => wider.push(category),
            _ => return Err("a list of labels of a model, such as PERSON, ORG, GPE, LOC, NORP"),
        }
    }
    Ok(wider)
}

fn patterns(section: &Section<'_>) -> Result<Vec<Pattern>, ConfigError> {
    section.items("custom_patterns")?.into_iter().map(|(path, node)| pattern(path, node)).collect()
}

fn pattern(path: String, node: &Node) -> Result<Pattern, ConfigError> {
    let (at, line, source, test) = match &node.value {
        Value::List(pair) => match pair.as_slice() {
            [name, source] if plain_text(&name.value).is_some() => {
                (path, source.line, plain_text(&source.value), None)
            }
            _ => (path, node.line, None, None),
        },
        Value::Table(_) => {
            let section = Section::of(path, node, CUSTOM_PATTERN)?;
            section.text("name")?;
            let (at, line) = section.place("pattern");
            (at, line, section.text("pattern")?, section.text("test")?)
        }
        _ => (path, node.line, None, None),
    };
    let Some(source) = source else {
        return Err(expected(at, line, "a name and a pattern, as a list of two texts or an object"));
    };
    Pattern::new(&source, Category::Custom, test.as_deref(), Cover::Part)
        .map_err(|error| ConfigError::key(at, line, KeyProblem::Pattern(error)))
}
