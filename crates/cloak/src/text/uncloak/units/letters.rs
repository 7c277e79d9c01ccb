//! The characters of a text as a reader sees them.
//!
//! In: a text. Out: characters with where they stand: escapes and entities read, hyphens, quotes, blanks and full-width
//! forms made one, emphasis and what is invisible left out.

use std::ops::Range;

/// One character and the bytes that it was read from.
#[derive(Clone, Copy)]
pub(super) struct Letter {
    pub(super) folded: char,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The characters of a text, one after the other. Case stays.
#[derive(Clone, Copy)]
pub(super) struct Letters<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Letters<'t> {
    /// From the start of a text.
    pub(super) const fn of(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// The next character, if it is as wanted.
    pub(super) fn next_if(&mut self, is_wanted: impl Fn(&Letter) -> bool) -> Option<Letter> {
        let mut ahead = *self;
        let letter = ahead.next().filter(is_wanted)?;
        *self = ahead;
        Some(letter)
    }

    /// A run of plain letters and digits here that nothing goes on: most words, read by their bytes.
    pub(super) fn plain_word(&mut self) -> Option<Range<usize>> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let next = rest.get(len).copied().unwrap_or(b' ');
        if len == 0 || !next.is_ascii() || matches!(next, b'`' | b'~' | b'\\') {
            return None;
        }
        let word = self.at..self.at + len;
        self.at = word.end;
        Some(word)
    }
}

impl Iterator for Letters<'_> {
    type Item = Letter;

    fn next(&mut self) -> Option<Letter> {
        loop {
            let rest = self.text.get(self.at..)?;
            let first = rest.chars().next()?;
            let (read, len) = match first {
                '\\' => escaped(rest),
                '&' => entity(rest),
                '~' => tildes(rest),
                _ => (folded(first), first.len_utf8()),
            };
            let start = self.at;
            self.at += len;
            if let Some(folded) = read {
                return Some(Letter { folded, start, end: self.at });
            }
        }
    }
}

/// Scripts that set no blanks between words; Hangul sets them, but joins particles to names.
pub(super) const fn is_unsegmented(letter: char) -> bool {
    matches!(letter,
        '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The one form of a character; `None` for what is not seen.
const fn folded(letter: char) -> Option<char> {
    Some(match letter {
        '\n' | '\r' | '\u{0b}' | '\u{0c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => '\n',
        '\t' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '`' => return None,
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{201b}' | '\u{2bc}' | '\u{ff07}' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' => '"',
        '\u{ff01}'..='\u{ff5e}' => match char::from_u32(letter as u32 - 0xfee0) {
            Some(narrow) => narrow,
            None => letter,
        },
        other => other,
    })
}

/// What follows a backslash, as JSON and Markdown mean it.
fn escaped(rest: &str) -> (Option<char>, usize) {
    let mut letters = rest.chars().skip(1);
    match letters.next() {
        Some('u') => match unicode(rest) {
            Some((letter, len)) => (folded(letter), len),
            None => (Some('\\'), 1),
        },
        Some('n' | 'r') => (Some('\n'), 2),
        Some('t') => (Some(' '), 2),
        Some('`') => (None, 2),
        Some(mark) if mark.is_ascii_punctuation() => (Some(mark), 2),
        _ => (Some('\\'), 1),
    }
}

fn unicode(rest: &str) -> Option<(char, usize)> {
    let number = |from: usize| {
        let digits =
            rest.get(from..from + 4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let first = number(2)?;
    if let Some(letter) = char::from_u32(first) {
        return Some((letter, 6));
    }
    let second = rest.get(6..8).filter(|next| *next == "\\u").and_then(|_| number(8))?;
    let low = second.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
    let high = first.checked_sub(0xd800).filter(|high| *high < 0x400)?;
    char::from_u32(0x1_0000 + (high << 10) + low).map(|letter| (letter, 12))
}

fn entity(rest: &str) -> (Option<char>, usize) {
    const KNOWN: [(&str, char); 8] = [
        ("&nbsp;", ' '),
        ("&#160;", ' '),
        ("&amp;", '&'),
        ("&#39;", '\''),
        ("&apos;", '\''),
        ("&quot;", '"'),
        ("&#91;", '['),
        ("&#93;", ']'),
    ];
    let known = KNOWN.iter().find(|(name, _)| rest.starts_with(name));
    known.map_or((Some('&'), 1), |(name, letter)| (Some(*letter), name.len()))
}

/// Two tildes or more strike text out.
fn tildes(rest: &str) -> (Option<char>, usize) {
    let run = rest.bytes().take_while(|byte| *byte == b'~').count();
    if run > 1 { (None, run) } else { (Some('~'), 1) }
}
