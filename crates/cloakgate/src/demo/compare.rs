//! Where two texts differ that are the same but for tokens.
//!
//! In: a text with tokens, and the same text with values in their place. Out: both in parts.
//! Invariant: the parts of each side, joined, give the text back. Not here: checking tokens; the gateway has.

/// Part of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Part<'a> {
    /// The same on both sides.
    Same(&'a str),
    /// A token on one side, a value on the other.
    Swapped(&'a str),
}

/// The parts of the text with values, and of the text with tokens.
pub(super) fn compare<'a>(values: &'a str, tokens: &'a str) -> (Vec<Part<'a>>, Vec<Part<'a>>) {
    let token_parts = parts(tokens);
    let mut value_parts = Vec::new();
    let mut rest = values;
    let mut waiting = false;
    for (index, part) in token_parts.iter().enumerate() {
        match part {
            Part::Swapped(_) => waiting = true,
            Part::Same(text) => {
                // The last equal part ends the text: what stands before it is the value, whatever it holds.
                let last = index + 1 == token_parts.len();
                let found = if last { rest.strip_suffix(text).map(str::len) } else { rest.find(text) };
                let Some((value, after)) = found.and_then(|at| rest.split_at_checked(at)) else {
                    value_parts.push(Part::Same(rest));
                    return (value_parts, token_parts);
                };
                if waiting && !value.is_empty() {
                    value_parts.push(Part::Swapped(value));
                }
                value_parts.push(Part::Same(text));
                rest = after.strip_prefix(text).unwrap_or(after);
                waiting = false;
            }
        }
    }
    if !rest.is_empty() {
        value_parts.push(if waiting { Part::Swapped(rest) } else { Part::Same(rest) });
    }
    (value_parts, token_parts)
}

/// A text cut at its tokens.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(open) = rest.get(from..).and_then(|text| text.find('[')).map(|at| at + from) {
        let length = rest.get(open..).map_or(0, token_length);
        if length == 0 {
            from = open + 1;
            continue;
        }
        let (before, token_on) = rest.split_at(open);
        let (token, after) = token_on.split_at(length);
        if !before.is_empty() {
            parts.push(Part::Same(before));
        }
        parts.push(Part::Swapped(token));
        rest = after;
        from = 0;
    }
    if !rest.is_empty() {
        parts.push(Part::Same(rest));
    }
    parts
}

/// Length of the token that `text` starts with, or 0.
fn token_length(text: &str) -> usize {
    let Some((body, _)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) else { return 0 };
    let mut fields = body.rsplitn(3, '_');
    let (check, number, category) = (fields.next(), fields.next(), fields.next());
    let is_token = check
        .is_some_and(|check| check.len() == 3 && check.bytes().all(|b| b.is_ascii_alphanumeric()))
        && number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
        && category.is_some_and(|name| name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_'));
    if is_token { body.len() + 2 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{Part, compare};

    fn marked(parts: &[Part<'_>]) -> String {
        parts
            .iter()
            .map(|part| match part {
                Part::Same(text) => (*text).to_owned(),
                Part::Swapped(text) => format!("«{text}»"),
            })
            .collect()
    }

    #[test]
    fn values_and_tokens_are_told_apart() {
        let cases = [
            ("nothing", "a b", "a b"),
            ("middle", "to «a@example.org» now", "to «[EMAIL_0_k7q]» now"),
            ("start and end", "«a» and «b»", "«[PERSON_0_k7q]» and «[PERSON_1b_k7q]»"),
            ("only a token", "«a»", "«[PERSON_0_k7q]»"),
            ("two words", "«[x] y» z", "«[DATE_OF_BIRTH_0_k7q]» z"),
            ("brackets of another kind", "[1] «a» [b]", "[1] «[PERSON_0_k7q]» [b]"),
            ("the end stands in the value too", "«a.b».", "«[PERSON_0_k7q]»."),
        ];
        for (name, values, tokens) in cases {
            let plain = |text: &str| text.replace(['«', '»'], "");
            let (values_plain, tokens_plain) = (plain(values), plain(tokens));
            let (left, right) = compare(&values_plain, &tokens_plain);
            assert_eq!((marked(&left).as_str(), marked(&right).as_str()), (values, tokens), "{name}");
        }
    }

    #[test]
    fn texts_that_do_not_belong_together_are_shown_whole() {
        let (left, _) = compare("something else", "to [EMAIL_0_k7q] now");
        assert_eq!(marked(&left), "something else");
    }
}
