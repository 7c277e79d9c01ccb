//! The lines of a text, without what lists and quotes put before them.
//!
//! In: a text. Out: ranges. Invariant: what is left of a line is the same whether it stands in a list, a quote or by
//! itself. Not here: hashing.

use std::ops::Range;

/// The lines of a text, without their ends.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

/// A line without indent, bullet, number, quote mark and trailing blanks.
pub(crate) fn core(text: &str, line: Range<usize>) -> Range<usize> {
    let whole = text.get(line.clone()).unwrap_or_default().trim_end();
    let mut rest = whole.trim_start();
    while let Some(after) = without_mark(rest) {
        rest = after.trim_start();
    }
    let start = line.start + (whole.len() - rest.len());
    start..start + rest.len()
}

/// What follows a bullet, a number of a list or a mark of a quote.
fn without_mark(line: &str) -> Option<&str> {
    if let Some(rest) = line.strip_prefix('>') {
        return Some(rest);
    }
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•', '–', '·', '‣', '◦']) {
        return rest.starts_with([' ', '\t']).then_some(rest);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).filter(|_| (1..=3).contains(&digits))?;
    let rest = rest.strip_prefix(['.', ')'])?;
    rest.starts_with([' ', '\t']).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{core, lines};

    #[test]
    fn lists_and_quotes_leave_the_line() {
        for line in [
            "adult, 3",
            "- adult, 3",
            "  * adult, 3  ",
            "> adult, 3\r",
            "12. adult, 3",
            "> - adult, 3",
            "•\tadult, 3",
        ] {
            assert_eq!(line.get(core(line, 0..line.len())).unwrap(), "adult, 3", "{line}");
        }
        for line in ["-adult", "3.5 kg", "**adult**", "1234. x", ""] {
            assert_eq!(line.get(core(line, 0..line.len())).unwrap(), line);
        }
    }

    #[test]
    fn lines_are_without_their_ends() {
        let text = "a\r\n\nb\n";
        assert_eq!(lines(text).filter_map(|line| text.get(line)).collect::<Vec<_>>(), ["a\r", "", "b", ""]);
    }
}
