//! Views of text in which letters are not what they seem: full-width forms, mathematical letters, characters of no
//! width, foreign digits, and letters of other scripts that look like Latin ones.
//!
//! In: a text, or a window of it. Out: where such characters stand; the window with plain ones. Invariant: words
//! wholly of another script stay as they are; only words that mix scripts are folded.

use cloakgate_vocab::Span;
use unicode_normalization::UnicodeNormalization;

use super::View;

/// Cyrillic and Greek letters beside the Latin ones that they look like.
const LOOK_ALIKES: &[(&str, &str)] = &[
    ("аеорсухіјѕԁһԛԝνοαɡɩ", "aeopcyxijsdhqwvoagi"),
    ("АВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEKMHOPCTYXIJSABEZHIKMNOPTYX"),
];

fn look_alike(c: char) -> Option<char> {
    if !matches!(u32::from(c), 0x250..=0x2af | 0x370..=0x3ff | 0x400..=0x52f) {
        return None;
    }
    LOOK_ALIKES.iter().find_map(|(foreign, latin)| {
        foreign.chars().zip(latin.chars()).find(|(other, _)| *other == c).map(|(_, l)| l)
    })
}

fn has_no_width(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// The plain form of a character that is a variant of an ASCII one.
fn plain(c: char) -> Option<char> {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0),
        '\u{3000}' | '\u{202f}' | '\u{2009}' | '\u{2007}' | '\u{a0}' => Some(' '),
        '\u{2010}'..='\u{2013}' | '\u{2212}' => Some('-'),
        '\u{2024}' | '\u{3002}' | '\u{ff61}' => Some('.'),
        '\u{660}'..='\u{669}' => char::from_u32(u32::from(c) - 0x660 + 0x30),
        '\u{6f0}'..='\u{6f9}' => char::from_u32(u32::from(c) - 0x6f0 + 0x30),
        '\u{966}'..='\u{96f}' => char::from_u32(u32::from(c) - 0x966 + 0x30),
        '\u{9e6}'..='\u{9ef}' => char::from_u32(u32::from(c) - 0x9e6 + 0x30),
        '\u{2070}'..='\u{209c}' | '\u{2460}'..='\u{24ff}' | '\u{1d400}'..='\u{1d7ff}' => {
            let mut folded = std::iter::once(c).nfkc();
            folded.next().filter(|first| first.is_ascii_alphanumeric() && folded.next().is_none())
        }
        _ => None,
    }
}

/// Places of characters that are not what they seem, in order.
pub(super) fn triggers(text: &str) -> Vec<usize> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next_high(text.as_bytes(), at) {
        let mut before =
            start.checked_sub(1).and_then(|at| text.as_bytes().get(at)).map_or(' ', |byte| char::from(*byte));
        at = start;
        let mut chars = text.get(start..).unwrap_or_default().chars().peekable();
        while let Some(c) = chars.next().filter(|c| !c.is_ascii()) {
            if is_trigger(before, c, chars.peek().copied().unwrap_or(' ')) {
                found.push(at);
            }
            before = c;
            at += c.len_utf8();
        }
    }
    found
}

/// Place of the next byte outside ASCII.
fn next_high(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let (chunks, _) = rest.as_chunks::<16>();
    let skipped =
        chunks.iter().take_while(|chunk| u128::from_le_bytes(**chunk) & HIGH_BITS == 0).count() * 16;
    let found = rest.get(skipped..)?.iter().position(|byte| !byte.is_ascii())?;
    Some(at + skipped + found)
}

const HIGH_BITS: u128 = 0x8080_8080_8080_8080_8080_8080_8080_8080;

fn is_trigger(before: char, c: char, after: char) -> bool {
    if has_no_width(c) {
        // Joiners are part of words in Indic and Persian script, and of emoji.
        let latin = |c: char| c.is_ascii_graphic() || matches!(c, '\u{c0}'..='\u{24f}');
        return latin(before) && latin(after);
    }
    let between = before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric();
    match c {
        '\u{a0}' => false,
        '\u{3000}' | '\u{2009}' | '\u{2007}' | '\u{202f}' | '\u{2010}'..='\u{2013}' | '\u{2212}' => {
            between && before.is_ascii_digit() && after.is_ascii_digit()
        }
        '\u{3002}' | '\u{ff61}' => between,
        '\u{ff01}'..='\u{ff5e}' => {
            !matches!(c, '，' | '！' | '？' | '（' | '）' | '；') && c != '：' || between
        }
        _ if plain(c).is_some() => true,
        _ => look_alike(c).is_some() && (latin_sign(before) || latin_sign(after)),
    }
}

fn latin_sign(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '@'
}

/// The window with plain characters.
pub(super) fn decode(text: &str, window: Span) -> Option<View> {
    let mut view = View { start: window.start(), ..View::default() };
    let part = window.of(text)?;
    let mut offset = window.start();
    for word in part.split_inclusive(char::is_whitespace) {
        // In a word with Latin letters, or with the signs of an address, foreign look-alikes are suspect.
        let mixed = !word.is_ascii() && word.contains(|c: char| c.is_ascii_alphabetic());
        for (at, c) in word.char_indices() {
            let raw = offset + at;
            if c.is_ascii() {
                view.text.push(c);
            } else if has_no_width(c) {
                view.put("", raw, c.len_utf8());
            } else if let Some(folded) = plain(c).or_else(|| look_alike(c).filter(|_| mixed)) {
                view.put(folded.encode_utf8(&mut [0; 4]), raw, c.len_utf8());
            } else {
                view.text.push(c);
            }
        }
        offset += word.len();
    }
    Some(view)
}
