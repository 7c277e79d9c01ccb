//! What the transformer is asked.
//!
//! In: a candidate with its sentence, or the key above it. Out: texts, each once, and where in one the candidate stands.
//! Invariant: at most `MAX_QUESTIONS` texts of at most `MAX_QUESTION_BYTES`; a candidate beyond is judged without. Not
//! here: the answers.

use std::collections::HashMap;

use cloakgate_vocab::Span;

use crate::segments::{Block, Form};

/// Most texts that are asked about in one message.
const MAX_QUESTIONS: usize = 20_000;
/// Longest text.
const MAX_QUESTION_BYTES: usize = 400;
/// How far, in bytes, a sentence is read on either side of a candidate.
const REACH: usize = 90;

/// Texts for the transformer.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    texts: Vec<String>,
    places: HashMap<String, usize>,
}

impl Questions {
    /// The texts.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Asks about a value under a key: `assignee: Marie`.
    pub(crate) fn value(&mut self, key: &str, text: &str, span: Span) -> Option<(usize, Span)> {
        let lead = format!("{}: ", key.replace(['_', '-'], " "));
        let shifted = span.shifted(lead.len());
        self.add(lead + text).map(|question| (question, shifted))
    }

    /// Asks about a candidate in its sentence, or in its whole line where that is short.
    pub(crate) fn sentence(&mut self, text: &str, block: &Block, span: Span) -> Option<(usize, Span)> {
        let at = block.lines.partition_point(|line| line.span.end() <= span.start());
        let line = block.lines.get(at)?;
        let part = if line.form == Form::Prose { sentence(text, line.span, span) } else { line.span };
        let part = if part.len() > MAX_QUESTION_BYTES { sentence(text, line.span, span) } else { part };
        let asked = part.of(text)?;
        let inside = Span::sized(span.start().checked_sub(part.start())?, span.len());
        self.add(asked.to_owned()).map(|question| (question, inside))
    }

    fn add(&mut self, text: String) -> Option<usize> {
        if let Some(known) = self.places.get(&text) {
            return Some(*known);
        }
        if self.texts.len() >= MAX_QUESTIONS || text.len() > MAX_QUESTION_BYTES {
            return None;
        }
        let question = self.texts.len();
        self.texts.push(text.clone());
        self.places.insert(text, question);
        Some(question)
    }
}

/// The sentence around a span, within its line and at most `REACH` bytes on either side.
fn sentence(text: &str, line: Span, span: Span) -> Span {
    let floor =
        text.ceil_char_boundary(span.start().saturating_sub(REACH)).max(line.start()).min(span.start());
    let ceiling =
        text.floor_char_boundary((span.end() + REACH).min(text.len())).min(line.end()).max(span.end());
    let before = text.get(floor..span.start()).unwrap_or_default();
    let after = text.get(span.end()..ceiling).unwrap_or_default();
    let start = match [". ", "? ", "! ", "。"]
        .iter()
        .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
        .max()
    {
        Some(at) => floor + at,
        None if floor > line.start() => floor + before.find(' ').map_or(0, |at| at + 1),
        None => floor,
    };
    let end = match [". ", "? ", "! ", "。"].iter().filter_map(|end| after.find(end)).min() {
        Some(at) => text.ceil_char_boundary(span.end() + at + 1),
        None if ceiling < line.end() => span.end() + after.rfind(' ').unwrap_or(after.len()),
        None => ceiling,
    };
    Span::new(start, end).unwrap_or(span)
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::sentence;

    #[test]
    fn a_sentence_ends_where_it_ends() {
        let text = "We met. Then Marie left us. And so on";
        let at = text.find("Marie").unwrap();
        let found = sentence(text, Span::sized(0, text.len()), Span::sized(at, 5));
        assert_eq!(found.of(text), Some("Then Marie left us."));
        let long = format!("{} Marie {}", "aé ".repeat(200), "éa ".repeat(200));
        let at = long.find("Marie").unwrap();
        let found = sentence(&long, Span::sized(0, long.len()), Span::sized(at, 5));
        assert!(found.len() < 320 && found.of(&long).unwrap().contains(" Marie "));
    }
}
