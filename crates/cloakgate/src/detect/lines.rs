//! Lines `{"id", "text"}`, each answered by `{"id", "spans"}`.
//!
//! In: a stream of lines. Out: a line for each, in order; blank lines have none. Invariant: the id comes back byte for
//! byte; a line that is no such object is answered by `{"id", "error"}`, without spans, so that nobody takes it for
//! a text in which nothing was found. Lines that have come together are looked at on all cores; what they gave is
//! written before more input is waited for, so that memory holds one line or what the buffer of the input holds.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use cloakgate_cloak::{CloakError, Finder};
use cloakgate_json::{Kind, NodeId};
use cloakgate_vocab::CodePoints;

/// Longest line that is read.
const MAX_LINE_BYTES: usize = 64 << 20;

/// Answers every line. Returns how many were no texts.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub(super) fn answer(
    finder: &Finder,
    input: BufReader<impl Read>,
    out: &mut impl Write,
    name: &str,
) -> anyhow::Result<usize> {
    answer_up_to(finder, input, out, Input { name, max_bytes: MAX_LINE_BYTES })
}

/// What is read.
#[derive(Clone, Copy)]
struct Input<'a> {
    name: &'a str,
    max_bytes: usize,
}

fn answer_up_to(
    finder: &Finder,
    mut input: BufReader<impl Read>,
    out: &mut impl Write,
    of: Input<'_>,
) -> anyhow::Result<usize> {
    let mut out = io::BufWriter::new(out);
    let (mut number, mut bad) = (0_usize, 0);
    loop {
        let mut together = Vec::new();
        loop {
            let mut bytes = Vec::new();
            let whole = read_line(&mut input, &mut bytes, of.max_bytes)?;
            if bytes.is_empty() {
                break;
            }
            number += 1;
            let mark = "\u{feff}".as_bytes();
            let text = bytes.strip_prefix(mark).filter(|_| number == 1).unwrap_or(&bytes).trim_ascii();
            if !text.is_empty() {
                together.push(Numbered { number, whole, text: text.to_vec() });
            }
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        for (line, answer) in together.iter().zip(answers(finder, &together)) {
            // A text that was not read ends the run: an answer without it would say that it holds nothing.
            let answer = answer.with_context(|| format!("{}, line {}", of.name, line.number))?;
            writeln!(out, "{}", answer.text)?;
            if let Some(what) = answer.problem {
                bad += 1;
                crate::complain(format_args!("{}, line {} {what}", of.name, line.number));
            }
        }
        out.flush()?;
        if input.buffer().is_empty() && input.fill_buf()?.is_empty() {
            return Ok(bad);
        }
    }
}

/// A line that is not blank, without its end.
struct Numbered {
    number: usize,
    /// False when it was too long to be kept.
    whole: bool,
    text: Vec<u8>,
}

/// What is written for a line, and what is wrong with it.
struct Answer {
    text: String,
    problem: Option<&'static str>,
}

impl Numbered {
    fn answer(&self, finder: &Finder) -> Result<Answer, CloakError> {
        let read = if self.whole {
            Line::read(&self.text)
        } else {
            Err(Problem { id: "null", what: "is too long" })
        };
        match read {
            Ok(line) => Ok(Answer { text: line.answer(finder)?, problem: None }),
            Err(Problem { id, what }) => {
                let text = format!("{{\"id\":{id},\"error\":\"line {} {what}\"}}", self.number);
                Ok(Answer { text, problem: Some(what) })
            }
        }
    }
}

/// The answers to lines, in their order.
fn answers(finder: &Finder, lines: &[Numbered]) -> Vec<Result<Answer, CloakError>> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(lines.len());
    if cores < 2 {
        return lines.iter().map(|line| line.answer(finder)).collect();
    }
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(lines.len()));
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(line) = lines.get(index) else { return };
            let answer = line.answer(finder);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, answer));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..cores {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// Reads one line with its end. False when it was too long; then the rest of it is gone. An empty line means that
/// there is nothing more.
fn read_line(input: &mut BufReader<impl Read>, line: &mut Vec<u8>, max_bytes: usize) -> io::Result<bool> {
    let limit = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    input.by_ref().take(limit).read_until(b'\n', line)?;
    if line.len() <= max_bytes || line.last() == Some(&b'\n') {
        return Ok(true);
    }
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(false);
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() {
            return Ok(false);
        }
    }
}

/// Why a line is not answered, and its id where it has one.
#[derive(Debug)]
struct Problem<'a> {
    id: &'a str,
    what: &'static str,
}

/// One line, read.
#[derive(Debug)]
struct Line<'a> {
    /// The id as it was written.
    id: &'a str,
    text: String,
}

impl<'a> Line<'a> {
    fn read(line: &'a [u8]) -> Result<Self, Problem<'a>> {
        let nameless = |what| Problem { id: "null", what };
        let whole = std::str::from_utf8(line).map_err(|_| nameless("is no text in UTF-8"))?;
        let document = cloakgate_json::scan(line).ok();
        let document = document.filter(|document| document.kind(NodeId::ROOT) == Kind::Object);
        let document = document.ok_or_else(|| nameless("is no JSON object"))?;
        if !document.duplicates().is_empty() {
            return Err(nameless("has a key twice"));
        }
        let id = document.member(line, NodeId::ROOT, "id");
        let id = id.and_then(|id| document.span(id).of(whole)).unwrap_or("null");
        let text = document.member(line, NodeId::ROOT, "text").and_then(|text| document.text(line, text));
        let text = text.ok_or(Problem { id, what: "has no string `text`" })?;
        Ok(Self { id, text: text.into_owned() })
    }

    fn answer(&self, finder: &Finder) -> Result<String, CloakError> {
        let mut points = CodePoints::of(&self.text);
        let mut spans = String::new();
        for finding in finder.find(&self.text, None)? {
            for extent in finding.extents(&self.text) {
                let (start, end) = (points.before(extent.start()), points.before(extent.end()));
                let comma = if spans.is_empty() { "" } else { "," };
                let (label, score) = (finding.category.label(), finding.strength.score());
                // Writing to a string cannot fail.
                let _ = write!(
                    spans,
                    "{comma}{{\"start\":{start},\"end\":{end},\"label\":\"{label}\",\"score\":{score:.2}}}"
                );
            }
        }
        Ok(format!("{{\"id\":{},\"spans\":[{spans}]}}", self.id))
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_detect::{Engine, KnownKey, Settings};

    use super::*;

    fn answered(input: &[u8]) -> (String, usize) {
        let finder = Finder::new(Engine::new(Settings::default()), KnownKey::new([1; 16]));
        let mut out = Vec::new();
        let of = Input { name: "test", max_bytes: 100 };
        let bad = answer_up_to(&finder, BufReader::with_capacity(16, input), &mut out, of).unwrap();
        (String::from_utf8(out).unwrap(), bad)
    }

    #[test]
    fn each_line_is_answered_in_order_with_its_id() {
        let input = concat!(
            "\u{feff}{\"id\": \"a\\u0062\", \"text\": \"é m@example.org\", \"more\": [1]}\n",
            "\n",
            "{\"text\":\"none\",\"id\":1.50}\r\n",
            "{\"text\":\"\\ud800 m@example.org\"}"
        );
        let mail = r#"{"start":2,"end":15,"label":"EMAIL","score":1.00}"#;
        let expected = format!(
            "{{\"id\":\"a\\u0062\",\"spans\":[{mail}]}}\n{{\"id\":1.50,\"spans\":[]}}\n{{\"id\":null,\"spans\":[{mail}]}}\n"
        );
        assert_eq!(answered(input.as_bytes()), (expected, 0));
    }

    #[test]
    fn lines_that_come_together_are_answered_in_order() {
        let lines: Vec<String> =
            (0..500).map(|id| format!("{{\"id\":{id},\"text\":\"{}\"}}", "a ".repeat(id % 40))).collect();
        let expected: String = (0..500).map(|id| format!("{{\"id\":{id},\"spans\":[]}}\n")).collect();
        let finder = Finder::new(Engine::new(Settings::default()), KnownKey::new([1; 16]));
        let input = lines.join("\n");
        let mut out = Vec::new();
        answer(&finder, BufReader::with_capacity(1 << 20, input.as_bytes()), &mut out, "test").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn a_bad_line_has_an_error_in_its_place() {
        let long = format!("{{\"id\":1,\"text\":\"{}\"}}", "x".repeat(200));
        for (line, id, problem) in [
            (b"{" as &[u8], "null", "is no JSON object"),
            (b"[]", "null", "is no JSON object"),
            (b"{\"id\":1}", "1", "has no string `text`"),
            (b"{\"id\":\"a\",\"text\":7}", "\"a\"", "has no string `text`"),
            (b"{\"id\":1,\"text\":\"a\",\"text\":\"b\"}", "null", "has a key twice"),
            (b"{\"id\":1,\"text\":\"\xff\"}", "null", "is no text in UTF-8"),
            (long.as_bytes(), "null", "is too long"),
        ] {
            let mut input = b"{\"id\":0,\"text\":\"\"}\n".to_vec();
            input.extend_from_slice(line);
            input.extend_from_slice(b"\n{\"id\":2,\"text\":\"\"}\n");
            let expected = format!(
                "{{\"id\":0,\"spans\":[]}}\n{{\"id\":{id},\"error\":\"line 2 {problem}\"}}\n{{\"id\":2,\"spans\":[]}}\n"
            );
            assert_eq!(answered(&input), (expected, 1), "{problem}");
        }
    }
}
