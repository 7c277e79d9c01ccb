//! What each token of a cloaked line stands for, told by laying the line beside the one the server sent.
//!
//! In: both lines, and what was planted. Out: which planted text each token replaced.
//! Invariant: with every token replaced, the cloaked line is the server's line byte for byte; a token stands for
//! one text only.

use std::collections::BTreeMap;

use super::tokens::{Piece, Token, pieces};
use super::world::Planted;

/// Token text to position in the list of what was planted.
pub(super) type Bindings = BTreeMap<String, usize>;

/// Binds the tokens of `cloaked` so that it becomes `original`.
///
/// # Errors
/// A readable place at which that fails.
pub(super) fn align(
    original: &str,
    cloaked: &str,
    planted: &[Planted],
    known: &Bindings,
) -> Result<Bindings, String> {
    let pieces = pieces(cloaked);
    let mut search = Search { original, planted, furthest: 0, next: None };
    let mut bindings = known.clone();
    if search.fits(&pieces, 0, &mut bindings) {
        return Ok(bindings);
    }
    Err(search.complaint())
}

struct Search<'a> {
    original: &'a str,
    planted: &'a [Planted],
    furthest: usize,
    next: Option<Piece<'a>>,
}

impl<'a> Search<'a> {
    fn fits(&mut self, pieces: &[Piece<'a>], at: usize, bindings: &mut Bindings) -> bool {
        let rest = self.original.get(at..).unwrap_or_default();
        let Some((piece, after)) = pieces.split_first() else {
            self.note(at, None);
            return rest.is_empty();
        };
        match piece {
            Piece::Literal(text) => match rest.strip_prefix(text) {
                Some(_) => self.fits(after, at + text.len(), bindings),
                None => {
                    self.note(at + common_length(rest, text), Some(*piece));
                    false
                }
            },
            Piece::Token(token) => self.token_fits(*token, after, at, bindings),
        }
    }

    fn token_fits(
        &mut self,
        token: Token<'a>,
        after: &[Piece<'a>],
        at: usize,
        bindings: &mut Bindings,
    ) -> bool {
        self.note(at, Some(Piece::Token(token)));
        let bound = bindings.get(token.text).copied();
        for (index, planted) in self.planted.iter().enumerate() {
            let rest = self.original.get(at..).unwrap_or_default();
            if bound.is_some_and(|bound| bound != index) || !rest.starts_with(&planted.text) {
                continue;
            }
            bindings.insert(token.text.to_owned(), index);
            if self.fits(after, at + planted.text.len(), bindings) {
                return true;
            }
            if bound.is_none() {
                bindings.remove(token.text);
            }
        }
        false
    }

    fn note(&mut self, at: usize, next: Option<Piece<'a>>) {
        if at >= self.furthest {
            self.furthest = at;
            self.next = next;
        }
    }

    fn complaint(&self) -> String {
        let context = excerpt(self.original, self.furthest);
        match self.next {
            None => format!("the line ends early, before `{context}`"),
            Some(Piece::Token(token)) => {
                format!("{} does not stand for what was planted in `{context}`", token.text)
            }
            Some(Piece::Literal(_)) => format!("the text differs from `{context}`"),
        }
    }
}

fn common_length(left: &str, right: &str) -> usize {
    let same = left.chars().zip(right.chars()).take_while(|(left, right)| left == right);
    same.map(|(character, _)| character.len_utf8()).sum()
}

/// A few characters around a byte offset.
fn excerpt(text: &str, at: usize) -> String {
    let before: String = text.get(..at).unwrap_or_default().chars().rev().take(30).collect();
    let after: String = text.get(at..).unwrap_or_default().chars().take(50).collect();
    format!("{}|{after}", before.chars().rev().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{Bindings, align};
    use crate::acceptance::world::Planted;

    fn planted() -> Vec<Planted> {
        [("EMAIL", "a@example.org", 0), ("EMAIL", "a@example.org.txt", 1), ("PHONE", "+1 202 555 0143", 2)]
            .into_iter()
            .map(|(category, text, identity)| Planted {
                text: text.to_owned(),
                category,
                identity,
                hidden: true,
            })
            .collect()
    }

    #[test]
    fn only_planted_values_may_differ() {
        let cases = [
            ("equal", "nothing", "nothing", true),
            ("one token", "to a@example.org!", "to [EMAIL_0_k7q]!", true),
            ("longer reading", "a@example.org.txt", "[EMAIL_1_k7q]", true),
            ("shorter reading", "a@example.org.txt", "[EMAIL_0_k7q].txt", true),
            ("twice the same", "a@example.org a@example.org", "[EMAIL_0_k7q] [EMAIL_0_k7q]", true),
            ("one token, two texts", "a@example.org +1 202 555 0143", "[EMAIL_0_k7q] [EMAIL_0_k7q]", false),
            ("not planted", "to Berlin", "to [GPE_0_k7q]", false),
            ("a blank lost", "to  a@example.org", "to [EMAIL_0_k7q]", false),
            ("cut short", "a@example.org and more", "[EMAIL_0_k7q]", false),
            ("too much", "a@example.org", "[EMAIL_0_k7q] and more", false),
        ];
        for (name, original, cloaked, fits) in cases {
            assert_eq!(align(original, cloaked, &planted(), &Bindings::new()).is_ok(), fits, "{name}");
        }
    }

    #[test]
    fn what_is_known_stays_known() {
        let known = align("a@example.org", "[EMAIL_0_k7q]", &planted(), &Bindings::new()).unwrap();
        assert!(align("+1 202 555 0143", "[EMAIL_0_k7q]", &planted(), &known).is_err());
    }
}
