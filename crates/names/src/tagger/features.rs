//! What speaks for and against a name at one token of a line.
//!
//! In: the tokens of a line. Out: numbers of features, each given to `say` once; about seventy, always in the same order.
//! Invariant: kinds keep their numbers, since the learnt weights are kept under them.

use super::hash::{self, Hash};
use super::tokens::{Case, Token};

/// What all tokens of a line share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Which cases its words are written in.
    case: u64,
    /// How long it is, in steps.
    length: u64,
}

impl Line {
    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut lower = 0_usize;
        let mut upper = 0_usize;
        let mut title = 0_usize;
        for token in tokens {
            match token.case {
                Case::Lower => lower += 1,
                Case::Upper => upper += 1,
                Case::Title | Case::Mixed => title += 1,
                _ => {}
            }
        }
        let case = match (lower, title, upper) {
            (_, 0, 0) => 0,
            (0, 0, _) => 1,
            (0, _, 0) => 2,
            (lower, title, upper) if lower >= 2 * (title + upper) => 3,
            (_, title, upper) if upper > title => 4,
            _ => 5,
        };
        let length = match tokens.len() {
            0..=3 => tokens.len() as u64,
            4..=6 => 4,
            7..=12 => 5,
            _ => 6,
        };
        Self { case, length }
    }
}

/// Kinds of features, counted.
struct Kinds<F> {
    next: u64,
    say: F,
}

impl<F: FnMut(Hash)> Kinds<F> {
    fn one(&mut self, seen: Hash) {
        self.next += 1;
        (self.say)(hash::feature(self.next, seen));
    }

    fn two(&mut self, one: Hash, other: Hash) {
        self.one(hash::pair(one, other));
    }

    fn three(&mut self, one: Hash, other: Hash, third: Hash) {
        self.one(hash::pair(hash::pair(one, other), third));
    }
}

/// Gives each feature of the token at `at` to `say`.
pub(super) fn visit(tokens: &[Token], at: usize, line: Line, say: impl FnMut(Hash)) {
    let outside = Token { word: 1, cased: 1, shape: 1, ..Token::default() };
    let near = |offset: isize| -> &Token {
        at.checked_add_signed(offset).and_then(|place| tokens.get(place)).unwrap_or(&outside)
    };
    let around = Around {
        before: [near(-1), near(-2)],
        here: near(0),
        after: [near(1), near(2)],
        place: at.min(2) as u64,
        line,
    };
    let mut kinds = Kinds { next: 0, say };
    words(&around, &mut kinds);
    forms(&around, &mut kinds);
    lists(&around, &mut kinds);
    structure(&around, &mut kinds);
}

struct Around<'a> {
    before: [&'a Token; 2],
    here: &'a Token,
    after: [&'a Token; 2],
    place: u64,
    line: Line,
}

fn words(around: &Around<'_>, kinds: &mut Kinds<impl FnMut(Hash)>) {
    let Around { before: [b, b2], here, after: [a, a2], .. } = around;
    kinds.one(0);
    kinds.one(here.word);
    kinds.one(here.cased);
    kinds.one(b.word);
    kinds.one(a.word);
    kinds.one(b2.word);
    kinds.one(a2.word);
    kinds.two(b.word, here.word);
    kinds.two(here.word, a.word);
    kinds.two(b2.word, b.word);
    kinds.two(a.word, a2.word);
    kinds.two(b.word, a.word);
    here.prefixes.iter().for_each(|prefix| kinds.one(*prefix));
    here.suffixes.iter().for_each(|suffix| kinds.one(*suffix));
    kinds.one(suffix3(b));
    kinds.one(suffix3(a));
}

fn forms(around: &Around<'_>, kinds: &mut Kinds<impl FnMut(Hash)>) {
    let Around { before: [b, b2], here, after: [a, a2], line, .. } = around;
    kinds.one(here.shape);
    kinds.one(b.shape);
    kinds.one(a.shape);
    kinds.two(b.shape, here.shape);
    kinds.two(here.shape, a.shape);
    kinds.three(b.shape, here.shape, a.shape);
    kinds.three(b2.shape, b.shape, here.shape);
    kinds.three(here.shape, a.shape, a2.shape);
    kinds.two(line.case, here.shape);
    kinds.two(b.word, here.shape);
    kinds.two(a.word, here.shape);
    kinds.three(b2.word, b.word, here.shape);
    kinds.three(a.word, a2.word, here.shape);
    kinds.two(suffix3(here), here.case as u64);
}

fn suffix3(token: &Token) -> Hash {
    let [_, _, third, _] = token.suffixes;
    third
}

/// What lists say of a token, with how it is written.
fn listed(token: &Token) -> Hash {
    u64::from(token.listed) << 8 | token.case as u64
}

fn lists(around: &Around<'_>, kinds: &mut Kinds<impl FnMut(Hash)>) {
    let Around { before: [b, b2], here, after: [a, a2], line, .. } = around;
    let bits = |token: &Token| u64::from(token.listed);
    kinds.one(bits(here));
    kinds.one(bits(b));
    kinds.one(bits(a));
    kinds.two(bits(b), bits(here));
    kinds.two(bits(here), bits(a));
    kinds.three(bits(b), bits(here), bits(a));
    kinds.one(listed(here));
    kinds.two(listed(b), listed(here));
    kinds.two(listed(here), listed(a));
    kinds.three(listed(b), listed(here), listed(a));
    kinds.three(listed(b2), listed(b), listed(here));
    kinds.three(listed(here), listed(a), listed(a2));
    kinds.two(line.case, listed(here));
    kinds.two(b.word, listed(here));
    kinds.two(a.word, listed(here));
    kinds.two(suffix3(here), bits(here));
}

fn structure(around: &Around<'_>, kinds: &mut Kinds<impl FnMut(Hash)>) {
    let Around { before: [b, _], here, after: [a, _], line, place } = around;
    kinds.one(here.key);
    kinds.one(here.key_pair);
    kinds.three(here.key, u64::from(here.key_distance), here.shape);
    kinds.two(here.key, listed(here));
    kinds.three(line.length, *place, here.case as u64);
    kinds.three(line.length, *place, listed(here));
    kinds.two(u64::from(here.begins), here.shape);
    kinds.two(u64::from(here.begins), listed(here));
    // What touches the word: `user.name`, `Name@`, `/name`, `#tag`.
    let left = if here.glued { b.cased } else { 0 };
    let right = if a.glued { a.cased } else { 0 };
    kinds.two(left, here.case as u64);
    kinds.two(right, here.case as u64);
    kinds.three(left, right, listed(here));
    kinds.two(here.word_before, here.shape);
    kinds.two(here.word_after, here.shape);
    kinds.three(here.word_before, here.word_after, here.case as u64);
}
