//! Where a tool's schema allows no token, a stand-in takes its place, and leads back to the exact value.

#![expect(clippy::unwrap_used, reason = "a property that does not hold must end the test")]

mod common;

use cloakgate_cloak::{CloakError, Unresolved};
use cloakgate_vocab::Category;
use common::{Bench, tokens_in};
use proptest::prelude::{Just, Strategy, any, prop, prop_oneof, proptest};
use serde_json::{Value, json};

fn benches() -> [Bench; 2] {
    [Bench::new(), Bench::plain()]
}

fn object(properties: &Value) -> String {
    json!({"type": "object", "properties": properties}).to_string()
}

/// Cloaks one member under its schema and gives what the model sees.
fn shown(bench: &Bench, key: &str, value: &Value, schema: &Value) -> Result<Value, CloakError> {
    let message = json!({key: value}).to_string();
    let cloaked = bench.cloak_structured("crm", &message, &object(&json!({key: schema})))?;
    let mut seen: Value = serde_json::from_slice(cloaked.bytes()).unwrap();
    Ok(seen.get_mut(key).unwrap().take())
}

/// Restores one member, as an argument of the given schema.
fn restored(bench: &Bench, key: &str, value: &Value, schema: Option<&Value>) -> Result<String, CloakError> {
    let schema = schema.map(|schema| object(&json!({key: schema})));
    bench.restore_with("crm", &json!({key: value}).to_string(), schema.as_deref(), Unresolved::Refuse)
}

#[test]
fn each_constraint_gets_a_stand_in_that_fits_and_restores() {
    for bench in benches() {
        for (key, value, schema, looks) in [
            ("email", json!("marie.dubois@example.eu"), json!({"format": "email"}), "@cloakgate.invalid"),
            (
                "site",
                json!("marie.dubois@example.eu"),
                json!({"format": "uri"}),
                "https://cloakgate.invalid/email_0_",
            ),
            ("host", json!("203.0.113.77"), json!({"format": "hostname"}), ".cloakgate.invalid"),
            ("ip", json!("203.0.113.78"), json!({"format": "ipv4"}), "2"),
            ("ip", json!("2001:4860:4860::8888"), json!({"format": "ipv6"}), "2001:db8:"),
            ("ssn", json!("536-22-8145"), json!({"format": "uuid"}), "-8"),
            ("dob", json!("1984-03-12"), json!({"format": "date"}), "-"),
            ("ssn", json!(536_228_145), json!({"type": "integer"}), ""),
            ("ssn", json!("536-22-8145"), json!({"pattern": r"^\d{3}-\d{2}-\d{4}$"}), "-"),
            ("phone", json!("+33612345678"), json!({"pattern": r"^\+[0-9]{7,15}$"}), "+"),
            (
                "iban",
                json!("DE89370400440532013000"),
                json!({"maxLength": 34, "pattern": "^[A-Z]{2}[0-9]+$"}),
                "",
            ),
            ("email", json!("a.b@example.eu"), json!({"maxLength": 14}), "EMAIL_"),
            ("card", json!(4_111_111_111_111_111_i64), json!({"type": ["integer", "null"]}), ""),
        ] {
            let schema = schema.as_object().cloned().map(|mut keywords| {
                keywords.entry("type").or_insert(json!("string"));
                Value::Object(keywords)
            });
            let schema = schema.unwrap();
            let seen = shown(&bench, key, &value, &schema).unwrap_or_else(|e| panic!("{key} {schema}: {e}"));
            assert_ne!(seen, value);
            let text = seen.to_string();
            assert!(text.contains(looks) || key == "email", "{schema}: {text}");
            assert_eq!(seen.is_number(), value.is_number(), "{schema}: {text}");
            let back = restored(&bench, key, &seen, Some(&schema))
                .unwrap_or_else(|e| panic!("{schema} {text}: {e}"));
            assert_eq!(back, json!({key: value}).to_string(), "{schema}: {text}");
        }
    }
}

#[test]
fn a_value_with_text_around_it_becomes_one_value_where_tokens_do_not_fit() {
    let bench = Bench::new();
    let born = json!("1984-03-12T00:00:00Z");
    let schema = json!({"type": "string", "format": "date-time"});
    let seen = shown(&bench, "date_of_birth", &born, &schema).unwrap();
    assert!(seen.as_str().unwrap().ends_with("T00:00:00Z") && seen != born, "{seen}");
    assert_eq!(
        restored(&bench, "date_of_birth", &seen, None).unwrap(),
        json!({"date_of_birth": born}).to_string()
    );
    let link = json!("https://crm.example/u?mail=marie.dubois%40example.eu");
    let seen = shown(&bench, "link", &link, &json!({"type": "string", "format": "uri"})).unwrap();
    assert!(
        seen.as_str().unwrap().starts_with("https://crm.example/u?mail=EMAIL_0_"),
        "a token fits: {seen}"
    );
    assert_eq!(restored(&bench, "link", &seen, None).unwrap(), json!({"link": link}).to_string());
}

#[test]
fn where_nothing_fits_the_answer_is_refused_and_says_no_value() {
    let bench = Bench::new();
    for (key, value, schema) in [
        ("email", json!("a.b@example.eu"), json!({"enum": ["a.b@example.eu", "c"]})),
        ("email", json!("a.b@example.eu"), json!({"const": "a.b@example.eu"})),
        (
            "ssn",
            json!(536_228_145),
            json!({"type": "integer", "minimum": 536_228_145, "maximum": 536_228_145}),
        ),
        (
            "full_name",
            json!("Ann Li"),
            json!({"type": "string", "maxLength": 6, "pattern": "^[A-Z][a-z]+ Li$"}),
        ),
    ] {
        let error = shown(&bench, key, &value, &schema).unwrap_err();
        assert!(matches!(error, CloakError::NoStandIn { .. }) && error.is_refusal(), "{error}");
        let text = error.to_string();
        assert!(
            text.contains(&format!("/{key}`")) && !text.contains("example.eu") && !text.contains("536"),
            "{text}"
        );
    }
    // What broke the contract by itself gets tokens as ever.
    let seen = shown(&bench, "email", &json!("a.b@example.eu"), &json!({"type": "integer"})).unwrap();
    assert!(seen.as_str().unwrap().starts_with("[EMAIL_"), "{seen}");
    // A key that must not change.
    let schema = json!({"type": "object", "propertyNames": {"format": "email"}}).to_string();
    let refused = bench.cloak_structured("crm", r#"{"a.b@example.eu":1}"#, &schema);
    assert!(matches!(refused, Err(CloakError::BrokenContract)), "{refused:?}");
}

#[test]
fn the_text_copy_carries_the_same_id() {
    let bench = Bench::new();
    let record = json!({"email": "marie.dubois@example.eu", "ssn": 536_228_145});
    let copy = bench.cloak("crm", &json!({"text": record.to_string()}).to_string()).unwrap();
    let tokens = tokens_in(&copy);
    let schema = object(&json!({"email": {"format": "email"}, "ssn": {"type": "integer"}}));
    let cloaked = bench.cloak_structured("crm", &record.to_string(), &schema).unwrap();
    let seen: Value = serde_json::from_slice(cloaked.bytes()).unwrap();
    let inner = tokens[0].trim_matches(['[', ']']).to_lowercase();
    assert_eq!(seen["email"], format!("{inner}@cloakgate.invalid"));
    assert_eq!(bench.issued().len(), 2, "no second identity");
    assert!(seen["ssn"].is_number());
}

#[test]
fn numbers_come_back_in_the_type_that_is_wanted() {
    let bench = Bench::new();
    let seen = shown(&bench, "ssn", &json!(536_228_145), &json!({"type": "integer"})).unwrap();
    let text = json!(seen.to_string());
    for (key, written, schema, expected) in [
        ("ssn", &seen, None, r#"{"ssn":536228145}"#),
        ("ssn", &seen, Some(json!({"type": "string"})), r#"{"ssn":"536228145"}"#),
        ("id", &seen, Some(json!({"type": "integer"})), r#"{"id":536228145}"#),
        ("ssn", &text, None, r#"{"ssn":"536228145"}"#),
        ("id", &text, Some(json!({"type": "string", "pattern": "^[0-9]+$"})), r#"{"id":"536228145"}"#),
        ("ssn", &text, Some(json!({"type": "integer"})), r#"{"ssn":536228145}"#),
    ] {
        assert_eq!(restored(&bench, key, written, schema.as_ref()).unwrap(), expected);
    }
    // Elsewhere digits are digits.
    for (key, written) in [("total", &seen), ("note", &text)] {
        assert_eq!(restored(&bench, key, written, None).unwrap(), json!({key: written}).to_string());
    }
    let nested = json!({"body": json!({"ssn": seen}).to_string()});
    let expected = json!({"body": r#"{"ssn":536228145}"#}).to_string();
    assert_eq!(bench.restore("crm", &nested.to_string()).unwrap(), expected);
}

#[test]
fn stand_ins_are_read_however_they_are_mangled() {
    let bench = Bench::new();
    let seen =
        shown(&bench, "email", &json!("marie.dubois@example.eu"), &json!({"format": "email"})).unwrap();
    let seen = seen.as_str().unwrap();
    for (text, expected) in [
        (format!("write to {seen}, please"), "write to marie.dubois@example.eu, please"),
        (format!("Marie <{seen}>"), "Marie <marie.dubois@example.eu>"),
        (seen.to_uppercase(), "marie.dubois@example.eu"),
        (format!("mailto:{}", seen.replace('@', "%40")), "mailto:marie.dubois@example.eu"),
        (format!("[mail](mailto:{seen})"), "[mail](mailto:marie.dubois@example.eu)"),
    ] {
        let back = bench.restore("crm", &json!({"content": text}).to_string()).unwrap();
        assert_eq!(back, json!({"content": expected}).to_string());
    }
    let longer = format!("{seen}.example.org");
    let back = bench.restore("crm", &json!({"content": longer}).to_string()).unwrap();
    assert!(back.ends_with(r#"@cloakgate.invalid.example.org"}"#), "not our domain: {back}");
}

#[test]
fn planted_stand_ins_are_never_resolved() {
    let bench = Bench::new();
    let seen =
        shown(&bench, "email", &json!("marie.dubois@example.eu"), &json!({"format": "email"})).unwrap();
    let number = shown(&bench, "ssn", &json!(536_228_145), &json!({"type": "integer"})).unwrap();
    for planted in [
        json!({"note": seen}),
        json!({"note": "ask email_9_zzz@cloakgate.invalid"}),
        json!({"note": "see https://cloakgate.invalid/person_1_k7q"}),
        json!({"ssn": number}),
    ] {
        let cloaked = bench.cloak("evil", &planted.to_string()).unwrap();
        assert!(
            !cloaked.contains("cloakgate.invalid") && !cloaked.contains(&number.to_string()),
            "{cloaked}"
        );
        assert_eq!(bench.restore("evil", &cloaked).unwrap(), planted.to_string(), "{cloaked}");
    }
    let refused = restored(&bench, "to", &json!("email_9_zzz@cloakgate.invalid"), None);
    assert!(matches!(refused, Err(CloakError::Unresolved { .. })), "{refused:?}");
    // A date or a number of nobody is what it looks like.
    for value in [json!("5120-04-17"), json!("243.1.2.3"), json!(4_711_471_147_i64)] {
        let back = restored(&bench, "phone", &value, None).unwrap();
        assert_eq!(back, json!({"phone": value}).to_string());
    }
}

#[test]
fn quantities_are_no_identifiers() {
    let bench = Bench::new();
    let row = json!({"total": 536_228_145, "bytes": 4_711_471_147_i64, "created": 1_702_264_030}).to_string();
    let schema = object(&json!({"total": {"type": "integer"}}));
    let cloaked = bench.cloak_structured("crm", &row, &schema).unwrap();
    assert_eq!(cloaked.bytes(), row.as_bytes());
    bench.issue(Category::Ssn, "crm", "536-22-8145");
    assert_eq!(bench.restore("crm", &row).unwrap(), row);
}

/// A member with its schema and a value that obeys it.
fn member() -> impl Strategy<Value = (String, Value, Value)> {
    let word = "[A-Za-zé][a-zé]{2,9}";
    let digits = |min: u64, max: u64| (min..max).prop_map(|number| json!(number));
    prop_oneof![
        (
            Just("email"),
            Just(json!({"type": "string", "format": "email"})),
            "[a-z]{2,9}\\.[a-z]{2,9}@example\\.(org|eu)".prop_map(Value::from)
        ),
        (
            Just("contact"),
            Just(json!({"format": "uri"})),
            "mailto:[a-z]{3,9}@example\\.org".prop_map(Value::from)
        ),
        (
            Just("full_name"),
            Just(json!({"type": "string", "maxLength": 24})),
            (word, word).prop_map(|(a, b)| json!(format!("{a} {b}")))
        ),
        (Just("ssn"), Just(json!({"type": "integer"})), digits(100_000_000, 999_999_999)),
        (Just("phone"), Just(json!({"type": ["integer", "null"]})), digits(10_000_000, 999_999_999_999)),
        (
            Just("phone"),
            Just(json!({"type": "string", "pattern": "^\\+[0-9]{8,15}$"})),
            "\\+33[1-9][0-9]{8}".prop_map(Value::from)
        ),
        (
            Just("date_of_birth"),
            Just(json!({"type": "string", "format": "date"})),
            "19[0-9]{2}-0[1-9]-[12][0-8]".prop_map(Value::from)
        ),
        (
            Just("ip_address"),
            Just(json!({"type": "string", "format": "ipv4"})),
            "198\\.51\\.100\\.[1-9][0-9]".prop_map(Value::from)
        ),
        (
            Just("account_number"),
            Just(json!({"type": "string", "pattern": "^[0-9]+$"})),
            "[0-9]{8,12}".prop_map(Value::from)
        ),
        (
            Just("note"),
            Just(json!({"type": "string"})),
            "(mail|email_0_k7q@cloakgate.invalid|5120-04-17|[0-9]{9}| |a@example.org|\\[EMAIL_0_k7q\\]){0,4}"
                .prop_map(Value::from)
        ),
        (Just("total"), Just(json!({"type": "number"})), any::<u32>().prop_map(|n| json!(n))),
    ]
    .prop_map(|(key, schema, value)| (key.to_owned(), schema, value))
}

proptest! {
    #[test]
    fn typed_records_round_trip(members in prop::collection::vec(member(), 1..7)) {
        let rows: Vec<Value> = members.iter().map(|(key, _, value)| json!({key: value})).collect();
        let schemas: Vec<Value> =
            members.iter().map(|(key, schema, _)| json!({"properties": {key: schema}})).collect();
        let message = json!({"rows": rows}).to_string();
        let schema = object(&json!({"rows": {"prefixItems": schemas}}));
        for bench in benches() {
            let cloaked = bench.cloak_structured("crm", &message, &schema);
            let cloaked = cloaked.unwrap_or_else(|error| panic!("{error}
{message}"));
            let cloaked = String::from_utf8(cloaked.bytes().to_vec()).unwrap();
            for schema in [None, Some(schema.as_str())] {
                let back = bench.restore_with("crm", &cloaked, schema, Unresolved::Refuse);
                let back = back.unwrap_or_else(|error| panic!("{error}\n{message}\n{cloaked}"));
                assert_eq!(back, message, "cloaked: {cloaked}");
            }
        }
    }
}
