//! Which pieces of a text are read, and as what.
//!
//! In: a text. Out: blocks of lines that are written for people, each line with its form; source code, tables, rows of
//! values, log records with nothing but fields, and values of keys that hold no names are left out. Markup is cut out, so
//! that what lies between two tags is a line of its own. Invariant: blocks are in order, apart, no longer than
//! `MAX_BLOCK_BYTES`, and end where a line or a sentence ends; each byte is looked at a bounded number of times. Not here:
//! which words may be names (`decide`).

mod line;

use cloakgate_vocab::Span;

pub(crate) use self::line::Form;

/// Longest piece, in bytes, that is read at once.
const MAX_BLOCK_BYTES: usize = 2_000;

/// One line that is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Line {
    /// Where it is, without the blanks around it.
    pub(crate) span: Span,
    /// How it is written.
    pub(crate) form: Form,
}

/// Lines that follow each other.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Block {
    /// The lines, in order; never empty.
    pub(crate) lines: Vec<Line>,
}

impl Block {
    /// Where it is.
    pub(crate) fn span(&self) -> Span {
        match self.lines.as_slice() {
            [first, .., last] => first.span.union(last.span),
            [only] => only.span,
            [] => Span::sized(0, 0),
        }
    }
}

/// The blocks of a text.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false; // whether the last block may go on
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let span = trimmed(text, at, at + line.len());
        at += line.len();
        if span.is_empty() {
            continue;
        }
        let before = blocks.len();
        let mut read = false;
        for part in parts(text, span) {
            let Some(form) = part.of(text).and_then(line::form_of) else { continue };
            read = true;
            let goes_on = open || blocks.len() > before;
            add(&mut blocks, Line { span: part, form }, goes_on);
            open = true;
        }
        open = read;
    }
    blocks
}

fn add(blocks: &mut Vec<Block>, line: Line, goes_on: bool) {
    if let Some(last) = blocks.last_mut().filter(|_| goes_on)
        && line.span.end() - last.span().start() <= MAX_BLOCK_BYTES
    {
        last.lines.push(line);
    } else {
        blocks.push(Block { lines: vec![line] });
    }
}

/// A span without the blanks at its ends.
fn trimmed(text: &str, start: usize, end: usize) -> Span {
    let line = text.get(start..end).unwrap_or_default();
    let lead = line.len() - line.trim_start().len();
    Span::sized(start + lead, line.trim().len())
}

/// A line in pieces: what lies between tags, and stretches of a long line that end with a sentence.
fn parts(text: &str, line: Span) -> Vec<Span> {
    let mut parts = Vec::new();
    for between in line::between_tags(text, line) {
        let mut rest = between;
        while rest.len() > MAX_BLOCK_BYTES {
            let end = sentence_end(text, rest);
            parts.push(trimmed(text, rest.start(), end));
            rest = Span::sized(end, rest.end() - end);
        }
        parts.push(trimmed(text, rest.start(), rest.end()));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Where the last sentence, or else the last word, that fits into a block ends.
fn sentence_end(text: &str, long: Span) -> usize {
    let limit = text.floor_char_boundary(long.start() + MAX_BLOCK_BYTES);
    let window = text.get(long.start()..limit).unwrap_or_default();
    let sentence = window.rfind(". ").or_else(|| window.rfind("。")).map(|at| at + 1);
    let end = sentence.or_else(|| window.rfind(' ')).filter(|at| *at > 0).unwrap_or(window.len());
    text.ceil_char_boundary(long.start() + end.max(1))
}

#[cfg(test)]
mod tests {
    use super::{Form, blocks};

    fn shown(text: &str) -> Vec<Vec<(Form, &str)>> {
        let line = |line: &super::Line| (line.form, line.span.of(text).unwrap());
        blocks(text).iter().map(|block| block.lines.iter().map(line).collect()).collect()
    }

    #[test]
    fn lines_of_people_are_read_and_those_of_machines_are_not() {
        let text =
            "Dear all,\n\nplease ask Marie about the plan.\n\nfn main() {\n    run();\n}\nThanks\nAnna\n";
        let expected = vec![
            vec![(Form::Short, "Dear all,"), (Form::Prose, "please ask Marie about the plan.")],
            vec![(Form::Short, "Thanks"), (Form::Short, "Anna")],
        ];
        assert_eq!(shown(text), expected);
    }

    #[test]
    fn markup_is_cut_out() {
        let text = "<p>Dear <b>Marie</b>,</p><p>we met in Lyon last year.</p>";
        let read: Vec<&str> = shown(text).concat().into_iter().map(|(_, line)| line).collect();
        assert_eq!(read, ["Dear", "Marie", "we met in Lyon last year."]);
    }

    #[test]
    fn long_lines_end_with_sentences() {
        let text = "We met Marie in the park today. ".repeat(200);
        let read = blocks(&text);
        assert!(read.len() >= 3);
        assert!(read.iter().all(|block| block.span().len() <= super::MAX_BLOCK_BYTES));
        assert!(read.iter().all(|block| block.span().of(&text).unwrap().ends_with('.')));
        let one_word = "é".repeat(5_000);
        assert!(blocks(&one_word).iter().all(|block| block.span().len() <= super::MAX_BLOCK_BYTES));
    }
}
