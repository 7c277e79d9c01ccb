//! Addresses where their form speaks for itself, in the orders of many countries.
//!
//! In: a text and a place where a word for a kind of street or a part of a house stands, or a number. Out: the span
//! of the address. Forms: `12 Elm Street, Springfield, IL 62704`, `12 rue des Lilas, 69003 Lyon`, `Calle Mayor, 42`,
//! `Hauptstraße 5, 10115 Berlin`, `ul. Długa 7/9`, `Kossuth utca 12`, `PO Box 12`, `5 Oak Rise, Derby DE1 1AA`.
//! Check rule: a house number beside a name with a capital, and one of a kind of street, a flat, a post code in the
//! form and place of its country. Invariant: a look reads one window of bounded size (`tokens`). Not here: addresses
//! under keys (`fields`), scripts without blanks (`unspaced`).

use cloakgate_vocab::Span;

use crate::keys::{self, Meaning};
use crate::{vocabulary, work};

use back::code_after_street;
use kinds::{Ending, Kind, ending_of, kind_of};
use parts::{house_number, names_left, names_right, number_left, number_right, numbered_street, unit_number};
use tail::tail;
use tokens::{Class, Tokens};

pub(crate) use tokens::Reader;

mod back;
mod kinds;
mod near;
mod parts;
mod post_code;
mod tail;
mod tokens;
mod unspaced;

pub(crate) use kinds::anchors;
pub(crate) use unspaced::in_run as in_unspaced_run;

/// The street itself: indexes of its first and last token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Core {
    first: usize,
    last: usize,
    doubtful: bool,
}

/// True for a word that a street's name begins or ends with.
pub(crate) fn is_street_word(word: &str) -> bool {
    let kind = kind_of(word);
    kind.any(Kind::STREET) && !kind.any(Kind::DOUBTFUL)
}

/// True for a small word that may stand inside an address.
pub(crate) fn is_inner_word(word: &str) -> bool {
    let kind = kind_of(word);
    let bits = [Kind::STREET, Kind::UNIT, Kind::NUMBER_MARK, Kind::PARTICLE, Kind::PLACE];
    !matches!(word, "and" | "und" | "the" | "of" | "in" | "y" | "e" | "et" | "a")
        && bits.into_iter().any(|bit| kind.any(bit))
}

/// True for a word that a full stop may follow inside an address: `Av`, `Apt`, `nr`, one letter.
pub(crate) fn is_short_form(word: &str) -> bool {
    let kind = kind_of(word);
    let known =
        [Kind::STREET, Kind::UNIT, Kind::NUMBER_MARK, Kind::PLACE].into_iter().any(|bit| kind.any(bit));
    known
        || word.chars().count() == 1
        || matches!(word, "Dr" | "dr" | "St" | "Sta" | "Sto" | "Mt" | "Pa" | "pr")
}

/// True for a text that begins with a part of a house: `Bajo A`, `Apt 5`.
pub(crate) fn begins_with_unit(text: &str) -> bool {
    let word: usize = text.chars().take_while(|c| c.is_alphabetic()).map(char::len_utf8).sum();
    let (word, rest) = text.split_at_checked(word).unwrap_or_default();
    // `2 Der.` is a door on the right; `Der Patient` begins a sentence.
    let article = word == "Der" && rest.trim_start_matches([' ', '-']).starts_with(char::is_alphanumeric);
    !article && kind_of(word).any(Kind::UNIT)
}

/// The address around a word of addresses at `start`.
pub(crate) fn around_word(reader: &mut Reader<'_>, start: usize) -> Option<Span> {
    if !reader.number_near(start) {
        return None;
    }
    let (tokens, at) = reader.around(start)?;
    let kind = tokens.kind(at);
    let street = if kind.any(Kind::STREET) { street(&tokens, at, kind) } else { None };
    street
        .or_else(|| kind.any(Kind::BOX).then(|| post_office_box(&tokens, at)).flatten())
        .or_else(|| kind.any(Kind::FLAT).then(|| flat(&tokens, at)).flatten())
}

/// `Hauptstraße 5`: the address around the house number at `start`.
pub(crate) fn around_number(reader: &mut Reader<'_>, start: usize) -> Option<Span> {
    let text = reader.text();
    let head = text.as_bytes().get(..start.checked_sub(1)?)?;
    let dotted =
        head.last() == Some(&b'.') && head.get(head.len().saturating_sub(3)..)?.eq_ignore_ascii_case(b"tr.");
    if !dotted && !kinds::may_end_street(head) {
        return None;
    }
    let (tokens, at) = reader.around(start)?;
    let dotted = tokens.before(at)?.is('.');
    let name = at.checked_sub(if dotted { 2 } else { 1 })?;
    let word = tokens.at(name).filter(|word| word.class == Class::Capital)?;
    let ending = ending_of(word.text).filter(|_| !dotted || word.text.to_lowercase().ends_with("str"))?;
    let number = house_number(&tokens, at)?;
    let doubtful = ending == Ending::Doubtful
        || tokens.at(at)?.digits() > 4
        || post_code::is_year(tokens.at(at)?.text)
        || vocabulary::is_common(word.text);
    // `Landstraßer Hauptstraße 76`
    let adjective = name.checked_sub(1).filter(|at| {
        tokens.at(*at).is_some_and(|word| {
            word.class == Class::Capital
                && word.text.len() > 5
                && word.text.ends_with("er")
                && !vocabulary::is_common(word.text)
        })
    });
    finish(&tokens, Core { first: adjective.unwrap_or(name), last: number, doubtful })
}

/// The address that the post code at `start` belongs to.
pub(crate) fn around_code(reader: &mut Reader<'_>, start: usize) -> Option<Span> {
    if !post_code::may_stand(reader.text(), start) {
        return None;
    }
    let (tokens, at) = reader.around(start)?;
    let (first, last) = code_after_street(&tokens, at)?;
    let before = tokens.before(at)?;
    if before.class == Class::Capital && names_a_number(tokens.text, before.end()) {
        return None;
    }
    (!is_licence(&tokens, first)).then(|| span(&tokens, first, last)).flatten()
}

/// True for a text that is a street with a house number and nothing else: `5040 Adam Throughway`.
pub(crate) fn is_street_line(text: &str) -> bool {
    let mut reader = Reader::new(text);
    let Some((tokens, _)) = reader.around(text.len() - text.trim_start().len()) else { return false };
    let count = (0..12).take_while(|at| tokens.at(*at).is_some()).count();
    (2..=9).contains(&count) && back::is_street(&tokens, 0, count.saturating_sub(1))
}

/// The span from one token to another, without a full stop at its end.
fn span(tokens: &Tokens<'_, '_>, first: usize, last: usize) -> Option<Span> {
    Span::new(tokens.at(first)?.start, tokens.at(last)?.end())
}

/// Widens the street to both sides, and decides.
fn finish(tokens: &Tokens<'_, '_>, core: Core) -> Option<Span> {
    let tail = tail(tokens, core.last);
    let first = tail::head(tokens, core.first);
    if core.doubtful && !tail.speaks && !told(tokens, core, first) {
        return None;
    }
    if is_licence(tokens, first) {
        return None;
    }
    span(tokens, first, tail.last)
}

/// `lives at 119 Countess Close`: the word before says that an address follows.
fn told(tokens: &Tokens<'_, '_>, core: Core, first: usize) -> bool {
    let cue = tokens.before(first).is_some_and(|word| matches!(word.text, "at" | "At"));
    let number = tokens.at(core.first).filter(|token| token.class == Class::Number);
    cue && number.is_some_and(|token| !post_code::is_year(token.text))
        && tokens.class(core.last).is_some_and(|class| class == Class::Capital)
        && back::names_speak(tokens, core.first + 1, core.last - 1)
}

/// What licences say near the address of those who wrote them, in small letters.
const OF_LICENCES: &[&str] = &[
    "public license",
    "creative commons",
    "software foundation",
    "permission is hereby granted",
    "redistribution and use",
    "verbatim copies",
    "copy of the license",
    "copy of this license",
    "copyright holder",
];
/// How far before and after an address such words are looked for.
const LICENCE_REACH: (usize, usize) = (400, 160);

/// The letterhead of those who wrote a licence, inside its text.
fn is_licence(tokens: &Tokens<'_, '_>, first: usize) -> bool {
    let Some(start) = tokens.at(first).map(|token| token.start) else { return false };
    let text = tokens.text;
    let from = text.ceil_char_boundary(start.saturating_sub(LICENCE_REACH.0));
    let to = text.floor_char_boundary((start + LICENCE_REACH.1).min(text.len()));
    let window = text.get(from..to).unwrap_or_default().to_ascii_lowercase();
    work::count(window.len());
    OF_LICENCES.iter().any(|words| window.contains(words))
}

/// Whether a word for a number of another kind ends at a place: `Steuer-ID`, `Tel`.
pub(crate) fn names_a_number(text: &str, end: usize) -> bool {
    keys::phrase_ending(text, end).is_some_and(|phrase| {
        matches!(
            phrase.meaning,
            Meaning::Phone
                | Meaning::Iban
                | Meaning::Ssn
                | Meaning::NationalId
                | Meaning::AnyId
                | Meaning::TaxId
                | Meaning::AnyTax
                | Meaning::HealthId
                | Meaning::OtherId
                | Meaning::BankAccount
                | Meaning::Passport
                | Meaning::DriverLicense
                | Meaning::Card
        )
    })
}

/// The street around a word for its kind.
fn street(tokens: &Tokens<'_, '_>, at: usize, kind: Kind) -> Option<Span> {
    let word = tokens.at(at)?;
    let capital = word.class == Class::Capital;
    if !capital && !kind.any(Kind::SMALL) {
        return None;
    }
    let doubtful = kind.any(Kind::DOUBTFUL) || (!capital && kind.any(Kind::SMALL_DOUBTFUL));
    let after = behind_kind(tokens, at)?;
    let number_kind_name = || {
        let number = number_left(tokens, at, true).filter(|_| kind.any(Kind::NUMBER_KIND_NAME))?;
        let last = names_right(tokens, after)?;
        // `12 Place de la Bourse`, `3, place Bellecour`
        let written =
            tokens.kind(after).any(Kind::PARTICLE) || tokens.before(at).is_some_and(|mark| mark.is(','));
        let year = post_code::is_year(tokens.at(number)?.text);
        let doubtful = (doubtful && !written) || year;
        Some(Core { first: number, last, doubtful })
    };
    let number_name_kind = || {
        let (first, _) = names_left(tokens, at).filter(|_| capital && kind.any(Kind::NUMBER_NAME_KIND))?;
        let number = number_left(tokens, first, false)?;
        let year = post_code::is_year(tokens.at(number)?.text);
        let common = vocabulary::is_phrase(tokens.slice(first, at));
        let short = matches!(word.text, "St" | "Ln" | "Lane" | "Dr" | "Ct") && !common && !year;
        let house = short && word.text != "Dr";
        Some(Core { first: number, last: at, doubtful: (doubtful && !house) || year })
    };
    let kind_name_number = || {
        if !kind.any(Kind::KIND_NAME_NUMBER) {
            return None;
        }
        let last = names_right(tokens, after);
        let number = match last {
            Some(last) => number_right(tokens, last + 1),
            None => numbered_street(tokens, after),
        }?;
        let common = last.is_some_and(|last| !back::names_speak(tokens, after, last));
        if common && kind.any(Kind::SMALL_DOUBTFUL) && !capital {
            return None;
        }
        Some(Core { first: at, last: number, doubtful: doubtful || common })
    };
    let name_kind_number = || {
        let (first, _) = names_left(tokens, at).filter(|_| kind.any(Kind::NAME_KIND_NUMBER))?;
        let number = number_right(tokens, after)?;
        let year = post_code::is_year(tokens.at(number)?.text);
        let common = year || vocabulary::is_phrase(tokens.slice(first, at));
        Some(Core { first, last: number, doubtful: common })
    };
    let cores = [number_kind_name(), number_name_kind(), kind_name_number(), name_kind_number()];
    cores.into_iter().flatten().find_map(|core| finish(tokens, core))
}

/// Index of the token behind a word for a kind and its full stop or slash.
fn behind_kind(tokens: &Tokens<'_, '_>, at: usize) -> Option<usize> {
    let word = tokens.at(at)?;
    let glued =
        |index: usize, mark: char| tokens.at(index).is_some_and(|token| token.is(mark) && token.glued);
    // `C/ Mayor`, `C/. Mayor`: one letter is a kind of street only so.
    if word.text.eq_ignore_ascii_case("c") {
        return glued(at + 1, '/').then(|| at + 2 + usize::from(glued(at + 2, '.')));
    }
    if word.text.eq_ignore_ascii_case("u") && !glued(at + 1, '.') {
        return None;
    }
    // `б-р`, `пр-т` are one word; other short forms end with a full stop.
    Some(at + 1 + usize::from(glued(at + 1, '.') && word.text.chars().count() <= 6))
}

/// `Elm 5, Apt 4B`: the address before a flat.
fn flat(tokens: &Tokens<'_, '_>, at: usize) -> Option<Span> {
    tokens.at(at).filter(|word| word.class == Class::Capital)?;
    let last = unit_number(tokens, at + 1)?;
    let first = back::street_before(tokens, at)?;
    finish(tokens, Core { first, last, doubtful: false })
}

/// `P.O. Box 12`, `Postfach 12 34`, `Apartado de Correos 20134`
fn post_office_box(tokens: &Tokens<'_, '_>, at: usize) -> Option<Span> {
    let word = tokens.at(at).filter(|word| word.class == Class::Capital)?;
    let mut first = at;
    for _ in 0..4 {
        let Some(before) = first.checked_sub(1) else { break };
        let dot = tokens.is(before, '.') && tokens.at(before).is_some_and(|dot| dot.glued);
        if !(dot || tokens.kind(before).any(Kind::BOX_BEFORE)) {
            break;
        }
        first = before;
    }
    if tokens.is(first, '.') {
        first += 1;
    }
    let mut number = at + 1;
    for _ in 0..3 {
        let filler = tokens.at(number).is_some_and(|token| {
            matches!(
                token.text,
                "de" | "Correos" | "correos" | "Postal" | "postal" | "No" | "nº" | "." | "Nr" | "#"
            )
        });
        number += usize::from(filler);
    }
    tokens.at(number).filter(|token| token.class == Class::Number && token.digits() <= 7)?;
    let pair = tokens.at(number + 1).is_some_and(|token| token.class == Class::Number && token.digits() == 2)
        && tokens.at(number).is_some_and(|token| token.digits() == 2);
    let lower = word.text.to_lowercase();
    let doubtful = first == at
        && matches!(lower.as_str(), "box" | "bp" | "pl" | "casilla" | "apartado")
        && number == at + 1
        && lower != "casilla";
    finish(tokens, Core { first, last: number + usize::from(pair), doubtful })
}

#[cfg(test)]
mod tests;
