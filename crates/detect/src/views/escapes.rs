//! Views of text in which characters are written by signs: percent and form encoding, HTML entities,
//! quoted-printable, JSON escapes, and signs of addresses spelt out in words.
//!
//! In: a text, or a window of it. Out: where such signs stand; the window decoded, with the place of each sign.
//! Invariant: what does not decode to whole characters stays as it is.

use std::collections::HashMap;
use std::sync::LazyLock;

use cloakgate_vocab::Span;

use super::{Encoding, View};

/// Most triggers that are looked for; a text with more is covered by windows anyway.
const MAX_TRIGGERS: usize = 65_536;

static ENTITIES: LazyLock<HashMap<&'static str, char>> = LazyLock::new(|| {
    include_str!("../../data/entities.txt")
        .lines()
        .filter_map(|line| {
            let (name, code) = line.split_once(' ')?;
            Some((name, char::from_u32(u32::from_str_radix(code, 16).ok()?)?))
        })
        .collect()
});

/// Places where something is encoded, in order.
pub(super) fn triggers(encoding: Encoding, text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let at = |byte: u8| memchr::memchr_iter(byte, bytes);
    match encoding {
        Encoding::Percent => first(memchr::memchr2_iter(b'%', b'+', bytes).filter(|at| {
            hex_pair(bytes, at + 1).is_some() && bytes.get(*at) == Some(&b'%') || form_plus(text, *at)
        })),
        Encoding::Entity => first(at(b'&').filter(|at| entity(text, *at).is_some())),
        Encoding::QuotedPrintable => first(at(b'=').filter(|at| quoted_trigger(bytes, *at))),
        Encoding::Json => first(at(b'\\').filter(|at| json_unicode(text, *at).is_some())),
        Encoding::Spelt => {
            let named = |at: &usize| bytes.get(at + 1).is_some_and(|byte| matches!(byte | 0x20, b'a' | b'd'));
            let brackets = memchr::memchr3_iter(b'[', b'(', b'{', bytes).filter(named);
            let mut found =
                first(DOT.find_iter(bytes).chain(brackets.filter(|at| spelt(text, *at).is_some())));
            found.sort_unstable();
            found
        }
        Encoding::Letters => Vec::new(),
    }
}

fn first(found: impl Iterator<Item = usize>) -> Vec<usize> {
    found.take(MAX_TRIGGERS).collect()
}

/// Encodings that a short text may hold, by the signs in it; longer texts are searched for each sign.
pub(super) fn may_hold(encoding: Encoding, signs: u8, text: &str) -> bool {
    match encoding {
        Encoding::Percent => signs & PERCENT != 0,
        Encoding::Entity => signs & ENTITY != 0,
        Encoding::QuotedPrintable => signs & QUOTED != 0,
        Encoding::Json => signs & JSON != 0,
        Encoding::Spelt => signs & BRACKET != 0 || DOT.find(text.as_bytes()).is_some(),
        Encoding::Letters => signs & HIGH != 0,
    }
}

/// Which signs stand in a text.
pub(super) fn signs(text: &str) -> u8 {
    text.bytes().fold(0, |signs, byte| signs | SIGNS.get(usize::from(byte)).copied().unwrap_or(0))
}

const PERCENT: u8 = 1;
const ENTITY: u8 = 1 << 1;
const QUOTED: u8 = 1 << 2;
const JSON: u8 = 1 << 3;
const BRACKET: u8 = 1 << 4;
const HIGH: u8 = 1 << 5;

static SIGNS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        #[expect(
            clippy::indexing_slicing,
            reason = "evaluated by the compiler only, and bounded by the loop"
        )]
        {
            table[byte] = match byte as u8 {
                b'%' | b'+' => PERCENT,
                b'&' => ENTITY,
                b'=' => QUOTED,
                b'\\' => JSON,
                b'[' | b'(' | b'{' => BRACKET,
                0x80.. => HIGH,
                _ => 0,
            };
        }
        byte += 1;
    }
    table
};

static DOT: LazyLock<memchr::memmem::Finder<'static>> =
    LazyLock::new(|| memchr::memmem::Finder::new(" dot "));

/// Decodes a window.
pub(super) fn decode(encoding: Encoding, text: &str, window: Span) -> Option<View> {
    let mut view = View { start: window.start(), ..View::default() };
    let bracketed = encoding == Encoding::Spelt
        && memchr::memchr3_iter(b'[', b'(', b'{', window.of(text)?.as_bytes())
            .any(|at| spelt(text, window.start() + at).is_some());
    let mut at = window.start();
    let mut kept = at; // text before it is in the view
    while at < window.end() {
        let step = match encoding {
            Encoding::Percent => percent(text, at),
            Encoding::Entity => entity(text, at),
            Encoding::QuotedPrintable => quoted(text, at),
            Encoding::Json => json(text, at),
            Encoding::Spelt => spelt(text, at),
            Encoding::Letters => None,
        };
        // Beside `[at]`, the word `at` is just a word.
        let word = bracketed
            && text
                .get(at..at + 2)
                .is_some_and(|head| head.starts_with(' ') && !head.ends_with(['[', '(', '{']));
        let Some((decoded, len)) = step.filter(|(_, len)| at + len <= window.end() && !word) else {
            at += text.get(at..)?.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        view.keep(text.get(kept..at)?);
        view.put(decoded.encode(), at, len);
        at += len;
        kept = at;
    }
    view.keep(text.get(kept..window.end())?);
    Some(view)
}

/// What a sign stands for: a character, or nothing.
#[derive(Clone, Copy)]
pub(super) struct Decoded {
    bytes: [u8; 4],
    len: usize, // <= 4; the bytes are one character
}

impl Decoded {
    const NOTHING: Self = Self { bytes: [0; 4], len: 0 };

    fn of(c: char) -> Self {
        let mut bytes = [0; 4];
        let len = c.encode_utf8(&mut bytes).len();
        Self { bytes, len }
    }

    fn encode(&self) -> &str {
        self.bytes.get(..self.len).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

fn hex_pair(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = |at: usize| char::from(*bytes.get(at)?).to_digit(16);
    u8::try_from(digit(at)? * 16 + digit(at + 1)?).ok()
}

/// The character that begins with the byte `first`; the others follow as signs of `width` bytes each.
fn character(first: u8, next: impl Fn(usize) -> Option<u8>) -> Option<(char, usize)> {
    let count = match first {
        0x00..=0x7f => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return None,
    };
    let mut bytes = [first, 0, 0, 0];
    for (index, slot) in bytes.iter_mut().enumerate().take(count).skip(1) {
        *slot = next(index)?;
    }
    let c = std::str::from_utf8(bytes.get(..count)?).ok()?.chars().next()?;
    Some((c, count))
}

fn percent(text: &str, at: usize) -> Option<(Decoded, usize)> {
    let bytes = text.as_bytes();
    match bytes.get(at)? {
        b'%' => {
            let byte_at = |index: usize| {
                (bytes.get(at + 3 * index) == Some(&b'%')).then(|| hex_pair(bytes, at + 3 * index + 1))?
            };
            let (c, count) = character(byte_at(0)?, byte_at)?;
            (c >= ' ' || matches!(c, '\n' | '\r' | '\t')).then(|| (Decoded::of(c), 3 * count))
        }
        b'+' if form_plus(text, at) => Some((Decoded::of(' '), 1)),
        _ => None,
    }
}

/// A `+` that stands for a blank: between letters or digits in the value of a form, unless the value is an address.
fn form_plus(text: &str, at: usize) -> bool {
    const REACH: usize = 64;
    let bytes = text.as_bytes();
    let word = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80 || *byte == b'%')
    };
    if bytes.get(at) != Some(&b'+') || !word(at.checked_sub(1)) || !word(Some(at + 1)) {
        return false;
    }
    let head = bytes.get(at.saturating_sub(REACH)..at).unwrap_or_default();
    let tail = bytes.get(at..(at + REACH).min(bytes.len())).unwrap_or_default();
    let ends = |byte: &u8| matches!(byte, b'&' | b' ' | b'"' | b'\n' | b'?' | b'/');
    let opened = head.iter().rev().take_while(|byte| !ends(byte)).any(|byte| *byte == b'=');
    let value = tail.split(ends).next().unwrap_or_default();
    opened && !value.contains(&b'@') && !value.windows(3).any(|sign| sign == b"%40")
}

fn entity(text: &str, at: usize) -> Option<(Decoded, usize)> {
    let rest = text.as_bytes().get(at..)?;
    if rest.first() != Some(&b'&') {
        return None;
    }
    let end = rest.iter().take(12).position(|byte| *byte == b';')?;
    let name = text.get(at + 1..at + end)?;
    let c = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c >= ' ')?
        }
        None if name == "nbsp" => ' ',
        None => *ENTITIES.get(name)?,
    };
    Some((Decoded::of(c), end + 1))
}

fn quoted_trigger(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at + 1) {
        Some(b'\n' | b'\r') => !ends_base64(bytes, at),
        // Signs of addresses, blanks, and letters outside ASCII.
        _ => hex_upper(bytes, at + 1).is_some_and(|byte| matches!(byte, 0x20..=0x40 | 0xc2..=0xf4)),
    }
}

/// Whether a text is quoted-printable as a whole: it has a letter outside ASCII so, or another sign and a line that is
/// broken. Pairs such as `page=30` and an `=` at the end of a line are common elsewhere.
pub(super) fn is_quoted_printable(text: &str) -> bool {
    let (mut signs, mut breaks) = (false, false);
    for at in triggers(Encoding::QuotedPrintable, text) {
        match quoted(text, at) {
            Some((decoded, len)) if len > 3 && decoded.len > 1 => return true,
            Some((decoded, _)) if decoded.len == 0 => breaks = true,
            Some(_) => signs = true,
            None => {}
        }
        if signs && breaks {
            return true;
        }
    }
    false
}

/// `fBmk=` at the end of a line: the sign fills the last group of a base64 value, and breaks no line. What is indented
/// begins a line of its own.
fn ends_base64(bytes: &[u8], at: usize) -> bool {
    if bytes.get(at + 1) == Some(&b'\n') && matches!(bytes.get(at + 2), Some(b' ' | b'\t')) {
        return true;
    }
    let head = bytes.get(..at).unwrap_or_default();
    let padding = usize::from(head.ends_with(b"="));
    let letters = head
        .iter()
        .rev()
        .skip(padding)
        .take(1024)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_'))
        .count();
    let letters = letters + padding;
    letters >= 15 && (letters + 1) % 4 == 0
}

fn hex_upper(bytes: &[u8], at: usize) -> Option<u8> {
    let pair = bytes.get(at..at + 2)?;
    if pair.iter().any(u8::is_ascii_lowercase) {
        return None;
    }
    hex_pair(bytes, at)
}

fn quoted(text: &str, at: usize) -> Option<(Decoded, usize)> {
    let bytes = text.as_bytes();
    if bytes.get(at)? != &b'=' {
        return None;
    }
    match (bytes.get(at + 1), bytes.get(at + 2)) {
        (Some(b'\n' | b'\r'), _) if ends_base64(bytes, at) => return None,
        (Some(b'\n'), _) => return Some((Decoded::NOTHING, 2)),
        (Some(b'\r'), Some(b'\n')) => return Some((Decoded::NOTHING, 3)),
        _ => {}
    }
    let byte_at = |index: usize| {
        (bytes.get(at + 3 * index) == Some(&b'=')).then(|| hex_upper(bytes, at + 3 * index + 1))?
    };
    let (c, count) = character(byte_at(0)?, byte_at)?;
    (c >= ' ').then(|| (Decoded::of(c), 3 * count))
}

/// `\u0041`, and two of them for a character beyond 16 bits.
fn json_unicode(text: &str, at: usize) -> Option<(Decoded, usize)> {
    let unit = |at: usize| {
        let sign = text.get(at..at + 6)?;
        let hex = sign.strip_prefix("\\u")?;
        hex.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(hex, 16).ok())?
    };
    let first = unit(at)?;
    let units = [first, unit(at + 6).unwrap_or(0)];
    if (0xd800..0xdc00).contains(&first) {
        let c = char::decode_utf16(units).next()?.ok()?;
        return Some((Decoded::of(c), 12));
    }
    Some((Decoded::of(char::from_u32(u32::from(first))?), 6))
}

fn json(text: &str, at: usize) -> Option<(Decoded, usize)> {
    if text.as_bytes().get(at)? != &b'\\' {
        return None;
    }
    let c = match text.as_bytes().get(at + 1)? {
        b'u' => return json_unicode(text, at),
        b'/' => '/',
        b'\\' => '\\',
        b'n' => '\n',
        b't' => '\t',
        _ => return None,
    };
    Some((Decoded::of(c), 2))
}

/// ` [at] `, `(dot)`, ` at `, ` dot `.
fn spelt(text: &str, at: usize) -> Option<(Decoded, usize)> {
    let bytes = text.as_bytes();
    if !matches!(bytes.get(at)?, b' ' | b'[' | b'(' | b'{') {
        return None;
    }
    let rest = bytes.get(at..(at + 12).min(bytes.len()))?;
    let blank = usize::from(rest.first() == Some(&b' '));
    let bracket = matches!(rest.get(blank), Some(b'[' | b'(' | b'{'));
    let from = blank + usize::from(bracket);
    let word = rest.get(from..)?;
    let (sign, len) = if word.len() >= 2 && word.get(..2)?.eq_ignore_ascii_case(b"at") {
        ('@', 2)
    } else if word.len() >= 3 && word.get(..3)?.eq_ignore_ascii_case(b"dot") {
        ('.', 3)
    } else {
        return None;
    };
    let mut end = from + len;
    if bracket {
        matches!(rest.get(end), Some(b']' | b')' | b'}')).then_some(())?;
        end += 1;
        end += usize::from(blank == 1 && rest.get(end) == Some(&b' '));
    } else {
        (rest.get(end) == Some(&b' ')).then_some(())?;
        end += 1;
    }
    Some((Decoded::of(sign), end))
}
