use serde_json::{Value, json};

use super::json_schema;
use crate::config::keys::Key;
use crate::config::tables;
use crate::config::{Config, ConfigError, Format, KeyProblem};

const COMMITTED: &str = include_str!("../../../../../docs/cloakgate.schema.json");

/// Whether a schema takes a value, by the keywords that our schema uses and no others.
fn takes(schema: &Value, value: &Value, root: &Value) -> bool {
    let entries = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let count = |limit: &Value| usize::try_from(limit.as_u64().expect("a limit")).expect("small");
    let matches = |pattern: &Value, text: &str| {
        let pattern = regex_automata::meta::Regex::new(pattern.as_str().expect("a pattern")).expect("valid");
        pattern.is_match(text)
    };
    schema.as_object().expect("a schema").iter().all(|(keyword, rule)| match keyword.as_str() {
        "$schema" | "title" | "description" | "default" | "$defs" => true,
        "$ref" => {
            let pointer =
                rule.as_str().and_then(|target| target.strip_prefix('#')).expect("a local reference");
            takes(root.pointer(pointer).expect("a definition"), value, root)
        }
        "type" => match rule.as_str().expect("a type") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            other => panic!("type {other}"),
        },
        "enum" => rule.as_array().expect("values").contains(value),
        "anyOf" => rule.as_array().expect("schemas").iter().any(|schema| takes(schema, value, root)),
        "required" => items(rule).iter().all(|key| value.get(key.as_str().expect("a key")).is_some()),
        "properties" => entries(value)
            .iter()
            .all(|(key, value)| rule.get(key).is_none_or(|schema| takes(schema, value, root))),
        "additionalProperties" => entries(value).iter().all(|(key, value)| {
            let is_listed = schema.get("properties").and_then(|properties| properties.get(key)).is_some();
            is_listed || if rule.is_boolean() { rule == &json!(true) } else { takes(rule, value, root) }
        }),
        "propertyNames" => entries(value).keys().all(|key| takes(rule, &json!(key), root)),
        "minProperties" => value.as_object().is_none_or(|object| object.len() >= count(rule)),
        "items" => items(value).iter().all(|item| takes(rule, item, root)),
        "minItems" => value.as_array().is_none_or(|list| list.len() >= count(rule)),
        "maxItems" => value.as_array().is_none_or(|list| list.len() <= count(rule)),
        "minLength" => value.as_str().is_none_or(|text| text.chars().count() >= count(rule)),
        "pattern" => value.as_str().is_none_or(|text| matches(rule, text)),
        "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().expect("a limit")),
        "maximum" => value.as_f64().is_none_or(|number| number <= rule.as_f64().expect("a limit")),
        "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > rule.as_f64().expect("a limit")),
        other => panic!("keyword {other}"),
    })
}

fn schema() -> Value {
    serde_json::from_str(&json_schema()).expect("JSON")
}

/// Each table of keys, a configuration that has it, and where it stands there.
fn places() -> Vec<(&'static [Key], Value, &'static str)> {
    let with = |more: Value| {
        let mut config = json!({"upstreams": {"fs": {"command": "npx"}}});
        let more = more.as_object().cloned().unwrap_or_default();
        config.as_object_mut().expect("an object").extend(more);
        config
    };
    let tool = json!({"upstreams": {"fs": {"command": "npx", "tools": {"read": {}}}}});
    let pattern = json!({"pattern": "heron", "category": "CUSTOM", "test": "heron"});
    vec![
        (tables::ROOT, with(json!({})), ""),
        (tables::UPSTREAM, with(json!({})), "/upstreams/fs"),
        (tables::TOOL, tool, "/upstreams/fs/tools/read"),
        (tables::DETECTION, with(json!({"detection": {}})), "/detection"),
        (
            tables::OPERATOR,
            with(json!({"categories": {"PHONE": {"operator": "token"}}})),
            "/categories/PHONE",
        ),
        (tables::TERM, with(json!({"deny": [{"term": "heron"}]})), "/deny/0"),
        (tables::PATTERN, with(json!({"allow": [pattern]})), "/allow/0"),
        (
            tables::CUSTOM_PATTERN,
            with(json!({"detection": {"custom_patterns": [{"name": "H", "pattern": "heron"}]}})),
            "/detection/custom_patterns/0",
        ),
    ]
}

fn put(config: &Value, place: &str, key: &str, value: Value) -> Value {
    let mut config = config.clone();
    let table = config.pointer_mut(place).and_then(Value::as_object_mut).expect("a table");
    table.insert(key.to_owned(), value);
    config
}

fn read(config: &Value) -> Result<Config, ConfigError> {
    Config::parse(&config.to_string(), Format::Json).map(|(config, _)| config)
}

fn candidates() -> Vec<Value> {
    let texts = [
        "",
        "a",
        "session",
        "cloak",
        "info",
        "ab c",
        "on",
        "off",
        "PERSON",
        "NOPE",
        "30s",
        "0.5h",
        "15 parsecs",
        "\0",
        "refuse",
        "balanced",
        "plain",
        "redact",
        "tokenize",
        "report",
        "block",
        "local",
        "heron",
        "heron-(",
    ];
    let others = json!([
        true, false, null, 0, 1, -1, 1.5, 44, 100_000, 10_000_000_000_u64,
        [], ["a"], ["ab", "cd"], [""], [1], [["NAME", "heron"]], [["NAME"]], [{"term": "heron"}], [{"nope": 1}],
        {}, {"A": "b"}, {"A": 1}, {"A=B": "c"}, {"": ""}, {"a": {}}, {"a_b": {"command": "c"}},
        {"a-b": {"command": "c"}}, {"operator": "redact"}, {"operator": "mask"}, {"PERSON": true},
        {"PERSON": "maybe"}, {"PERSON": {"operator": "redact"}}, {"NOPE": true}, {"term": "heron"},
    ]);
    texts.into_iter().map(Value::from).chain(others.as_array().expect("a list").clone()).collect()
}

/// What only the reader knows: rules over several keys, samples, labels, limits that are no schema's business.
fn is_beyond_a_schema(error: &ConfigError) -> bool {
    let ConfigError::Key { path, problem, .. } = error else { return false };
    let is_term = path.ends_with(".term") || path.contains("deny[") || path.contains("allow[");
    match problem {
        KeyProblem::Unsupported(_) | KeyProblem::Pattern(_) | KeyProblem::Contradicts(_) => true,
        KeyProblem::Expected(_) => is_term || path == "detection.ner_entity_types" || path == "name_budget",
        _ => false,
    }
}

#[test]
fn the_published_schema_is_the_one_that_the_tables_give() {
    assert_eq!(COMMITTED, json_schema(), "write it anew: cloakgate schema > docs/cloakgate.schema.json");
}

#[test]
fn schema_and_reader_agree_on_every_key_and_every_kind_of_value() {
    let schema = schema();
    for (keys, config, place) in places() {
        for key in keys {
            let mut taken = 0;
            for value in candidates() {
                let config = put(&config, place, key.name, value.clone());
                let by_schema = takes(&schema, &config, &schema);
                match read(&config) {
                    Ok(_) => {
                        assert!(by_schema, "{place}/{}: {value} is refused by the schema", key.name);
                        taken += 1;
                    }
                    Err(error) => assert!(
                        !by_schema || is_beyond_a_schema(&error),
                        "{place}/{}: {value} is taken by the schema, but {error}",
                        key.name
                    ),
                }
            }
            assert!(taken > 0, "{place}/{} takes nothing that is tried", key.name);
        }
        let unknown = put(&config, place, "no_such_key", json!(true));
        assert!(read(&unknown).is_err() && !takes(&schema, &unknown, &schema), "{place}");
    }
}

#[test]
fn a_key_at_its_default_changes_nothing_and_required_keys_are_required() {
    for (keys, config, place) in places() {
        let plain = format!("{:?}", read(&config).expect("valid"));
        for key in keys {
            if let Some(default) = key.default {
                let config = put(&config, place, key.name, serde_json::from_str(default).expect("JSON"));
                assert_eq!(format!("{:?}", read(&config).expect(key.name)), plain, "{place}/{}", key.name);
            }
            if key.required {
                let mut config = config.clone();
                config.pointer_mut(place).and_then(Value::as_object_mut).expect("a table").remove(key.name);
                assert!(read(&config).is_err(), "{place}/{} may be left out", key.name);
            }
        }
    }
}

#[test]
fn examples_fit_the_schema() {
    let schema = schema();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for name in ["examples/cloakgate.json", "examples/cloakgate.toml"] {
        let text = std::fs::read_to_string(root.join(name)).expect("an example");
        let value: Value = if name.ends_with(".toml") {
            toml::from_str(&text).expect("TOML")
        } else {
            serde_json::from_str(&text).expect("JSON")
        };
        assert!(takes(&schema, &value, &schema), "{name}");
    }
}

#[test]
fn every_key_has_its_row_in_the_configuration_page() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/CONFIGURATION.md");
    let page = std::fs::read_to_string(path).expect("the page");
    for (keys, heading) in [
        (tables::ROOT, "\n## Top level"),
        (tables::UPSTREAM, "\n## `upstreams.NAME`"),
        (tables::TOOL, "\n## `upstreams.NAME.tools.TOOL`"),
        (tables::MODEL, "\n## `models`"),
        (tables::OPERATOR, "\n## `categories`"),
        (tables::TERM, "\n## `allow` and `deny`"),
        (tables::PATTERN, "\n## `allow` and `deny`"),
        (tables::FIELD, "\n## `allow` and `deny`"),
        (tables::DETECTION, "\n## `detection`"),
        (tables::CUSTOM_PATTERN, "\n## `detection`"),
    ] {
        let section = page.split_once(heading).unwrap_or_else(|| panic!("{heading}")).1;
        let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
        for key in keys {
            let named = format!("`{}`", key.name);
            let row = section.lines().find(|line| line.starts_with("| ") && line.contains(&named));
            let row = row.unwrap_or_else(|| panic!("{heading}: no row for {named}"));
            if let Some(default) = key.default {
                assert!(
                    row.contains(&format!("`{default}`")),
                    "{heading}: {named} has the default {default}"
                );
            }
        }
    }
}
