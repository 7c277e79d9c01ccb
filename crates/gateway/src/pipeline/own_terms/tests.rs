use std::sync::Arc;

use cloakgate_detect::Terms;
use cloakgate_vocab::{Category, Finding};

use crate::config::{Config, Format};

/// What looks for the terms of a configuration with these lists.
fn terms(lists: &str) -> Arc<dyn Terms> {
    let text = format!("{{\"upstreams\": {{\"fs\": {{\"command\": \"npx\"}}}}, {lists}}}");
    let (config, _) = Config::parse(&text, Format::Json).expect("valid");
    super::compile(&config.detection).expect("small").expect("there are terms")
}

fn found<'a>(terms: &dyn Terms, text: &'a str) -> Vec<(Category, Vec<&'a str>)> {
    let mut findings: Vec<Finding> = Vec::new();
    terms.find(text, &[], &mut findings);
    findings.sort_by_key(|finding| (finding.hull().start(), finding.hull().end()));
    findings
        .iter()
        .map(|finding| {
            let pieces = finding.pieces.iter().map(|piece| piece.of(text).expect("in range")).collect();
            (finding.category, pieces)
        })
        .collect()
}

#[test]
fn denied_terms_are_found_as_words_in_their_form() {
    let terms = terms(
        r#""deny": ["Heron", "東京", {"term": "blue tulip", "category": "ORG"}, {"term": "blue"},
                    {"pattern": "EMP-[0-9]{4}", "category": "OTHER_ID", "test": "EMP-0042"}]"#,
    );
    for (text, expected) in [
        ("The Heron, heron and Heronry", vec![(Category::Custom, vec!["Heron"])]),
        ("Heron's project_Heron", vec![(Category::Custom, vec!["Heron"]), (Category::Custom, vec!["Heron"])]),
        ("在東京都内", vec![(Category::Custom, vec!["東京"])]),
        ("a BLUE   Tulip", vec![(Category::Custom, vec!["BLUE"]), (Category::Org, vec!["BLUE   Tulip"])]),
        (
            "ｂｌｕｅ\r\n  tulip.",
            vec![(Category::Custom, vec!["ｂｌｕｅ"]), (Category::Org, vec!["ｂｌｕｅ", "tulip"])],
        ),
        ("id=EMP-00421", vec![(Category::OtherId, vec!["EMP-0042"])]),
        ("bluetulip tulip blues", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(found(&*terms, text), expected, "{text:?}");
    }
}

#[test]
fn allowed_values_pass_as_what_they_are_and_denied_ones_never() {
    let terms = terms(
        r#""allow": ["support@example.org", {"term": "Acme Corp", "category": "ORG"},
                     {"pattern": "203\\.0\\.113\\.[0-9]+", "category": "IP", "test": "203.0.113.9"},
                     "the Heron inn"],
           "deny": ["Heron"]"#,
    );
    for (category, value, passes) in [
        (Category::Email, "support@example.org", true),
        (Category::Email, " support@example.org ", true),
        (Category::Email, "Support@example.org", false),
        (Category::Email, "a.support@example.org", false),
        (Category::Org, "ACME\tcorp", true),
        (Category::Person, "ACME corp", false),
        (Category::IpAddress, "203.0.113.77", true),
        (Category::IpAddress, "203.0.113.77.1", false),
        (Category::Phone, "203.0.113.77", false),
        (Category::Custom, "the Heron inn", false),
        (Category::Custom, "", false),
    ] {
        assert_eq!(terms.allows(category, value, &[]), passes, "{category} {value:?}");
    }
}

#[test]
fn entries_with_a_field_count_there_and_deny_counts_more() {
    let terms = terms(
        r#""allow": [{"term": "Heron", "exact": true, "field": "a"}, {"field": "b", "category": "EMAIL"}, {"field": "d"}],
           "deny": [{"term": "swan", "field": "a", "category": "ORG"}, {"field": "c", "category": "ORG"}, "Kestrel",
                    {"pattern": "k[0-9]+", "category": "ORG", "test": "k1", "field": "b"}]"#,
    );
    // Paths are numbered as they are met: terms, patterns and places of `deny`, then of `allow`.
    let (a, b, c, d) = (0, 1, 2, 3);
    for (category, value, within, passes) in [
        (Category::Person, "Heron", vec![a], true),
        (Category::Person, "heron", vec![a], false),
        (Category::Person, "Heron", vec![b], false),
        (Category::Person, "Heron", vec![], false),
        (Category::Email, "x@example.org", vec![b], true),
        (Category::Phone, "x@example.org", vec![b], false),
        (Category::Email, "k12@example.org", vec![b], false),
        (Category::Phone, "k12", vec![d], true),
        (Category::Phone, "Kestrel", vec![d], false),
        (Category::Phone, "k12", vec![c, d], false),
    ] {
        assert_eq!(terms.allows(category, value, &within), passes, "{category} {value} {within:?}");
    }
    assert_eq!(
        (terms.whole(&[c]), terms.whole(&[a, b, d]), terms.whole(&[])),
        (Some(Category::Org), None, None)
    );
    let found = |within: &[u16]| {
        let mut findings = Vec::new();
        terms.find("a SWAN k7", within, &mut findings);
        findings.len()
    };
    assert_eq!([found(&[]), found(&[a]), found(&[b]), found(&[a, b])], [0, 1, 1, 2]);
}

#[test]
fn without_lists_there_is_nothing_to_look_for() {
    let (config, _) =
        Config::parse("{\"upstreams\": {\"fs\": {\"command\": \"npx\"}}}", Format::Json).expect("valid");
    assert!(super::compile(&config.detection).expect("nothing to compile").is_none());
}

/// Looks through the text eight times over: what takes the square of the length does not end in the time of a test.
fn is_looked_through(terms: &dyn Terms, text: &str) {
    let long = text.repeat(8);
    let mut findings = Vec::new();
    terms.find(&long, &[0, 1, 2, 3, 4], &mut findings);
    assert!(!terms.allows(Category::Person, &long, &[0, 1, 2, 3, 4]));
}

#[test]
fn long_texts_are_looked_through_however_many_terms_there_are() {
    let list: Vec<String> = (0..9_990).map(|number| format!("{{\"term\": \"term {number}\"}}")).collect();
    let exact =
        (0..5).map(|number| format!("{{\"term\": \"a{}\", \"exact\": true}}", " a".repeat(number + 200)));
    let folded = (0..5).map(|number| format!("{{\"term\": \"b{}\"}}", " b".repeat(number + 200)));
    let list: Vec<String> = list.into_iter().chain(exact).chain(folded).collect();
    let terms = terms(&format!("\"deny\": [{}], \"allow\": [\"term\"]", list.join(",")));
    let text = "term  77 Term 8999 nothing ".repeat(2_000);
    assert_eq!(found(&*terms, &text).len(), 4_000);
    is_looked_through(&*terms, &text);
    is_looked_through(&*terms, &"a ".repeat(4_000));
    is_looked_through(&*terms, &"b  ".repeat(4_000));
    is_looked_through(&*terms, &"\u{fdfa}".repeat(1_000)); // one character that folds to eighteen
}

#[test]
fn long_texts_are_looked_through_however_many_patterns_there_are() {
    // Patterns that make engines with back-tracking exponential or quadratic, everywhere and at fields.
    let evil = [
        "(?:a+)+b",
        "(?:a|a)*c",
        "(?:a|aa)+d",
        "a.*b.*c.*d",
        "[a-z]+[0-9]",
        "x[^y]*y[^z]*z",
        "(?:a?){30}a{30}e",
        "(?:.*)(?:.*)=q",
        "(?:[a-z]+ )+!",
        "a(?:.|\\n)*ff",
    ];
    let samples = ["ab", "c", "ad", "abcd", "a1", "xyz", &format!("{}e", "a".repeat(30)), "=q", "a !", "aff"];
    let entry = |at: usize| {
        let field = if at < 50 { String::new() } else { format!(", \"field\": \"f{}\"", at % 5) };
        let (pattern, sample) = (evil[at % 10].replace('\\', "\\\\"), samples[at % 10]);
        format!(
            "{{\"pattern\": \"(?:{pattern}){{1}}|w{at}\", \"category\": \"ORG\", \"test\": \"{sample}\"{field}}}"
        )
    };
    let terms = terms(&format!("\"deny\": [{}]", (0..100).map(entry).collect::<Vec<_>>().join(",")));
    // Longer than the window in which the end of a match is looked for at first.
    for text in ["a", "ab", "abc\n"] {
        is_looked_through(&*terms, &text.repeat(2_048 / text.len()));
    }
}
