//! Cloak settings: the reference's JSON, checked, and the profile that it means.
//!
//! In: a body. Out: settings with every field, as they are kept and shown. Invariant: what is kept makes a profile; what
//! a client sent and we understand comes back as it was. Not here: what options do (`cloak::text`).

mod acl;
mod file;
mod profile;
mod table;

use cloakgate_names::Effort;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub(crate) use self::acl::{Acl, role_name};
pub use self::file::{SettingsError, SettingsFile};
use self::table::{EXTENDED, FIELDS, FieldRule, MODELS, STYLES};
pub(crate) use self::table::{merge, schema};
use crate::fault::Fault;
use crate::fields::{Fields, choose, missing, wrong};

/// Key of the eight fields of the reference.
const OPTIONS: &str = "anonymization_options";
/// Key of the fields beyond them.
const EXTENDED_OPTIONS: &str = "extended_options";
/// Longest life of a session that settings may give.
pub(crate) const MAX_LIFETIME_SECONDS: u64 = 10 * 366 * 86_400;
/// Bytes of the parts that are kept as they are.
const MAX_FREE_BYTES: usize = 256 << 10;
/// Keys that a client sends back because it was sent them.
pub(crate) const READ_ONLY: [&str; 5] = ["id", "environment_id", "created_at", "updated_at", "warnings"];

/// Settings as they are kept: every field filled, keys that were not sent absent.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Settings(Map<String, Value>);

impl Default for Settings {
    /// A placeholder for everything, units as they are.
    fn default() -> Self {
        let mut map = Map::new();
        map.insert(OPTIONS.to_owned(), FIELDS.iter().map(default_entry).collect::<Map<_, _>>().into());
        map.insert(
            EXTENDED_OPTIONS.to_owned(),
            EXTENDED.iter().map(default_entry).collect::<Map<_, _>>().into(),
        );
        Self(map)
    }
}

impl Settings {
    /// Reads a body.
    ///
    /// # Errors
    /// When a key or an option is none, a range is missing or wrong, or a term cannot be looked for.
    pub(crate) fn read(mut fields: Fields) -> Result<Self, Fault> {
        for name in READ_ONLY {
            drop(fields.take(name));
        }
        let mut map = Map::new();
        if let Some(name) = fields.name("name")? {
            map.insert("name".to_owned(), name.into());
        }
        options(&mut fields, &mut map)?;
        for name in ["age_ranges", "weight_ranges"] {
            if let Some(ranges) = fields.take(name) {
                keep_ranges(&mut map, name, ranges)?;
            }
        }
        for (name, codes) in STYLES {
            if let Some(code) = fields.choice(name, codes)? {
                map.insert((*name).to_owned(), code.into());
            }
        }
        for name in ["local_model_name", "global_model_name"] {
            if let Some(model) = fields.choice(name, &MODELS)? {
                map.insert(name.to_owned(), model.into());
            }
        }
        for name in ["local_model_region", "global_model_region"] {
            if let Some(region) = fields.name(name)? {
                map.insert(name.to_owned(), region.into());
            }
        }
        if let Some(base) = fields.take("knowledge_base") {
            map.insert("knowledge_base".to_owned(), free("knowledge_base", base)?);
        }
        if let Some(roles) = fields.take(acl::KEY) {
            Acl::read(&roles)?;
            map.insert(acl::KEY.to_owned(), roles);
        }
        if let Some(seconds) = fields.number("session_lifetime_seconds")? {
            if !(1..=MAX_LIFETIME_SECONDS).contains(&seconds) {
                return Err(wrong("session_lifetime_seconds", "1 to ten years"));
            }
            map.insert("session_lifetime_seconds".to_owned(), seconds.into());
        }
        fields.finish()?;
        let settings = Self(map);
        settings.profile()?;
        Ok(settings)
    }

    /// The settings as a client sees them.
    pub(crate) fn shown(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Its name, if it has one.
    pub(crate) fn name(&self) -> Option<&str> {
        self.0.get("name").and_then(Value::as_str)
    }

    /// How much is done to find names in running text, where it is said.
    pub(crate) fn names(&self) -> Option<Effort> {
        self.0.get("names").and_then(Value::as_str).and_then(|word| word.parse().ok())
    }

    /// Seconds that a session lives after its last use; for good where it is not said.
    pub(crate) fn session_lifetime_seconds(&self) -> Option<u64> {
        self.0.get("session_lifetime_seconds").and_then(Value::as_u64)
    }

    /// What keys of each role get back. An object that was kept before roles had a meaning names none.
    pub(crate) fn acl(&self) -> Acl {
        self.0.get(acl::KEY).and_then(|roles| Acl::read(roles).ok()).unwrap_or_default()
    }

    /// What is kept without effect, in sentences.
    pub(crate) fn warnings(&self) -> Vec<&'static str> {
        let mut warnings = Vec::new();
        let known = |base: &Value| base.get("terms").is_some() || base.get("allow").is_some();
        if self.0.get("knowledge_base").is_some_and(|base| !known(base)) {
            warnings.push("`knowledge_base` has neither `terms` nor `allow`: it is kept and has no effect");
        }
        if ["local_model_name", "global_model_name"].iter().any(|name| self.0.contains_key(*name)) {
            warnings.push("hosted models are never called: their names are kept and have no effect");
        }
        warnings
    }

    /// The code of an option or a style.
    fn code(&self, group: &str, field: &str) -> Option<&str> {
        self.0.get(group)?.get(field)?.get("option")?.as_str()
    }
}

/// Reads the options of all fields, and the ranges that stand inside them.
fn options(fields: &mut Fields, map: &mut Map<String, Value>) -> Result<(), Fault> {
    let mut given = fields.object(OPTIONS)?.ok_or_else(|| missing(OPTIONS))?;
    let mut options = Map::new();
    for rule in FIELDS {
        let (name, entry) = match given.object(rule.name).map_err(|fault| fault.below(OPTIONS))? {
            Some(entry) => read_entry(rule, entry, map).map_err(|fault| fault.below(OPTIONS))?,
            None => default_entry(rule),
        };
        options.insert(name, entry);
    }
    if let Some(name) = given.names().find(|name| EXTENDED.iter().any(|rule| rule.name == *name)) {
        let message = format!("`{name}` belongs into `{EXTENDED_OPTIONS}`");
        return Err(Fault::field(format!("{OPTIONS}.{name}"), message));
    }
    given.finish()?;
    map.insert(OPTIONS.to_owned(), options.into());

    let mut extended = Map::new();
    let mut given = fields.object(EXTENDED_OPTIONS)?;
    for rule in EXTENDED {
        let entry = given.as_mut().map(|given| given.object(rule.name)).transpose();
        let (name, entry) = match entry.map_err(|fault| fault.below(EXTENDED_OPTIONS))?.flatten() {
            Some(entry) => read_entry(rule, entry, map).map_err(|fault| fault.below(EXTENDED_OPTIONS))?,
            None => default_entry(rule),
        };
        extended.insert(name, entry);
    }
    given.map_or(Ok(()), Fields::finish)?;
    map.insert(EXTENDED_OPTIONS.to_owned(), extended.into());
    Ok(())
}

/// Reads one field's option.
fn read_entry(
    rule: &FieldRule,
    mut entry: Fields,
    map: &mut Map<String, Value>,
) -> Result<(String, Value), Fault> {
    let option = match entry.text("option").map_err(|fault| fault.below(rule.name))? {
        Some(option) => choose("option", &option, rule.options).map_err(|fault| fault.below(rule.name))?,
        None => rule.default,
    };
    if let Some(key) = rule.key {
        let given = entry.text("searchable_key").map_err(|fault| fault.below(rule.name))?;
        if given.is_some_and(|given| given != key) {
            let fault = Fault::field(
                "searchable_key",
                format!("`searchable_key` of `{}` must be `{key}`", rule.name),
            );
            return Err(fault.with("allowed", json!([key])).below(rule.name));
        }
    }
    if let Some(ranges) = rule.ranges.and_then(|name| Some((name, entry.take(name)?))) {
        keep_ranges(map, ranges.0, ranges.1)?;
    }
    entry.finish().map_err(|fault| fault.below(rule.name))?;
    Ok(entry_of(rule, option))
}

/// Keeps ranges, which a client may send at two places but not differently.
fn keep_ranges(map: &mut Map<String, Value>, name: &'static str, ranges: Value) -> Result<(), Fault> {
    if map.get(name).is_some_and(|known| *known != ranges) {
        return Err(Fault::field(name, format!("`{name}` is given twice and differs")));
    }
    map.insert(name.to_owned(), ranges);
    Ok(())
}

/// What is kept as it is must be an object and not too large.
fn free(name: &str, value: Value) -> Result<Value, Fault> {
    if !value.is_object() {
        return Err(wrong(name, "an object"));
    }
    if value.to_string().len() > MAX_FREE_BYTES {
        return Err(wrong(name, "at most 256 KiB"));
    }
    Ok(value)
}

fn default_entry(rule: &FieldRule) -> (String, Value) {
    entry_of(rule, rule.default)
}

fn entry_of(rule: &FieldRule, option: &str) -> (String, Value) {
    let entry = match rule.key {
        Some(key) => json!({ "option": option, "searchable_key": key }),
        None => json!({ "option": option }),
    };
    (rule.name.to_owned(), entry)
}

#[cfg(test)]
mod tests;
