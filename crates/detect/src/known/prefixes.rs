//! Hashes of all beginnings of a text, to be compared with those of whole values.
//!
//! In: a text from where a value may begin. Out: the hash of its beginning of a given length when folded. Invariant:
//! each byte is folded and hashed once. Not here: which lengths are asked for (`index`).

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher24};
use unicode_normalization::char::is_combining_mark;

use super::{KnownKey, TIGHT};
use crate::canonical::fold_into;
use crate::work;

/// Hashes of the beginnings of a text, folded: each byte is folded and hashed once, however many are asked for.
pub(super) struct Prefixes {
    form: String,               // the text, folded
    borders: Vec<(u16, usize)>, // lengths of the form where the text may be cut, and of the text; empty for ASCII
    hasher: SipHasher24,
    hashed: usize, // how much of the form the hasher has read
}

impl Prefixes {
    /// Beginnings of up to `longest` bytes.
    pub(super) fn new(key: KnownKey, text: &str, longest: usize) -> Self {
        let mut prefixes = Self {
            form: String::with_capacity(longest),
            borders: Vec::new(),
            hasher: key.opened(TIGHT),
            hashed: 0,
        };
        if let Some(ascii) = text.get(..longest.min(text.len())).filter(|head| head.is_ascii()) {
            fold_into(ascii, &mut prefixes.form);
            work::count(prefixes.form.len());
            return prefixes;
        }
        let mut start = 0;
        let borders = text.char_indices().skip(1).filter(|(_, c)| !continues(*c)).map(|(at, _)| at);
        for end in borders.chain([text.len()]) {
            fold_into(text.get(start..end).unwrap_or_default(), &mut prefixes.form);
            let Some(length) =
                u16::try_from(prefixes.form.len()).ok().filter(|len| usize::from(*len) <= longest)
            else {
                break;
            };
            work::count(end - start);
            prefixes.borders.push((length, end));
            start = end;
        }
        prefixes
    }

    /// The length in the text of the beginning whose form has `length` bytes, and its hash. Lengths must rise.
    pub(super) fn hash_of(&mut self, length: usize) -> Option<(usize, u128)> {
        let len = if self.borders.is_empty() {
            (length <= self.form.len()).then_some(length)?
        } else {
            let at = self.borders.binary_search_by_key(&length, |(form, _)| usize::from(*form)).ok()?;
            self.borders.get(at)?.1
        };
        work::count(length.saturating_sub(self.hashed) + 1);
        if length > self.hashed {
            self.hasher.write(self.form.as_bytes().get(self.hashed..length)?);
            self.hashed = length;
        }
        Some((len, self.hasher.finish128().as_u128()))
    }
}

/// True for a character that folding may join to the one before: marks, and what folds to marks or vowels of Hangul.
fn continues(c: char) -> bool {
    !c.is_ascii()
        && (is_combining_mark(c)
            || matches!(c, '\u{1160}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{d7b0}'..='\u{d7ff}' | '\u{ff9e}'..='\u{ffdc}'))
}
