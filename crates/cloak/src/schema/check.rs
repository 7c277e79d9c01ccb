//! Says whether a value obeys a schema, as far as the keywords below go.
//!
//! In: a schema and a value, or a path and what would stand there. Out: yes or no. Keywords that are not known,
//! references that lead outside, patterns that are no regular expressions of ours, and what lies beyond the limits
//! say yes: only what is surely refused is a no.
//! Invariant: cost is bounded by a number of steps, whatever the schema says about itself.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex_automata::meta::Regex;
use serde_json::{Map, Value};

use super::Step;
use super::format;

/// Deepest chain of references, combinators and members that is followed.
const MAX_DEPTH: u32 = 96;
/// Schemas that are applied to see whether one value may stand at its path.
const MAX_STEPS_OF_LEAF: u64 = 4096;
/// Schemas that are applied to see whether a whole value obeys.
const MAX_STEPS_OF_WHOLE: u64 = 1 << 20;
/// Longest pattern, in bytes, that is compiled.
const MAX_PATTERN_BYTES: usize = 2048;
/// Memory that one compiled pattern may take.
const MAX_PATTERN_MEMORY: usize = 256 << 10;
/// Patterns of one schema that are compiled.
const MAX_PATTERNS: usize = 256;

/// The patterns of a schema, each compiled when it is first needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Patterns(HashMap<String, OnceLock<Option<Regex>>>);

impl Patterns {
    /// Collects the patterns of a schema.
    pub(super) fn of(schema: &Value) -> Self {
        let mut patterns = Self::default();
        let mut open = vec![schema];
        while let Some(value) = open.pop() {
            match value {
                Value::Object(members) => {
                    patterns.insert(members.get("pattern").and_then(Value::as_str));
                    let keyed = members.get("patternProperties").and_then(Value::as_object);
                    for pattern in keyed.into_iter().flat_map(Map::keys) {
                        patterns.insert(Some(pattern));
                    }
                    open.extend(members.values());
                }
                Value::Array(elements) => open.extend(elements),
                _ => {}
            }
        }
        patterns
    }

    fn insert(&mut self, pattern: Option<&str>) {
        let Some(pattern) = pattern.filter(|pattern| pattern.len() <= MAX_PATTERN_BYTES) else { return };
        if self.0.len() < MAX_PATTERNS {
            self.0.entry(pattern.to_owned()).or_default();
        }
    }

    /// Whether a text matches somewhere; `None` where the pattern is not understood.
    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        let compiled = self.0.get(pattern)?.get_or_init(|| {
            let limits = Regex::config().nfa_size_limit(Some(MAX_PATTERN_MEMORY));
            Regex::builder().configure(limits).build(pattern).ok()
        });
        compiled.as_ref().map(|regex| regex.is_match(text))
    }
}

/// One check.
pub(super) struct Checker<'a> {
    root: &'a Value,
    patterns: &'a Patterns,
    steps_left: u64,
}

impl<'a> Checker<'a> {
    pub(super) fn new(root: &'a Value, patterns: &'a Patterns) -> Self {
        Self { root, patterns, steps_left: 0 }
    }

    /// Whether `leaf` may stand at `path`.
    pub(super) fn fits(&mut self, path: &[Step], leaf: &Value) -> bool {
        self.steps_left = MAX_STEPS_OF_LEAF;
        self.at(self.root, path, leaf, 0)
    }

    /// Whether `instance` obeys the schema.
    pub(super) fn obeys(&mut self, instance: &Value) -> bool {
        self.steps_left = MAX_STEPS_OF_WHOLE;
        self.valid(self.root, instance, 0)
    }

    /// Whether `leaf` at `path` could be part of something that obeys `schema`.
    fn at(&mut self, schema: &'a Value, path: &[Step], leaf: &Value, depth: u32) -> bool {
        let Some((step, rest)) = path.split_first() else { return self.valid(schema, leaf, depth) };
        let Some(members) = self.members(schema, depth) else { return schema != &Value::Bool(false) };
        let around = match step {
            Step::Key(_) => Value::Object(Map::new()),
            Step::Index(_) => Value::Array(Vec::new()),
        };
        if !typed(members, &around) {
            return false;
        }
        if let Some(target) = self.reference(members)
            && !self.at(target, path, leaf, depth + 1)
        {
            return false;
        }
        if choices(members, "allOf").iter().any(|choice| !self.at(choice, path, leaf, depth + 1)) {
            return false;
        }
        for name in ["anyOf", "oneOf"] {
            let choices = choices(members, name);
            if !choices.is_empty() && !choices.iter().any(|choice| self.at(choice, path, leaf, depth + 1)) {
                return false;
            }
        }
        let below = match step {
            Step::Key(key) => self.of_member(members, key),
            Step::Index(index) => of_element(members, *index).into_iter().collect(),
        };
        below.into_iter().all(|schema| self.at(schema, rest, leaf, depth + 1))
    }

    fn valid(&mut self, schema: &'a Value, value: &Value, depth: u32) -> bool {
        let Some(members) = self.members(schema, depth) else { return schema != &Value::Bool(false) };
        if let Some(target) = self.reference(members)
            && !self.valid(target, value, depth + 1)
        {
            return false;
        }
        self.combined(members, value, depth)
            && typed(members, value)
            && listed(members, value)
            && match value {
                Value::String(text) => self.text(members, text),
                Value::Number(number) => number.as_f64().is_none_or(|number| in_range(members, number)),
                Value::Array(elements) => self.elements(members, elements, depth),
                Value::Object(object) => self.object(members, object, depth),
                _ => true,
            }
    }

    /// The keywords of a schema, unless it is a boolean or the limits are reached.
    fn members(&mut self, schema: &'a Value, depth: u32) -> Option<&'a Map<String, Value>> {
        self.steps_left = self.steps_left.saturating_sub(1);
        if depth > MAX_DEPTH || self.steps_left == 0 { None } else { schema.as_object() }
    }

    fn reference(&self, members: &Map<String, Value>) -> Option<&'a Value> {
        self.root.pointer(members.get("$ref")?.as_str()?.strip_prefix('#')?)
    }

    fn combined(&mut self, members: &'a Map<String, Value>, value: &Value, depth: u32) -> bool {
        if choices(members, "allOf").iter().any(|choice| !self.valid(choice, value, depth + 1)) {
            return false;
        }
        let any = choices(members, "anyOf");
        if !any.is_empty() && !any.iter().any(|choice| self.valid(choice, value, depth + 1)) {
            return false;
        }
        let one = choices(members, "oneOf");
        if !one.is_empty() && one.iter().filter(|choice| self.valid(choice, value, depth + 1)).count() != 1 {
            return false;
        }
        if members.get("not").is_some_and(|not| not.is_object() && self.valid(not, value, depth + 1)) {
            return false;
        }
        let Some(condition) = members.get("if") else { return true };
        let then = if self.valid(condition, value, depth + 1) { "then" } else { "else" };
        members.get(then).is_none_or(|then| self.valid(then, value, depth + 1))
    }

    fn text(&self, members: &Map<String, Value>, text: &str) -> bool {
        let length = || text.chars().count() as u64;
        let limit = |name| members.get(name).and_then(Value::as_u64);
        limit("minLength").is_none_or(|min| length() >= min)
            && limit("maxLength").is_none_or(|max| length() <= max)
            && members
                .get("pattern")
                .and_then(Value::as_str)
                .is_none_or(|pattern| self.patterns.matches(pattern, text).unwrap_or(true))
            && members.get("format").and_then(Value::as_str).is_none_or(|name| format::fits(name, text))
    }

    fn elements(&mut self, members: &'a Map<String, Value>, elements: &[Value], depth: u32) -> bool {
        elements.iter().enumerate().all(|(index, element)| {
            of_element(members, index).is_none_or(|schema| self.valid(schema, element, depth + 1))
        })
    }

    fn object(&mut self, members: &'a Map<String, Value>, object: &Map<String, Value>, depth: u32) -> bool {
        let required = members.get("required").and_then(Value::as_array);
        let names = required.into_iter().flatten().filter_map(Value::as_str);
        if !names.into_iter().all(|name| object.contains_key(name)) {
            return false;
        }
        let names = members.get("propertyNames");
        object.iter().all(|(key, value)| {
            names.is_none_or(|names| self.valid(names, &Value::String(key.clone()), depth + 1))
                && self.of_member(members, key).into_iter().all(|schema| self.valid(schema, value, depth + 1))
        })
    }

    /// The schemas of a member: by name, by pattern, else that of all others.
    fn of_member(&self, members: &'a Map<String, Value>, key: &str) -> Vec<&'a Value> {
        let mut schemas: Vec<&Value> =
            members.get("properties").and_then(|properties| properties.get(key)).into_iter().collect();
        let mut unknown = false;
        for (pattern, schema) in
            members.get("patternProperties").and_then(Value::as_object).into_iter().flatten()
        {
            match self.patterns.matches(pattern, key) {
                Some(true) => schemas.push(schema),
                Some(false) => {}
                None => unknown = true,
            }
        }
        if schemas.is_empty() && !unknown {
            schemas.extend(members.get("additionalProperties"));
        }
        schemas
    }
}

fn choices<'a>(members: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    members.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The schema of an element; `items` may also be a list, as in older drafts.
fn of_element(members: &Map<String, Value>, index: usize) -> Option<&Value> {
    if let Some(schema) = members.get("prefixItems").and_then(|schemas| schemas.get(index)) {
        return Some(schema);
    }
    match members.get("items") {
        Some(Value::Array(schemas)) => schemas.get(index).or_else(|| members.get("additionalItems")),
        other => other,
    }
}

fn typed(members: &Map<String, Value>, value: &Value) -> bool {
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0)
        }
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => true,
    };
    match members.get("type") {
        Some(Value::String(name)) => is(name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).any(is),
        _ => true,
    }
}

fn listed(members: &Map<String, Value>, value: &Value) -> bool {
    members.get("const").is_none_or(|only| only == value)
        && members.get("enum").and_then(Value::as_array).is_none_or(|values| values.contains(value))
}

fn in_range(members: &Map<String, Value>, number: f64) -> bool {
    let limit = |name| members.get(name).and_then(Value::as_f64);
    limit("minimum").is_none_or(|min| number >= min)
        && limit("maximum").is_none_or(|max| number <= max)
        && limit("exclusiveMinimum").is_none_or(|min| number > min)
        && limit("exclusiveMaximum").is_none_or(|max| number < max)
        && limit("multipleOf").is_none_or(|unit| unit.fract() != 0.0 || unit < 1.0 || number % unit == 0.0)
}
