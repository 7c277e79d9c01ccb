//! One pass over the bytes of a text: words, digit groups and marks.
//!
//! In: a text. Out: calls of a sink in text order. A word is a maximal run of letters and digits of any script; a
//! digit run is a maximal sequence of digit groups joined by single separators. Invariant: every byte is read
//! once, but for digit runs of more than 64 digits or 20 groups, which are handed over in overlapping windows of bounded size.
//! Not here: what words mean.

mod plain;

use cloakgate_vocab::Span;

use crate::canonical::is_word_char;
use crate::lexicon::Filter;
use crate::word_hash::load;

pub(crate) use plain::{PlainWord, word_at as plain_word_at};

/// Most digits of one run.
const MAX_RUN_DIGITS: usize = 64;
/// Most groups of one run.
const MAX_RUN_GROUPS: usize = 20;
/// Groups that two windows of a longer run share, at most.
const SHARED_GROUPS: usize = 10;
/// Digits that two windows of a longer run share: no checked number is longer.
const SHARED_DIGITS: usize = 24;

/// A byte sequence that some recogniser starts from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Mark {
    /// `@`
    At,
    /// `://`
    Scheme,
    /// `-----BEGIN`, `-----END `
    Dashes,
    /// A line feed, or the end of the text.
    LineEnd,
}

/// What the pass reports to.
pub(crate) trait Sink {
    /// The plain words that it asks to hear of where many stand in a row; all, where it does not say.
    fn wanted(&self) -> Option<&'static Filter>;
    /// The hash of the last plain word that went by.
    fn passed(&mut self, hash: u64);
    /// A plain word: `word` with what is known of it, and the byte before it, NUL at the start of the text.
    fn plain(&mut self, start: usize, word: PlainWord, behind: u8);
    /// A word that begins with a letter, or with digits that letters follow.
    fn word(&mut self, start: usize, end: usize);
    /// A digit group that is a word of its own, and longer than a run may be.
    fn number(&mut self, start: usize, end: usize);
    /// A digit run. So many of its groups from the first on are words of their own, the last may be the head of a word.
    fn digits(&mut self, groups: &[Span], numbers: usize);
    /// A mark at its first byte.
    fn mark(&mut self, mark: Mark, at: usize);
}

const OTHER: u8 = 0;
const LETTER: u8 = 1;
const DIGIT: u8 = 2;
const HIGH: u8 = 3;
const MARK: u8 = 4;

const CLASSES: [u8; 256] = {
    let mut table = [OTHER; 256];
    let mut byte = 0u8;
    loop {
        let class = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            0x80.. => HIGH,
            b'@' | b':' | b'-' | b'\n' => MARK,
            _ => OTHER,
        };
        #[expect(clippy::indexing_slicing, reason = "a byte is less than the length of the table")]
        {
            table[byte as usize] = class;
        }
        if byte == u8::MAX {
            break;
        }
        byte += 1;
    }
    table
};

#[inline]
fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

/// Runs the pass.
pub(crate) fn scan(text: &str, sink: &mut impl Sink) {
    let bytes = text.as_bytes();
    let mut groups: Vec<Span> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match class(*byte) {
            LETTER => at = words(text, at, sink),
            DIGIT => at = digit_run(text, at, &mut groups, sink),
            HIGH => {
                let end = at + char_len(*byte);
                if high_is_word(text, at, *byte) {
                    let end = word_end(text, end);
                    sink.word(at, end);
                    at = end;
                } else {
                    at = end;
                }
            }
            MARK => {
                mark(bytes, at, *byte, sink);
                at += 1;
            }
            _ => at += 1,
        }
    }
    sink.mark(Mark::LineEnd, bytes.len());
}

/// Reports the word at `at`, and more as long as they are plain and little parts them: most of most texts. Returns
/// where to go on.
#[inline]
fn words(text: &str, at: usize, sink: &mut impl Sink) -> usize {
    let bytes = text.as_bytes();
    let behind = at.checked_sub(1).and_then(|before| bytes.get(before)).copied().unwrap_or(0);
    let Some(word) = plain::word_at(bytes, at) else {
        let end = word_end(text, at + 1);
        sink.word(at, end);
        return end;
    };
    sink.plain(at, word, behind);
    let end = at + word.len;
    match bytes.get(end..end + 2) {
        Some([b' ', next]) if class(*next) == LETTER => plain_words(bytes, end + 1, word.hash, sink),
        _ => end,
    }
}

/// Reports plain words from the letter at `at` on, block by block, until something else stands there, and returns
/// where. `before` is the hash of the word before, a blank stands between.
#[inline]
fn plain_words(bytes: &[u8], mut at: usize, mut before: u64, sink: &mut impl Sink) -> usize {
    let wanted = sink.wanted();
    let mut behind = b' ';
    'blocks: while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let words = plain::Words::of(block);
        let mut offset = 0;
        while let Some(word) = words.at(offset) {
            if wanted.is_none_or(|wanted| wanted.may_hold(word.hash)) {
                sink.passed(before);
                sink.plain(at + offset, word, behind);
            }
            before = word.hash;
            let end = offset + word.len;
            let (Some(mark), Some(next)) = (block.get(end), block.get(end + 1)) else { break };
            if *mark == b'\n' {
                at += end;
                break 'blocks;
            }
            let blank = *next == b' ';
            behind = if blank { b' ' } else { *mark };
            offset = end + 1 + usize::from(blank);
            if block.get(offset).is_none_or(|byte| class(*byte) != LETTER) {
                at += offset;
                break 'blocks;
            }
        }
        // The block ends, or a word of another kind stands there.
        if offset == 0 {
            break;
        }
        at += offset;
    }
    sink.passed(before);
    at
}

#[inline]
fn mark(bytes: &[u8], at: usize, byte: u8, sink: &mut impl Sink) {
    match byte {
        b'@' => sink.mark(Mark::At, at),
        b'\n' => sink.mark(Mark::LineEnd, at),
        b':' if bytes.get(at + 1..at + 3) == Some(b"//") => sink.mark(Mark::Scheme, at),
        b'-' if matches!(bytes.get(at + 1..at + 9), Some(b"----BEGI" | b"----END ")) => {
            sink.mark(Mark::Dashes, at);
        }
        _ => {}
    }
}

/// End of the word that `at` lies in, from `at` on.
#[inline]
pub(crate) fn word_end(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    let run = alphanumeric_run(bytes, at);
    at += run;
    if bytes.get(at).is_none_or(u8::is_ascii) && run > 0 {
        return at;
    }
    let mut unspaced =
        at.checked_sub(3).and_then(|lead| bytes.get(lead)).is_some_and(|lead| is_unspaced(*lead));
    while let Some(byte) = bytes.get(at) {
        match class(*byte) {
            DIGIT if unspaced => break,
            LETTER | DIGIT => at += 1,
            HIGH if high_is_word(text, at, *byte) => {
                at += char_len(*byte);
                unspaced = is_unspaced(*byte);
                continue;
            }
            _ => break,
        }
        unspaced = false;
    }
    at
}

/// Number of ASCII letters and digits from `at` on; eight bytes are looked at in one step.
#[inline]
pub(crate) fn alphanumeric_run(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        let others = !alphanumeric(load(bytes, end)) & ONES << 7;
        let run = others.trailing_zeros() as usize / 8;
        end += run;
        if run < 8 {
            return end - at;
        }
    }
}

/// The lowest bit of each byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// The highest bit of each byte that is an ASCII letter or digit.
#[inline]
const fn alphanumeric(chunk: u64) -> u64 {
    let low = chunk & (ONES * 0x7f);
    let small = low | (ONES * 0x20);
    let letters = (small + ONES * (0x80 - b'a' as u64)) & !(small + ONES * (0x7f - b'z' as u64));
    let digits = (low + ONES * (0x80 - b'0' as u64)) & !(low + ONES * (0x7f - b'9' as u64));
    (letters | digits) & !chunk & ONES << 7
}

/// Lead bytes of Han, kana and Hangul: no blank stands between them and a number.
const fn is_unspaced(lead: u8) -> bool {
    matches!(lead, 0xe3..=0xed)
}

/// True when a character of words begins at `at`.
pub(crate) fn word_char_at(text: &str, at: usize) -> bool {
    text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(is_word_char)
}

const fn char_len(lead: u8) -> usize {
    match lead {
        0xf0.. => 4,
        0xe0.. => 3,
        _ => 2,
    }
}

/// Whether a character outside ASCII belongs to a word. Only four lead bytes mix letters with punctuation that
/// matters; the others need no decoding.
#[inline]
fn high_is_word(text: &str, at: usize, lead: u8) -> bool {
    if !matches!(lead, 0xc2 | 0xe2 | 0xe3 | 0xef) {
        return true;
    }
    // The superscript and ordinal signs of `n°` and `nº` are part of key words.
    text.get(at..)
        .and_then(|rest| rest.chars().next())
        .is_some_and(|c| is_word_char(c) || matches!(c, '°' | 'º'))
}

/// Reports the digit run at `at` and returns where to go on.
fn digit_run(text: &str, at: usize, groups: &mut Vec<Span>, sink: &mut impl Sink) -> usize {
    let bytes = text.as_bytes();
    groups.clear();
    groups.reserve(MAX_RUN_GROUPS);
    let mut digits = 0;
    let mut start = at;
    loop {
        let end = digits_end(bytes, start);
        digits += end - start;
        if digits > MAX_RUN_DIGITS || groups.len() >= MAX_RUN_GROUPS {
            return window_end(groups, start, end, sink);
        }
        let unspaced = bytes.get(end).is_some_and(|byte| is_unspaced(*byte));
        let word = if unspaced { end } else { word_end(text, end) };
        if word > end {
            let extension =
                bytes.get(end).is_some_and(|byte| matches!(byte | 0x20, b'x' | b'e' | b'a' | b'v'));
            let numbers = groups.len();
            if extension || groups.is_empty() {
                groups.push(Span::sized(start, end - start));
            }
            sink.digits(groups, numbers);
            sink.word(start, word);
            return word;
        }
        groups.push(Span::sized(start, end - start));
        match next_group(bytes, end) {
            Some(next) => start = next,
            None => {
                sink.digits(groups, groups.len());
                return end;
            }
        }
    }
}

/// Ends a window of a run that is too long; the last group, which would have passed the limit, is not in it.
fn window_end(groups: &[Span], start: usize, end: usize, sink: &mut impl Sink) -> usize {
    let (Some(first), Some(last)) = (groups.first(), groups.last()) else {
        // One group of more digits than any number has.
        sink.number(start, end);
        return end;
    };
    sink.digits(groups, groups.len());
    let mut shared = 0;
    let mut again = last.end();
    for group in groups.iter().rev().take(SHARED_GROUPS) {
        shared += group.len();
        if shared > SHARED_DIGITS || group.start() == first.start() {
            break;
        }
        again = group.start();
    }
    // At least the first group is left behind, so each digit is in at most two windows.
    if again == last.end() { start } else { again }
}

fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
    }
    at
}

/// Start of the next digit group of a run when a separator that joins follows at `end`.
fn next_group(bytes: &[u8], end: usize) -> Option<usize> {
    let gap = match bytes.get(end..end + 2) {
        Some(b") " | b" (" | b"\xc2\xa0") if bytes.get(end + 2).is_some_and(u8::is_ascii_digit) => 2,
        _ if matches!(bytes.get(end), Some(b' ' | b'.' | b'-' | b'/' | b'(' | b')' | b'+')) => 1,
        _ => return None,
    };
    bytes.get(end + gap).is_some_and(u8::is_ascii_digit).then_some(end + gap)
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::{Filter, Mark, PlainWord, Sink, scan};

    #[derive(Default)]
    struct Log(String);

    impl Sink for Log {
        fn wanted(&self) -> Option<&'static Filter> {
            None
        }
        fn passed(&mut self, _: u64) {}
        fn plain(&mut self, start: usize, word: PlainWord, _: u8) {
            self.word(start, start + word.len);
        }
        fn word(&mut self, start: usize, end: usize) {
            self.0 += &format!("w{start}-{end} ");
        }
        fn number(&mut self, _: usize, _: usize) {}
        fn digits(&mut self, groups: &[Span], _: usize) {
            let list: Vec<String> =
                groups.iter().map(|group| format!("{}-{}", group.start(), group.end())).collect();
            self.0 += &format!("d{} ", list.join(","));
        }
        fn mark(&mut self, mark: Mark, at: usize) {
            self.0 += &format!("{mark:?}{at} ");
        }
    }

    fn log(text: &str) -> String {
        let mut log = Log::default();
        scan(text, &mut log);
        log.0.replace(&format!("LineEnd{} ", text.len()), "").trim_end().to_owned()
    }

    #[test]
    fn words_digit_runs_and_marks_come_in_order() {
        for (text, expected) in [
            ("ab cd", "w0-2 w3-5"),
            ("é\u{a0}b", "w0-2 w4-5"),
            ("“né”", "w3-6"),
            ("a@b", "w0-1 At1 w2-3"),
            ("x://y", "w0-1 Scheme1 w4-5"),
            ("-----BEGIN", "Dashes0 w5-10"),
            ("+1 (202) 555-0143", "d1-2,4-7,9-12,13-17"),
            ("1.2.3.4", "d0-1,2-3,4-5,6-7"),
            ("12 3ab", "d0-2,3-4 w3-6"),
            ("12 3cb", "d0-2 w3-6"),
            ("12x3", "d0-2 w0-4"),
            ("1  2", "d0-1 d3-4"),
            ("1\n2", "d0-1 LineEnd1 d2-3"),
        ] {
            assert_eq!(log(text), expected, "{text}");
        }
    }

    #[test]
    fn long_runs_come_in_windows_that_overlap() {
        struct Windows(Vec<(usize, usize)>);
        impl Sink for Windows {
            fn wanted(&self) -> Option<&'static Filter> {
                None
            }
            fn passed(&mut self, _: u64) {}
            fn plain(&mut self, _: usize, _: PlainWord, _: u8) {}
            fn word(&mut self, _: usize, _: usize) {}
            fn number(&mut self, _: usize, _: usize) {}
            fn digits(&mut self, groups: &[Span], _: usize) {
                self.0.push((groups[0].start(), groups[groups.len() - 1].end()));
            }
            fn mark(&mut self, _: Mark, _: usize) {}
        }
        let text = "1234 ".repeat(1000);
        let mut windows = Windows(Vec::new());
        scan(&text, &mut windows);
        for pair in windows.0.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[1].0 <= pair[0].1 - 20, "{pair:?}");
        }
        let mut one = Windows(Vec::new());
        scan(&"1".repeat(1000), &mut one);
        assert_eq!(one.0, []);
    }
}
