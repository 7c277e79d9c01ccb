//! What is looked for, and what becomes of it: at the top level, for a server, for a tool.
//!
//! Invariant: the narrower scope has the last word on a category, and its lists are added to those of the wider.

use cloakgate_detect::CategorySet;
use cloakgate_names::Effort;

use super::categories::{self, Switches};
use super::choices::Operator;
use super::reference;
use super::section::Section;
use super::terms::{self, TermList};
use super::{ConfigError, Warning};

/// What is looked for in one scope, all that wider scopes say taken in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Detection {
    /// Categories that detectors report.
    pub categories: CategorySet,
    /// How much is done to find names in running text.
    pub names: Effort,
    /// Values that are left as they are. A term of `deny` comes before one of `allow`.
    pub allow: TermList,
    /// What is cloaked whatever `categories` says.
    pub deny: TermList,
    /// Categories whose values are replaced for good, by `[EMAIL_REDACTED]`; the others get tokens. It may hold
    /// categories that are not looked for.
    pub redact: CategorySet,
}

/// The core categories, as tokens, names as the default has them, and no lists.
impl Default for Detection {
    fn default() -> Self {
        Self {
            categories: CategorySet::core(),
            names: Effort::default(),
            allow: TermList::default(),
            deny: TermList::default(),
            redact: CategorySet::none(),
        }
    }
}

/// What the top level says, with the reference's table.
pub(super) fn read_root(
    root: &Section<'_>,
    table: Option<&reference::Reference>,
    warnings: &mut Vec<Warning>,
) -> Result<Detection, ConfigError> {
    let mut redacted = CategorySet::none();
    let mut switches = Switches::default();
    let names = root.choice("names")?.unwrap_or_default();
    categories::read(root, &mut switches, warnings)?;
    let (allow, mut deny) = terms::read(root)?;
    if let Some(table) = table {
        table.check_names(names, warnings)?;
        if table.operator == Operator::Redact {
            redacted = CategorySet::all();
        }
        for (category, switch, path, line) in &table.switches {
            switches.set(*category, *switch, path, *line)?;
        }
        table.patterns.iter().cloned().for_each(|pattern| deny.add_pattern(pattern));
    }
    let (categories, redact) = switches.over(CategorySet::core(), redacted);
    Ok(Detection { categories, names, allow, deny, redact })
}

/// What a server or a tool says, over the wider scope.
pub(super) fn read_within(
    section: &Section<'_>,
    wider: &Detection,
    warnings: &mut Vec<Warning>,
) -> Result<Detection, ConfigError> {
    let mut switches = Switches::default();
    categories::read(section, &mut switches, warnings)?;
    let (allow, deny) = terms::read(section)?;
    let (categories, redact) = switches.over(wider.categories, wider.redact);
    let names = section.choice("names")?.unwrap_or(wider.names);
    let (allow, deny) = (wider.allow.with(&allow), wider.deny.with(&deny));
    Ok(Detection { categories, names, allow, deny, redact })
}
