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
    terms.find(text, &mut findings);
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
        assert_eq!(terms.allows(category, value), passes, "{category} {value:?}");
    }
}

#[test]
fn without_lists_there_is_nothing_to_look_for() {
    let (config, _) =
        Config::parse("{\"upstreams\": {\"fs\": {\"command\": \"npx\"}}}", Format::Json).expect("valid");
    assert!(super::compile(&config.detection).expect("nothing to compile").is_none());
}

#[test]
fn a_look_takes_time_in_the_length_of_the_text_however_many_terms_there_are() {
    let list: Vec<String> = (0..9_000).map(|number| format!("{{\"term\": \"term {number}\"}}")).collect();
    let terms = terms(&format!("\"deny\": [{}]", list.join(",")));
    let spent = |words: usize| {
        let text = "term  77 Term 8999 nothing ".repeat(words);
        let once = || {
            let start = std::time::Instant::now();
            assert_eq!(found(&*terms, &text).len(), 2 * words);
            start.elapsed()
        };
        // The best of three: others use the machine as well.
        [once(), once(), once()].into_iter().min().unwrap_or_default()
    };
    let (short, long) = (spent(2_000), spent(16_000));
    assert!(long < short * 32, "eight times the text took {short:?} and {long:?}");
}
