//! Reads the keys of one table, each by its type.
//!
//! In: a table of the file and the table of its keys. Out: values. Invariant: a section whose keys are known is
//! refused as a whole when it holds another key. Not here: which keys there are (`tables`).

use std::time::Duration;

use cloakgate_vocab::{Category, Defaults};
use indexmap::IndexMap;

use super::keys::{Choice, Key, Shape, words};
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
    keys: &'static [Key],
}

impl<'a> Section<'a> {
    /// A table with these keys and no others, those that are required among them.
    pub(super) fn of(path: String, node: &'a Node, keys: &'static [Key]) -> Result<Self, ConfigError> {
        let section = Self::names(path, node)?;
        let section = Self { keys, ..section };
        if let Some((key, node)) =
            section.table.iter().find(|(key, _)| keys.iter().all(|known| known.name != *key))
        {
            let valid =
                keys.iter().map(|known| known.name.to_owned()).filter(|name| name != "$schema").collect();
            return Err(unknown_key(section.path_of(key), node.line, key, valid));
        }
        let missing = keys.iter().find(|key| key.required && !section.table.contains_key(key.name));
        match missing {
            Some(key) => Err(ConfigError::key(section.path_of(key.name), section.line, KeyProblem::Missing)),
            None => Ok(section),
        }
    }

    /// A table whose keys are names.
    pub(super) fn names(path: String, node: &'a Node) -> Result<Self, ConfigError> {
        match &node.value {
            Value::Table(table) => Ok(Self { path, line: node.line, table, keys: &[] }),
            _ if path.is_empty() => Err(expected("the configuration".into(), node.line, "an object")),
            _ => Err(expected(path, node.line, "an object")),
        }
    }

    /// The path of a key of this table.
    pub(super) fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Path and line of a key, or the table's line where the key is not there.
    pub(super) fn place(&self, key: &str) -> (String, usize) {
        (self.path_of(key), self.table.get(key).map_or(self.line, |node| node.line))
    }

    /// All keys with their values, for tables whose keys are names.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Node)> + use<'a> {
        self.table.iter().map(|(key, node)| (key.as_str(), node))
    }

    pub(super) fn node(&self, key: &'static str) -> Option<&'a Node> {
        debug_assert!(self.keys.iter().any(|known| known.name == key), "`{key}` is in no table of keys");
        self.table.get(key)
    }

    pub(super) fn section(
        &self,
        key: &'static str,
        keys: &'static [Key],
    ) -> Result<Option<Self>, ConfigError> {
        self.node(key).map(|node| Section::of(self.path_of(key), node, keys)).transpose()
    }

    pub(super) fn named(&self, key: &'static str) -> Result<Option<Self>, ConfigError> {
        self.node(key).map(|node| Section::names(self.path_of(key), node)).transpose()
    }

    /// The items of a list, each with its path.
    pub(super) fn items(&self, key: &'static str) -> Result<Vec<(String, &'a Node)>, ConfigError> {
        let most = match self.shape(key) {
            Some(Shape::List(_, most)) => *most,
            _ => usize::MAX,
        };
        let items = self.read(key, &format!("a list of at most {most}"), |value| match value {
            Value::List(items) if items.len() <= most => Some(items),
            _ => None,
        })?;
        let items = items.map(Vec::as_slice).unwrap_or_default().iter().enumerate();
        Ok(items.map(|(index, node)| (format!("{}[{index}]", self.path_of(key)), node)).collect())
    }

    pub(super) fn flag(&self, key: &'static str) -> Result<Option<bool>, ConfigError> {
        self.read(key, "true or false", |value| match value {
            Value::Bool(flag) => Some(*flag),
            _ => None,
        })
    }

    pub(super) fn text(&self, key: &'static str) -> Result<Option<String>, ConfigError> {
        self.read(key, "a text that is not empty", plain_text)
    }

    pub(super) fn texts(&self, key: &'static str) -> Result<Option<Vec<String>>, ConfigError> {
        self.read(key, "a list of texts", text_list)
    }

    /// A whole number within the range that the table of keys gives.
    pub(super) fn integer(&self, key: &'static str) -> Result<Option<usize>, ConfigError> {
        match self.shape(key) {
            Some(Shape::Integer(least, _)) => self.integer_from(key, *least),
            _ => Err(expected(self.path_of(key), self.line, "another kind of key")),
        }
    }

    /// As `integer`, with a lower end that other keys raise.
    pub(super) fn integer_from(&self, key: &'static str, least: usize) -> Result<Option<usize>, ConfigError> {
        let Some(Shape::Integer(lowest, most)) = self.shape(key) else {
            return Err(expected(self.path_of(key), self.line, "another kind of key"));
        };
        let range = least.max(*lowest)..=*most;
        let expectation = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(key, &expectation, |value| match value {
            Value::Number(number) => number.parse().ok().filter(|number| range.contains(number)),
            _ => None,
        })
    }

    pub(super) fn duration(&self, key: &'static str) -> Result<Option<Duration>, ConfigError> {
        self.read(key, units::DURATION_EXPECTED, |value| match value {
            Value::Number(number) => units::seconds(number),
            Value::Text(text) => units::duration(text),
            _ => None,
        })
    }

    pub(super) fn choice<T: Choice>(&self, key: &'static str) -> Result<Option<T>, ConfigError> {
        let names: Vec<String> = words::<T>().iter().map(|name| format!("`{name}`")).collect();
        self.read(key, &names.join(" or "), chosen)
    }

    pub(super) fn category(&self, key: &'static str) -> Result<Option<Category>, ConfigError> {
        let Some(name) = self.text(key)? else { return Ok(None) };
        match configurable(&name) {
            Some(category) => Ok(Some(category)),
            None => {
                let (path, line) = self.place(key);
                // A category is no secret, and the name that was meant is the whole point of the error.
                Err(ConfigError::key(
                    path,
                    line,
                    KeyProblem::NoCategory { nearest: nearest(&name, &category_names()) },
                ))
            }
        }
    }

    /// Reads a key by `convert`, which gives `None` for a value that is not as `expectation` says.
    pub(super) fn read<T>(
        &self,
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

    fn shape(&self, key: &str) -> Option<&'static Shape> {
        let known = self.keys.iter().find(|known| known.name == key)?;
        match &known.shape {
            Shape::Shared(_, shape) => Some(shape),
            shape => Some(shape),
        }
    }
}

pub(super) fn expected(path: String, line: usize, expectation: &str) -> ConfigError {
    ConfigError::key(path, line, KeyProblem::Expected(expectation.to_owned()))
}

pub(super) fn unknown_key(path: String, line: usize, key: &str, mut valid: Vec<String>) -> ConfigError {
    valid.sort_unstable();
    ConfigError::key(path, line, KeyProblem::Unknown { nearest: nearest(key, &valid), valid })
}

fn nearest(name: &str, valid: &[String]) -> Option<String> {
    valid
        .iter()
        .map(|other| (strsim::jaro_winkler(&other.to_lowercase(), &name.to_lowercase()), other))
        .filter(|(nearness, _)| *nearness >= NEAR_ENOUGH)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, other)| other.clone())
}

/// The category of this name or alias, unless it is none that a setting may name.
pub(super) fn configurable(name: &str) -> Option<Category> {
    name.parse::<Category>().ok().filter(|category| category.defaults() != Defaults::Internal)
}

/// Names of all categories that a setting may name.
pub(super) fn category_names() -> Vec<String> {
    Category::all()
        .filter(|category| category.defaults() != Defaults::Internal)
        .map(|category| category.name().to_owned())
        .collect()
}

pub(super) fn chosen<T: Choice>(value: &Value) -> Option<T> {
    match value {
        Value::Text(text) => T::WORDS.iter().find(|(word, _)| word == text).map(|(_, choice)| *choice),
        _ => None,
    }
}

/// A text that can be handed to the operating system.
pub(super) fn plain_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.is_empty() && !text.contains('\0') => Some(text.clone()),
        _ => None,
    }
}

/// A text that may be empty.
pub(super) fn any_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) if !text.contains('\0') => Some(text.clone()),
        _ => None,
    }
}

pub(super) fn text_list(value: &Value) -> Option<Vec<String>> {
    let Value::List(items) = value else { return None };
    items.iter().map(|item| any_text(&item.value)).collect()
}
