//! Tokens as a client sees them, told by their shape alone.
//!
//! In: text. Out: where tokens stand in it.
//! Invariant: written from the documented grammar, on purpose without the product's own code.

/// Check characters: digits and lower-case letters without i, l, o, u.
const CHECK: &str = "0123456789abcdefghjkmnpqrstvwxyz";
const CHECK_LENGTH: usize = 3;

/// A token in a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Token<'a> {
    /// As it stands, brackets included.
    pub(super) text: &'a str,
    /// Kind of value.
    pub(super) category: &'a str,
    /// Number of the identity.
    pub(super) number: &'a str,
    /// Letters of the spelling; none for the first.
    pub(super) spelling: &'a str,
}

/// Part of a text: what stands for itself, or a token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Piece<'a> {
    Literal(&'a str),
    Token(Token<'a>),
}

/// `text` in pieces; joined they give it back.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let before = text.get(done..at).unwrap_or_default();
        if let Some(token) = token_at(before, rest) {
            if !before.is_empty() {
                pieces.push(Piece::Literal(before));
            }
            pieces.push(Piece::Token(token));
            at += token.text.len();
            done = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    if let Some(rest) = text.get(done..).filter(|rest| !rest.is_empty()) {
        pieces.push(Piece::Literal(rest));
    }
    pieces
}

fn token_at<'a>(before: &str, rest: &'a str) -> Option<Token<'a>> {
    let bracketed = rest.strip_prefix('[');
    let body = bracketed.unwrap_or(rest);
    let category_end = body.find(|c: char| !c.is_ascii_uppercase() && c != '_')?;
    let category = body.get(..category_end)?.strip_suffix('_')?;
    let (number, tail) = split_while(body.get(category_end..)?, |c| c.is_ascii_digit());
    let (spelling, tail) = split_while(tail, |c| c.is_ascii_lowercase());
    let tail = tail.strip_prefix('_')?;
    let check = tail.get(..CHECK_LENGTH)?;
    if category.is_empty() || number.is_empty() || !check.chars().all(|c| CHECK.contains(c)) {
        return None;
    }
    let length = rest.len() - tail.len() + CHECK_LENGTH;
    let after = rest.get(length..)?;
    let length = match bracketed {
        Some(_) => after.starts_with(']').then_some(length + 1)?,
        None if follows_a_word(before) || after.starts_with(is_word) => return None,
        None => length,
    };
    Some(Token { text: rest.get(..length)?, category, number, spelling })
}

fn split_while(text: &str, keep: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c: char| !keep(c)).unwrap_or(text.len()))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// True when a word ends `before`; the letter of a JSON escape such as `\n` is none.
fn follows_a_word(before: &str) -> bool {
    let mut backwards = before.chars().rev();
    match (backwards.next(), backwards.next()) {
        (Some('n' | 'r' | 't' | 'b' | 'f'), Some('\\')) | (None, _) => false,
        (Some(last), _) => is_word(last),
    }
}

#[cfg(test)]
mod tests {
    use super::{Piece, pieces};

    fn marked(text: &str) -> String {
        pieces(text)
            .into_iter()
            .map(|piece| match piece {
                Piece::Literal(text) => text.to_owned(),
                Piece::Token(token) => format!("«{}»", token.text),
            })
            .collect()
    }

    #[test]
    fn tokens_are_told_by_their_shape() {
        let cases = [
            ("bracketed", "to «[EMAIL_0_k7q]» now"),
            ("long category", "«[DATE_OF_BIRTH_12ab_00z]»"),
            ("beside each other", "«[EMAIL_0_k7q]»«[EMAIL_0b_k7q]»"),
            ("bracket-free", "letter to «EMAIL_0_k7q».txt"),
            ("after an escape", "a\\n«EMAIL_0_k7q»"),
            ("in a longer word", "XEMAIL_0_k7qx aEMAIL_0_k7q"),
            ("no check", "[EMAIL_0] EMAIL_0"),
            ("bad check letter", "[EMAIL_0_k7l]"),
            ("four check letters", "[EMAIL_0_k7qq]"),
            ("no number", "[EMAIL_k7q]"),
            ("lower case", "[email_0_k7q]"),
            ("half a pair of brackets", "[«EMAIL_0_k7q»"),
            ("multi-byte neighbours", "é«[EMAIL_0_k7q]»é"),
        ];
        for (name, expected) in cases {
            let text: String = expected.chars().filter(|c| !"«»".contains(*c)).collect();
            assert_eq!(marked(&text), expected, "{name}");
        }
    }

    #[test]
    fn the_parts_of_a_token_are_read() {
        let found = pieces("[CREDIT_CARD_3c_k7q]");
        let [Piece::Token(token)] = found[..] else { panic!("one token") };
        assert_eq!((token.category, token.number, token.spelling), ("CREDIT_CARD", "3", "c"));
    }
}
