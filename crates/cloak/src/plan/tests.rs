use bytes::Bytes;
use cloakgate_detect::{Engine, KnownValues, Reach, Settings};
use cloakgate_vocab::{Category, Secret, Spelling, TokenId};

use super::{CloakRequest, Finished, Plan, finish, plan};
use crate::error::CloakError;
use crate::keys::SessionKeys;
use crate::treatment::Treatment;

/// Runs `work` with a request for a message that is free content everywhere.
fn with_request<T>(message: &str, work: impl FnOnce(&CloakRequest<'_>) -> T) -> T {
    let original = Bytes::copy_from_slice(message.as_bytes());
    let document = cloakgate_json::scan(&original).unwrap();
    let keys = SessionKeys::derive(&Secret::new([1; 32]));
    let engine = Engine::new(Settings::default());
    work(&CloakRequest {
        original: &original,
        document: &document,
        treatments: &vec![Treatment::Cloak; document.len()],
        keys: &keys,
        engine: &engine,
        known: &[&KnownValues::new(*keys.known_key())],
        upstream: &"fs".parse().unwrap(),
        reach: &Reach::Everywhere,
        structured: None,
        redact: cloakgate_detect::CategorySet::none(),
        max_text_chars: None,
        written_by_model: &std::collections::HashSet::new(),
        forced: &[],
    })
}

/// A plan that has found nothing, as if the detectors of the first path had a hole.
fn blind(request: &CloakRequest<'_>) -> Plan {
    Plan {
        original: request.original.clone(),
        slots: Vec::new(),
        wanted: Vec::new(),
        blobs: Vec::new(),
        unread: Vec::new(),
        under_contract: false,
    }
}

fn ids(plan: &Plan) -> Vec<TokenId> {
    let number = |n: usize| u32::try_from(n).unwrap();
    let wanted = plan.wanted().iter().enumerate();
    wanted
        .map(|(n, want)| TokenId { category: want.category, number: number(n), spelling: Spelling::new(0) })
        .collect()
}

#[test]
fn what_planning_missed_is_caught_and_planned_again() {
    for (name, message) in [
        ("plain", r#"{"text":"to marie.dubois@example.eu now"}"#),
        ("after an edit of the gateway", r#"{"id":1,"text":"to marie.dubois@example.eu now"}"#),
        ("escaped", r#"{"text":"\u00e9\n\tto marie.dubois\u0040example.eu \ud83d now"}"#),
        ("key", r#"{"marie.dubois@example.eu":"é"}"#),
        ("nested", r#"{"text":"{\"a\":\"\\u00e9 marie.dubois@example.eu\",\"b\":1}"}"#),
        ("cut over blocks", r#"[{"text":"to marie.dub"},{"text":"ois@example.eu now"}]"#),
        ("number in text", r#"{"text":"4111 1111 1111 1111"}"#),
    ] {
        with_request(message, |request| {
            let edits = request.document.member(request.original, cloakgate_json::NodeId::ROOT, "id");
            let edits: Vec<_> = edits
                .map(|node| cloakgate_json::Edit {
                    span: request.document.span(node),
                    text: b"123456".to_vec(),
                })
                .into_iter()
                .collect();
            let Finished::Tripped(hits) = finish(request, &blind(request), &[], edits.clone()).unwrap()
            else {
                panic!("{name}: not caught");
            };
            let request = &CloakRequest { forced: &hits, ..*request };
            // Even if the detectors stay blind, what the tripwire saw is planned: here both work together.
            let planned = plan(request).unwrap();
            let Finished::Sealed(cloaked) = finish(request, &planned, &ids(&planned), edits).unwrap() else {
                panic!("{name}: not sealed");
            };
            let text = String::from_utf8(cloaked.bytes().to_vec()).unwrap();
            assert!(!text.contains("example.eu") && !text.contains("4111"), "{name}: {text}");
            assert!(cloakgate_json::scan(cloaked.bytes()).is_ok());
            // A second hit refuses.
            let again = finish(request, &blind(request), &[], Vec::new());
            assert!(matches!(again, Err(CloakError::Tripwire { .. })), "{name}: {again:?}");
        });
    }
}

#[test]
fn a_forced_finding_is_replaced_where_it_stands_or_with_its_whole_string() {
    for (message, covered, expected) in [
        (r#"{"a":"x\u00e9y zz"}"#, "y zz", r#"{"a":"x\u00e9[EMAIL]"}"#),
        (r#"{"a":"{\"b\":\"x\\ny zz\"}"}"#, "y zz", r#"{"a":"{\"b\":\"x\\n[EMAIL]\"}"}"#),
        (r#"{"a":"{\"b\":\"x\",\"c\":\"y\"}"}"#, r#"x\",\"c"#, r#"{"a":"[LITERAL]"}"#),
        (r#"{"a":"x","b":"y"}"#, "y", r#"{"a":"x","b":"[EMAIL]"}"#),
    ] {
        with_request(message, |request| {
            let start = message.find(covered).unwrap();
            let node = request
                .document
                .nodes()
                .filter(|node| request.document.kind(*node) == cloakgate_json::Kind::String)
                .find(|node| request.document.span(*node).end() > start)
                .unwrap();
            let forced =
                super::Forced::at(node, Category::Email, cloakgate_vocab::Span::sized(start, covered.len()));
            let request = &CloakRequest { forced: &[forced], ..*request };
            let planned = plan(request).unwrap();
            let Finished::Sealed(cloaked) = finish(request, &planned, &ids(&planned), Vec::new()).unwrap()
            else {
                panic!("not sealed");
            };
            let mut text = String::from_utf8(cloaked.bytes().to_vec()).unwrap();
            for (id, category) in ids(&planned).iter().zip(planned.categories()) {
                text = text.replace(&crate::token_text(*id, request.keys), &format!("[{category}]"));
            }
            assert_eq!(text, expected);
        });
    }
}

#[test]
fn text_in_base64_is_cloaked_and_encoded_again() {
    use base64::Engine as _;
    let base64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let text = base64(b"id,mail\n1,marie.dubois@example.eu\n");
    let clean = base64(b"nothing in here");
    // As PHP writes it, and with line ends.
    let text = text.replace('/', r"\/").replacen('L', r"L\n", 1);
    let image = base64(&[0x89, b'P', b'N', b'G', 0, 1, 2, 0xff]);
    let message = format!(r#"[{{"mail":"marie.dubois@example.eu"}},"{text}","{clean}","{image}"]"#);
    with_request(&message, |request| {
        let mut treatments = request.treatments.to_vec();
        for treatment in treatments.iter_mut().skip(3) {
            *treatment = Treatment::CloakBase64;
        }
        let request = &CloakRequest { treatments: &treatments, ..*request };
        let planned = plan(request).unwrap();
        assert_eq!(planned.wanted().len(), 2);
        assert_eq!(planned.unread().len(), 1, "the image");
        let id = TokenId { category: Category::Email, number: 0, spelling: Spelling::new(0) };
        let Finished::Sealed(cloaked) = finish(request, &planned, &[id, id], Vec::new()).unwrap() else {
            panic!("not sealed");
        };
        let token = crate::token_text(id, request.keys);
        let expected = base64(format!("id,mail\n1,{token}\n").as_bytes());
        let written = String::from_utf8(cloaked.bytes().to_vec()).unwrap();
        assert_eq!(written, format!(r#"[{{"mail":"{token}"}},"{expected}","{clean}","{image}"]"#));
    });
}

#[test]
fn redacted_values_get_no_token_and_others_still_do() {
    let message = r#"{"mail":"marie.dubois@example.eu","ssn":536228145,"ip":"from 203.0.113.7"}"#;
    with_request(message, |request| {
        let redact = cloakgate_detect::CategorySet::none().with(Category::Email).with(Category::Ssn);
        let request = &CloakRequest { redact, ..*request };
        let planned = plan(request).unwrap();
        assert_eq!(planned.wanted().len(), 1);
        let Finished::Sealed(cloaked) = finish(request, &planned, &ids(&planned), Vec::new()).unwrap() else {
            panic!("not sealed");
        };
        let text = String::from_utf8(cloaked.bytes().to_vec()).unwrap();
        assert!(
            text.starts_with(
                r#"{"mail":"[EMAIL_REDACTED]","ssn":"[SSN_REDACTED]","ip":"from [IP_ADDRESS_0_"#
            ),
            "{text}"
        );
    });
}

#[test]
fn a_text_over_the_limit_is_an_error() {
    with_request(r#"{"a":"ééé","b":1}"#, |request| {
        assert!(plan(&CloakRequest { max_text_chars: Some(3), ..*request }).is_ok());
        let over = plan(&CloakRequest { max_text_chars: Some(2), ..*request });
        assert!(matches!(over, Err(CloakError::TextTooLong { max: 2 })));
    });
}

/// The message as it leaves, with what it holds of other values known, tokens as `[CATEGORY]`.
fn cloaked(message: &str, known: &[(Category, &str)]) -> String {
    with_request(message, |request| {
        let key = request.keys.known_key();
        let mut index = KnownValues::new(*key);
        for (category, value) in known {
            index.insert(
                cloakgate_detect::admit(key, *category, value, None, Reach::Everywhere).expect(value),
            );
        }
        let request = &CloakRequest { known: &[&index], ..*request };
        let planned = plan(request).unwrap();
        let Finished::Sealed(cloaked) = finish(request, &planned, &ids(&planned), Vec::new()).unwrap() else {
            panic!("not sealed: {message}");
        };
        let mut text = String::from_utf8(cloaked.bytes().to_vec()).unwrap();
        for (id, category) in ids(&planned).iter().zip(planned.categories()) {
            text = text.replace(&crate::token_text(*id, request.keys), &format!("[{category}]"));
        }
        text
    })
}

/// A message of text blocks; `|` stands between them.
fn blocks(text: &str) -> String {
    let blocks: Vec<String> = text.split('|').map(|text| format!(r#"{{"text":"{text}"}}"#)).collect();
    format!("[{}]", blocks.join(","))
}

#[test]
fn values_are_joined_over_any_number_of_blocks() {
    let known = [(Category::Person, "Aurélie Kowalczyk")];
    for (text, expected) in [
        (
            "paid with 4111 1111| 1111| 1111 today",
            "paid with [CREDIT_CARD]|[CREDIT_CARD]|[CREDIT_CARD] today",
        ),
        ("to marie.dub|ois@|exam||ple.eu now", "to [EMAIL]|[EMAIL]|[EMAIL]||[EMAIL] now"),
        ("to marie.dub|ois@example.eu|hello", "to [EMAIL]|[EMAIL]|hello"),
        ("to marie.dubois@example.eu|hello|you", "to [EMAIL]|hello|you"),
        ("to DE89 3704| 0044 05|32 01|30 00 now", "to [IBAN]|[IBAN]|[IBAN]|[IBAN] now"),
        ("use ghp_R7kQ2mXv9L|pT4wZc8NbY1sHd6J|fG3aEu5KiO now", "use [API_KEY]|[API_KEY]|[API_KEY] now"),
        ("by Aurélie Kow|alcz|yk, who", "by [PERSON]|[PERSON]|[PERSON], who"),
        ("by Aurélie Kowal|czyk", "by [PERSON]|[PERSON]"),
        ("by Aurélie Kowal|| and others", "by [PERSON]|| and others"),
        ("one|two|three|four", "one|two|three|four"),
        ("x|4111 1111| 1111 1111", "x|[CREDIT_CARD]|[CREDIT_CARD]"),
    ] {
        assert_eq!(cloaked(&blocks(text), &known), blocks(expected), "{text}");
    }
    // A character a block.
    for value in ["4111111111111111", "marie.dubois@example.eu", "Aurélie Kowalczyk"] {
        let spelt: Vec<String> = format!("to {value} ok").chars().map(String::from).collect();
        let left = cloaked(&blocks(&spelt.join("|")), &known).matches('[').count() - 1;
        assert_eq!(left, value.chars().count(), "{value}");
    }
}

#[test]
fn many_short_blocks_are_joined_in_linear_work() {
    for text in ["", "a", "1", "@"] {
        let message = blocks(&vec![text; 2000].join("|"));
        assert_eq!(cloaked(&message, &[]), message);
    }
}

#[test]
fn a_beginning_is_cloaked_and_not_remembered() {
    let known = [(Category::Person, "Aurélie Kowalczyk")];
    let message = r#"{"a":"signed Aurélie K","b":"Aurélie K and Aurélie","c":"{\"d\":\"by Aurélie Ko\"}","d":"Aurélie"}"#;
    let expected = r#"{"a":"signed [PERSON]","b":"[PERSON] K and [PERSON]","c":"{\"d\":\"by [PERSON]\"}","d":"[PERSON]"}"#;
    assert_eq!(cloaked(message, &known), expected);
    with_request(message, |request| {
        let index = {
            let key = request.keys.known_key();
            let mut index = KnownValues::new(*key);
            index.insert(
                cloakgate_detect::admit(key, known[0].0, known[0].1, None, Reach::Everywhere).unwrap(),
            );
            index
        };
        let planned = plan(&CloakRequest { known: &[&index], ..*request }).unwrap();
        let remembered = |value: &str| {
            let wanted = planned.wanted().iter().find(|wanted| wanted.form.value.expose() == value);
            wanted.unwrap().known.is_some()
        };
        assert!(!remembered("Aurélie K") && !remembered("Aurélie Ko"));
    });
}
