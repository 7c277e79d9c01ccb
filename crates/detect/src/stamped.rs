//! Names beside times: lines of chats and of histories of files.
//!
//! In: a line. Out: the name of the one who wrote it. Forms: `[23/03/26, 21:19:05] Rita Roca: hello`,
//! `23/03/26, 21:19 - Rita Roca: hello`, `[21:19] Rita Roca: hello`, `[03/23 21:19] Rita Roca` over the message,
//! `Rita Roca — 23/03/2026 21:19`, `Rita Roca  9:19 PM`, `1b2c3d4e (Rita Roca 2026-03-23 ...`,
//! `1b2c3d4 Rita Roca, 3 days ago : ...`. Invariant: one line is read, `MAX_LINE_BYTES` of it. Not here: mailboxes,
//! which speak for themselves (`people`).

use cloakgate_vocab::Span;

use crate::letters::is_whole_name;
use crate::people::{self, Letters, name_prefix};
use crate::vocabulary;

/// Longest stamp in bytes.
const MAX_STAMP_BYTES: usize = 28;
/// Longest line, in bytes, that ends with a stamp.
pub(crate) const MAX_LINE_BYTES: usize = 96;
/// Shortest and longest number of a revision.
const REVISION_DIGITS: std::ops::RangeInclusive<usize> = 7..=41;

/// The name behind the stamp that a line begins with.
pub(crate) fn behind(text: &str, line_start: usize, line_end: usize) -> Option<Span> {
    let line = text.get(line_start..line_end)?.trim_start_matches(['\u{200e}', '\u{feff}']);
    let offset = line_end - line.len();
    let head = line.get(..line.floor_char_boundary(MAX_STAMP_BYTES))?;
    let stamp_end = match line.as_bytes().first()? {
        b'[' => head.find("] ")? + 2,
        b'0'..=b'9' => head.find(" - ").map(|at| at + 3).or_else(|| clock_end(head))?,
        _ => return None,
    };
    let stamp = Stamp::read(line.get(..stamp_end)?)?;
    let rest = line.get(stamp_end..)?;
    let name = name_prefix(rest, Letters::Capitals)?;
    let written = rest.get(..name.len)?;
    let after = rest.get(name.len..)?;
    let plain = stamp.listed && after.starts_with(": ");
    let spoken = after.starts_with(": ") && (stamp.dated || !stamp.seconds);
    // Chats of China and Japan write the time with seconds.
    let eastern = stamp.dated && stamp.clock && people::is_unspaced_name(written);
    let alone = (line.starts_with('[') || eastern) && after.trim_end().is_empty();
    if eastern && alone {
        return Some(Span::sized(offset + stamp_end, name.len));
    }
    (plain || ((spoken || alone) && is_whole_name(written) && stamp.open))
        .then(|| Span::sized(offset + stamp_end, name.len))
}

/// The name before the stamp that a line ends with.
pub(crate) fn before(text: &str, line_start: usize, line_end: usize) -> Option<Span> {
    let line = text.get(line_start..line_end)?.trim_end();
    if line.len() > MAX_LINE_BYTES || !line.ends_with(|c: char| c.is_ascii_digit() || "Mm])".contains(c)) {
        return None;
    }
    let name = name_prefix(line, Letters::Capitals).filter(|name| name.words >= 2 || name.uncased)?;
    let written = line.get(..name.len)?;
    let rest = line.get(name.len..)?;
    let gap = ["  ", "\t", " — ", " – ", " - ", ", [", " [", " (", " • ", " · "]
        .iter()
        .find(|gap| rest.starts_with(**gap))?;
    let stamp = Stamp::read(rest.get(gap.len()..)?.trim_start_matches(' '))?;
    (stamp.clock && !stamp.seconds && is_whole_name(written)).then(|| Span::sized(line_start, name.len))
}

/// The name in a line of `git blame`, or of a short log that begins with the number of a revision.
pub(crate) fn behind_revision(text: &str, line_start: usize, line_end: usize) -> Option<Span> {
    let line = text.get(line_start..line_end)?;
    let digits = line.bytes().take(42).take_while(|b| b.is_ascii_hexdigit() || *b == b'^').count();
    if !REVISION_DIGITS.contains(&digits) {
        return None;
    }
    let rest = line.get(digits..)?.strip_prefix(' ')?;
    let inner = rest.strip_prefix('(').unwrap_or(rest);
    let name = name_prefix(inner, Letters::Capitals)?;
    let written = inner.get(..name.len)?;
    let after = inner.get(name.len..)?;
    let dated = || after.trim_start_matches(' ').get(..5).is_some_and(is_year);
    let told = if inner.len() < rest.len() {
        after.starts_with(' ') && dated()
    } else {
        after.starts_with(", ") && after.get(..40.min(after.len())).is_some_and(|ago| ago.contains(" ago"))
    };
    (told && !vocabulary::is_phrase(written) && !people::is_organisation(written))
        .then(|| Span::sized(line_end - inner.len(), name.len))
}

/// `2026-`
fn is_year(head: &str) -> bool {
    matches!(head.as_bytes(), [b'1' | b'2', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', b'-'])
}

/// End of the blank behind a time: `21:19 `, `03.03.2026 21:19 `.
fn clock_end(head: &str) -> Option<usize> {
    let colon = head.find(':')?;
    let minutes = head.get(colon + 1..colon + 3).filter(|two| two.bytes().all(|b| b.is_ascii_digit()))?;
    let after = head.get(colon + 1 + minutes.len()..)?;
    after.starts_with(' ').then_some(colon + 4)
}

/// A time, with or without a date.
struct Stamp {
    listed: bool,  // date and time in the form of exported chats
    dated: bool,   // a date stands in it
    clock: bool,   // a time stands in it
    seconds: bool, // the time has seconds
    open: bool,    // nothing but a time and a date
}

impl Stamp {
    fn read(text: &str) -> Option<Self> {
        if text.len() > MAX_STAMP_BYTES || !text.starts_with(|c: char| c.is_ascii_digit() || c == '[') {
            return None;
        }
        let letters = |c: char| c.is_alphabetic() && !matches!(c, 'A' | 'P' | 'M' | 'a' | 'p' | 'm' | 'T');
        let marks = |c: char| !(c.is_alphanumeric() || "[]()/.,:- \u{202f}\u{a0}".contains(c));
        if text.chars().any(|c| letters(c) || marks(c)) {
            return None;
        }
        let digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        let colons: Vec<usize> = text.match_indices(':').map(|(at, _)| at).collect();
        let clock =
            colons.first().is_some_and(|at| *at > 0 && digit(at - 1) && digit(at + 1) && digit(at + 2));
        let dated = text.contains(['/', '.'])
            || text.match_indices('-').any(|(at, _)| at > 0 && digit(at - 1) && digit(at + 1));
        Some(Self {
            listed: clock && text.contains(", ") && text.contains(['/', '.']),
            dated,
            clock,
            seconds: colons.len() > 1,
            open: clock && colons.len() <= 2,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{before, behind, behind_revision};

    #[test]
    fn names_stand_beside_times() {
        for (line, name) in [
            ("[23/03/26, 21:19:05] Rita Roca: hello", "Rita Roca"),
            ("[23/03/26, 21:19:05] Rita: hello", "Rita"),
            ("23/03/26, 21:19 - Rita Roca: hello", "Rita Roca"),
            ("3/23/26, 9:19 PM - Rita Roca: hello", "Rita Roca"),
            ("[21:19] Rita Roca: hello", "Rita Roca"),
            ("21:19 Rita Roca: hello", "Rita Roca"),
            ("[2026-03-23 21:19] Rita Roca: hello", "Rita Roca"),
            ("[03/23 21:19] Rita Roca", "Rita Roca"),
            ("[21:19:05] Build Server: started", ""),
            ("[21:19:05] Rita Roca: hello", ""),
            ("[21:19] Error Code: 4", ""),
            ("[2026-03-02 10:11:12] Server Started: ok", ""),
            ("[INFO] Rita Roca: hello", ""),
            ("12 - Rita Roca: hello", ""),
            ("21:19 Error: x", ""),
        ] {
            assert_eq!(
                behind(line, 0, line.len()).and_then(|span| span.of(line)).unwrap_or_default(),
                name,
                "{line}"
            );
        }
        for (line, name) in [
            ("Rita Roca — 23/03/2026 21:19", "Rita Roca"),
            ("Rita Roca  9:19 PM", "Rita Roca"),
            ("Rita Roca, [23.03.26 21:19]", "Rita Roca"),
            ("Build Started  9:19 PM", ""),
            ("Rita Roca 12", ""),
            ("Total  12.30", ""),
        ] {
            assert_eq!(
                before(line, 0, line.len()).and_then(|span| span.of(line)).unwrap_or_default(),
                name,
                "{line}"
            );
        }
        for (line, name) in [
            ("1b2c3d4e (Rita Roca 2026-03-23 10:00:00 +0100 12) let x = 1;", "Rita Roca"),
            ("^1b2c3d4 (Rita     2026-03-23 10:00:00 +0100 12) let x = 1;", "Rita"),
            ("1b2c3d4 Rita Roca, 3 days ago : Fix", "Rita Roca"),
            ("1b2c3d4 Fix Bellman, again", ""),
            ("deadbeef (Build 2026)", ""),
        ] {
            let found = behind_revision(line, 0, line.len());
            assert_eq!(found.and_then(|span| span.of(line)).unwrap_or_default(), name, "{line}");
        }
    }
}
