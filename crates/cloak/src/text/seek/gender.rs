//! Words of gender, forms of address, `Sex: F`, and pronouns where neutral ones are wanted.
//!
//! In: a text. Out: candidates. Invariant: each word is looked up once. Not here: what stands for them.

use cloakgate_detect::is_of_a_thing;
use cloakgate_vocab::{Category, Span};

use super::words::{after, before, ends, small, words};
use crate::text::candidate::Candidate;
use crate::text::field::Field;
use crate::text::gender_words::GenderWord;
use crate::text::operators::{PRONOUNS, What};
use crate::text::profile::{GenderPronouns, Profile};

/// Longest word, in bytes, that is looked up.
const MAX_WORD_BYTES: usize = 28;

/// Words before a letter that is a gender.
const SEX: &[&str] = &[
    "sex",
    "gender",
    "geschlecht",
    "sexe",
    "sexo",
    "sesso",
    "genere",
    "geslacht",
    "płeć",
    "kön",
    "køn",
    "pohlaví",
    "пол",
];
/// Letters of gender.
const LETTERS: &[&str] = &["m", "f", "w", "x", "d", "v", "h", "k", "м", "ж"];

/// Words whose article alone tells a gender.
const EPICENE: &[&str] = &["paciente", "pacientes", "paziente"];
const ARTICLES: &[&str] = &["el ", "la ", "un ", "una ", "los ", "las ", "il ", "o ", "a ", "um ", "uma "];

fn follows_article(text: &str, span: Span) -> bool {
    let near = before(text, span.start(), 8).to_lowercase();
    ARTICLES
        .iter()
        .any(|article| near.strip_suffix(article).is_some_and(|head| !head.ends_with(char::is_alphanumeric)))
}

/// True for a key whose value is a gender.
pub(super) fn is_key(key: &str) -> bool {
    let last = key.rsplit(['_', '-', ' ', '.']).next().unwrap_or_default();
    SEX.contains(&last.to_lowercase().as_str())
}

/// True for a letter that is a gender under such a key.
pub(super) fn is_letter(word: &str) -> bool {
    word.len() <= 2 && LETTERS.contains(&word.to_lowercase().as_str())
}

/// Adds words of gender.
pub(super) fn seek(text: &str, profile: &Profile, found: &mut Vec<Candidate>) {
    let mut buffer = String::new();
    let pronouns = profile.gender_pronouns == GenderPronouns::Neutral;
    for span in words(text).filter(|span| span.len() <= MAX_WORD_BYTES) {
        let word = span.of(text).unwrap_or_default();
        let small = small(word, &mut buffer);
        let mut add = |span, what| found.push(Candidate::sought(span, what, Field::Gender));
        if let Some(row) = GenderWord::of(small) {
            let capital = word.starts_with(char::is_uppercase);
            if row.title
                && capital
                && let Some(span) = title(text, span)
            {
                add(span, What::Found(Category::Title));
            } else if (row.word || row.word_with_capital && capital)
                && stands(text, span)
                && !is_of_a_thing(after(text, span.end(), 40))
            {
                add(span, What::Found(Category::Gender));
            }
        }
        if EPICENE.contains(&small) && follows_article(text, span) {
            add(span, What::Found(Category::Gender));
        }
        if pronouns && PRONOUNS.iter().any(|(pronoun, _)| small == *pronoun) && stands(text, span) {
            add(span, What::Pronoun);
        }
        if SEX.contains(&small)
            && let Some(span) = letter(text, span)
        {
            add(span, What::Found(Category::Gender));
        }
    }
}

/// No part of a name of a machine, an address or a file.
fn stands(text: &str, span: Span) -> bool {
    let before = before(text, span.start(), 4);
    let after = after(text, span.end(), 4);
    let joint = |c: char| matches!(c, '_' | '/' | '\\' | '@' | '#' | '=' | '$');
    // `man.txt`, `a.man`, `sex:male` of code
    let dotted = after.starts_with(['.', ':']) && after.get(1..).is_some_and(|next| !ends(next));
    !before.ends_with(|c| joint(c) || c == '.') && !after.starts_with(joint) && !dotted
}

/// Forms of address that are letters or other words without their full stop: `M. Dubois`.
const WITH_STOP: &[&str] = &["m"];

/// `Mrs.` before a name.
fn title(text: &str, span: Span) -> Option<Span> {
    let rest = after(text, span.end(), 8);
    let dot = usize::from(rest.starts_with('.'));
    let word = span.of(text).unwrap_or_default();
    if dot == 0 && WITH_STOP.iter().any(|other| word.eq_ignore_ascii_case(other)) {
        return None;
    }
    let name = rest.get(dot..)?.strip_prefix([' ', '\u{a0}'])?;
    let capital = name.chars().next().is_some_and(|c| c.is_uppercase() || c == '{' || c == '[');
    // `Peter Pan Airways`: a part of a name.
    let head = before(text, span.start(), 24).trim_end_matches(' ');
    let word = head.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let inside = word.starts_with(char::is_uppercase)
        && word.chars().skip(1).any(char::is_lowercase)
        && head.ends_with(char::is_alphabetic)
        && before(text, span.start(), 64).trim_end_matches(' ').len() > word.len();
    (capital && !inside).then(|| Span::sized(span.start(), span.len() + dot))
}

/// The letter in `Sex: F`.
fn letter(text: &str, cue: Span) -> Option<Span> {
    let rest = after(text, cue.end(), 16);
    let mark = rest.trim_start_matches([' ', '"', '\'', '*']);
    let value = mark.strip_prefix([':', '=', '|', '\t'])?.trim_start_matches([' ', '"', '\'', '*', '|']);
    let len = value.find(|c: char| !c.is_alphanumeric()).unwrap_or(value.len());
    let letter = value.get(..len)?;
    is_letter(letter).then(|| Span::sized(cue.end() + rest.len() - value.len(), len))
}
