//! The JSON Schema of the configuration, for editors.
//!
//! In: the tables of keys. Out: one text, the same on every machine. Invariant: what the schema takes the reader
//! takes, but for rules over several keys (contradictions, patterns that must match their samples) and limits that
//! depend on names; what the reader takes the schema takes, but for categories in small letters.

use std::collections::BTreeSet;

use cloakgate_vocab::Category;
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::value::RawValue;

use super::keys::{Key, Names, Shape};
use super::section::configurable;
use super::tables::{MAX_PROFILE_BYTES, ROOT, SHARED};
use super::units::{LONGEST_SECONDS, TEXT_PATTERN};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
const UPSTREAM_NAME: &str = "^[A-Za-z0-9][A-Za-z0-9-]{0,31}$";
const VARIABLE_NAME: &str = "^[^=\\u0000]+$";
const PLAIN_TEXT: &str = "^[^\\u0000]+$";
const SHA256: &str = "^[0-9A-Fa-f]{64}$";
const ANY_TEXT: &str = "^[^\\u0000]*$";

/// The schema as JSON text, with a line end.
#[must_use]
pub fn json_schema() -> String {
    let mut root = object().put("$schema", text(DIALECT)).put("title", text("Cloakgate configuration"));
    root.extend(table(ROOT));
    let mut definitions = object().put("category", Json::Object(category()));
    for shared in SHARED {
        if let Shape::Shared(name, of) = shared {
            definitions = definitions.put(name, Json::Object(shape(of)));
        }
    }
    root = root.put("$defs", Json::Object(definitions));
    let mut rendered = serde_json::to_string_pretty(&Json::Object(root)).unwrap_or_default();
    rendered.push('\n');
    rendered
}

/// JSON whose keys stay in the order in which they were put, whatever features `serde_json` is built with.
#[derive(Serialize)]
#[serde(untagged)]
enum Json {
    Flag(bool),
    Number(u64),
    Text(String),
    Raw(Box<RawValue>),
    List(Vec<Json>),
    Object(Object),
}

type Object = IndexMap<&'static str, Json>;

trait Put {
    fn put(self, key: &'static str, value: Json) -> Self;
}

impl Put for Object {
    fn put(mut self, key: &'static str, value: Json) -> Self {
        self.insert(key, value);
        self
    }
}

fn object() -> Object {
    Object::new()
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

fn number(number: usize) -> Json {
    Json::Number(u64::try_from(number).unwrap_or(u64::MAX))
}

fn of_type(name: &str) -> Object {
    object().put("type", text(name))
}

fn table(keys: &'static [Key]) -> Object {
    let properties = keys.iter().map(|key| (key.name, Json::Object(property(key)))).collect();
    let required: Vec<Json> = keys.iter().filter(|key| key.required).map(|key| text(key.name)).collect();
    let mut table = of_type("object").put("properties", Json::Object(properties));
    if !required.is_empty() {
        table = table.put("required", Json::List(required));
    }
    table.put("additionalProperties", Json::Flag(false))
}

fn property(key: &'static Key) -> Object {
    let mut property = object().put("description", text(key.help));
    property.extend(shape(&key.shape));
    match key.default.and_then(|default| RawValue::from_string(default.to_owned()).ok()) {
        Some(default) => property.put("default", Json::Raw(default)),
        None => property,
    }
}

fn shape(shape: &'static Shape) -> Object {
    match shape {
        Shape::Flag => of_type("boolean"),
        Shape::Text => of_type("string").put("pattern", text(PLAIN_TEXT)),
        Shape::AnyText => of_type("string").put("pattern", text(ANY_TEXT)),
        Shape::Profile => {
            of_type("string").put("pattern", Json::Text(format!("^[A-Za-z0-9_-]{{1,{MAX_PROFILE_BYTES}}}$")))
        }
        Shape::Integer(least, most) => {
            of_type("integer").put("minimum", number(*least)).put("maximum", number(*most))
        }
        Shape::Share => of_type("number").put("exclusiveMinimum", number(0)).put("maximum", number(1)),
        Shape::Sha256 => of_type("string").put("pattern", text(SHA256)),
        Shape::Duration => any_of([
            of_type("number")
                .put("exclusiveMinimum", number(0))
                .put("maximum", Json::Number(LONGEST_SECONDS)),
            of_type("string").put("pattern", text(TEXT_PATTERN)),
        ]),
        Shape::Choice(words) => object().put("enum", Json::List(words().into_iter().map(text).collect())),
        Shape::Category => object().put("$ref", text("#/$defs/category")),
        Shape::Table(keys) => table(keys),
        Shape::Names(names, of) => named(*names, of),
        Shape::List(items, most) => {
            let list = of_type("array").put("items", Json::Object(self::shape(items)));
            if *most == usize::MAX { list } else { list.put("maxItems", number(*most)) }
        }
        Shape::Pair => of_type("array")
            .put("items", Json::Object(self::shape(&Shape::Text)))
            .put("minItems", number(2))
            .put("maxItems", number(2)),
        Shape::Shared(name, _) => object().put("$ref", Json::Text(format!("#/$defs/{name}"))),
        Shape::AnyOf(shapes) => any_of(shapes.iter().map(self::shape)),
    }
}

fn any_of(shapes: impl IntoIterator<Item = Object>) -> Object {
    object().put("anyOf", Json::List(shapes.into_iter().map(Json::Object).collect()))
}

fn named(names: Names, of: &'static Shape) -> Object {
    let values = Json::Object(shape(of));
    let named_by = |pattern: &str| Json::Object(object().put("pattern", text(pattern)));
    let table = of_type("object");
    match names {
        Names::Upstreams => {
            table.put("propertyNames", named_by(UPSTREAM_NAME)).put("minProperties", number(1))
        }
        Names::Tools | Names::Labels => {
            table.put("propertyNames", Json::Object(object().put("minLength", number(1))))
        }
        Names::Categories => table.put("propertyNames", Json::Object(shape(&Shape::Category))),
        Names::Variables => table.put("propertyNames", named_by(VARIABLE_NAME)),
    }
    .put("additionalProperties", values)
}

/// Names and aliases in capitals, as the documents write them, in alphabetical order.
fn category() -> Object {
    let names: BTreeSet<&str> = Category::all()
        .filter(|category| configurable(category.name()).is_some())
        .flat_map(|category| category.aliases().iter().copied().chain([category.name()]))
        .collect();
    object().put("enum", Json::List(names.into_iter().map(text).collect()))
}

#[cfg(test)]
mod tests;
