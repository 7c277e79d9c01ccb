//! A plain word is the general way made short: with and without it the same is found.

use cloakgate_vocab::Span;
use proptest::prelude::*;

use super::{Pass, Structure};
use crate::lex::{self, Mark, PlainWord, Sink};
use crate::lexicon::Filter;
use crate::recognise::{self, Cue, Hit};
use crate::settings::{CategorySet, Settings};
use crate::trace::Trace;

/// A pass that takes the general way for every word.
struct General<'a>(Pass<'a>);

impl Sink for General<'_> {
    fn wanted(&self) -> Option<&'static Filter> {
        None
    }
    fn passed(&mut self, hash: u64) {
        self.0.passed(hash);
    }
    fn plain(&mut self, start: usize, word: PlainWord, _: u8) {
        self.0.word(start, start + word.len);
    }
    fn word(&mut self, start: usize, end: usize) {
        self.0.word(start, end);
    }
    fn number(&mut self, start: usize, end: usize) {
        self.0.number(start, end);
    }
    fn digits(&mut self, groups: &[Span], numbers: usize) {
        self.0.digits(groups, numbers);
    }
    fn mark(&mut self, mark: Mark, at: usize) {
        self.0.mark(mark, at);
    }
}

fn both_ways(text: &str, structure: Structure, wanted: CategorySet) -> (Vec<Hit>, Vec<Hit>) {
    let short = super::scan(text, structure, Cue::None, wanted, &mut Trace::off());
    let mut general = General(Pass::new(text, structure, Cue::None, wanted));
    lex::scan(text, &mut general);
    (short, general.0.finish(&mut Trace::off()))
}

fn check(text: &str) {
    for structure in [Structure::Read, Structure::Skip] {
        for wanted in [Settings::default().categories, CategorySet::all()] {
            let (short, general) = both_ways(text, structure, wanted);
            assert_eq!(short, general, "{text:?}");
        }
    }
}

#[test]
fn the_sets_hold_the_same_both_ways() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "jsonl") {
            for line in std::fs::read_to_string(&file).unwrap().lines() {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                if let Some(text) = record["text"].as_str() {
                    check(text);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1000, "only {count} texts");
    for text in [include_str!("../../tests/precision.rs"), include_str!("../../tests/properties.rs")] {
        text.lines().for_each(check);
    }
}

#[test]
fn no_value_begins_with_a_plain_word_alone() {
    let ends = ["", " ", ", x", ". X", "!", "?\n", ")", "\" x", "'s", "*", ";", "\r\n"];
    for head in recognise::heads() {
        let letters: String = head.chars().take_while(char::is_ascii_alphabetic).collect();
        for filler in ["", "a", "Zq", "BCDEFG", "qzxkvbnm"] {
            let word: String = format!("{letters}{filler}").chars().take(15).collect();
            for end in ends {
                for before in ["", " ", "_", "-", "$", "~"] {
                    check(&format!("{before}{word}{end}"));
                }
            }
        }
    }
}

/// Words of the lists that rules react to.
fn cue_words() -> Vec<&'static str> {
    let lists = [
        include_str!("../../data/keys.txt"),
        include_str!("../../data/words.txt"),
        include_str!("../../data/streets.txt"),
        include_str!("../../data/months.txt"),
        include_str!("../../data/list_keys.txt"),
    ];
    lists
        .into_iter()
        .flat_map(|list| list.split([',', ':', '\n']))
        .map(str::trim)
        .filter(|word| !word.is_empty() && word.len() < 40)
        .collect()
}

const VALUES: &[&str] = &[
    "Marie Dubois",
    "Dubois",
    "marie@example.org",
    "4111 1111 1111 1111",
    "+33 6 12 34 56 78",
    "DE89 3704 0044 0532 0130 00",
    "203.0.113.7",
    "2001:db8::face",
    "::face",
    "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",
    "hunter22!x",
    "12 rue des Lilas, 69003 Lyon",
    "12.3.1984",
    "3rd of March 1984",
    "AKIAIOSFODNN7EXAMPLE",
    "token_abc123def456ghi789",
    "Vienna",
    "diabetes",
    "woman",
    "sudo: ",
    "for user ",
    "/home/",
    "ab8Q~",
    "s/n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn mixed_words_hold_the_same_both_ways(
        parts in prop::collection::vec(
            (
                prop_oneof![
                    4 => prop::sample::select(cue_words()).prop_map(str::to_owned),
                    3 => "[a-zA-Z]{1,17}",
                    2 => prop::sample::select(VALUES).prop_map(|value| (*value).to_owned()),
                    1 => "[a-z]{1,6}[A-Z][a-z]{1,6}|[0-9]{1,6}|é[a-z]{2}",
                ],
                prop::sample::select(vec![
                    " ", " ", " ", " ", "\n", ": ", ":", "=", ", ", ". ", ".", "-", "_", "'", "\"", "(", ") ", "/", "@",
                    "~", "$", "::", " is ", "\n\n", "; ", "",
                ]),
            ),
            0..24,
        )
    ) {
        check(&parts.into_iter().flat_map(|(word, mark)| [word, mark.to_owned()]).collect::<String>());
    }
}
