//! What is looked for: the defaults, `categories`, and the reference's switches under `detection`.

use cloakgate_detect::CategorySet;
use cloakgate_vocab::{Category, Defaults};
use indexmap::IndexMap;

use super::section::{Section, expected, unknown_key};
use super::tree::Value;
use super::{ConfigError, KeyProblem, Warning, detection};

/// Known by name, but nothing finds them: to switch one on would promise what is not done.
const FOUND_BY_NOTHING: &[Category] = &[Category::Date, Category::Url, Category::Family, Category::Other];
/// Found where a field, a header or a list says what a value is.
const FOUND_BY_FIELD: &[Category] = &[
    Category::Location,
    Category::Org,
    Category::Age,
    Category::Money,
    Category::Medical,
    Category::Username,
    Category::Gender,
    Category::Weight,
    Category::Nrp,
    Category::Title,
    Category::Profession,
];
const WHY_NOTHING_FINDS_IT: &str = "nothing finds this category yet; leave it off";
const WARN_BY_FIELD: &str = "is found where a field or a header names it, not in running text";

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
            if on && FOUND_BY_NOTHING.contains(&category) {
                return Err(ConfigError::key(path, node.line, KeyProblem::Unsupported(WHY_NOTHING_FINDS_IT)));
            }
            if on && FOUND_BY_FIELD.contains(&category) {
                warnings.push(Warning { path, line: node.line, reason: WARN_BY_FIELD });
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_extended_category_is_promised_no_more_than_is_done() {
        for category in Category::all() {
            let listed = [FOUND_BY_NOTHING, FOUND_BY_FIELD]
                .concat()
                .iter()
                .filter(|other| **other == category)
                .count();
            let expected = usize::from(category.defaults() == Defaults::Extended);
            assert_eq!(listed, expected, "{category}: say where it is found");
        }
    }
}
