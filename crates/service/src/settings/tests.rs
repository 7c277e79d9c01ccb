use cloakgate_cloak::text::{AgeOption, NameOption, Profile, WeightUnit};
use serde_json::{Value, json};

use super::{EXTENDED, FIELDS, Settings};
use crate::fields::Fields;

fn read(body: &Value) -> Result<Settings, String> {
    let fields = Fields::of(body.clone()).expect("an object");
    Settings::read(fields).map_err(|fault| fault.message().to_owned())
}

fn seed() -> Value {
    json!({
        "anonymization_options": {
            "name":              { "option": "native",    "searchable_key": "key2" },
            "age":               { "option": "ranges",    "searchable_key": "key5" },
            "gender":            { "option": "mask",      "searchable_key": "key4" },
            "location":          { "option": "country",   "searchable_key": "key6" },
            "medical_condition": { "option": "group",     "searchable_key": "key7" },
            "financial":         { "option": "mask",      "searchable_key": "key8" },
            "weight":            { "option": "ranges",    "searchable_key": "key1" },
            "weight_unit":       { "option": "kilograms", "searchable_key": "key3" },
        },
        "age_ranges": [[0, 17], [18, 29], [30, 44], [45, 64], [65, 100]],
        "weight_ranges": [[0, 50], [50, 80], [80, 130], [130, 180]],
        "local_model_name": "meta.llama3-70b-instruct-v1:0",
        "local_model_region": "us-east-1",
        "global_model_name": "anthropic.claude-instant-v1",
        "global_model_region": "us-east-1",
        "prompt_language": "original",
    })
}

#[test]
fn the_references_full_object_comes_back_as_it_was() {
    let settings = read(&seed()).expect("valid");
    for (name, value) in seed().as_object().expect("an object") {
        assert_eq!(settings.shown().get(name), Some(value), "{name}");
    }
    let profile = settings.profile().expect("a profile");
    assert_eq!(profile.name, NameOption::Native);
    assert!(matches!(profile.age, AgeOption::Ranges(_)));
    assert_eq!(profile.weight_unit, WeightUnit::Kilograms);
    // What is shown is read again as the same, what is only ours to say included.
    let mut shown = Value::Object(settings.shown().clone());
    shown["id"] = json!("x");
    shown["created_at"] = json!("2026-06-01T12:00:00");
    assert_eq!(read(&shown).expect("valid"), settings);
}

#[test]
fn what_is_missing_is_filled_from_the_default() {
    let settings =
        read(&json!({ "anonymization_options": { "name": { "option": "keep" } } })).expect("valid");
    let shown = Value::Object(settings.shown().clone());
    assert_eq!(shown["anonymization_options"]["name"], json!({ "option": "keep", "searchable_key": "key2" }));
    assert_eq!(shown["anonymization_options"]["gender"]["option"], "mask");
    assert_eq!(shown["anonymization_options"]["weight_unit"]["option"], "keep");
    for rule in FIELDS {
        assert_eq!(
            shown["anonymization_options"][rule.name]["searchable_key"],
            json!(rule.key),
            "{}",
            rule.name
        );
    }
    for rule in EXTENDED {
        assert_eq!(shown["extended_options"][rule.name]["option"], "placeholder", "{}", rule.name);
    }
    assert_eq!(Settings::default().profile().expect("a profile"), Profile::default());
}

#[test]
fn ranges_are_taken_at_both_places_and_kept_at_the_top() {
    let ranges = json!([[0, 17], [18, 64]]);
    let inside = json!({ "anonymization_options": { "age": { "option": "ranges", "age_ranges": ranges } } });
    assert_eq!(read(&inside).expect("valid").shown().get("age_ranges"), Some(&ranges));
    let mut both = inside.clone();
    both["age_ranges"] = ranges.clone();
    assert!(read(&both).is_ok());
    both["age_ranges"] = json!([[0, 1]]);
    assert_eq!(read(&both), Err("`age_ranges` is given twice and differs".to_owned()));
}

#[test]
fn every_option_of_the_reference_is_taken() {
    for rule in FIELDS.iter().filter(|rule| rule.ranges.is_none()) {
        for option in rule.options {
            let body = json!({ "anonymization_options": { rule.name: { "option": option } } });
            let settings = read(&body).expect("valid");
            let shown = Value::Object(settings.shown().clone());
            assert_eq!(shown["anonymization_options"][rule.name]["option"], *option);
        }
    }
}

#[test]
fn what_is_wrong_is_named_with_what_is_allowed() {
    let with = |name: &str, value: Value| json!({ "anonymization_options": {}, name: value });
    let option = |field: &str, entry: Value| json!({ "anonymization_options": { field: entry } });
    for (body, reason) in [
        (json!({}), "anonymization_options required field"),
        (json!({ "anonymization_options": 7 }), "`anonymization_options` must be an object"),
        (
            option("name", json!({ "option": "nativ" })),
            "`option` must be one of: keep, native, placeholder, block; did you mean `native`?",
        ),
        (
            option("nmae", json!({})),
            "unknown field `nmae`; did you mean `name`? Allowed: name, age, gender, location, medical_condition, financial, weight, weight_unit",
        ),
        (option("email", json!({})), "`email` belongs into `extended_options`"),
        (
            option("name", json!({ "option": "keep", "searchable_key": "key1" })),
            "`searchable_key` of `name` must be `key2`",
        ),
        (
            option("age", json!({ "option": "ranges" })),
            "`age` option `ranges` requires `age_ranges`, for example [[0,17],[18,29],[30,44],[45,64],[65,100]]",
        ),
        (
            option("weight", json!({ "option": "ranges" })),
            "`weight` option `ranges` requires `weight_ranges`, for example [[0,50],[50,80],[80,130],[130,180]]",
        ),
        (with("age_ranges", json!([[5, 1]])), "`age_ranges`: range 1 ends before it begins"),
        (with("age_ranges", json!("Ann")), "`age_ranges` must be a list of pairs of numbers"),
        (with("prompt_language", json!("german")), "`prompt_language` must be one of: original, english"),
        (with("knowledge_base", json!([])), "`knowledge_base` must be an object"),
        (
            with("knowledge_base", json!({ "terms": [{ "regex": "(Ann" }] })),
            "term 1 is no regular expression of linear time",
        ),
        (
            with("knowledge_base", json!({ "terms": [{ "text": "Ann", "regex": "Ann" }] })),
            "a term has either `text` or `regex`",
        ),
        (with("colour", json!(1)), "unknown field `colour`"),
    ] {
        let refused = read(&body).expect_err("refused");
        assert!(refused.starts_with(reason), "{body}: {refused}");
        assert!(!refused.contains("Ann"), "{refused}");
    }
}

#[test]
fn what_has_no_effect_is_said() {
    let unknown = json!({ "anonymization_options": {}, "knowledge_base": { "documents": ["a"] } });
    let settings = read(&unknown).expect("kept");
    assert_eq!(settings.shown().get("knowledge_base"), Some(&json!({ "documents": ["a"] })));
    assert_eq!(settings.warnings().len(), 1);
    assert_eq!(read(&seed()).expect("valid").warnings().len(), 1);
    assert!(Settings::default().warnings().is_empty());
    let known = json!({ "anonymization_options": {}, "knowledge_base": { "terms": [{ "text": "Nebula" }] } });
    assert!(read(&known).expect("valid").warnings().is_empty());
}
