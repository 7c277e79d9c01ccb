//! Which categories are looked for, and what is written in the place of their values.
//!
//! Invariant: a second word on a category in the same table must agree with the first, whichever key it stands
//! under: nobody can tell which of two was meant, and one of them leaves a category open.

use cloakgate_detect::CategorySet;
use cloakgate_vocab::Category;
use indexmap::IndexMap;

use super::choices::{OnOff, Operator};
use super::section::{Section, category_names, chosen, configurable, expected, unknown_key};
use super::tables::OPERATOR;
use super::tree::{Node, Value};
use super::{ConfigError, KeyProblem, Warning};

/// Known by name, but nothing finds them: to switch one on would promise what is not done.
pub(super) const FOUND_BY_NOTHING: &[Category] = &[Category::Family, Category::Other];
/// Found only where a field, a header or a list says what a value is.
pub(super) const FOUND_BY_FIELD: &[Category] = &[Category::Nrp, Category::Title, Category::Profession];
const WHY_NOTHING_FINDS_IT: &str = "nothing finds this category yet; leave it off";
const WARN_BY_FIELD: &str = "is found where a field or a header names it, not in running text";
const EXPECTED: &str = "true, false, `on`, `off` or an object with `operator`";

/// What one table says of a category.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Switch {
    pub(super) on: bool,
    /// `None` leaves what a wider table said.
    pub(super) operator: Option<Operator>,
}

/// What one table says of categories, each with the key that says it.
#[derive(Default)]
pub(super) struct Switches(IndexMap<Category, (Switch, String)>);

impl Switches {
    /// Notes a switch.
    pub(super) fn set(
        &mut self,
        category: Category,
        switch: Switch,
        path: &str,
        line: usize,
    ) -> Result<(), ConfigError> {
        let Some((before, other)) = self.0.get_mut(&category) else {
            self.0.insert(category, (switch, path.to_owned()));
            return Ok(());
        };
        let operators_differ =
            matches!((before.operator, switch.operator), (Some(one), Some(two)) if one != two);
        if before.on != switch.on || operators_differ {
            return Err(ConfigError::key(path, line, KeyProblem::Contradicts(other.clone())));
        }
        before.operator = before.operator.or(switch.operator);
        Ok(())
    }

    /// The categories that are on and those that are redacted, given those of the wider scope.
    pub(super) fn over(&self, on: CategorySet, redacted: CategorySet) -> (CategorySet, CategorySet) {
        let put = |set: CategorySet, category, into: bool| {
            if into { set.with(category) } else { set.without(category) }
        };
        self.0.iter().fold((on, redacted), |(on, redacted), (category, (switch, _))| {
            let redacted = match switch.operator {
                Some(operator) => put(redacted, *category, operator == Operator::Redact),
                None => redacted,
            };
            (put(on, *category, switch.on), redacted)
        })
    }
}

/// Reads the `categories` of a table into `switches`.
pub(super) fn read(
    section: &Section<'_>,
    switches: &mut Switches,
    warnings: &mut Vec<Warning>,
) -> Result<(), ConfigError> {
    let Some(section) = section.named("categories")? else { return Ok(()) };
    for (name, node) in section.entries() {
        let path = section.path_of(name);
        let Some(category) = configurable(name) else {
            return Err(unknown_key(path, node.line, name, category_names()));
        };
        let switch = read_switch(&path, node)?;
        switches.set(category, switch, &path, node.line)?;
        if switch.on && FOUND_BY_NOTHING.contains(&category) {
            return Err(ConfigError::key(path, node.line, KeyProblem::Unsupported(WHY_NOTHING_FINDS_IT)));
        }
        if switch.on && FOUND_BY_FIELD.contains(&category) {
            warnings.push(Warning { path, line: node.line, reason: WARN_BY_FIELD });
        }
    }
    Ok(())
}

fn read_switch(path: &str, node: &Node) -> Result<Switch, ConfigError> {
    match &node.value {
        Value::Bool(on) => Ok(Switch { on: *on, operator: None }),
        Value::Table(_) => {
            let operator = Section::of(path.to_owned(), node, OPERATOR)?.choice("operator")?;
            Ok(Switch { on: true, operator })
        }
        value => match chosen(value) {
            Some(OnOff(on)) => Ok(Switch { on, operator: None }),
            None => Err(expected(path.to_owned(), node.line, EXPECTED)),
        },
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Defaults;

    use super::*;

    #[test]
    fn what_is_said_of_where_categories_are_found_concerns_extended_ones() {
        let lists = [FOUND_BY_NOTHING, FOUND_BY_FIELD];
        for category in lists.into_iter().flatten() {
            assert_eq!(category.defaults(), Defaults::Extended, "{category}");
            assert_eq!(lists.iter().filter(|list| list.contains(category)).count(), 1, "{category}");
        }
    }
}
