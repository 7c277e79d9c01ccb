//! Secrets that their vendors mark with a fixed head.
//!
//! Issuers and formats: the rows of `vendor_table.rs`. Check rule: alphabet and length of every part, no further
//! letter behind the last one, a spread of characters that chance gives and placeholders lack. `ghp_example`,
//! `sk-learn`, `sk_test_xxxxxxxxxxxxxxxx` and `xoxb-your-token-here` are no secrets.
//!
//! In: text and a word start. Out: one hit. Invariant: two table looks reject a word that begins like no row; a match
//! reads at most the longest form of the row. Not here: secrets that only a key word beside them announces.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_base64url, is_identifier, reads_exactly, run_end};
use super::plausible::{has_spread, mentions_placeholder};
use super::vendor_table::{Alphabet, Part, RULES, Rule};

/// No rule, at the end of a chain.
const NONE: u16 = u16::MAX;
const FILTER_WORDS: usize = 256;
/// One bit per hash of the first three bytes of every head.
static FILTER: [u64; FILTER_WORDS] = build_filter();
/// The first three bytes of each head.
static STARTS: [[u8; 3]; RULES.len()] = build_starts();
/// Rules by first byte: the first of a chain, and for each rule the next one.
static CHAINS: ([u16; 256], [u16; RULES.len()]) = build_chains();

/// True when some head may begin with these bytes.
#[inline]
pub(super) fn may_begin(bytes: [u8; 3]) -> bool {
    let hash = hash(bytes);
    FILTER.get(hash / 64).is_some_and(|word| word >> (hash % 64) & 1 == 1)
}

/// The heads of all forms.
#[cfg(test)]
pub(crate) fn heads() -> impl Iterator<Item = &'static str> {
    RULES.iter().map(|rule| rule.head)
}

/// Reports the secret that begins at `start`.
pub(super) fn vendor_at(text: &str, start: usize, out: &mut Vec<Hit>) {
    let first = [at(text, start), at(text, start + 1), at(text, start + 2)];
    let mut index = CHAINS.0.get(usize::from(at(text, start))).copied().unwrap_or(NONE);
    while let Some(rule) = RULES.get(usize::from(index)) {
        let begins = STARTS.get(usize::from(index)).is_some_and(|start| *start == first);
        if begins
            && reads_exactly(text, start, rule.head)
            && let Some(hit) = matched(text, start, rule)
        {
            out.push(hit);
            return;
        }
        index = CHAINS.1.get(usize::from(index)).copied().unwrap_or(NONE);
    }
}

/// Telegram bot tokens have no head: 8 to 10 digits, `:`, 35 characters of base64url (Bot API, "Authorizing your bot").
pub(super) fn bot_token_at(text: &str, start: usize) -> Option<Hit> {
    let colon = run_end(text, start, 11, |byte| byte.is_ascii_digit());
    if !(8..=10).contains(&(colon - start)) || at(text, colon) != b':' || is_identifier(before(text, start)) {
        return None;
    }
    let end = run_end(text, colon + 1, 40, is_base64url);
    let secret = text.as_bytes().get(colon + 1..end)?;
    (secret.len() == 35 && is_secret(secret) && !mentions_placeholder(secret))
        .then(|| Hit::new(start, end, Category::ApiKey, "telegram", Strength::Checked))
}

fn matched(text: &str, start: usize, rule: &Rule) -> Option<Hit> {
    let body = start + rule.head.len();
    if is_identifier(before(text, start)) {
        return None;
    }
    let mut position = body;
    for part in rule.parts {
        position = match part {
            Part::Text(literal) if reads_exactly(text, position, literal) => position + literal.len(),
            Part::Text(_) => return None,
            Part::Uuid => uuid(text, position)?,
            Part::Run(alphabet, shortest, longest) => run(text, position, *alphabet, (*shortest, *longest))?,
        };
    }
    let last = before(text, position);
    // padding may follow base64, nothing else that goes on
    let goes_on = is_identifier(at(text, position)) && (last != b'=' || at(text, position) == b'_');
    let secret = text.as_bytes().get(body..position)?;
    // the keys that the documentation of AWS prints end with EXAMPLE; people do use them, and they cost nothing
    let example = rule.category != Category::AwsKey && mentions_placeholder(secret);
    (!goes_on && is_secret(secret) && !example).then(|| {
        let from = start + usize::from(rule.skipped);
        Hit::new(from, position, rule.category, rule.vendor, Strength::Checked)
    })
}

fn run(text: &str, start: usize, alphabet: Alphabet, (shortest, longest): (u16, u16)) -> Option<usize> {
    let end = run_end(text, start, usize::from(longest) + 1, |byte| alphabet.has(byte));
    (usize::from(shortest)..=usize::from(longest)).contains(&(end - start)).then_some(end)
}

/// The end of 8, 4, 4, 4 and 12 hex digits joined by `-`.
fn uuid(text: &str, start: usize) -> Option<usize> {
    let mut position = start;
    for width in [8, 4, 4, 4] {
        position = run(text, position, Alphabet::Hex, (width, width))?;
        if at(text, position) != b'-' {
            return None;
        }
        position += 1;
    }
    run(text, position, Alphabet::Hex, (12, 12))
}

/// Chance gives many different characters, digits or both cases, and no words that people write into examples.
fn is_secret(secret: &[u8]) -> bool {
    let digits = secret.iter().any(u8::is_ascii_digit);
    let upper = secret.iter().any(u8::is_ascii_uppercase);
    let lower = secret.iter().any(u8::is_ascii_lowercase);
    (digits || (upper && lower)) && has_spread(secret)
}

const fn hash([first, second, third]: [u8; 3]) -> usize {
    let mixed = (first as u32 | (second as u32) << 8 | (third as u32) << 16).wrapping_mul(0x9E37_79B1);
    (mixed >> 18) as usize
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only: out of range fails the build")]
const fn build_filter() -> [u64; FILTER_WORDS] {
    let mut filter = [0; FILTER_WORDS];
    let mut index = 0;
    while index < RULES.len() {
        let head = RULES[index].head.as_bytes();
        let hash = hash([head[0], head[1], head[2]]);
        filter[hash / 64] |= 1 << (hash % 64);
        index += 1;
    }
    filter
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only: out of range fails the build")]
const fn build_starts() -> [[u8; 3]; RULES.len()] {
    let mut starts = [[0; 3]; RULES.len()];
    let mut index = 0;
    while index < RULES.len() {
        let head = RULES[index].head.as_bytes();
        starts[index] = [head[0], head[1], head[2]];
        index += 1;
    }
    starts
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only: out of range fails the build")]
const fn build_chains() -> ([u16; 256], [u16; RULES.len()]) {
    let mut heads = [NONE; 256];
    let mut next = [NONE; RULES.len()];
    let mut index = RULES.len();
    // backwards, so that a chain keeps the order of the table
    while index > 0 {
        index -= 1;
        let first = RULES[index].head.as_bytes()[0] as usize;
        next[index] = heads[first];
        heads[first] = index as u16;
    }
    (heads, next)
}

#[cfg(test)]
mod tests;
