//! Cuts a text into tokens, as spaCy's English tokenizer does.
//!
//! In: a text. Out: tokens in order, each with the hash of its text. Invariant: tokens do not overlap, and what lies
//! between two is one space or nothing. The text is cut at white space into chunks; a chunk that is no word of the list
//! loses prefixes and suffixes until a word of the list or nothing to cut off is left; what is left is cut at infixes
//! unless it is a URL. At last, neighbours that are a word of the list together (`:` and `)`) are joined. Cost is
//! linear: a list's word has few bytes, and longer rests are not looked up. Not here: the rules' text (`rules`, `url`).

mod rules;
mod specials;
mod url;

use std::collections::HashSet;

use super::classes::{Classes, is_space};
use super::data::strings;
use super::ids::hash;
use super::words::Words;
use specials::Specials;

/// A token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Token {
    /// Where it starts in the text, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Hash of its text.
    pub(super) hash: u64,
    /// Id of its norm, if the list of words says it, or 0.
    pub(super) norm: u64,
}

/// The rules with their data.
pub(super) struct Tokenizer {
    classes: Classes,
    /// Units of measurement, which are suffixes after a digit.
    units: HashSet<&'static str>,
    specials: Specials,
}

impl Tokenizer {
    /// From the sections of the model: the list of words, units, classes of characters.
    pub(super) fn read(sections: [&'static [u8]; 3], words: &Words) -> Option<Self> {
        let [list, units, classes] = sections;
        let mut tokenizer = Self {
            classes: Classes::read(classes)?,
            units: strings(units)?.into_iter().collect(),
            specials: Specials::default(),
        };
        let specials = Specials::read(list, words, |text| tokenizer.cut(text))?;
        tokenizer.specials = specials;
        Some(tokenizer)
    }

    /// Classes of characters.
    pub(super) const fn classes(&self) -> &Classes {
        &self.classes
    }

    /// Adds the tokens of a chunk, which starts at `at` in its text.
    pub(super) fn add(&self, chunk: &str, at: usize, tokens: &mut Vec<Token>) {
        if self.add_special(chunk, at, tokens) {
            return;
        }
        if chunk.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            tokens.push(Token { start: at, end: at + chunk.len(), hash: hash(chunk.as_bytes()), norm: 0 });
            return;
        }
        let first = tokens.len();
        self.cut_affixes(chunk, at, tokens);
        self.specials.join(chunk, at, tokens, first);
    }

    /// Adds the tokens of a word of the list.
    fn add_special(&self, chunk: &str, at: usize, tokens: &mut Vec<Token>) -> bool {
        let Some(pieces) = self.specials.of(chunk) else { return false };
        tokens.extend(pieces.iter().map(|piece| piece.moved(at)));
        true
    }

    /// The tokens of a word as if there were no list, if it has an affix at all.
    fn cut(&self, text: &str) -> Option<Vec<Token>> {
        let mut has_affix = self.prefix(text) > 0 || self.suffix(text) > 0 || text.contains(' ');
        self.infixes(text, |_, _| has_affix = true);
        let mut tokens = Vec::new();
        self.cut_affixes(text, 0, &mut tokens);
        has_affix.then_some(tokens)
    }

    /// Cuts prefixes and suffixes off, one of each at a time, and then the rest at infixes.
    fn cut_affixes(&self, chunk: &str, at: usize, tokens: &mut Vec<Token>) {
        let (mut start, mut end) = (0, chunk.len());
        let mut suffixes = Vec::new();
        let token = |start: usize, end: usize| Token {
            start: at + start,
            end: at + end,
            hash: hash(chunk.as_bytes().get(start..end).unwrap_or_default()),
            norm: 0,
        };
        while let Some(rest) = chunk.get(start..end).filter(|rest| !rest.is_empty()) {
            if self.specials.of(rest).is_some() {
                break;
            }
            let prefix = self.prefix(rest);
            let behind = rest.get(prefix..).unwrap_or_default();
            if prefix > 0 && self.specials.of(behind).is_some() {
                tokens.push(token(start, start + prefix));
                start += prefix;
                break;
            }
            let suffix = self.suffix(behind);
            let before = rest.get(..rest.len() - suffix).unwrap_or_default();
            if suffix > 0 && self.specials.of(before).is_some() {
                suffixes.push(token(end - suffix, end));
                end -= suffix;
                break;
            }
            if prefix + suffix == 0 {
                break;
            }
            if prefix > 0 {
                tokens.push(token(start, start + prefix));
                start += prefix;
            }
            if suffix > 0 {
                suffixes.push(token(end - suffix, end));
                end -= suffix;
            }
        }
        let middle = chunk.get(start..end).unwrap_or_default();
        if !middle.is_empty() && !self.add_special(middle, at + start, tokens) {
            self.cut_infixes(middle, |from, to| tokens.push(token(start + from, start + to)));
        }
        tokens.extend(suffixes.iter().rev());
    }

    /// Gives the pieces of what has no prefix and no suffix.
    fn cut_infixes(&self, text: &str, mut piece: impl FnMut(usize, usize)) {
        let mut start = 0;
        if !self.is_url(text) {
            self.infixes(text, |from, to| {
                // An infix at the very start is none.
                if from > 0 {
                    if from > start {
                        piece(start, from);
                    }
                    piece(from, to);
                    start = to;
                }
            });
        }
        if start < text.len() {
            piece(start, text.len());
        }
    }
}

/// Chunks of a text: runs of what is no white space, and runs of white space but for a single space between others.
pub(super) struct Chunks<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Chunks<'a> {
    pub(super) const fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let in_space = rest.starts_with(is_space);
            let length = rest.find(|character| is_space(character) != in_space).unwrap_or(rest.len());
            let start = self.at;
            self.at += length;
            // The space after a word belongs to it; the text's first one does not.
            let skipped = usize::from(in_space && start > 0 && rest.starts_with(' '));
            if length > skipped {
                return rest.get(skipped..length).map(|chunk| (start + skipped, chunk));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;

    #[test]
    fn a_text_is_cut_at_white_space() {
        for (text, chunks) in [
            ("", vec![]),
            ("a b", vec!["a", "b"]),
            (" a", vec![" ", "a"]),
            ("a  b ", vec!["a", " ", "b"]),
            ("a\n\nb", vec!["a", "\n\n", "b"]),
            ("a \n b", vec!["a", "\n ", "b"]),
            ("a\u{1F}b\u{a0}é", vec!["a", "\u{1F}", "b", "\u{a0}", "é"]),
            ("  ", vec!["  "]),
        ] {
            assert_eq!(Chunks::of(text).map(|(_, chunk)| chunk).collect::<Vec<_>>(), chunks, "{text:?}");
        }
    }
}
