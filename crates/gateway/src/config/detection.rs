//! The reference gateway's `detection` table: each key is honoured, mapped onto categories, accepted with a
//! warning, or refused where it asks for protection that is not there.

use cloakgate_vocab::Category;

use super::categories::Switches;
use super::section::{Section, text_list};
use super::tree::Value;
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

const WHY_NOT_REDACT: &str =
    "values are replaced by tokens that tools can be given back; use `tokenize`, or leave the key out";
const WHY_NO_MODEL: &str = "no model for names is built in yet, so it cannot be required; leave the key out, and names in running text \
     are not found while fields, headers and lists of names are";
const WHY_NO_PATTERNS: &str = "patterns of one's own are not supported yet; leave the list empty";
const WHY_NO_LABELS: &str =
    "only PERSON is found; places and organisations are left to the model; leave the other labels out";
const WARN_LOCALE: &str = "has no effect: the rules of all countries are always on";
const WARN_MODEL: &str =
    "has no effect: no spaCy model is loaded, and names in running text are not found by one";
const WARN_LABELS: &str = "has no effect: names are found by fields, headers and lists, not by a model, and PERSON is on by default";
const WARN_DESCRIPTIVE: &str = "has no effect: tokens always say their category";
const WARN_LENGTH: &str =
    "has no effect: texts of any length are read, and `max_message_bytes` limits whole messages";

/// Reads the table.
pub(super) fn read(
    mut section: Section<'_>,
    switches: &mut Switches,
    warnings: &mut Vec<Warning>,
) -> Result<(), ConfigError> {
    for (key, categories) in SWITCHES {
        if let Some(on) = section.flag(key)? {
            let (path, line) = place(&mut section, key);
            for category in *categories {
                switches.set(*category, on, &path, line)?;
            }
        }
    }
    refuse_what_is_not_there(&mut section)?;
    let mut warn = |section: &mut Section<'_>, key, reason| {
        let (path, line) = place(section, key);
        warnings.push(Warning { path, line, reason });
    };
    if section.read("ner_entity_types", "a list of texts", text_list)?.is_some() {
        warn(&mut section, "ner_entity_types", WARN_LABELS);
    }
    if section.text("locale")?.is_some() {
        warn(&mut section, "locale", WARN_LOCALE);
    }
    if section.text("spacy_model")?.is_some() {
        warn(&mut section, "spacy_model", WARN_MODEL);
    }
    if section.flag("descriptive_tokens")?.is_some() {
        warn(&mut section, "descriptive_tokens", WARN_DESCRIPTIVE);
    }
    if section.integer("max_input_length", 1..=usize::MAX)?.is_some() {
        warn(&mut section, "max_input_length", WARN_LENGTH);
    }
    section.finish()
}

/// Refuses settings whose absence would leave open what the operator believes to be closed. Their other values
/// say what is so anyway.
fn refuse_what_is_not_there(section: &mut Section<'_>) -> Result<(), ConfigError> {
    let redact = section.choice("mode", &[("tokenize", false), ("redact", true)])?.unwrap_or(false);
    let required = section.flag("ner_required")?.unwrap_or(false);
    let patterns = section
        .read("custom_patterns", "a list of patterns", |value| match value {
            Value::List(patterns) => Some(!patterns.is_empty()),
            _ => None,
        })?
        .unwrap_or(false);
    let labels = section.texts("ner_entity_types")?.unwrap_or_default();
    let other_labels = labels.iter().any(|label| !PERSON_LABELS.contains(&label.as_str()));
    for (refused, key, why) in [
        (redact, "mode", WHY_NOT_REDACT),
        (required, "ner_required", WHY_NO_MODEL),
        (patterns, "custom_patterns", WHY_NO_PATTERNS),
        (other_labels, "ner_entity_types", WHY_NO_LABELS),
    ] {
        if refused {
            let (path, line) = place(section, key);
            return Err(ConfigError::key(path, line, KeyProblem::Unsupported(why)));
        }
    }
    Ok(())
}

fn place(section: &mut Section<'_>, key: &'static str) -> (String, usize) {
    let line = section.node(key).map_or(section.line(), |node| node.line);
    (section.path_of(key), line)
}
