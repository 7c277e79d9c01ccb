//! Names that stand alone on a line: over an address, under a letter, as the heading of a card.
//!
//! In: a text, the place of a line or of an address of mail. Out: spans of names. Invariant: a look reads one line, or
//! `REACH` bytes. Not here: what must be found near a name before it counts (`pass`).

use cloakgate_vocab::Span;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::canonical::{is_word_char, without_stroke};
use crate::people::{self, Letters, name_prefix};
use crate::{keys, vocabulary, work};

/// Longest line, in bytes, that is a name.
pub(crate) const MAX_LINE_BYTES: usize = 64;
/// How far, in bytes, from an address the name stands of which it is made.
const REACH: usize = 200;
/// Most lines, and bytes, that follow the name under a letter.
const MAX_TAIL_LINES: usize = 4;
const MAX_TAIL_BYTES: usize = 200;
/// Most places that are looked at around one address.
const MAX_LOOKS: usize = 24;

/// Where a line with a name stands in its text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Position {
    /// Little follows.
    Last,
    /// Other lines follow at once.
    Over,
}

/// A line that is a name and nothing else.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct NameLine {
    /// The name.
    pub(crate) span: Span,
    /// Where it stands.
    pub(crate) position: Position,
}

/// Reads a line that opens a paragraph.
pub(crate) fn name_line(text: &str, start: usize, end: usize) -> Option<NameLine> {
    let line = text.get(start..end).filter(|line| (2..=MAX_LINE_BYTES).contains(&line.len()))?;
    let head = text.get(..start)?.trim_end_matches('\r');
    if !head.is_empty() && !head.ends_with("\n\n") && !head.ends_with("\n\r\n") {
        return None;
    }
    let name = line.trim_start_matches(['#', '*', ' ']);
    let number = name.bytes().take_while(u8::is_ascii_digit).count();
    let name = name.get(number..)?.trim_start_matches(['.', ')', ' ', '*']);
    let start = end - name.len();
    let name = name.trim_end_matches([' ', '\r', '*']);
    if !is_whole_name(name) {
        return None;
    }
    let rest = text.get(end..).unwrap_or_default();
    let tail = rest.get(..(MAX_TAIL_BYTES + 1).min(rest.len())).map_or(rest, str::trim_end);
    let last = tail.len() <= MAX_TAIL_BYTES && !head.is_empty() && tail.lines().count() <= MAX_TAIL_LINES + 1;
    let position = if last { Position::Last } else { Position::Over };
    Some(NameLine { span: Span::sized(start, name.len()), position })
}

/// Two to four words, none of them common, or a short run of a script without capitals.
pub(crate) fn is_whole_name(name: &str) -> bool {
    let Some(prefix) = name_prefix(name, Letters::Capitals) else { return false };
    prefix.len == name.len()
        && if prefix.uncased {
            prefix.words <= 4 && name.chars().count() <= 24
        } else {
            (2..=4).contains(&prefix.words)
        }
        && !people::is_organisation(name)
        && !name.split(' ').any(is_common)
}

fn is_common(word: &str) -> bool {
    vocabulary::is_common(word) || people::is_no_name(word)
}

/// `Marie Dubois, 312 45 67`, `2. Marie Dubois: 312 45 67`: the name that a line begins with, before a telephone number
/// at `at`.
pub(crate) fn name_before_number(text: &str, at: usize) -> Option<Span> {
    let floor = text.ceil_char_boundary(at.saturating_sub(MAX_LINE_BYTES));
    let head = text.get(floor..at)?;
    let line = match head.rfind('\n') {
        Some(feed) => head.get(feed + 1..)?,
        None if floor == 0 => head,
        None => return None,
    };
    let body = line.trim_start_matches([' ', '-', '*', '•', '\t']);
    let number = body.bytes().take_while(u8::is_ascii_digit).count();
    let body = body.get(number..)?.trim_start_matches(['.', ')', ' ']);
    if let Some(head) = body.trim_end().strip_suffix("...") {
        return entry_name(head).map(|name| Span::sized(at - body.len(), name.len()));
    }
    let gap = [", ", ": ", " - ", " – ", "; ", " | ", "\t", "  "];
    let gap = gap.iter().find(|gap| body.ends_with(**gap))?;
    let name = body.strip_suffix(*gap)?.trim_end_matches(['*', ' ', ',']);
    (name.contains(' ') && is_whole_name(name)).then(|| Span::sized(at - body.len(), name.len()))
}

/// `Dubois, Marie (Sales) .....`: the name in a list of telephone numbers, before dots that lead to the number.
pub(crate) fn entry_name(head: &str) -> Option<&str> {
    let head = head.trim_end_matches(['.', ' ']);
    let name = [" (", " – ", " - "]
        .iter()
        .filter_map(|mark| head.find(mark))
        .min()
        .map_or(Some(head), |at| head.get(..at))?;
    let reversed = || people::reversed_prefix(name) == Some(name.len());
    // `Passport No ......` is a label
    let label = keys::meaning_of(name).is_some();
    (name.contains(' ') && !label && (is_whole_name(name) || reversed())).then_some(name)
}

/// `<h3>Marie Dubois</h3>`: the name that an element before the one at `at` holds, at most `REACH` bytes before it.
pub(crate) fn heading_before(text: &str, at: usize) -> Option<Span> {
    let floor = text.ceil_char_boundary(at.saturating_sub(REACH));
    let window = text.get(floor..at)?;
    window
        .match_indices("</")
        .take(MAX_LOOKS)
        .filter_map(|(close, _)| {
            let open = window.get(..close)?.rfind('>')? + 1;
            let name = window.get(open..close)?;
            let tag = window.get(close + 2..)?.split('>').next()?;
            let heading =
                matches!(tag, "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "strong" | "b" | "dt" | "td" | "th");
            (heading && name.contains(' ') && is_whole_name(name))
                .then(|| Span::sized(floor + open, name.len()))
        })
        .last()
}

/// The names around an address of mail that is made of them: `Dana Ellis` near `d.ellis@example.org`.
pub(crate) fn names_near(text: &str, address: Span) -> Vec<Span> {
    let local = address.of(text).and_then(|address| address.split('@').next()).unwrap_or_default();
    if !local.is_ascii() || local.len() > 40 {
        return Vec::new();
    }
    let parts: Vec<&str> =
        local.split(|c: char| !c.is_ascii_alphabetic()).filter(|part| !part.is_empty()).take(4).collect();
    let start = text.ceil_char_boundary(address.start().saturating_sub(REACH));
    let end = text.floor_char_boundary((address.end() + REACH).min(text.len()));
    let mut found = Vec::new();
    let mut looks = 0;
    for window in [(start, address.start()), (address.end(), end)] {
        let bytes = text.as_bytes().get(window.0..window.1).unwrap_or_default();
        for part in parts.iter().filter(|part| part.len() >= 3 && !is_common(part)) {
            // The part itself, and `dubois` in `mdubois`.
            let family = part.get(1..).filter(|rest| rest.len() >= 4);
            let big = |word: &str| word.bytes().next().map_or(0, |byte| byte.to_ascii_uppercase());
            let (first, second) = (big(part), big(family.unwrap_or(part)));
            work::count(bytes.len());
            for at in memchr::memchr2_iter(first, second, bytes) {
                looks += 1;
                if looks > MAX_LOOKS {
                    return found;
                }
                let place = window.0 + at;
                if bytes.get(at) == Some(&first) {
                    found.extend(name_at(text, place, part, None, &parts));
                }
                if let Some(family) = family.filter(|_| bytes.get(at) == Some(&second)) {
                    found.extend(name_at(text, place, family, part.get(..1), &parts));
                }
            }
        }
    }
    found
}

/// The name that one word of is `part`, written with a capital at `at`; another word must fit the address too.
fn name_at(text: &str, at: usize, part: &str, initial: Option<&str>, parts: &[&str]) -> Option<Span> {
    let before = text.get(..at)?;
    if before.ends_with(|c: char| is_word_char(c) || matches!(c, '@' | '.' | '/' | '_' | '-' | '\\')) {
        return None;
    }
    let word = word_at(text, at)?;
    let same = if word.is_ascii() {
        word.eq_ignore_ascii_case(part)
    } else {
        plain(word) == part.to_ascii_lowercase()
    };
    if !same {
        return None;
    }
    let fits = |other: &str| {
        let plain = plain(other);
        let first = plain.get(..1).unwrap_or_default();
        let written = other.starts_with(char::is_uppercase) && !is_common(other);
        written
            && match initial {
                Some(initial) => initial.eq_ignore_ascii_case(first),
                None => parts.iter().any(|other| {
                    !other.eq_ignore_ascii_case(part)
                        && (other.eq_ignore_ascii_case(&plain)
                            || (other.len() == 1 && other.eq_ignore_ascii_case(first)))
                }),
            }
    };
    let end = at + word.len();
    // `Dana Ellis`, `Dana M. Ellis`, `Ellis Dana`
    if let Some(head) = before.strip_suffix(' ')
        && let Some(other) = word_ending(head).filter(|other| fits(other))
    {
        return Some(Span::sized(at - 1 - other.len(), other.len() + 1 + word.len()));
    }
    let next = text.get(end..)?;
    let gap = if next.starts_with(", ") { 2 } else { usize::from(next.starts_with(' ')) };
    let other = word_at(text, end + gap).filter(|other| gap > 0 && fits(other))?;
    Some(Span::sized(at, word.len() + gap + other.len()))
}

fn word_at(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    let len: usize = rest
        .chars()
        .take(32)
        .take_while(|c| is_word_char(*c) || matches!(c, '-' | '\''))
        .map(char::len_utf8)
        .sum();
    let word = rest.get(..len)?;
    Some(word.strip_suffix("'s").unwrap_or(word)).filter(|word| !word.is_empty())
}

fn word_ending(head: &str) -> Option<&str> {
    let len: usize = head
        .chars()
        .rev()
        .take(32)
        .take_while(|c| is_word_char(*c) || matches!(c, '-' | '\''))
        .map(char::len_utf8)
        .sum();
    head.get(head.len() - len..).filter(|word| !word.is_empty())
}

/// The letters of a word as addresses write them: small, without accents.
pub(crate) fn plain(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match c {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            other => out.push(without_stroke(other)),
        }
    }
    out
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "marks in the texts of tests are ASCII")]
mod tests {
    use cloakgate_vocab::Span;

    use super::{Position, heading_before, name_before_number, name_line, names_near};

    #[test]
    fn names_begin_lines_with_numbers() {
        for (text, name) in [
            ("x\nRita Roca, 555 0100", "Rita Roca"),
            ("2. Rita Roca: 555 0100", "Rita Roca"),
            ("Customer Service, 555 0100", ""),
            ("call Rita Roca, 555 0100", ""),
            ("Rita Roca 555 0100", ""),
        ] {
            assert_eq!(cut(text, name_before_number(text, text.len() - 8)), name, "{text}");
        }
    }

    fn cut(text: &str, span: Option<Span>) -> &str {
        span.and_then(|span| span.of(text)).unwrap_or_default()
    }

    #[test]
    fn names_stand_near_addresses_that_are_made_of_them() {
        for (text, names) in [
            ("I met Dana Ellis, write to d.ellis@example.org", &["Dana Ellis"][..]),
            ("<h3>Müjde Durmuş</h3> mujde_durmus89@example.org", &["Müjde Durmuş"]),
            ("mdubois@example.org is Marie Dubois", &["Marie Dubois"]),
            ("Dubois, Marie: marie.dubois@example.org", &["Dubois, Marie"]),
            ("Acme Widgets, sales@acme.example.org", &[]),
            ("The Error Code, error.code@example.org", &[]),
            ("Ellis Island, d.ellis@example.org", &[]),
        ] {
            let at = text.find('@').unwrap();
            let start = text[..at].rfind([' ', ':']).map_or(0, |at| at + 1);
            let end = text[at..].find(' ').map_or(text.len(), |len| at + len);
            let found: Vec<&str> = names_near(text, Span::sized(start, end - start))
                .into_iter()
                .filter_map(|span| span.of(text))
                .collect();
            assert_eq!(found.first().copied().into_iter().collect::<Vec<_>>(), names, "{text}");
        }
    }

    #[test]
    fn lines_and_headings_hold_names_alone() {
        for (text, line, name, position) in [
            ("Marie Dubois\n12 rue x\n", 0, "Marie Dubois", Some(Position::Over)),
            ("Hello.\n\nMarie Dubois\nAcme\n", 8, "Marie Dubois", Some(Position::Last)),
            ("Hello.\n\nError Code\nAcme\n", 8, "", None),
            ("Hello.\n\nGarcia Inc\n", 8, "", None),
            ("Hello.\nMarie Dubois\n", 7, "", None),
            ("x\n\n申敏\n", 3, "申敏", Some(Position::Last)),
        ] {
            let end = line + text[line..].find('\n').unwrap();
            let found = name_line(text, line, end);
            assert_eq!(cut(text, found.map(|line| line.span)), name, "{text}");
            assert_eq!(found.map(|line| line.position), position, "{text}");
        }
        let text = "<h3>Marie Dubois</h3><p>Head of Sales</p><a href=\"mailto:m@example.org\">";
        assert_eq!(cut(text, heading_before(text, text.len() - 2)), "Marie Dubois");
        let text = "<h3>Contact Us</h3><p>Sales</p>m@example.org";
        assert_eq!(cut(text, heading_before(text, text.len())), "");
    }
}
