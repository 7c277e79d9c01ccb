//! Texts that people wrote and others marked: one word a line with its label, an empty line between texts.
//!
//! Out: texts as they may have stood, sometimes with blanks between all words. Names of accounts (`@name`) are no names.

use std::path::Path;

use anyhow::Context;

use super::marked::{Kind, Marked, ORGANISATION, PERSON, PLACE};
use super::random::Random;

/// The files, in `shared/train` beside the checkout: the Broad Twitter Corpus and WNUT-17.
const FILES: &[&str] = &["btc_a", "btc_b", "btc_e", "btc_f", "btc_g", "btc_h", "wnut_train"];
/// Words before which no blank stands.
const CLOSING: &[&str] = &[
    ".", ",", "!", "?", ";", ":", ")", "]", "}", "'s", "n't", "'m", "'re", "'ll", "'ve", "'d", "%", "...",
    "!!", "!!!", "’s",
];

/// All texts of all files.
///
/// # Errors
/// When the files are not there.
pub(super) fn read(folder: &Path, random: &mut Random) -> anyhow::Result<Vec<Marked>> {
    let mut texts = Vec::new();
    for file in FILES {
        let path = folder.join(format!("{file}.conll"));
        let lines = std::fs::read_to_string(&path)
            .with_context(|| format!("the texts to learn from are not at {}", path.display()))?;
        let mut words = Vec::new();
        for line in lines.lines().chain([""]) {
            let (word, label) = line.split_once('\t').unwrap_or((line, ""));
            if !word.trim().is_empty() {
                words.push((word.trim(), label.trim()));
            } else if !words.is_empty() {
                texts.push(joined(&words, random));
                words.clear();
            }
        }
    }
    Ok(texts)
}

fn kind(label: &str) -> Option<Kind> {
    match label.get(2..)? {
        "PER" | "person" => Some(PERSON),
        "LOC" | "location" => Some(PLACE),
        "ORG" | "corporation" | "group" => Some(ORGANISATION),
        _ => None,
    }
}

/// The text of words with labels.
fn joined(words: &[(&str, &str)], random: &mut Random) -> Marked {
    let mut marked = Marked::default();
    let spaced = random.percent(35);
    let mut in_quotes = false;
    let mut after_opening = true;
    let mut after_at = false;
    for (word, label) in words {
        let word = word.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
        let quote = word == "\"";
        let closes = CLOSING.contains(&word.as_str()) || (quote && in_quotes);
        if !(after_opening || after_at || (closes && !spaced)) {
            marked.push(" ");
        }
        let account = after_at || (word.starts_with('@') && word.len() > 1);
        match kind(label).filter(|_| !account) {
            Some(kind) => add_name(&mut marked, &word, kind, label.starts_with("I-")),
            None => marked.push(&word),
        }
        after_at = word == "@" && !spaced;
        let opens = matches!(word.as_str(), "(" | "[" | "{" | "#" | "$" | "£") || (quote && !in_quotes);
        after_opening = opens && !spaced;
        in_quotes ^= quote;
    }
    marked
}

/// Adds a word of a name, to the name before it when it belongs there.
fn add_name(marked: &mut Marked, word: &str, kind: Kind, goes_on: bool) {
    let between = marked.names.last().and_then(|(_, end, _)| marked.text.get(*end..));
    let near = between.is_some_and(|between| between.trim().is_empty());
    marked.push_name(word, kind);
    let end = marked.text.len();
    if let [.., last, _] = marked.names.as_mut_slice()
        && goes_on
        && near
        && last.2 == kind
    {
        last.1 = end;
        marked.names.pop();
    }
}
