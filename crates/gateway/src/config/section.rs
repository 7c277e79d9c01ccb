//! Reads the keys of one table, each by its type, and refuses what is left over.
//!
//! Invariant: a key counts as known once it was asked for; `finish` refuses every other one.
//! Not here: which keys there are.

use std::ops::RangeInclusive;
use std::time::Duration;

use indexmap::IndexMap;

use super::tree::{Node, Value};
use super::units;
use super::{ConfigError, KeyProblem};

/// How near, from 0 to 1, a valid name must be to be offered.
const NEAR_ENOUGH: f64 = 0.75;

/// One table that is being read.
pub(super) struct Section<'a> {
    path: String,
    line: usize,
    table: &'a IndexMap<String, Node>,
    known: Vec<&'static str>,
}

impl<'a> Section<'a> {
    pub(super) fn root(node: &'a Node) -> Result<Self, ConfigError> {
        Self::of(String::new(), node)
    }

    fn of(path: String, node: &'a Node) -> Result<Self, ConfigError> {
        match &node.value {
            Value::Table(table) => Ok(Self { path, line: node.line, table, known: Vec::new() }),
            _ if path.is_empty() => Err(expected("the configuration".into(), node.line, "an object")),
            _ => Err(expected(path, node.line, "an object")),
        }
    }

    /// The path of a key of this table.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// The line of the table.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// All keys with their values, for tables whose keys are names.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Node)> + use<'a> {
        self.table.iter().map(|(key, node)| (key.as_str(), node))
    }

    /// All keys as tables, for tables whose keys are names.
    pub(super) fn sections(&self) -> impl Iterator<Item = Result<(&'a str, Section<'a>), ConfigError>> {
        self.entries().map(|(key, node)| Ok((key, Section::of(self.path_of(key), node)?)))
    }

    pub(super) fn node(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        self.table.get(key)
    }

    pub(super) fn section(&mut self, key: &'static str) -> Result<Option<Section<'a>>, ConfigError> {
        let path = self.path_of(key);
        self.node(key).map(|node| Section::of(path, node)).transpose()
    }

    pub(super) fn flag(&mut self, key: &'static str) -> Result<Option<bool>, ConfigError> {
        self.read(key, "true or false", |value| match value {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        })
    }

    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<String>, ConfigError> {
        self.read(key, "a text that is not empty", plain_text)
    }

    pub(super) fn texts(&mut self, key: &'static str) -> Result<Option<Vec<String>>, ConfigError> {
        self.read(key, "a list of texts", text_list)
    }

    pub(super) fn integer(
        &mut self,
        key: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, ConfigError> {
        let expectation = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(key, &expectation, |value| match value {
            Value::Number(number) => number.parse().ok().filter(|number| range.contains(number)),
            _ => None,
        })
    }

    pub(super) fn duration(&mut self, key: &'static str) -> Result<Option<Duration>, ConfigError> {
        self.read(key, units::DURATION_EXPECTED, |value| match value {
            Value::Number(number) => units::seconds(number),
            Value::Text(text) => units::duration(text),
            _ => None,
        })
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &'static str,
        choices: &[(&'static str, T)],
    ) -> Result<Option<T>, ConfigError> {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
        self.read(key, &names.join(" or "), |value| match value {
            Value::Text(text) => choices.iter().find(|(name, _)| name == text).map(|(_, choice)| *choice),
            _ => None,
        })
    }

    /// Reads a key by `convert`, which gives `None` for a value that is not as `expectation` says.
    pub(super) fn read<T>(
        &mut self,
        key: &'static str,
        expectation: &str,
        convert: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, ConfigError> {
        let Some(node) = self.node(key) else { return Ok(None) };
        match convert(&node.value) {
            Some(value) => Ok(Some(value)),
            None => Err(expected(self.path_of(key), node.line, expectation)),
        }
    }

    /// Refuses the first key that nobody asked for.
    pub(super) fn finish(self) -> Result<(), ConfigError> {
        let unknown = self.table.iter().find(|(key, _)| !self.known.contains(&key.as_str()));
        let Some((key, node)) = unknown else { return Ok(()) };
        let valid: Vec<String> = self.known.iter().map(|key| (*key).to_owned()).collect();
        Err(unknown_key(self.path_of(key), node.line, key, valid))
    }
}

pub(super) fn expected(path: String, line: usize, expectation: &str) -> ConfigError {
    ConfigError::key(path, line, KeyProblem::Expected(expectation.to_owned()))
}

pub(super) fn unknown_key(path: String, line: usize, key: &str, mut valid: Vec<String>) -> ConfigError {
    valid.sort_unstable();
    let nearest = valid
        .iter()
        .map(|name| (strsim::jaro_winkler(&name.to_lowercase(), &key.to_lowercase()), name))
        .filter(|(nearness, _)| *nearness >= NEAR_ENOUGH)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, name)| name.clone());
    ConfigError::key(path, line, KeyProblem::Unknown { nearest, valid })
}

/// A text that can be handed to the operating system.
pub(super) fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.is_empty() && !text.contains('\0') => Some(text.clone()),
        _ => None,
    }
}

pub(super) fn text_list(value: &Value) -> Option<Vec<String>> {
    let Value::List(items) = value else { return None };
    items
        .iter()
        .map(|item| match &item.value {
            Value::Text(text) if !text.contains('\0') => Some(text.clone()),
            _ => None,
        })
        .collect()
}
