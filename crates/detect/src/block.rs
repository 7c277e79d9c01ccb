//! Addresses of letters: a name, a line with the number of a house, a line that begins with a post code.
//!
//! In: a line that may be the last of such a block. Out: the name and the parts of the address. What the single lines say
//! is too little (`8 Roberts Manor`, `S86 0WP Emmamouth`); the three together are an address whatever its street is called.
//! Invariant: three lines are read, `MAX_LINE_BYTES` of each. Not here: addresses that a word of a street or
//! a place proves (`address`).

use cloakgate_vocab::Span;

use crate::letters::is_whole_name;
use crate::people::{self, Letters};
use crate::vocabulary;

/// Longest line of an address in bytes.
pub(crate) const MAX_LINE_BYTES: usize = 96;
/// Most words of a place, and of a street with its number.
const MAX_PLACE_WORDS: usize = 5;
const MAX_STREET_WORDS: usize = 10;

/// A name over its address.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Block {
    /// The person.
    pub(crate) name: Span,
    /// Street with number, or the whole address when it stands on one line.
    pub(crate) street: Span,
    /// The post code on the line of its own.
    pub(crate) code: Option<Span>,
}

/// Reads the block whose last line begins at `start`.
pub(crate) fn ending(text: &str, start: usize, end: usize) -> Option<Block> {
    let line = text.get(start..end)?.trim_end();
    let last = line.trim_start();
    let start = start + line.len() - last.len();
    if last.len() > MAX_LINE_BYTES {
        return None;
    }
    let code = code_and_place(last);
    if code.is_none() && !ends_with_coded_part(last) {
        return None;
    }
    let above = line_before(text, start)?;
    if let Some(code) = code {
        let street = above.of(text)?;
        // `2017 Rita Roca`, a line of a list of holders of copyright
        let years = begins_with_year(street) && begins_with_year(last);
        let name = name_over(text, above.start()).filter(|_| is_street(street) && !years)?;
        return Some(Block { name, street: above, code: Some(Span::sized(start, code)) });
    }
    if !is_whole_address(last) {
        return None;
    }
    let name = name_of_line(text, above)?;
    Some(Block { name, street: Span::sized(start, last.len()), code: None })
}

/// Whether a post code stands at either end of what the last comma and blank of a line part off.
fn ends_with_coded_part(line: &str) -> bool {
    let bytes = line.as_bytes();
    let comma = memchr::memrchr_iter(b',', bytes).find(|at| bytes.get(at + 1) == Some(&b' '));
    comma
        .and_then(|at| line.get(at + 2..))
        .is_some_and(|part| code_and_place(part).is_some() || ends_with_code(part))
}

/// Whether a line that ends with a post code, or with a part that begins with one, is a whole address.
fn is_whole_address(line: &str) -> bool {
    let Some((street, place)) = line.split_once(", ") else { return false };
    let end_of_line = place.rsplit(", ").next().unwrap_or_default();
    // `Level 3, 2026` is no address
    let told = end_of_line.contains(' ') || place.contains(", ");
    (told || code_and_place(end_of_line).is_some())
        && (is_street(street) || place.split(", ").any(is_street))
        && line.split(", ").all(|part| is_of_address(part, MAX_STREET_WORDS))
}

/// The line before the one at `start`, without blanks around it.
fn line_before(text: &str, start: usize) -> Option<Span> {
    let head = text.get(..start)?.trim_end_matches([' ', '\t']);
    let end = head.strip_suffix('\n')?.len();
    let floor = text.ceil_char_boundary(end.saturating_sub(MAX_LINE_BYTES + 1));
    let window = text.get(floor..end)?;
    let open = window.rfind('\n').map(|at| at + 1).or_else(|| (floor == 0).then_some(0))?;
    let line = window.get(open..)?;
    let lead = line.len() - line.trim_start().len();
    let inner = line.trim();
    (!inner.is_empty()).then(|| Span::sized(floor + open + lead, inner.len()))
}

/// The name on the line over the one at `start`.
fn name_over(text: &str, start: usize) -> Option<Span> {
    let head = text.get(..start)?;
    let line = head.rfind('\n').map_or(0, |at| at + 1);
    name_of_line(text, line_before(text, line)?)
}

/// A line that is a name, also behind a key: `Ship to: Rita Roca`.
fn name_of_line(text: &str, line: Span) -> Option<Span> {
    let written = line.of(text)?;
    let at = written.rfind(": ").map_or(0, |at| at + 2);
    let name = written.get(at..)?.trim();
    let reversed = people::reversed_prefix(name) == Some(name.len());
    // The address below speaks for names that are common words as well.
    let written = people::name_prefix(name, Letters::Capitals)
        .is_some_and(|prefix| prefix.len == name.len() && (2..=4).contains(&prefix.words));
    let named = written && !vocabulary::is_phrase(name) && !people::is_organisation(name);
    (reversed || named || is_whole_name(name)).then(|| Span::sized(line.start() + at, name.len()))
}

/// The post code that begins the line at `start`.
pub(crate) fn code_of_line(text: &str, start: usize) -> Option<Span> {
    let rest = text.get(start..)?;
    let window = rest.get(..rest.floor_char_boundary(MAX_LINE_BYTES))?;
    let line = window.split('\n').next()?;
    let lead = line.len() - line.trim_start().len();
    code_and_place(line.trim()).map(|len| Span::sized(start + lead, len))
}

/// Length of the post code that the line begins with, when a place follows and nothing else.
fn code_and_place(line: &str) -> Option<usize> {
    if !line.bytes().next().is_some_and(|first| matches!(first, b'A'..=b'Z' | b'0'..=b'9' | b'-')) {
        return None;
    }
    let mut words = line.split(' ');
    let first = words.next().filter(|word| word.bytes().any(|byte| byte.is_ascii_digit()))?;
    let second = words.next()?;
    let both = first.len() + 1 + second.len();
    let code = if is_pair(first, second) {
        both
    } else if is_code(first) {
        first.len()
    } else {
        return None;
    };
    let place = line.get(code..)?.strip_prefix([' ', '\u{a0}'])?.trim_start();
    let capital = place.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    let small = place.contains(' ') && place.split(' ').skip(1).any(starts_big);
    let letters = place.chars().all(|c| c.is_alphabetic() || is_joint(c));
    ((capital || small) && letters && place.split(' ').count() <= MAX_PLACE_WORDS).then_some(code)
}

/// `Deanstad S86 0WP`, `GA 83282`
fn ends_with_code(part: &str) -> bool {
    if !part.ends_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-') {
        return false;
    }
    let mut words = part.rsplit(' ');
    let (Some(last), before) = (words.next(), words.next()) else { return false };
    is_code(last) || before.is_some_and(|before| is_pair(before, last))
}

/// `12345`, `00-950`, `D-12345`, `1000-123`, `V9T7S8`
fn is_code(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_uppercase).count();
    let marks = word.bytes().filter(|byte| *byte == b'-').count();
    let national = letters <= 3 && digits >= 3;
    (3..=8).contains(&digits)
        && marks <= 1
        && digits + letters + marks == word.len()
        && (letters == 0 || national)
        && word.len() <= 10
}

/// `S86 0WP`, `111 51`, `1234 AB`, `D02 X285`
fn is_pair(first: &str, second: &str) -> bool {
    let plain = |word: &str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let digits = |word: &str| word.bytes().filter(u8::is_ascii_digit).count();
    let british = (2..=4).contains(&first.len())
        && (3..=4).contains(&second.len())
        && first.starts_with(|c: char| c.is_ascii_uppercase())
        && digits(first) > 0
        && digits(second) > 0;
    let numbers = first.len() == 3 && second.len() == 2 && digits(first) == 3 && digits(second) == 2;
    let dutch = first.len() == 4 && digits(first) == 4 && second.len() == 2 && digits(second) == 0;
    plain(first) && plain(second) && (british || numbers || dutch)
}

/// Words with a capital, and a number that a house may have.
fn is_street(line: &str) -> bool {
    let number = |word: &&str| {
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        (1..=6).contains(&digits)
    };
    let word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() >= 2 && !number(word);
    line.split(' ').any(|part| number(&part))
        && line.split(' ').any(|part| word(&part) && starts_big(part))
        && is_of_address(line, MAX_STREET_WORDS)
}

fn begins_with_year(line: &str) -> bool {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4 && matches!(line.get(..2), Some("19" | "20"))
}

/// Nothing but words, short words and numbers.
fn is_of_address(part: &str, most: usize) -> bool {
    let mut small = 0;
    let fits = part.split(' ').all(|word| {
        let numbered = word.bytes().any(|byte| byte.is_ascii_digit());
        small += usize::from(!numbered && !starts_big(word));
        word.chars()
            .all(|c| c.is_alphanumeric() || is_joint(c) || matches!(c, '/' | ',' | '#' | '°' | 'º' | '&'))
            && (!numbered || word.len() <= 12)
    });
    fits && small <= 2 && (1..=most).contains(&part.split(' ').count())
}

fn starts_big(word: &str) -> bool {
    word.chars().find(|c| c.is_alphabetic()).is_some_and(|c| !c.is_lowercase())
}

fn is_joint(c: char) -> bool {
    matches!(c, ' ' | '-' | '\'' | '’' | '.' | '\u{a0}') || unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::ending;

    fn found(text: &str) -> Vec<&str> {
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        let Some(block) = ending(text, start, text.len()) else { return Vec::new() };
        [Some(block.name), Some(block.street), block.code]
            .into_iter()
            .flatten()
            .filter_map(|span| span.of(text))
            .collect()
    }

    #[test]
    fn three_lines_are_an_address() {
        for (text, parts) in [
            (
                "Rita Roca\n8 Roberts Manor\nS86 0WP Emmamouth",
                &["Rita Roca", "8 Roberts Manor", "S86 0WP"][..],
            ),
            (
                "Ship to: Rita Roca\n704 Circles Apt. 044\n05237 Brentown",
                &["Rita Roca", "704 Circles Apt. 044", "05237"],
            ),
            (
                "Rita Roca\nLos Pinos 364 Of. 828\n617-4240 Calera",
                &["Rita Roca", "Los Pinos 364 Of. 828", "617-4240"],
            ),
            (
                "Rita Roca\nFlat 8, Kaur Isle, Cliveton, CA63 1BL",
                &["Rita Roca", "Flat 8, Kaur Isle, Cliveton, CA63 1BL"],
            ),
            (
                "Rita Roca\n37 Weiss Grange, 2626 Marcusport",
                &["Rita Roca", "37 Weiss Grange, 2626 Marcusport"],
            ),
            ("Error Report\n8 Roberts Manor\nS86 0WP Emmamouth", &[]),
            ("Rita Roca\n2017 Bob Ray\n2019 Ann Lee", &[]),
            ("Rita Roca\n8 tests passed\n12345 Total", &[]),
            ("Rita Roca\nEngineer\n12345 Emmamouth", &[]),
            ("Rita Roca\nLevel 3, 2026", &[]),
            ("Rita Roca\n\n8 Roberts Manor\nS86 0WP Emmamouth", &[]),
        ] {
            assert_eq!(found(text), parts, "{text}");
        }
    }
}
