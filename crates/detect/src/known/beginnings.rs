//! Beginnings of known values: what a server cut off at the end of a page is recognised as well.
//!
//! In: a value that is recognised everywhere, its canonical form. Out: keyed hashes of the beginnings that tell, one
//! for each place where the form may be cut. Names tell from a letter after their first word on, so that a given name
//! alone never does; addresses of mail from behind their first mark on; numbers and secrets by more than their half.
//! Invariant: at most `MAX_BEGINNINGS` hashes a value, and no text of it. Not here: where a text may have been cut
//! (`edges`), endings at the start of a text.

use std::hash::Hasher;

use cloakgate_vocab::{Category, Detector, Span};
use siphasher::sip128::Hasher128;

use super::admission::is_common;
use super::{Anchor, Form, KnownKey, Reach};
use crate::canonical::{folded, is_grouped, is_word_char, stands_alone};

/// Names a value of which only the beginning was there.
pub(crate) const BEGINNING: Detector = Detector("beginning of a known value");

/// How far before the end of a text, in bytes, a beginning may start.
pub(super) const MAX_TAIL_BYTES: usize = 128;
/// Characters by which a value is found whose first word is cut itself.
pub(super) const HEAD_CHARS: usize = 8;
/// Most beginnings of one value.
pub(super) const MAX_BEGINNINGS: usize = 48;
/// Fewest characters of a beginning of a name.
const MIN_NAME: usize = 5;
/// Fewest characters of a beginning of an address, of mail or of a place.
const MIN_ADDRESS: usize = 6;
/// Fewest characters of a beginning of a number or a secret.
const MIN_NUMBER: usize = HEAD_CHARS;
/// Letters that must follow the first word of a name, and of one that begins with a common word: `will sm`.
const AFTER_NAME: usize = 1;
const AFTER_COMMON: usize = 3;
/// So much of a secret, and of an address of a place, always tells.
const ENOUGH_OF_SECRET: usize = 16;
const ENOUGH_OF_PLACE: usize = 10;

const LOOSE_BEGINNING: u8 = 4;
const TIGHT_BEGINNING: u8 = 5;
const HEAD: u8 = 6;

/// A value and its canonical form.
pub(super) struct Value<'a> {
    pub(super) category: Category,
    pub(super) text: &'a str,
    pub(super) words: &'a [Span],
    pub(super) form: &'a str,
    pub(super) kind: Form,
}

/// The beginnings of one value that are recognised at the end of a text.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub(super) struct Beginnings {
    /// Hashes of the beginnings, shortest first.
    pub(super) hashes: Box<[u64]>,
    /// The first characters of a value that may be cut within its first word.
    pub(super) head: Option<Anchor>,
}

impl Beginnings {
    /// The beginnings of a value that is recognised within `reach`.
    pub(super) fn of(key: &KnownKey, value: &Value<'_>, reach: &Reach) -> Self {
        let Some(shortest) = shortest(value) else { return Self::default() };
        let form = value.form.as_bytes();
        let mut hasher = opened(key, value.kind.is_loose(), reach);
        let mut hashes = Vec::new();
        let mut hashed = 0;
        for (end, _) in value.form.char_indices().skip(shortest).take(MAX_BEGINNINGS) {
            hasher.write(form.get(hashed..end).unwrap_or_default());
            hashed = end;
            hashes.push(hasher.finish128().h1);
        }
        Self { hashes: hashes.into(), head: head_of(key, value) }
    }
}

/// Hash of the folded end of a text, to be looked up among the beginnings of values within `reach`.
pub(super) fn hash(key: &KnownKey, loose: bool, reach: &Reach, form: &str) -> u64 {
    let mut hasher = opened(key, loose, reach);
    hasher.write(form.as_bytes());
    hasher.finish128().h1
}

fn opened(key: &KnownKey, loose: bool, reach: &Reach) -> siphasher::sip128::SipHasher24 {
    let mut hasher = key.opened(if loose { LOOSE_BEGINNING } else { TIGHT_BEGINNING });
    if let Reach::Upstream(name) = reach {
        hasher.write(name.as_str().as_bytes());
    }
    hasher.write_u8(0xff); // in no name
    hasher
}

/// The anchor of a run of letters and digits by its first characters; `None` for a run that has fewer.
pub(super) fn head(key: &KnownKey, run: &str) -> Option<Anchor> {
    let end = run.char_indices().nth(HEAD_CHARS - 1).map(|(at, c)| at + c.len_utf8())?;
    let head = run.get(..end)?.as_bytes();
    Some(Anchor { hash: key.anchor_in(HEAD, head), sieved: key.scheme().folded(head) })
}

fn head_of(key: &KnownKey, value: &Value<'_>) -> Option<Anchor> {
    if matches!(kind(value.category), Kind::Name | Kind::Place) {
        // A word of prose may begin as a name without its blanks does.
        return None;
    }
    let lead = match value.kind {
        Form::Loose => 0,
        Form::Tight { lead, .. } => usize::from(lead),
    };
    let run = value.form.get(lead..)?;
    let end = run.find(|c| !is_word_char(c) || stands_alone(c)).unwrap_or(run.len());
    head(key, run.get(..end)?)
}

/// What a beginning must hold to tell.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Kind {
    Name,
    Mail,
    Number,
    Secret,
    Place,
    None,
}

fn kind(category: Category) -> Kind {
    match category {
        Category::Person | Category::Org | Category::Location => Kind::Name,
        Category::Email | Category::Username => Kind::Mail,
        Category::Phone | Category::CryptoWallet => Kind::Number,
        _ if is_grouped(category) => Kind::Number,
        Category::Address | Category::Medical | Category::Custom => Kind::Place,
        Category::PrivateKey => Kind::None,
        _ if category.is_secret() => Kind::Secret,
        _ => Kind::None,
    }
}

/// Fewest characters of the form that tell; `None` when no beginning does.
fn shortest(value: &Value<'_>) -> Option<usize> {
    let all = value.form.chars().count();
    let more_than_half = all / 2 + 1;
    match kind(value.category) {
        Kind::Name if value.text.chars().any(stands_alone) => Some(more_than_half),
        Kind::Name => {
            let first = folded(value.words.first()?.of(value.text)?);
            let after = if value.category != Category::Person || is_common(&first) {
                AFTER_COMMON
            } else {
                AFTER_NAME
            };
            Some((before_second_word(value)? + after).max(MIN_NAME))
        }
        Kind::Mail => mail(value),
        Kind::Place => {
            Some((before_second_word(value)? + 1).max(more_than_half.clamp(MIN_ADDRESS, ENOUGH_OF_PLACE)))
        }
        Kind::Number => Some(more_than_half.max(MIN_NUMBER)),
        Kind::Secret if value.category == Category::Jwt => Some(more_than_half.max(ENOUGH_OF_SECRET)),
        Kind::Secret => Some(more_than_half.clamp(MIN_NUMBER, ENOUGH_OF_SECRET)),
        Kind::None => None,
    }
}

/// `marie@` and `marie.d`, but neither `marie` nor `marie.`, which end sentences; `jsmith19` by its digits.
fn mail(value: &Value<'_>) -> Option<usize> {
    let second = before_second_word(value)?;
    let mark_tells = value.form.chars().nth(second.checked_sub(1)?) == Some('@');
    let behind_mark = if mark_tells { second } else { second + 1 };
    let digit = value.form.chars().take(second).position(|c| c.is_ascii_digit());
    let behind_digit = digit.map_or(usize::MAX, |at| (at + 1).max(MIN_NUMBER));
    Some(behind_mark.min(behind_digit).max(MIN_ADDRESS))
}

/// Characters of the form before its second word; `None` when there is one word only.
fn before_second_word(value: &Value<'_>) -> Option<usize> {
    let second = value.words.get(1)?;
    let before = match value.kind {
        Form::Loose => value.words.first()?.of(value.text)?,
        Form::Tight { .. } => value.text.get(..second.start())?,
    };
    Some(folded(before).chars().count())
}
