//! Whose paper a file is: `Dubois_Marie_CV.pdf`, `Contract Marie Dubois 2026-03-02.docx`.
//!
//! In: a text and a word such as `CV` or `contract` in it. Out: the span of a name in the same file name. Invariant: at most
//! `REACH` bytes on either side are read. Not here: user names in paths.

use cloakgate_vocab::Span;

use crate::canonical::is_word_char;
use crate::lexicon::{Roles, lexicon};
use crate::{people, vocabulary, work};

/// How far a file name goes on either side of the word.
const REACH: usize = 80;
/// Most words of a name.
const MAX_WORDS: usize = 4;
/// Endings of papers.
const ENDINGS: &[&str] = &[
    ".pdf", ".doc", ".docx", ".odt", ".rtf", ".txt", ".pages", ".png", ".jpg", ".jpeg", ".tif", ".tiff",
    ".heic", ".zip", ".xls", ".xlsx", ".ods", ".csv", ".eml", ".msg", ".md", ".ppt", ".pptx", ".html",
];

/// The name in the file name around the word `start..end`.
pub(crate) fn owner(text: &str, start: usize, end: usize) -> Option<Span> {
    let stem = stem(text, start, end)?;
    let name = stem.of(text)?;
    work::count(name.len());
    let tokens: Vec<Span> = tokens(name).collect();
    let word = |token: &Span| token.of(name).unwrap_or_default();
    if tokens.iter().any(|token| people::is_firm_word(word(token))) {
        return None;
    }
    let paper = text.get(start..end)?.to_lowercase();
    let is_name: Vec<bool> = tokens.iter().map(|token| is_name(word(token))).collect();
    let first = is_name.iter().position(|named| *named)?;
    let count = is_name.iter().skip(first).take_while(|named| **named).count().min(MAX_WORDS);
    let last = tokens.get(first + count - 1)?;
    let mut from = tokens.get(first)?.start();
    // `van Westfalen_Adam`
    if let Some(before) = first.checked_sub(1).and_then(|at| tokens.get(at)) {
        let particle =
            ["van", "von", "de", "da", "di", "del", "della", "der", "den", "ter", "ten", "el", "al", "bin"];
        if particle.contains(&word(before)) && before.end() + 1 == from {
            from = before.start();
        }
    }
    // Others than the paper, its owner and numbers: `Contract_Review_Notes_Marie.pdf`.
    let rest = tokens.len() - count;
    let numbered = tokens.iter().any(|token| word(token).bytes().all(|byte| byte.is_ascii_digit()));
    let single = matches!(paper.as_str(), "cv" | "resume" | "résumé" | "lebenslauf" | "vitae" | "резюме")
        || (numbered && rest <= 4)
        || word(last).chars().any(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
    (count > 1 || single).then(|| Span::sized(stem.start() + from, last.end() - from))
}

/// The file name around a word, without its ending.
fn stem(text: &str, start: usize, end: usize) -> Option<Span> {
    let border = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '/' | '\\' | '"' | '|' | '\t' | '<' | '>' | '=' | ':' | '[' | ']' | '`' | '*'
        )
    };
    let floor = text.ceil_char_boundary(start.saturating_sub(REACH));
    let head = text.get(floor..start)?;
    let from = floor + head.rfind(border).map_or(0, |at| at + 1);
    // A quote opens the name; one inside a word is an apostrophe.
    let quoted = text.get(from..start)?.starts_with('\'');
    let from = from + usize::from(quoted);
    let tail = text.get(end..text.floor_char_boundary((end + REACH).min(text.len())))?;
    let tail = tail.get(..tail.find(border).unwrap_or(tail.len()))?;
    let lower = tail.to_ascii_lowercase();
    let ending = lower.match_indices('.').map(|(at, _)| at).find(|at| {
        ENDINGS.iter().any(|ending| {
            let rest = lower.get(*at..).unwrap_or_default();
            rest.strip_prefix(ending).is_some_and(|after| !after.starts_with(is_word_char))
        })
    })?;
    Span::new(from, end + ending)
}

/// Words of a file name; dashes inside a word belong to it.
fn tokens(name: &str) -> impl Iterator<Item = Span> {
    let part = |c: char| !is_word_char(c) && !matches!(c, '-' | '\'' | '’');
    let mut at = 0;
    name.split(part).filter_map(move |token| {
        let start = at;
        at = start + token.len() + name.get(start + token.len()..)?.chars().next().map_or(0, char::len_utf8);
        (!token.is_empty()).then(|| Span::sized(start, token.len()))
    })
}

/// A word with a capital that is no common one and no kind of paper.
fn is_name(word: &str) -> bool {
    let mut chars = word.chars();
    let Some(first) = chars.next().filter(|c| c.is_alphabetic() && !c.is_lowercase()) else { return false };
    let inner = !first.is_uppercase() || chars.clone().skip(1).any(char::is_lowercase) || chars.count() > 2;
    let humps = vocabulary::is_identifier(word);
    inner
        && !humps
        && !word.chars().any(char::is_numeric)
        && !lexicon().roles(word.as_bytes()).any(Roles::PAPER)
        && !vocabulary::is_phrase(word)
        && !people::is_no_name(word)
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn papers_name_their_owners() {
        for (text, word, name) in [
            ("[FILE] Dubois_Marie_CV.pdf\n", "CV", "Dubois_Marie"),
            ("[DIR] van Westfalen_Adam_CV.pdf", "CV", "van Westfalen_Adam"),
            ("Contract Marie Dubois 2026-03-02.docx", "Contract", "Marie Dubois"),
            ("/srv/hr/CV - Jean-Luc N'Diaye.docx", "CV", "Jean-Luc N'Diaye"),
            ("Invoice_506907_Reyes.pdf", "Invoice", "Reyes"),
            ("潘_帆_CV.pdf", "CV", "潘_帆"),
            ("Resume.pdf", "Resume", ""),
            ("Invoice_506907.pdf", "Invoice", ""),
            ("Contract_Acme_GmbH.pdf", "Contract", ""),
            ("Contract Template Final.docx", "Contract", ""),
            ("the contract of Marie Dubois", "contract", ""),
            ("Invoice_2024_GitHub.pdf", "Invoice", ""),
            ("src/contract.rs", "contract", ""),
        ] {
            let start = text.find(word).unwrap();
            let found =
                owner(text, start, start + word.len()).and_then(|span| span.of(text)).unwrap_or_default();
            assert_eq!(found, name, "{text}");
        }
    }
}
