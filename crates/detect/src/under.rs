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
    use super::people_key;

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
