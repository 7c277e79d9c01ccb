//! Inputs that the reference gateway was probed with, for the kinds that patterns, checks and keys find.
//!
//! In each text `«…»` marks what must not be readable; all else must leave as it is. What the model sees is sent
//! back and must arrive as the server wrote it.

use cloakgate_testkit::Watch;
use serde_json::json;

use crate::claim;
use crate::session::Session;

/// Marks in a value keep it from looking like a credential in this file; they are taken out.
const BREAK: char = '¦';

const PROBES: &[(&str, &str)] = &[
    ("phone, United Kingdom", "call «+44 20 7946 0958» now"),
    ("phone, brackets", "call «(202) 555-0143» now"),
    ("phone, trunk zero", "call «+44 (0)20 7946 0958» now"),
    ("phone, France", "call «+33 6 12 34 56 78» now"),
    ("phone, India", "call «+91 98765 43210» now"),
    ("phone, Brazil", "call «+55 11 91234-5678» now"),
    ("phone, China with a cue", "phone: «13912345678»"),
    ("phone, Germany with a cue", "Tel. «030 90182-0»"),
    ("phone, bare with a cue", "phone «2025550143»"),
    ("iban, plain", "pay to «DE89370400440532013000» today"),
    ("iban, spaced", "pay to «DE89 3704 0044 0532 0130 00» today"),
    ("iban, short", "pay to «NO9386011117947» today"),
    ("iban, lower case", "pay to «de89370400440532013000» today"),
    ("iban, wrong check", "order AB12CDEF3456GHIJ7890 today"),
    ("card, spaces", "card «4111 1111 1111 1111» ok"),
    ("card, dashes", "card «4111-1111-1111-1111» ok"),
    ("card, dots", "card «4111.1111.1111.1111» ok"),
    ("card, Amex", "card «3782 822463 10005» ok"),
    ("card, 4-8-4", "card «4111 11111111 1111» ok"),
    ("card, Maestro", "card «6759 6498 2643 8453» ok"),
    ("card, 19 digits", "card «6304 0000 0000 0000 000» ok"),
    ("e-mail in brackets", "from <«marie.dubois@example.eu»>,"),
    ("e-mail in a link", "[write](mailto:«marie.dubois@example.eu»)"),
    ("e-mail with accents", "to «márie@exämple.eu» now"),
    ("e-mail, zero width", "to «marie\u{200b}.dubois@example.eu» now"),
    ("e-mail, full width", "to «marie.dubois\u{ff20}example.eu» now"),
    ("e-mail, percent", "u=«marie.dubois%40example.eu»&x=1"),
    ("e-mail, entity", "to «marie.dubois&#64;example.eu» now"),
    (
        "jwt",
        "auth «eyJ¦hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U» ok",
    ),
    ("github", "use «gh¦p_R7kQ2mXv9LpT4wZc8NbY1sHd6JfG3aEu5KiO» here"),
    ("slack", "use «xo¦xb-263594206564-2343594206574-FGqddMF8t08v8N7Oq4i57vs1» here"),
    ("google", "key «AI¦zaSyD3kR9vTq2mXw7LpZc8NbY1sHd6JfG4aEu» here"),
    ("stripe", "use «rk_li¦ve_51H8vTqR2mXw7LpZc8NbY1sHd6JfG4aEu9Ko» here"),
    ("aws secret", "aws_secret_access_key = «kR9vTq2mXw7LpZc8NbY1sHd6JfG4aEu9KoWq3RtY»"),
    ("bearer", "Authorization: Bearer «kR9vTq2mXw7LpZc8NbY1sHd6JfG4aEu9»"),
    ("password", "password: «Tr0ub4dor&3x»"),
    ("database", "postgres://app:«S3cr3tPw»@db.example.org/main"),
    (
        "pem",
        "«-----BEGIN PRIVATE KEY-----»\n«MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj»\n«MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu»\n«-----END PRIVATE KEY-----»",
    ),
    ("ip", "from «198.51.100.77» port 22"),
    ("csv", "email,ssn\n«marie.dubois@example.eu»,«219-09-9998»\n"),
    ("date of birth by header", "name,date_of_birth\nx,«1984-03-12»\n"),
    ("json in json", r#"{"a":"{\"email\":\"«marie.dubois@example.eu»\"}"}"#),
    ("first and last name", r#"{"first_name":"«Aurélie»","last_name":"«Kowalczyk»"}"#),
    ("uuid", "id 6f1c9a52-8f3e-4b7a-9d42-5f2f8f0c3b11 ok"),
    ("hash", "sha e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 ok"),
    ("iso date", "on 2026-03-12T10:15:00Z ok"),
    ("ranges and years", "ports 8080-8090 in 2024-1234 or 123456789"),
    ("code", "config[SECTION_1] = arr[IDX_2]; PHONE_1 = URL_2"),
    ("technical names", "Docker, Jenkins, Redis, Kafka, Django and Kazan"),
];

#[test]
fn each_probe_is_hidden_whole_leaves_the_rest_and_comes_back() {
    let mut wrong = Vec::new();
    for (name, marked) in PROBES {
        let marked = marked.replace(BREAK, "");
        let text: String = marked.replace(['«', '»'], "");
        // A session of its own: nothing is known.
        let id: String = name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let mut session = Session::with(&format!("probe-{id}"), &["a"]);
        let seen = session.says("a", &text);
        let mut pieces = marked
            .split('«')
            .map(|piece| piece.split_once('»').map_or((None, piece), |(value, rest)| (Some(value), rest)));
        let hidden =
            pieces.clone().all(|(value, _)| value.is_none_or(|value| !Watch::new(value).sees(&seen)));
        let kept = pieces.all(|(_, rest)| seen.contains(rest));
        let restored = session.sends("a", &json!({"content": seen}));
        let back = restored.as_ref().is_ok_and(|arguments| arguments["content"] == text);
        let fares_well = hidden && kept && back;
        if !fares_well && !GAPS.contains(name) {
            wrong.push(format!("{name}: hidden {hidden}, rest kept {kept}, came back {back}: {seen}"));
        }
        if fares_well && GAPS.contains(name) {
            wrong.push(format!("{name}: take it out of GAPS"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Probes that do not fare as they should yet. Strict.
const GAPS: &[&str] = &[];

#[test]
fn one_identity_keeps_one_number_in_every_spelling() {
    let mut session = Session::with("spellings", &["a"]);
    for (key, spellings) in [
        ("email", ["marie.dubois@example.eu", "Marie.Dubois@Example.EU"]),
        ("card_number", ["4111 1111 1111 1111", "4111-1111-1111-1111"]),
        ("iban", ["DE89 3704 0044 0532 0130 00", "DE89370400440532013000"]),
        ("phone", ["+44 20 7946 0958", "+442079460958"]),
    ] {
        let tokens = spellings.map(|spelling| session.token("a", key, spelling));
        let number = |token: &str| token.chars().find(char::is_ascii_digit).expect("a number");
        claim(&format!("one number for {key}"), number(&tokens[0]) == number(&tokens[1]), &tokens);
        assert_ne!(tokens[0], tokens[1], "each spelling restores to itself");
        for (token, spelling) in tokens.iter().zip(spellings) {
            assert_eq!(session.sends("a", &json!({"to": token})).expect("passed on")["to"], spelling);
        }
    }
    let anna = session.says("a", "anna@example.org and joanna@example.org and anna@example.org.au");
    assert!(!anna.contains('@') && anna.matches("EMAIL").count() == 3, "{anna}");
}

#[test]
fn a_token_is_read_however_the_model_writes_it() {
    let mut session = Session::with("mangled", &["a"]);
    let token = session.token("a", "email", "marie.dubois@example.eu");
    let inner = token.trim_matches(['[', ']']);
    for written in [
        token.to_lowercase(),
        format!("[ {inner} ]"),
        inner.to_owned(),
        format!("<{inner}>"),
        format!("({inner})"),
        format!(r"\[{inner}\]"),
        format!("%5B{inner}%5D"),
        format!("&#91;{inner}&#93;"),
        format!("**{token}**"),
        format!("`{token}`"),
        format!("{token}'s"),
        format!("[{}]", inner.replace('_', "-")),
        format!("[mail](mailto:{token})"),
        format!("{{\"to\":\"{token}\"}}"),
    ] {
        let sent = session.sends("a", &json!({"body": format!("to {written} now")}));
        let body = sent.unwrap_or_else(|refusal| panic!("{written}: {}", refusal.raw))["body"].to_string();
        assert!(
            Watch::new("marie.dubois@example.eu").sees(&body) && !body.contains("EMAIL"),
            "{written}: {body}"
        );
    }
}

#[test]
fn a_restored_value_is_written_for_its_place() {
    let mut session = Session::with("places", &["a"]);
    let quoted = session.token("a", "full_name", "Ann \"Nan\" O\\Neil");
    let body = session.sends("a", &json!({"content": format!("{{\"who\":\"{quoted}\"}}")}));
    let body = body.unwrap_or_else(|refusal| panic!("{}", refusal.raw));
    let inner: serde_json::Value =
        serde_json::from_str(body["content"].as_str().expect("a text")).expect("it is still JSON");
    assert_eq!(inner["who"], "Ann \"Nan\" O\\Neil");
}
