//! What stands for a word of gender where words are wanted: `person`, `people`, with an article that fits.
//!
//! In: a spot of such a word, the language of the text. Out: the word, and the article before it where that is another one:
//! `ein Mann` is `eine Person`, `un homme` is `une personne`, `two women` is `two people`. Invariant: one word before the
//! spot is changed at most. Not here: adjectives and verbs, which stay as they are.

use cloakgate_vocab::Span;

use super::super::{Replacement, Spot};
use crate::text::gender_words::GenderWord;
use crate::text::language::Language;

/// The articles of one language with those before `person`.
type Articles = &'static [(&'static str, &'static str)];

const GERMAN: Articles = &[
    ("ein ", "eine "),
    ("einem ", "einer "),
    ("einen ", "eine "),
    ("eines ", "einer "),
    ("kein ", "keine "),
    ("mein ", "meine "),
    ("dieser ", "diese "),
    ("der ", "die "),
    ("den ", "die "),
    ("dem ", "der "),
    ("des ", "der "),
    ("das ", "die "),
];
const FRENCH: Articles = &[
    ("un ", "une "),
    ("le ", "la "),
    ("l'", "la "),
    ("l\u{2019}", "la "),
    ("du ", "de la "),
    ("au ", "à la "),
    ("cet ", "cette "),
    ("ce ", "cette "),
    ("d'", "de "),
];
const SPANISH: Articles =
    &[("un ", "una "), ("el ", "la "), ("al ", "a la "), ("del ", "de la "), ("este ", "esta ")];
const ITALIAN: Articles = &[
    ("un ", "una "),
    ("uno ", "una "),
    ("il ", "la "),
    ("lo ", "la "),
    ("l'", "la "),
    ("del ", "della "),
    ("al ", "alla "),
    ("dell'", "della "),
    ("all'", "alla "),
];
const PORTUGUESE: Articles = &[("um ", "uma "), ("o ", "a "), ("do ", "da "), ("no ", "na "), ("ao ", "à ")];
const DUTCH: Articles = &[("het ", "de ")];

fn articles(language: Language) -> Articles {
    match language.code() {
        "de" => GERMAN,
        "fr" => FRENCH,
        "es" => SPANISH,
        "it" => ITALIAN,
        "pt" => PORTUGUESE,
        "nl" => DUTCH,
        _ => &[],
    }
}

/// What stands for the word.
pub(super) fn replacement(spot: &Spot<'_>, language: Language) -> Replacement {
    let word = GenderWord::of(&spot.written().to_lowercase()).unwrap_or_default();
    if word.plural {
        return Replacement::shared(spot, language.people());
    }
    let person = language.person();
    let before = spot.before();
    let article = articles(language)
        .iter()
        .filter(|_| word.other_article)
        .find_map(|(old, new)| Some((old.len(), in_case(new, article_before(before, old)?))));
    match article {
        Some((len, article)) => {
            let start = spot.span.start() - len;
            let span = Span::new(start, spot.span.end()).unwrap_or(spot.span);
            Replacement::shared(spot, format!("{article}{person}")).over(span)
        }
        None => Replacement::shared(spot, person),
    }
}

/// The article as it is written at the end of a text, where it is a word of its own.
fn article_before<'a>(before: &'a str, article: &str) -> Option<&'a str> {
    let (head, written) = before.split_at_checked(before.len().checked_sub(article.len())?)?;
    (written.to_lowercase() == article && !head.ends_with(char::is_alphanumeric)).then_some(written)
}

/// The new article with a capital where the old one had it.
fn in_case(new: &str, old: &str) -> String {
    let mut letters = new.chars();
    match letters.next() {
        Some(first) if old.starts_with(char::is_uppercase) => first.to_uppercase().chain(letters).collect(),
        _ => new.to_owned(),
    }
}
