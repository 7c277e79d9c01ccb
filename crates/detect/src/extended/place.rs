//! Cities, regions and countries, by the gazetteer and what stands around a name.
//!
//! In: a word with a capital. Out: the longest name that begins there. A name of the gazetteer alone is never a
//! finding: it must follow a word such as `in`, stand before its region or country (`Austin, TX`), or be a country.
//! Not here: values under keys such as `city` (`fields`), street addresses.

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use super::context::{after, before, first_word, is_one_of, last_word};
use crate::gazetteer::NAMES;
use crate::lex::PlainWord;
use crate::phrases::PhraseBook;
use crate::{people, vocabulary};

static BOOK: LazyLock<Option<PhraseBook>> = LazyLock::new(|| PhraseBook::read(NAMES));

/// Words after which a name is a place.
const BEFORE: &[&str] = &[
    "in", "near", "to", "from", "at", "around", "outside", "visiting", "visited", "toward", "towards",
    "across", "of", "via", "leaving", "reached", "downtown", "greater", "central", "north", "south", "east",
    "west", "northern", "southern", "eastern", "western", "nach", "aus", "bei", "von", "à", "de", "vers",
    "en", "a", "desde", "hacia", "hasta", "di", "da", "per", "em", "para", "te", "naar", "uit", "van", "w",
    "do", "z", "v", "ve", "ze", "i", "från", "till", "fra", "til", "в", "из", "на",
];
const STATES: &[&str] = &[
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY",
    "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND",
    "OH", "OK", "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY", "DC",
    "ON", "QC", "BC", "AB", "MB", "SK", "NS", "NB", "NL", "PE", "NSW", "VIC", "QLD", "UK", "USA",
];

/// Short names of countries in capitals.
const COUNTRIES: &[&str] = &["US", "USA", "UK", "UAE", "U.S", "U.S.", "U.S.A", "U.S.A.", "U.K", "U.K."];

/// True when the whole of a text is a name of the gazetteer, or stands for one, and is no everyday word.
pub(crate) fn is_known(name: &str) -> bool {
    if STATES.contains(&name) || COUNTRIES.contains(&name) {
        return true;
    }
    let whole =
        |book: &PhraseBook| book.longest_at(name, 0).is_some_and(|(span, _)| span.len() == name.len());
    BOOK.as_ref().is_some_and(whole) && !is_word(name)
}

/// True for an everyday word, a month, a day: `Reading`, `March`.
fn is_word(name: &str) -> bool {
    !name.contains([' ', '-']) && (vocabulary::is_common(name) || people::is_no_name(name))
}

/// False when no place begins with a plain word at `start`.
#[inline]
pub(super) fn may_begin(text: &str, start: usize, word: PlainWord) -> bool {
    BOOK.as_ref().is_some_and(|book| book.may_begin_plain(text, start, word))
}

/// Reads a place at a word.
pub(super) fn at_word(text: &str, word: Span, hash: u64) -> Option<(Span, &'static str)> {
    let written = word.of(text)?;
    let capital = written.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_lowercase());
    let book = BOOK.as_ref().filter(|_| capital && written.len() >= 3)?;
    if written.is_ascii() && !book.may_begin(hash) {
        return None;
    }
    let (span, number) = book.longest_at(text, word.start())?;
    let value = span.of(text)?;
    if after(text, span.end(), 1).starts_with(['_', '(', '@', '='])
        || before(text, span.start(), 1).ends_with(['_', '@', '.', '/', '#', '$'])
    {
        return None;
    }
    let common = is_word(value);
    let country = number % 4 == 0 && value.chars().count() >= 4;
    let told = is_one_of(last_word(before(text, span.start(), 16), &[]), BEFORE);
    let within = region_follows(text, span.end(), book);
    let named = || !country && !within && !value.contains([' ', '-']) && name_follows(text, span.end(), book);
    let place = (country || told || within) && !common || (told && within);
    (place && !named()).then_some((span, "place"))
}

/// `to Alice Johnson`: a word with a capital follows that is no place and none of everyday language.
fn name_follows(text: &str, end: usize, book: &PhraseBook) -> bool {
    let rest = after(text, end, 32);
    let next = rest.strip_prefix(' ').map(first_word).unwrap_or_default();
    let mut letters = next.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
        && !is_word(next)
        && book.longest_at(text, end + 1).is_none()
}

/// `, TX`, `, France`
fn region_follows(text: &str, end: usize, book: &PhraseBook) -> bool {
    let rest = after(text, end, 64);
    let Some(tail) = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(" (")) else { return false };
    let code: String = tail.chars().take_while(char::is_ascii_uppercase).take(4).collect();
    STATES.contains(&code.as_str())
        || (tail.starts_with(char::is_uppercase)
            && book.longest_at(text, end + rest.len() - tail.len()).is_some_and(|(_, number)| number % 4 < 2))
}
