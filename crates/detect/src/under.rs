//! The key around a bare `name` in a text: `"user": {"name": ...}`, `user:` over an indented `name:`, `<user><name>`.
//!
//! In: a text and the place of the key. Out: whether the key around it is one of people. Invariant: at most `REACH` bytes
//! before the key are read. Not here: keys beside it (`pass`), JSON that is walked (`records`).

use crate::hints::is_people_key;
use crate::lexicon::is_key_char;
use crate::work;

/// How far before a key the one around it is looked for.
const REACH: usize = 240;

/// True when the key at `start` belongs to a record of a person.
pub(crate) fn people_key(text: &str, start: usize) -> bool {
    let floor = text.ceil_char_boundary(start.saturating_sub(REACH));
    let Some(head) = text.get(floor..start) else { return false };
    work::count(head.len());
    in_braces(head) || indented(head) || in_element(head)
}

/// Where the record around `key` begins and ends, as far as `reach` bytes around it show: groups in brackets beside its own,
/// and other items of a list, are other records.
pub(crate) fn record_around(text: &str, key: usize, reach: usize) -> (usize, usize) {
    let floor = text.ceil_char_boundary(key.saturating_sub(reach));
    let ceiling = text.floor_char_boundary((key + reach).min(text.len()));
    let (before, after) =
        (text.get(floor..key).unwrap_or_default(), text.get(key..ceiling).unwrap_or_default());
    work::count(before.len() + after.len());
    let line = before.rfind('\n').map_or(before, |at| before.get(at + 1..).unwrap_or_default());
    if line.trim_start().trim_end_matches(['"', '\'']) == "- " {
        let indent = line.len() - line.trim_start().len();
        let next = after.match_indices('\n').find(|(at, _)| {
            let line = after.get(at + 1..).unwrap_or_default();
            let content = line.trim_start_matches(' ');
            !content.is_empty() && line.len() - content.len() <= indent && !content.starts_with('\n')
        });
        return (key, next.map_or(ceiling, |(at, _)| key + at));
    }
    let first = apart(before.bytes().rev(), b"{([", b"})]").map_or(floor, |at| key - at);
    (first, apart(after.bytes(), b"})]", b"{([").map_or(ceiling, |at| key + at))
}

/// How many bytes lead out of the group and into another one beside it.
fn apart(bytes: impl Iterator<Item = u8>, out: &[u8], into: &[u8]) -> Option<usize> {
    let (mut depth, mut left) = (0usize, false);
    for (at, byte) in bytes.enumerate() {
        if into.contains(&byte) {
            if left && depth == 0 {
                return Some(at);
            }
            depth += 1;
        } else if out.contains(&byte) {
            left |= depth == 0;
            depth = depth.saturating_sub(1);
        }
    }
    None
}

/// The key before the brace that is open at the end of the text.
fn in_braces(head: &str) -> bool {
    let mut depth = 0usize;
    let mut inside = false; // whether the brace of the record was passed
    for (at, byte) in head.bytes().enumerate().rev() {
        match byte {
            b'}' | b']' => depth += 1,
            b'{' | b'[' if depth > 0 => depth -= 1,
            b'{' | b'[' => {
                let before = head.get(..at).unwrap_or_default().trim_end();
                if (inside || byte == b'{') && ends_with_people_key(before) {
                    return true;
                }
                // Another element of a list may stand before the record.
                if inside || byte == b'[' || !before.ends_with(['[', ',']) {
                    return false;
                }
                inside = true;
            }
            _ => {}
        }
    }
    false
}

/// `"user":`, `user =>`, `users=`
fn ends_with_people_key(head: &str) -> bool {
    let Some(key) = head.strip_suffix("=>").or_else(|| head.strip_suffix([':', '='])) else { return false };
    is_people_key(last_key(key.trim_end().trim_end_matches(['"', '\'', '\\'])))
}

fn last_key(text: &str) -> &str {
    let len: usize = text
        .chars()
        .rev()
        .take(32)
        .take_while(|c| is_key_char(*c) || matches!(c, '_' | '-'))
        .map(char::len_utf8)
        .sum();
    text.get(text.len() - len..).unwrap_or_default()
}

/// The line above that is indented less: `user:`.
fn indented(head: &str) -> bool {
    let mut lines = head.split('\n').rev();
    let Some(lead) =
        lines.next().filter(|lead| lead.bytes().all(|byte| matches!(byte, b' ' | b'-' | b'"' | b'\'')))
    else {
        return false;
    };
    let item = lead.contains('-');
    let mut indent = lead.len() - lead.trim_start_matches(' ').len();
    for line in lines {
        let content = line.trim();
        let here = line.len() - line.trim_start_matches(' ').len();
        let list = content.starts_with('-');
        // `-` may stand as far in as the key of its list.
        let outer = here < indent || (item && here == indent && !list);
        if content.is_empty() || !outer {
            continue;
        }
        match content.strip_suffix(':') {
            Some(key) => return is_people_key(last_key(key.trim_end_matches(['"', '\'']))),
            // The first line of an element of the list.
            None if list => indent = here,
            None => return false,
        }
    }
    false
}

/// `<user><name>`
fn in_element(head: &str) -> bool {
    let Some(outer) = head.strip_suffix('<').map(str::trim_end).and_then(|head| head.strip_suffix('>'))
    else {
        return false;
    };
    let tag = outer.rfind('<').and_then(|open| outer.get(open + 1..)).unwrap_or_default();
    is_people_key(tag.split(' ').next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{people_key, record_around};

    #[test]
    fn records_end_where_others_begin() {
        for (text, record) in [
            ("email: x, KEY: y, dob: z", "email: x, KEY: y, dob: z"),
            ("P{email: x}\nRepo{KEY: y}\nP{dob: z}", "\nRepo{KEY: y}\nP"),
            ("{a: {b: 1}, KEY: y, c: [1]}", "{a: {b: 1}, KEY: y, c: [1]}"),
            ("- email: x\n- KEY: y\n  sku: 1\n- email: z", "KEY: y\n  sku: 1"),
            ("a:\n  - KEY: y\n    b: 1\nemail: z", "KEY: y\n    b: 1"),
        ] {
            let (start, end) = record_around(text, text.find("KEY").unwrap_or(0), 240);
            assert_eq!(text.get(start..end), Some(record), "{text}");
        }
    }

    #[test]
    fn the_key_around_a_name_says_whose_it_is() {
        for (head, people) in [
            ("{\"user\":{\"", true),
            ("{\"user\": {\n  \"id\": 7, \"tags\": {\"a\": [1]},\n  \"", true),
            ("users: [{id: 1, x: {}}, {id: 2, ", true),
            ("author => { ", true),
            ("user:\n  id: 7\n  ", true),
            ("members:\n  - id: 7\n    ", true),
            ("members:\n- ", true),
            ("x:\n  assignee:\n    ", true),
            ("<author>\n  <", true),
            ("{\"package\":{\"", false),
            ("{\"user\":{\"id\":7},\"", false),
            ("steps:\n  - ", false),
            ("user: x\n", false),
            ("user:\n  id: 7\nother:\n  ", false),
            ("", false),
            ("<project><", false),
        ] {
            assert_eq!(people_key(head, head.len()), people, "{head:?}");
        }
    }
}
