//! What is looked for: the defaults, `categories`, and the reference's switches under `detection`.

use cloakgate_detect::CategorySet;
use cloakgate_vocab::{Category, Defaults};
use indexmap::IndexMap;

use super::section::{Section, expected, unknown_key};
use super::tree::Value;
use super::{ConfigError, KeyProblem, Warning, detection};

/// Which categories were switched, each by which key.
#[derive(Default)]
pub(super) struct Switches(IndexMap<Category, (bool, String)>);

impl Switches {
    /// Notes a switch.
    ///
    /// A second word on a category must agree with the first, whichever key it stands under: nobody can tell
    /// which of two was meant, and one of them leaves a category open.
    pub(super) fn set(
        &mut self,
        category: Category,
        on: bool,
        path: &str,
        line: usize,
    ) -> Result<(), ConfigError> {
        match self.0.get(&category) {
            Some((before, other)) if *before != on => {
                Err(ConfigError::key(path, line, KeyProblem::Contradicts(other.clone())))
            }
            Some(_) => Ok(()),
            None => {
                self.0.insert(category, (on, path.to_owned()));
                Ok(())
            }
        }
    }

    fn applied(&self) -> CategorySet {
        self.0.iter().fold(CategorySet::core(), |set, (category, (on, _))| {
            if *on { set.with(*category) } else { set.without(*category) }
        })
    }
}

/// Reads both tables.
pub(super) fn read(
    categories: Option<Section<'_>>,
    detection: Option<Section<'_>>,
    warnings: &mut Vec<Warning>,
) -> Result<CategorySet, ConfigError> {
    let mut switches = Switches::default();
    if let Some(section) = categories {
        for (name, node) in section.entries() {
            let path = section.path_of(name);
            let Some(category) = configurable(name) else {
                return Err(unknown_key(path, node.line, name, valid_names()));
            };
            let Some(on) = switch(&node.value) else {
                return Err(expected(path, node.line, "true, false, `on` or `off`"));
            };
            switches.set(category, on, &path, node.line)?;
        }
    }
    if let Some(section) = detection {
        detection::read(section, &mut switches, warnings)?;
    }
    Ok(switches.applied())
}

fn configurable(name: &str) -> Option<Category> {
    name.parse::<Category>().ok().filter(|category| category.defaults() != Defaults::Internal)
}

fn valid_names() -> Vec<String> {
    Category::all()
        .filter(|category| category.defaults() != Defaults::Internal)
        .map(|category| category.name().to_owned())
        .collect()
}

fn switch(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(on) => Some(*on),
        Value::Text(text) if text == "on" => Some(true),
        Value::Text(text) if text == "off" => Some(false),
        _ => None,
    }
}
