//! What goes on with an address on both sides of its street.
//!
//! In: tokens and where the street ends or begins. Out: where the address does. Parts: flats and floors, post code
//! and place, state; before the street a flat, a place, a number. Invariant: at most `MAX_PARTS` parts.

use crate::address::kinds::Kind;
use crate::address::names_a_number;
use crate::address::parts::{number_left, unit_number};
use crate::address::post_code::{Side, code_at, is_state, is_year};
use crate::address::tokens::{Class, Token, Tokens};
use crate::vocabulary;

/// Most parts behind a street.
const MAX_PARTS: usize = 9;
/// Most names between a street and its post code: quarter, city, region, country.
const MAX_NAMES: usize = 4;

/// Where an address ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Tail {
    /// Its last token.
    pub(crate) last: usize,
    /// Whether a post code or a flat says that it is one.
    pub(crate) speaks: bool,
}

/// Follows an address from the last token of its street.
pub(crate) fn tail(tokens: &Tokens<'_, '_>, street: usize) -> Tail {
    let mut tail = Tail { last: street, speaks: false };
    let mut at = street;
    let mut names = 0;
    for _ in 0..MAX_PARTS {
        let (next, separator) = separators(tokens, at + 1);
        if let Some(last) = place_with_code(tokens, next, names) {
            return Tail { last, speaks: true };
        }
        if let Some(last) = unit(tokens, next, separator) {
            at = last;
            tail.speaks |= tokens.kind(next).any(Kind::UNIT) || names == 0 && separator != Some('\n');
            if names == 0 {
                tail.last = last;
                // `Apt. 12 Reichenbach`: the city, without a mark between.
                if tokens.kind(next).any(Kind::FLAT)
                    && let Some(city) = name_run(tokens, last + 1)
                        .filter(|city| ends_part(tokens, city + 1) && city - last <= 4)
                {
                    tail.last = city;
                }
            }
            continue;
        }
        let Some(last) = name_run(tokens, next).filter(|_| names < MAX_NAMES) else { break };
        names += 1;
        at = last;
        // `Dublin 2, V94 T9PX`
        if tokens
            .at(last + 1)
            .is_some_and(|token| token.class == Class::Number && token.text.len() <= 2 && token.digits() > 0)
            && tokens.is(last + 2, ',')
        {
            at += 1;
        }
    }
    tail
}

/// Passes the marks between two parts; says which one counts.
fn separators(tokens: &Tokens<'_, '_>, from: usize) -> (usize, Option<char>) {
    let mut at = from;
    let mut seen = None;
    let mut lines = 0;
    while at < from + 4 {
        match tokens.class(at) {
            Some(Class::Mark(mark @ (',' | '-' | '–' | '.' | '\n' | '·' | '?' | '/'))) => {
                // Two empty lines end an address; a question mark is what garbled text puts for an indent.
                lines += usize::from(mark == '\n');
                if lines > 2 || (mark == '?' && seen.is_none()) {
                    break;
                }
                seen = Some(mark);
                at += 1;
            }
            _ => break,
        }
    }
    (at, seen)
}

/// Last token of a flat, floor or the like at an index.
pub(crate) fn unit(tokens: &Tokens<'_, '_>, at: usize, separator: Option<char>) -> Option<usize> {
    let token = tokens.at(at)?;
    let kind = token.kind();
    if kind.any(Kind::UNIT) {
        if let Some(last) = unit_number(tokens, at + 1) {
            return Some(last);
        }
        let whole = matches!(
            token.text.to_lowercase().as_str(),
            "bajo" | "ático" | "atico" | "principal" | "entresuelo" | "rez" | "dcha" | "izda" | "izq"
        );
        return whole.then_some(at);
    }
    // `st. th`: the ground floor, right
    if token.text == "st" && tokens.is(at + 1, '.') && tokens.kind(at + 2).any(Kind::UNIT) {
        return Some(at + 2);
    }
    if token.is('#') {
        return tokens.at(at + 1).filter(|number| number.class == Class::Number).map(|_| at + 1);
    }
    if token.class != Class::Number || token.digits() > 3 {
        return None;
    }
    // `2. OG`, `3rd Floor`, `5º B`, `4 Stock`
    let dot = usize::from(tokens.is(at + 1, '.'));
    if tokens.kind(at + 1 + dot).any(Kind::UNIT) && !tokens.is(at + 1 + dot, '\n') {
        return Some(at + 1 + dot);
    }
    // `3.º Esq.`
    if dot == 1 && (tokens.is(at + 2, 'º') || tokens.is(at + 2, 'ª')) {
        return Some(at + 2 + usize::from(is_door(tokens, at + 3)));
    }
    let ordinal = token.text.ends_with(['º', 'ª', '°']);
    let mark = matches!(separator, Some(',' | '-' | '–' | '/'));
    if ordinal {
        return Some(at + usize::from(is_door(tokens, at + 1)));
    }
    // `7, 3D`, `6, 2, A`: a small number behind a comma, when nothing is counted.
    let lettered = token.text.len() > token.digits();
    let followed = matches!(tokens.class(at + 1), Some(Class::Small));
    (mark
        && !followed
        && (lettered || ends_part(tokens, at + 1) || tokens.class(at + 1) == Some(Class::Number)))
    .then(|| at + usize::from(is_door(tokens, at + 1)))
}

/// `A`, `2ª`, `Dcha`, `izq`
fn is_door(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    tokens.at(at).is_some_and(|token| match token.class {
        Class::Capital | Class::Small => {
            token.text.chars().count() == 1 && token.class == Class::Capital
                || matches!(
                    token.text.to_lowercase().as_str(),
                    "dcha"
                        | "izda"
                        | "izq"
                        | "der"
                        | "esq"
                        | "dto"
                        | "frt"
                        | "piso"
                        | "planta"
                        | "puerta"
                        | "izquierda"
                        | "derecha"
                )
        }
        Class::Number => token.text.ends_with(['º', 'ª']),
        Class::Mark(_) => false,
    })
}

fn ends_part(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    matches!(tokens.class(at), None | Some(Class::Mark(',' | '.' | '\n' | '-' | '"' | ';')))
}

/// Last token of a post code at an index, with its place, if they go on with an address.
fn place_with_code(tokens: &Tokens<'_, '_>, from: usize, names: usize) -> Option<usize> {
    let at = from + label(tokens, from);
    let marked = tokens.before(at).is_some_and(|mark| mark.is(',') || mark.is('\n'));
    if names == 0
        && let Some(code) = code_tokens(tokens, at, Side::Before)
        && let Some(place) = place_right(tokens, code.last + 1)
        && (!code.short || marked || !is_year(tokens.at(at)?.text))
        && (code.telling || !vocabulary::is_phrase(tokens.slice(code.last + 1, place)))
    {
        return Some(place);
    }
    let code = code_tokens(tokens, at, Side::After)?;
    let year = code.short && is_year(tokens.at(at)?.text);
    let state = tokens.before(at).is_some_and(|word| is_state(word.text));
    // Four digits need a place before them; digits that go on with words are something else.
    let followed = matches!(tokens.class(code.last + 1), Some(Class::Small)) && !code.telling && names == 0;
    let spoken = at > from || state || code.telling || names > usize::from(year) || !code.short;
    (spoken && !followed)
        .then(|| place_right(tokens, code.last + 1).filter(|_| names == 0).unwrap_or(code.last))
}

/// A post code in the tokens.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct CodeTokens {
    /// Its last token.
    pub(crate) last: usize,
    /// Whether its form alone tells it from other numbers.
    pub(crate) telling: bool,
    /// Whether it is four digits.
    pub(crate) short: bool,
}

/// The post code that begins with the token at an index.
pub(crate) fn code_tokens(tokens: &Tokens<'_, '_>, at: usize, side: Side) -> Option<CodeTokens> {
    let first = tokens.at(at).filter(|token| matches!(token.class, Class::Number | Class::Capital))?;
    if first.text.len() > 11
        || (first.class == Class::Capital && first.text.len() > 4 && first.text.len() != 8)
    {
        return None;
    }
    let code = code_at(tokens.text.get(first.start..)?, side)?;
    let end = first.start + code.len;
    let last = (at..at + 4).find(|index| tokens.at(*index).is_some_and(|token| token.end() >= end))?;
    (tokens.at(last)?.end() == end).then_some(CodeTokens { last, telling: code.telling, short: code.short })
}

/// Number of tokens of a label of post codes: `C.P.`, `CEP`, `PIN`, `〒`.
fn label(tokens: &Tokens<'_, '_>, at: usize) -> usize {
    let text = |index: usize| tokens.at(index).map_or("", |token| token.text);
    match (text(at), text(at + 1), text(at + 2), text(at + 3)) {
        ("C", ".", "P", ".") => 4,
        ("CP" | "CEP" | "PIN" | "PLZ" | "ZIP", ":" | ".", _, _) => 2,
        ("CP" | "CEP" | "PIN" | "PLZ" | "ZIP" | "〒", ..) => 1,
        _ => 0,
    }
}

/// Last token of the place behind a post code.
pub(crate) fn place_right(tokens: &Tokens<'_, '_>, from: usize) -> Option<usize> {
    let at = from + usize::from(tokens.is(from, ',') || tokens.is(from, '.'));
    let last = name_run(tokens, at)?;
    // `Praha 1`, `Lyon Cedex 08`
    let region =
        |at: usize| tokens.at(at).is_some_and(|word| word.text.len() == 2 && word.class == Class::Capital);
    // `Lyon / RJ`, `Milano (MI)`
    if tokens.is(last + 1, '/') && region(last + 2) {
        return Some(last + 2);
    }
    if tokens.is(last + 1, '(') && region(last + 2) && tokens.is(last + 3, ')') {
        return Some(last + 3);
    }
    let district = tokens.at(last + 1).filter(|token| {
        token.class == Class::Number && token.text.len() <= 2 && token.digits() == token.text.len()
    });
    let ends = district.is_some()
        && !matches!(tokens.class(last + 2), Some(Class::Small | Class::Number | Class::Capital));
    Some(last + usize::from(ends))
}

/// Last token of a run of words with capitals and the particles between them.
pub(crate) fn name_run(tokens: &Tokens<'_, '_>, from: usize) -> Option<usize> {
    let mut last = None;
    for at in from..from + 6 {
        let Some(token) = tokens.at(at) else { break };
        let code = matches!(token.text.len(), 0..=4 | 8)
            && token.class == Class::Capital
            && token.text.bytes().any(|byte| byte.is_ascii_digit());
        // `Berlin, Steuer-ID 65 929 970 489`
        let numbered = || matches!(tokens.class(at + 1), Some(Class::Number | Class::Mark(':' | '.' | '#')));
        match token.class {
            Class::Capital if numbered() && names_a_number(tokens.text, token.end()) => break,
            Class::Capital if !code => last = Some(at),
            Class::Small if token.kind().any(Kind::PARTICLE) => {}
            _ => break,
        }
    }
    last
}

/// First token of what stands before a street and belongs to it: `Flat 3, `, `г. Москва, `, `27534 `.
pub(crate) fn head(tokens: &Tokens<'_, '_>, street: usize) -> usize {
    let mut first = street;
    for _ in 0..4 {
        let Some(next) = part_before(tokens, first) else { break };
        first = next;
    }
    first
}

fn part_before(tokens: &Tokens<'_, '_>, first: usize) -> Option<usize> {
    let before = first.checked_sub(1)?;
    let numbered = tokens.class(first) == Some(Class::Number);
    if let Some(number) = number_left(tokens, first, false)
        && number == before
        && tokens.at(number)?.digits() == tokens.at(number)?.text.len()
        && !is_year(tokens.at(number)?.text)
        && (!numbered || tokens.at(number)?.digits() > 2)
    {
        return Some(number);
    }
    // `Blk 114 Ang Mo Kio Avenue`, `ngõ 52 phố Huế`, `Số 65`
    if numbered && tokens.at(before).is_some_and(|word| opens_number(word)) {
        return Some(before);
    }
    let end = if tokens.is(before, ',') || tokens.is(before, '\n') { before.checked_sub(1)? } else { before };
    let joined = end < before;
    let last = tokens.at(end)?;
    // `Flat 3, 12 High Street`
    if matches!(last.class, Class::Number | Class::Capital)
        && let Some(word) = end.checked_sub(1)
        && tokens.kind(word).any(Kind::UNIT)
        && tokens.class(word) == Some(Class::Capital)
        && unit_number(tokens, word + 1) == Some(end)
    {
        return Some(word);
    }
    if !joined {
        return None;
    }
    // `417605, г. Москва`
    if last.class == Class::Number && last.text.len() == 6 && !tokens.text.get(last.end()..)?.starts_with('.')
    {
        return (!tokens.slice(first, first).is_ascii()).then_some(end);
    }
    place_before(tokens, end)
}

/// A word for a block, a lane or a number right before a number.
fn opens_number(word: &Token<'_>) -> bool {
    let kind = word.kind();
    let capital = word.class == Class::Capital && kind.any(Kind::UNIT) && word.text.len() > 2;
    let mark = kind.any(Kind::NUMBER_MARK) || kind.any(Kind::STREET);
    capital || (mark && !word.text.is_ascii() && word.class != Class::Number)
}

/// `г. Москва`, `с. Горки`, `г. Гремячинск (Перм.)`: a kind of place and a name that end at an index.
fn place_before(tokens: &Tokens<'_, '_>, end: usize) -> Option<usize> {
    for back in 1..8 {
        let at = end.checked_sub(back)?;
        let token = tokens.at(at)?;
        if token.is(',') || token.is('\n') {
            return None;
        }
        if token.kind().any(Kind::PLACE)
            && tokens.is(at + 1, '.')
            && tokens.class(at + 2) == Some(Class::Capital)
        {
            return Some(at);
        }
    }
    None
}
