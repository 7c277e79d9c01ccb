//! The fields of the settings with their options, and the schema that says so.
//!
//! Invariant: what is read and what is documented come from the same rows.

use cloakgate_cloak::text::{
    AgeOption, DateOption, ExtendedOption, FinancialLabel, FinancialOption, GenderOption, GenderPronouns,
    GenderStyle, LocationOption, Marks, MedicalDetail, MedicalOption, NameCulture, NameGender, NameOption,
    PlaceholderStyle, PromptLanguage, RangesUnit, RegionKind, WeightOption, WeightUnit,
};
use serde_json::{Map, Value, json};

/// One field.
pub(super) struct FieldRule {
    pub(super) name: &'static str,
    /// Its constant `searchable_key`.
    pub(super) key: Option<&'static str>,
    pub(super) options: &'static [&'static str],
    /// What holds where nothing is said.
    pub(super) default: &'static str,
    /// The ranges that its option `ranges` needs.
    pub(super) ranges: Option<&'static str>,
}

const fn field(
    name: &'static str,
    key: &'static str,
    options: &'static [&'static str],
    default: &'static str,
) -> FieldRule {
    FieldRule { name, key: Some(key), options, default, ranges: None }
}

const fn extended(name: &'static str, options: &'static [&'static str]) -> FieldRule {
    FieldRule { name, key: None, options, default: "placeholder", ranges: None }
}

/// The fields of the reference.
pub(super) const FIELDS: &[FieldRule] = &[
    field("name", "key2", NameOption::CODES, "placeholder"),
    FieldRule { ranges: Some("age_ranges"), ..field("age", "key5", AgeOption::CODES, "placeholder") },
    field("gender", "key4", GenderOption::CODES, "mask"),
    field("location", "key6", LocationOption::CODES, "placeholder"),
    field("medical_condition", "key7", MedicalOption::CODES, "placeholder"),
    field("financial", "key8", FinancialOption::CODES, "placeholder"),
    FieldRule {
        ranges: Some("weight_ranges"),
        ..field("weight", "key1", WeightOption::CODES, "placeholder")
    },
    field("weight_unit", "key3", WeightUnit::CODES, "keep"),
];

/// The fields beyond them.
pub(super) const EXTENDED: &[FieldRule] = &[
    extended("email", ExtendedOption::CODES),
    extended("phone", ExtendedOption::CODES),
    extended("government_id", ExtendedOption::CODES),
    extended("network_id", ExtendedOption::CODES),
    extended("url", ExtendedOption::CODES),
    extended("date", DateOption::CODES),
    extended("organization", ExtendedOption::CODES),
    extended("credential", ExtendedOption::CODES),
    extended("custom", ExtendedOption::CODES),
];

/// Choices that are not about one field.
pub(super) const STYLES: &[(&str, &[&str])] = &[
    ("prompt_language", PromptLanguage::CODES),
    ("names", &["off", "fast", "balanced", "recall"]),
    ("name_culture", NameCulture::CODES),
    ("name_gender", NameGender::CODES),
    ("gender_style", GenderStyle::CODES),
    ("gender_pronouns", GenderPronouns::CODES),
    ("region_kind", RegionKind::CODES),
    ("financial_label", FinancialLabel::CODES),
    ("medical_detail", MedicalDetail::CODES),
    ("placeholder_style", PlaceholderStyle::CODES),
    ("weight_ranges_unit", RangesUnit::CODES),
    ("marks", Marks::CODES),
];

/// Names of hosted models that the reference lists.
pub(super) const MODELS: [&str; 7] = [
    "anthropic.claude-instant-v1",
    "anthropic.claude-v2",
    "anthropic.claude-3-sonnet-20240229-v1:0",
    "anthropic.claude-3-haiku-20240307-v1:0",
    "anthropic.claude-3-5-sonnet-20240620-v1:0",
    "meta.llama3-8b-instruct-v1:0",
    "meta.llama3-70b-instruct-v1:0",
];

/// An example of ranges, for refusals and documents.
pub(super) fn example(ranges: &str) -> Value {
    if ranges == "age_ranges" {
        json!([[0, 17], [18, 29], [30, 44], [45, 64], [65, 100]])
    } else {
        json!([[0, 50], [50, 80], [80, 130], [130, 180]])
    }
}

/// The properties of settings, as JSON Schema; `filled` says that every field is there.
pub(crate) fn schema(filled: bool) -> Value {
    let mut properties = Map::new();
    properties.insert(
        "name".to_owned(),
        json!({ "type": ["string", "null"], "minLength": 1, "maxLength": 200, "description": "What people call it." }),
    );
    properties.insert("anonymization_options".to_owned(), options_schema(FIELDS, filled));
    properties.insert("extended_options".to_owned(), options_schema(EXTENDED, filled));
    for name in ["age_ranges", "weight_ranges"] {
        properties.insert(name.to_owned(), ranges_schema(name));
    }
    for (name, codes) in STYLES {
        properties.insert((*name).to_owned(), choice(codes));
    }
    for name in ["local_model_name", "global_model_name"] {
        properties.insert(name.to_owned(), choice(&MODELS));
    }
    for name in ["local_model_region", "global_model_region"] {
        properties
            .insert(name.to_owned(), json!({ "type": ["string", "null"], "minLength": 1, "maxLength": 200 }));
    }
    properties.insert(
        "knowledge_base".to_owned(),
        json!({ "type": ["object", "null"], "additionalProperties": true }),
    );
    properties.insert(super::acl::KEY.to_owned(), super::acl::schema());
    properties.insert(
        "session_lifetime_seconds".to_owned(),
        json!({ "type": ["integer", "null"], "minimum": 1, "maximum": super::MAX_LIFETIME_SECONDS }),
    );
    json!(properties)
}

fn choice(codes: &[&str]) -> Value {
    let mut all: Vec<Value> = codes.iter().map(|code| json!(code)).collect();
    all.push(Value::Null);
    json!({ "type": ["string", "null"], "enum": all })
}

fn ranges_schema(name: &str) -> Value {
    json!({
        "type": ["array", "null"],
        "minItems": 1,
        "maxItems": 100,
        "items": {
            "type": "array", "minItems": 2, "maxItems": 2,
            "items": { "type": "number", "minimum": 0, "maximum": 1_000_000 },
        },
        "description": "Sorted pairs of bounds, inclusive; neighbours may share a bound.",
        "examples": [example(name)],
    })
}

fn options_schema(rules: &[FieldRule], filled: bool) -> Value {
    let properties: Map<String, Value> =
        rules.iter().map(|rule| (rule.name.to_owned(), entry_schema(rule, filled))).collect();
    let kind = if filled || rules.iter().any(|rule| rule.key.is_some()) {
        json!("object")
    } else {
        json!(["object", "null"])
    };
    let mut schema = json!({ "type": kind, "properties": properties, "additionalProperties": false });
    if filled {
        let names: Vec<&str> = rules.iter().map(|rule| rule.name).collect();
        merge(&mut schema, json!({ "required": names }));
    }
    schema
}

fn entry_schema(rule: &FieldRule, filled: bool) -> Value {
    let mut properties = Map::new();
    let (kind, option) = if filled {
        (json!("object"), json!({ "type": "string", "enum": rule.options }))
    } else {
        (json!(["object", "null"]), choice(rule.options))
    };
    properties.insert("option".to_owned(), option);
    let mut required = vec!["option"];
    if let Some(key) = rule.key {
        let key = if filled { json!({ "type": "string", "enum": [key] }) } else { choice(&[key]) };
        properties.insert("searchable_key".to_owned(), key);
        required.push("searchable_key");
    }
    if let (Some(ranges), false) = (rule.ranges, filled) {
        properties.insert(ranges.to_owned(), ranges_schema(ranges));
    }
    let mut schema = json!({ "type": kind, "properties": properties, "additionalProperties": false });
    if filled {
        merge(&mut schema, json!({ "required": required }));
    }
    schema
}

/// Adds members to an object.
pub(crate) fn merge(schema: &mut Value, more: Value) {
    if let (Value::Object(schema), Value::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}
