//! Values of a Kubernetes `Secret` written as YAML.
//!
//! Format: a document with `kind: Secret`; under `data` each value is base64, under `stringData` plain text (API
//! reference, "Secret v1 core"). Keys say nothing sure about the values, the kind does.
//!
//! In: a text and the place of the word `Secret`. Out: spans of the values. Invariant: at most `REACH` bytes on either side
//! are read, and none that an earlier document has covered. Not here: JSON, sealed and external secrets.

use cloakgate_vocab::Span;

use crate::placeholder::is_placeholder;
use crate::work;

/// How far, in bytes, the document is read on either side of its kind.
const REACH: usize = 4096;

/// Reports the values of the document whose kind stands at `start..end`, from `floor` on; returns where it ends.
pub(crate) fn values_of(
    text: &str,
    start: usize,
    end: usize,
    floor: usize,
    found: &mut impl FnMut(Span),
) -> Option<usize> {
    let head = text.get(..start)?.trim_end_matches(['"', '\'']);
    let key = head.strip_suffix("kind: ")?;
    let indent = key.len() - key.trim_end_matches(' ').len();
    if !matches!(key.trim_end_matches(' ').bytes().last(), None | Some(b'\n'))
        || text.get(start..end)? != "Secret"
    {
        return None;
    }
    let from = text.ceil_char_boundary(key.len().saturating_sub(REACH).max(floor));
    let from = text.get(from..start)?.rfind("\n---").map_or(from, |at| from + at + 4);
    let to = text.floor_char_boundary(end + REACH);
    let to = text.get(end..to)?.find("\n---").map_or(to, |at| end + at);
    work::count(to.saturating_sub(from));
    let mut inside = None;
    let mut at = from;
    for line in text.get(from..to)?.split_inclusive('\n') {
        let lead = line.len() - line.trim_start_matches(' ').len();
        let content = line.trim();
        if !content.is_empty() && lead <= indent {
            inside =
                matches!(content, "data:" | "stringData:").then_some(lead == indent).filter(|same| *same);
        } else if inside.is_some()
            && let Some((key, value)) = content.split_once(": ")
        {
            let value = value.trim().trim_matches(['"', '\'']);
            let plain = !key.starts_with('#') && !value.starts_with(['|', '>', '{', '$', '<']);
            if let Some(offset) = line.rfind(value)
                && plain
                && value.len() >= 4
                && !is_placeholder(value)
            {
                found(Span::sized(at + offset, value.len()));
            }
        }
        at += line.len();
    }
    Some(to)
}

#[cfg(test)]
mod tests {
    use super::values_of;

    #[test]
    fn values_of_secrets_and_of_nothing_else() {
        for (text, expected) in [
            (
                "kind: Secret\ndata:\n  a: c3VwZXJzZWNyZXQ=\n  b: \"eHl6enk=\"\nx:\n  c: d3d3dw==\n",
                "c3VwZXJzZWNyZXQ= eHl6enk=",
            ),
            (
                "data:\n  a: c3VwZXI=\nkind: Secret\nstringData:\n  b: Xk9mmQ2z\n---\ndata:\n  c: d3d3dw==\n",
                "c3VwZXI= Xk9mmQ2z",
            ),
            ("x: 1\n---\nkind: Secret\ndata:\n  a: ${TOKEN}\n  b: |\n", ""),
            ("my kind: Secret\ndata:\n  a: c3VwZXI=\n", ""),
            ("kind: SecretStore\ndata:\n  a: c3VwZXI=\n", ""),
        ] {
            let start = text.find("Secret").unwrap();
            let word = text.get(start..).unwrap().bytes().take_while(u8::is_ascii_alphabetic).count();
            let mut values = Vec::new();
            values_of(text, start, start + word, 0, &mut |span| values.push(span.of(text).unwrap()));
            assert_eq!(values.join(" "), expected, "{text}");
        }
    }
}
