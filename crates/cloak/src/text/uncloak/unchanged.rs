//! Texts and lines that came back as they went.
//!
//! In: a text, a session. Out: for each place in them the value that stood there. A line is known by itself when it
//! says enough to be no other; lines of one word are known between two such lines, when nothing was put in or left
//! out there, or when the text is such a line alone. Invariant: lines that could be two with other values are
//! nothing. Not here: lines that were changed.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use super::access::{Access, Shown};
use super::edits::{Edit, Put};
use super::lines::{core, lines as lines_of};
use super::trie::Through;
use crate::text::TextSession;
use crate::text::session::record::{Line, Place, Record};

/// What is known of the lines of a text.
#[derive(Default)]
pub(crate) struct Unchanged {
    pub(crate) edits: Vec<Edit>,
    /// Lines that are done, in order.
    pub(crate) ranges: Vec<Range<usize>>,
}

/// Most lines alike that are compared.
const MAX_ALIKE: usize = 32;

/// A text that was cloaked here and came back unchanged: its values.
pub(crate) fn whole(text: &str, session: &TextSession, access: Access) -> Option<Vec<Edit>> {
    let hash = session.text_hash(text);
    let same = session.records().iter().filter(|record| record.hash == hash);
    // The same text twice: the one that says more of it, and then the later one, which was just cloaked.
    let record = same.max_by_key(|record| record.places.len())?;
    let put = Putting { text, session, access };
    Some(record.places.iter().map(|place| put.back(*place, 0)).collect())
}

/// Puts values back where they stood.
#[derive(Clone, Copy)]
struct Putting<'a> {
    text: &'a str,
    session: &'a TextSession,
    access: Access,
}

impl Putting<'_> {
    fn back(self, place: Place, moved: usize) -> Edit {
        let range = place.range().start + moved..place.range().end + moved;
        let Some((value, field)) = self.session.value_at(place.value) else {
            return Edit { range, put: Put::Unknown };
        };
        // Looked at to be put back where it stood.
        let value = value.expose();
        let put = match self.access.shown(field, value) {
            Shown::Plain(value) => Put::Value(value.to_owned()),
            Shown::Masked(mask) => {
                let shown = self.text.get(range.clone()).unwrap_or_default();
                Put::Mask(quoted_as(shown, value, mask))
            }
            Shown::Withheld => Put::Withheld,
        };
        Edit { range, put }
    }
}

/// A mask in the quotes of its stand-in, where that stood for a number of JSON: as a string, since it is no number.
fn quoted_as(shown: &str, value: &str, mask: String) -> String {
    let quotes = |c: char| matches!(c, '\\' | '"');
    let open = shown.len() - shown.trim_start_matches(quotes).len();
    let head = shown.get(..open).unwrap_or_default();
    if head.ends_with('"') && !value.starts_with(quotes) { format!("{head}{mask}{head}") } else { mask }
}

/// A line of a record.
#[derive(Clone, Copy)]
struct Known<'s> {
    index: usize,
    record: &'s Record,
    line: &'s Line,
}

impl<'s> Known<'s> {
    fn places(&self) -> &'s [Place] {
        let first = self.line.first as usize;
        self.record.places.get(first..first + self.line.count as usize).unwrap_or_default()
    }

    fn is_like(&self, other: &Self) -> bool {
        let place = |known: &Self, place: &Place| {
            (place.start.wrapping_sub(known.line.start), place.len, place.value)
        };
        let all = |known: &Self| known.places().iter().map(|one| place(known, one)).collect::<Vec<_>>();
        all(self) == all(other)
    }
}

/// The lines of a text that came back unchanged.
pub(crate) fn lines(text: &str, session: &TextSession, access: Access) -> Unchanged {
    let mut by_hash: HashMap<u64, Vec<Known<'_>>, BuildHasherDefault<Through>> = HashMap::default();
    for (index, record) in session.records().iter().enumerate() {
        for line in &record.lines {
            by_hash.entry(line.hash).or_default().push(Known { index, record, line });
        }
    }
    if by_hash.is_empty() {
        return Unchanged::default();
    }
    let cores: Vec<Range<usize>> = lines_of(text).map(|line| core(text, line)).collect();
    let alike: Vec<&[Known<'_>]> = cores
        .iter()
        .map(|core| session.line_hash(text.get(core.clone()).unwrap_or_default()))
        .map(|hash| by_hash.get(&hash).map(Vec::as_slice).unwrap_or_default())
        .collect();
    let alone = cores.iter().filter(|core| !core.is_empty()).count() == 1;
    let mut found: Vec<Option<Known<'_>>> = alike.iter().map(|alike| telling(alike, alone)).collect();
    fill_between(&alike, &mut found);
    let mut unchanged = Unchanged::default();
    let put = Putting { text, session, access };
    for (core, known) in cores.iter().zip(&found) {
        let Some(known) = known else { continue };
        let start = known.line.start as usize;
        unchanged.ranges.push(core.clone());
        for place in known.places() {
            let moved = Place { start: place.start.saturating_sub(known.line.start), ..*place };
            debug_assert!(place.range().start >= start);
            unchanged.edits.push(put.back(moved, core.start));
        }
    }
    unchanged
}

/// The line that it is: all that are alike have the same values, and it says enough, or is all there is.
fn telling<'s>(alike: &[Known<'s>], alone: bool) -> Option<Known<'s>> {
    let last = alike.last().filter(|_| alike.len() <= MAX_ALIKE)?;
    let certain = alone || last.line.telling;
    (certain && alike.iter().all(|known| known.is_like(last))).then_some(*last)
}

/// Lines between two known ones of a record, when there are as many as there and each is alike.
fn fill_between<'s>(alike: &[&[Known<'s>]], found: &mut [Option<Known<'s>>]) {
    let mut before: Option<(usize, Known<'s>)> = None;
    for at in 0..found.len() {
        let Some(known) = found.get(at).copied().flatten() else { continue };
        if let Some((from, first)) = before
            && first.index == known.index
            && known.line.number.checked_sub(first.line.number) == u32::try_from(at - from).ok()
        {
            let between: Option<Vec<(usize, Known<'s>)>> = (from + 1..at)
                .filter_map(|at| {
                    let number = first.line.number + (at - from) as u32;
                    let recorded = known.record.lines.binary_search_by_key(&number, |line| line.number).ok();
                    let line = recorded.and_then(|index| known.record.lines.get(index))?;
                    // All that are alike have one hash.
                    let hash = alike.get(at).and_then(|alike| alike.first()).map(|one| one.line.hash);
                    Some((hash == Some(line.hash)).then_some((at, Known { line, ..known })))
                })
                .collect();
            for (at, one) in between.unwrap_or_default() {
                if let Some(slot) = found.get_mut(at) {
                    slot.get_or_insert(one);
                }
            }
        }
        before = Some((at, known));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::marked::session;
    use super::super::{Mode, uncloak};

    #[test]
    fn unchanged_lines_come_back_in_strict() {
        let record = "A list\n«34|adult»\n«Alice|!Yuki» is «34|adult».\n«41|adult»\n«70|senior»\n«Bob|!Luca» too.\n«12|child»";
        let (session, text) = session(record);
        let all = "A list\n34\nAlice is 34.\n41\n70\nBob too.\n12";
        for (name, back, expected) in [
            ("whole", text.as_str(), all),
            (
                "between",
                "Here:\n> Yuki is adult.\n> adult\n> senior\n> Luca too.\n",
                "Here:\n> Alice is 34.\n> 41\n> 70\n> Bob too.\n",
            ),
            ("one left out", "Yuki is adult.\nadult\nLuca too.", "Alice is 34.\nadult\nBob too."),
            (
                "order changed",
                "Luca too.\nadult\nsenior\nYuki is adult.",
                "Bob too.\nadult\nsenior\nAlice is 34.",
            ),
            ("alone", "child", "12"),
            ("alone, two", "adult", "adult"),
            ("one word among others", "child\nadult", "child\nadult"),
            ("bullets", "- Yuki is adult.\r\n- Luca too.\r\n", "- Alice is 34.\r\n- Bob too.\r\n"),
        ] {
            assert_eq!(uncloak(back, &session, Mode::Strict).text, expected, "{name}");
        }
    }

    #[test]
    fn a_text_of_one_word_is_known_by_itself() {
        let (session, text) = session("«34|adult»");
        let whole = uncloak(&text, &session, Mode::Strict);
        assert_eq!((whole.text.as_str(), whole.restored, whole.unresolved), ("34", 1, 0));
    }
}
