//! Several names under one key: `Attendees: Marie Dubois, Bob Ray and Ann Lee`, or one a line below it.
//!
//! In: a text, and the end of the first name or of the key. Out: spans of names. Invariant: at most `MAX_NAMES` names are
//! read, each bounded. Not here: lists without a key, mailboxes with addresses (`people`).

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use crate::people::{self, Letters, name_prefix};
use crate::vocabulary;
use crate::word_set::WordSet;

/// Most names of one list.
const MAX_NAMES: usize = 32;
/// Longest remark in brackets after a name.
const MAX_REMARK_BYTES: usize = 60;
/// Most bytes before an item: indentation, a dash, a quote.
const MAX_LEAD_BYTES: usize = 24;

static LIST_KEYS: LazyLock<WordSet> = LazyLock::new(|| WordSet::read(include_str!("../data/list_keys.txt")));

/// Words between two names.
const JOINTS: &[&str] = &[
    ", and ", ", ", "; ", " and ", " & ", " und ", " et ", " y ", " e ", " i ", " og ", " och ", " en ",
    " и ", " і ", "、", "，", ",", " / ",
];

/// True for a key that several people stand under.
pub(crate) fn is_list_key(key: &str) -> bool {
    let last = key.rsplit([' ', '_', '-']).next().unwrap_or_default();
    LIST_KEYS.contains(last)
}

/// The names that go on behind the first, which ends at `end`.
pub(crate) fn more(text: &str, mut end: usize) -> Vec<Span> {
    let mut found = Vec::new();
    while found.len() < MAX_NAMES {
        let Some(start) = next_start(text, end) else { break };
        let Some(len) = name_at(text, start) else { break };
        found.push(Span::sized(start, len));
        end = start + len;
    }
    found
}

/// Where the next name begins: past a remark, a quote and a joint.
fn next_start(text: &str, end: usize) -> Option<usize> {
    let rest = text.get(end..)?;
    let mut at = usize::from(rest.starts_with(['"', '\'']));
    let after = rest.get(at..)?;
    for (open, close) in [(" (", ')'), (" <", '>')] {
        if after.starts_with(open) {
            let window = after.get(..after.floor_char_boundary(MAX_REMARK_BYTES))?;
            at += window.find(close)? + 1;
        }
    }
    let after = rest.get(at..)?;
    at += JOINTS.iter().find(|joint| after.starts_with(**joint))?.len();
    let after = rest.get(at..)?;
    at += after.len() - after.trim_start_matches(' ').len();
    at += usize::from(rest.get(at..)?.starts_with(['"', '\'']));
    Some(end + at)
}

/// Names below the key that ends at `end`, one a line behind a dash, a star or a number.
pub(crate) fn below(text: &str, end: usize) -> Vec<Span> {
    let mut found = Vec::new();
    let Some(rest) = text.get(end..).map(|rest| rest.trim_start_matches(['"', '\'', '*', '_'])) else {
        return found;
    };
    let heading = text.get(..end).is_some_and(is_heading);
    let Some(mut at) = rest
        .strip_prefix(':')
        .or_else(|| Some(rest).filter(|_| heading))
        .map(|rest| rest.trim_start_matches(['*', ' ', '\r']))
        .map(|rest| rest.strip_prefix('\n').filter(|rest| rest.starts_with('\n')).unwrap_or(rest))
        .filter(|rest| rest.starts_with('\n'))
        .map(|rest| text.len() - rest.len() + 1)
    else {
        return found;
    };
    while found.len() < MAX_NAMES {
        let Some(line) = text.get(at..) else { break };
        let window = line.get(..line.floor_char_boundary(MAX_LEAD_BYTES)).unwrap_or_default();
        let item = window.trim_start_matches([' ', '\t']);
        let marked = item.trim_start_matches(|c: char| c.is_ascii_digit());
        let Some(body) =
            marked.strip_prefix(['-', '*', '•', '.', ')']).and_then(|body| body.strip_prefix(' '))
        else {
            break;
        };
        let body = body.trim_start_matches(' ');
        let body = body.strip_prefix("[ ] ").or_else(|| body.strip_prefix("[x] ")).unwrap_or(body);
        let body = body.trim_start_matches(['"', '\'', '*']);
        let start = at + window.len() - body.len();
        let Some(len) = name_at(text, start) else { break };
        found.push(Span::sized(start, len));
        crate::work::count(len);
        let Some(next) = text.get(start..).and_then(|rest| memchr::memchr(b'\n', rest.as_bytes())) else {
            break;
        };
        at = start + next + 1;
    }
    found
}

/// Whether the text ends with a line of few words and nothing but marks of a heading before them.
fn is_heading(head: &str) -> bool {
    let line = head.chars().rev().take(MAX_LEAD_BYTES).take_while(|c| *c != '\n');
    let len = line.clone().count();
    len < MAX_LEAD_BYTES && line.into_iter().all(|c| c.is_alphabetic() || matches!(c, ' ' | '#' | '*'))
}

/// Length of the name that begins at `start`: two words, or a script without capitals.
pub(crate) fn name_at(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let name = name_prefix(rest, Letters::Capitals).filter(|name| name.words >= 2 || name.uncased)?;
    let value = rest.get(..name.len)?;
    let after = rest.get(name.len..)?;
    let ends = !after.starts_with(['(', '[', '{', '_', '/', '\\', '=', '$', ':']);
    (ends && !vocabulary::is_phrase(value) && !people::is_organisation(value)).then_some(name.len)
}

#[cfg(test)]
mod tests {
    use super::{below, is_list_key, more};

    #[test]
    fn lists_of_names_are_read_to_their_end() {
        for (text, names) in [
            ("|, Bob Ray and Ann Lee.", &["Bob Ray", "Ann Lee"][..]),
            ("| (Sales); Bob Ray <b@example.org>, Ann Lee", &["Bob Ray", "Ann Lee"]),
            ("|\", \"Bob Ray\"]", &["Bob Ray"]),
            ("|、鈴木 一郎", &["鈴木 一郎"]),
            ("|, Senior Engineer", &[]),
            ("|, Garcia Ltd", &[]),
            ("|. Bob Ray", &[]),
        ] {
            let text = text.replace('|', "");
            let found: Vec<_> = more(&text, 0).iter().filter_map(|span| span.of(&text)).collect();
            assert_eq!(found, names, "{text}");
        }
        for (text, names) in [
            (":\n- Bob Ray (Sales)\n- Ann Lee\n\n- Jo Kim", &["Bob Ray", "Ann Lee"][..]),
            (":**\n 1. Bob Ray\n 2. \"Ann Lee\"", &["Bob Ray", "Ann Lee"]),
            (":\n- Fix the build\n", &[]),
            (": Bob Ray", &[]),
        ] {
            let found: Vec<_> = below(text, 0).iter().filter_map(|span| span.of(text)).collect();
            assert_eq!(found, names, "{text}");
        }
        assert!(is_list_key("Attendees") && is_list_key("meeting participants") && !is_list_key("owner"));
    }
}
