//! Words that say a gender: `{{GENDER}}`, `{{TITLE}}`, `person`, `they`.
//!
//! In: a gender word, a form of address, a pronoun. Out: what stands for it; a form of address is dropped with its
//! blank where words are wanted. Not here: verbs, which stay as they are, and words of kinship.

mod person;

use cloakgate_vocab::{Category, Span};

use super::{Choice, Outcome, Replacement, Spot, What, placeholder};
use crate::text::profile::{GenderOption, GenderStyle};
use crate::text::session::TextSession;

/// What stands for a gender word.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    let profile = choice.profile;
    if profile.gender != GenderOption::Mask {
        return Ok(None);
    }
    let title = spot.what == What::Found(Category::Title);
    match (spot.what, profile.gender_style) {
        (What::Pronoun, _) => Ok(neutral(spot).map(|text| Replacement::shared(spot, text))),
        (_, GenderStyle::Placeholder) => {
            placeholder::cloak(spot, if title { "TITLE" } else { "GENDER" }, profile, session)
        }
        (_, GenderStyle::Word) if title => {
            let blank = usize::from(spot.after().starts_with(' '));
            let span = Span::sized(spot.span.start(), spot.span.len() + blank);
            Ok(Some(Replacement::shared(spot, "").over(span)))
        }
        (_, GenderStyle::Word) => Ok(Some(person::replacement(spot, choice.language()))),
    }
}

/// English pronouns with the neutral ones.
pub(crate) const PRONOUNS: &[(&str, &str)] = &[
    ("he", "they"),
    ("she", "they"),
    ("him", "them"),
    ("his", "their"),
    ("her", "their"),
    ("hers", "theirs"),
    ("himself", "themselves"),
    ("herself", "themselves"),
];

/// The neutral pronoun, with a capital where there is one.
fn neutral(spot: &Spot<'_>) -> Option<String> {
    let written = spot.written();
    let (_, neutral) = PRONOUNS.iter().find(|(pronoun, _)| written.eq_ignore_ascii_case(pronoun))?;
    let alone = !is_followed_by_noun(spot.after());
    let neutral = match written.to_ascii_lowercase().as_str() {
        "her" if alone => "them",
        "his" if alone => "theirs",
        _ => neutral,
    };
    let mut letters = neutral.chars();
    match letters.next() {
        Some(first) if written.starts_with(char::is_uppercase) => {
            Some(first.to_uppercase().chain(letters).collect())
        }
        _ => Some(neutral.to_owned()),
    }
}

/// Words before which a pronoun stands for somebody, not for whose something is.
const NO_NOUNS: &[&str] = &[
    "a",
    "an",
    "the",
    "and",
    "or",
    "but",
    "to",
    "in",
    "on",
    "at",
    "for",
    "with",
    "by",
    "from",
    "of",
    "as",
    "if",
    "when",
    "that",
    "this",
    "up",
    "out",
    "about",
    "is",
    "was",
    "because",
    "before",
    "after",
    "again",
    "here",
    "there",
    "now",
    "then",
    "today",
    "yesterday",
    "tomorrow",
    "so",
    "not",
    "how",
    "what",
    "where",
    "why",
    "all",
    "too",
];

fn is_followed_by_noun(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(' ') else { return false };
    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
    let word = rest.get(..end).unwrap_or_default();
    !word.is_empty() && !NO_NOUNS.iter().any(|other| word.eq_ignore_ascii_case(other))
}
