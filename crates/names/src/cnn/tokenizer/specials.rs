//! Words that the tokenizer knows: contractions, abbreviations, times, emoticons.
//!
//! In: the list of words with the tokens of each. Out: the tokens of a word; and tokens that are such a word together,
//! joined. Invariant: what is looked up has no more bytes than the longest word of the list.

use std::collections::HashMap;

use super::Token;
use crate::cnn::data::Items;
use crate::cnn::ids::hash;
use crate::cnn::words::Words;

/// Bits of the filter in front of the sequences.
const FILTER_BITS: usize = 4096;

/// The words.
#[derive(Default)]
pub(super) struct Specials {
    words: HashMap<&'static str, Vec<Token>>,
    longest: usize,
    /// Sequences of tokens that are a word, by the hash of the first token.
    sequences: HashMap<u64, Vec<Vec<u64>>>,
    /// A bit for each first token.
    first: Vec<u64>,
}

impl Token {
    /// The token, moved to the right.
    pub(super) const fn moved(&self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by, ..*self }
    }
}

/// A run of tokens that is a sequence.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    length: usize,
}

impl Specials {
    /// `cut` cuts a word, if it has an affix, as if there were no list: into the sequence to look for.
    pub(super) fn read(
        list: &'static [u8],
        words: &Words,
        cut: impl Fn(&str) -> Option<Vec<Token>>,
    ) -> Option<Self> {
        let mut specials = Self { first: vec![0; FILTER_BITS / 64], ..Self::default() };
        let mut items = Items::of(list);
        while !items.is_done() {
            let text = items.string()?;
            let mut pieces = Vec::new();
            let mut start = 0;
            for _ in 0..items.byte()? {
                let end = start + items.byte()?;
                let norm = items.string()?;
                pieces.push(Token {
                    start,
                    end,
                    hash: hash(text.get(start..end)?.as_bytes()),
                    norm: if norm.is_empty() { 0 } else { words.id(norm) },
                });
                start = end;
            }
            if start != text.len() {
                return None;
            }
            specials.add(text, pieces, cut(text));
        }
        Some(specials)
    }

    fn add(&mut self, text: &'static str, pieces: Vec<Token>, cut: Option<Vec<Token>>) {
        self.longest = self.longest.max(text.len());
        let cut = cut.filter(|cut| *cut != pieces).unwrap_or_default();
        self.words.insert(text, pieces);
        let sequence: Vec<u64> = cut.iter().map(|token| token.hash).collect();
        if let Some(first) = sequence.first().copied() {
            let (word, bit) = place(first);
            if let Some(word) = self.first.get_mut(word) {
                *word |= bit;
            }
            self.sequences.entry(first).or_default().push(sequence);
        }
    }

    /// The tokens of a word of the list.
    #[inline]
    pub(super) fn of(&self, text: &str) -> Option<&[Token]> {
        if text.len() > self.longest {
            return None;
        }
        self.words.get(text).map(Vec::as_slice)
    }

    /// Joins those of the tokens from `first` on, all of one chunk, which are a word of the list together: the longest
    /// of those that overlap, and the first of those as long.
    pub(super) fn join(&self, chunk: &str, at: usize, tokens: &mut Vec<Token>, first: usize) {
        let mut runs = Vec::new();
        let added = tokens.get(first..).unwrap_or_default();
        for (start, token) in added.iter().enumerate() {
            let (word, bit) = place(token.hash);
            if self.first.get(word).is_none_or(|word| word & bit == 0) {
                continue;
            }
            for sequence in self.sequences.get(&token.hash).into_iter().flatten() {
                let here = added.iter().skip(start).map(|token| &token.hash);
                if here.take(sequence.len()).eq(sequence) {
                    runs.push(Run { start, length: sequence.len() });
                }
            }
        }
        if runs.is_empty() {
            return;
        }
        let replaced = self.replace(chunk, at, added, runs);
        tokens.truncate(first);
        tokens.extend(replaced);
    }

    fn replace(&self, chunk: &str, at: usize, added: &[Token], mut runs: Vec<Run>) -> Vec<Token> {
        runs.sort_by_key(|run| (std::cmp::Reverse(run.length), run.start));
        let mut seen = vec![false; added.len()];
        let mut chosen: HashMap<usize, usize> = HashMap::new();
        for run in runs {
            let Some(covered) = seen.get_mut(run.start..run.start + run.length) else { continue };
            if covered.first() == Some(&false) && covered.last() == Some(&false) {
                chosen.insert(run.start, run.length);
            }
            covered.fill(true);
        }
        let mut replaced = Vec::with_capacity(added.len());
        let mut place = 0;
        while let Some(token) = added.get(place) {
            let length = chosen.get(&place).copied().unwrap_or(1);
            let last = added.get(place + length - 1).unwrap_or(token);
            let word = token.start.checked_sub(at).and_then(|start| chunk.get(start..last.end - at));
            match word.and_then(|word| self.words.get(word)) {
                Some(pieces) if chosen.contains_key(&place) => {
                    replaced.extend(pieces.iter().map(|piece| piece.moved(token.start)));
                }
                _ => replaced.extend(added.iter().skip(place).take(length)),
            }
            place += length;
        }
        replaced
    }
}

/// Where the filter's bit of a hash is.
const fn place(hash: u64) -> (usize, u64) {
    let bit = hash as usize % FILTER_BITS;
    (bit / 64, 1 << (bit % 64))
}
