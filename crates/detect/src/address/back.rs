//! The street before a post code or a flat, whatever its kind is called.
//!
//! In: tokens and where a post code begins. Out: where the address begins and ends. Check rule: going back over at
//! most `MAX_PARTS` parts, names alone among them, one holds a house number and a name beside it. Not here: streets
//! that their kind names (`address`).

use crate::address::kinds::Kind;
use crate::address::parts::{is_clock, names_left};
use crate::address::post_code::{Side, is_state, is_year};
use crate::address::tail::{CodeTokens, code_tokens, head, place_right, unit};
use crate::address::tokens::{Class, Token, Tokens};
use crate::keys::{self, Meaning};
use crate::vocabulary;

/// Most parts before a post code.
const MAX_PARTS: usize = 6;
/// Most tokens of one part.
const MAX_PART_TOKENS: usize = 10;

/// What a part of an address holds.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Part {
    /// A house number and a name; where it begins.
    Street(usize),
    /// A flat, or a number alone.
    Number,
    /// Names, with a kind of street among them or not.
    Names { kind: bool },
}

/// First and last token of the address that the post code at an index belongs to.
pub(crate) fn code_after_street(tokens: &Tokens<'_, '_>, at: usize) -> Option<(usize, usize)> {
    // `E-28004`, `Shahjahanpur-337717`
    let hyphen = tokens.before(at).is_some_and(|mark| mark.is('-')) && tokens.at(at)?.glued;
    let country = hyphen
        && at >= 2
        && tokens.at(at - 2).is_some_and(|word| word.text.len() <= 2 && word.class == Class::Capital);
    let start = if country { at - 2 } else { at };
    if tokens.at(at)?.glued && !hyphen {
        return None;
    }
    let before = code_tokens(tokens, start, Side::Before).and_then(|code| {
        let place = place_right(tokens, code.last + 1).filter(|_| !tokens.is(code.last + 1, '.'))?;
        let counted = !code.telling && vocabulary::is_phrase(tokens.slice(code.last + 1, place));
        let first = (!counted).then(|| begin(tokens, start, Side::Before, code)).flatten()?;
        Some((first, place))
    });
    before.or_else(|| {
        let code = code_tokens(tokens, at, Side::After)?;
        let first = begin(tokens, at, Side::After, code)?;
        Some((first, code.last))
    })
}

/// First token of the address before a post code.
fn begin(tokens: &Tokens<'_, '_>, code: usize, side: Side, form: CodeTokens) -> Option<usize> {
    // Years stand behind numbers and names everywhere.
    if form.short && is_year(tokens.at(code)?.text) {
        return None;
    }
    let mut end = code;
    let state = side == Side::After && tokens.before(code).is_some_and(|word| is_state(word.text));
    if state {
        end -= 1;
        if let Some(first) = military(tokens, end) {
            return Some(first);
        }
    }
    let (mut names, mut numbers, mut number_at) = (0, 0, end);
    for _ in 0..MAX_PARTS {
        let separated = separated(tokens, end);
        let (first, whole) = part_before(tokens, separated)?;
        let last = separated.checked_sub(1)?;
        let placed = names > 0 || side == Side::Before || state;
        match classify(tokens, first, last) {
            Part::Street(street) => {
                let kind = (street..=last).any(|at| is_kind(tokens, at));
                let sure = kind || (placed && (!form.short || state || names > 1));
                // Without a mark between, `5 Elm 1234` is as good as any two numbers.
                let long = side == Side::Before && !form.short;
                let marked = separated < end || numbers + names > 0 || form.telling || kind || long;
                return (sure && marked).then(|| head(tokens, street));
            }
            Part::Number => {
                numbers += 1;
                number_at =
                    (first..=last).find(|at| tokens.class(*at) == Some(Class::Number)).unwrap_or(first);
            }
            Part::Names { kind } => {
                let bare_street = kind && (numbers > 0 || (side == Side::Before && names == 0));
                if bare_street && separated < end {
                    return Some(head(tokens, first));
                }
                // `Doctor Esquerdo, 46. 28007 Madrid`
                let numbered = side == Side::Before && names == 0 && numbers > 0 && !form.short;
                if numbered && last - first < 4 && names_speak(tokens, first, last) {
                    return Some(first);
                }
                // `51/03, Bhat Nagar, Derby-337717`
                names += 1;
            }
        }
        if !whole || names > 4 || numbers > 3 {
            break;
        }
        end = first;
    }
    let placed = placed_number(tokens, number_at, form.telling);
    (numbers > 0 && names > 0 && placed).then_some(number_at)
}

/// `51/03, Bhat Nagar`: the number of a plot, first in its line, with a name behind it; `109, Grand-Rue, L-2428`.
fn placed_number(tokens: &Tokens<'_, '_>, at: usize, telling: bool) -> bool {
    let number = tokens.at(at).filter(|token| token.class == Class::Number);
    number.is_some_and(|token| (telling || token.text.contains('/')) && (1..=4).contains(&token.digits()))
        && tokens.is(at + 1, ',')
        && tokens.class(at + 2) == Some(Class::Capital)
}

/// `Unit 12 Box 34, APO`, `USS Example, FPO`: forces abroad.
fn military(tokens: &Tokens<'_, '_>, state: usize) -> Option<usize> {
    let office = state.checked_sub(1)?;
    if !matches!(tokens.at(office)?.text, "APO" | "FPO" | "DPO") {
        return None;
    }
    let end = separated(tokens, office);
    let (first, _) = part_before(tokens, end)?;
    Some(head(tokens, first))
}

/// The index behind the last token of a part, marks between it and the next one left out.
fn separated(tokens: &Tokens<'_, '_>, end: usize) -> usize {
    let mut at = end;
    for _ in 0..5 {
        let Some(before) = at.checked_sub(1) else { break };
        // An empty line ends a part of a letter.
        if tokens.is(before, '\n') && before.checked_sub(1).is_some_and(|two| tokens.is(two, '\n')) {
            break;
        }
        if !matches!(tokens.class(before), Some(Class::Mark(',' | '-' | '–' | '.' | '\n' | '?'))) {
            break;
        }
        at = before;
    }
    at
}

/// First token of the part that ends before an index, and whether a mark between parts stands before it.
fn part_before(tokens: &Tokens<'_, '_>, end: usize) -> Option<(usize, bool)> {
    let mut first = end;
    while end - first < MAX_PART_TOKENS {
        let Some(before) = first.checked_sub(1) else { break };
        let token = tokens.at(before)?;
        let goes_on = match token.class {
            Class::Number | Class::Capital | Class::Mark('(' | ')' | '#' | '/' | 'º') => true,
            // `Mlynské nivy 59A`
            Class::Small if tokens.class(first) == Some(Class::Number) && first < end => {
                token.kind() != Kind::default() || names_before(tokens, before)
            }
            Class::Small => {
                token.kind().any(Kind::PARTICLE)
                    || token.kind().any(Kind::SMALL)
                    || token.kind().any(Kind::UNIT)
                    || token.kind().any(Kind::NUMBER_MARK)
                    || token.kind().any(Kind::PLACE)
            }
            // The full stop of a short form.
            Class::Mark('.') => {
                token.glued
                    && !tokens.at(first).is_some_and(|next| next.glued && next.class == Class::Number)
                    && before.checked_sub(1).and_then(|at| tokens.at(at)).is_some_and(|word| {
                        word.text.chars().count() <= 5 && !matches!(word.class, Class::Mark(_))
                    })
            }
            Class::Mark(_) => false,
        };
        if !goes_on {
            break;
        }
        first = before;
    }
    if first == end {
        return None;
    }
    let whole = first
        .checked_sub(1)
        .is_some_and(|before| matches!(tokens.class(before), Some(Class::Mark(',' | '\n' | '-'))));
    // Particles begin no part.
    while first + 1 < end
        && tokens.class(first) == Some(Class::Small)
        && !is_kind(tokens, first)
        && !tokens.kind(first).any(Kind::PLACE)
        && !tokens.kind(first).any(Kind::UNIT)
    {
        first += 1;
    }
    Some((first, whole))
}

/// Whether a word of a language with accents and a capital stands before the small word at an index.
fn names_before(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    let word = tokens.at(at).map_or(0, |word| word.text.chars().count());
    word >= 4 && tokens.before(at).is_some_and(|name| name.class == Class::Capital && !name.text.is_ascii())
}

fn is_kind(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    let kind = tokens.kind(at);
    let small = tokens.class(at) == Some(Class::Small);
    let long = tokens.at(at).is_some_and(|word| word.text.chars().count() > 1);
    kind.any(Kind::STREET) && long && (!small || (kind.any(Kind::SMALL) && !kind.any(Kind::SMALL_DOUBTFUL)))
}

/// What the tokens from `first` to `last` hold.
fn classify(tokens: &Tokens<'_, '_>, first: usize, last: usize) -> Part {
    let kind = (first..=last).any(|at| is_kind(tokens, at));
    let numbers = || (first..=last).filter(|at| tokens.class(*at) == Some(Class::Number));
    if numbers().next().is_none() {
        return Part::Names { kind };
    }
    for number in numbers() {
        let digits = tokens.at(number).map_or(0, Token::digits);
        let marked =
            number > first && (tokens.kind(number - 1).any(Kind::UNIT) || tokens.is(number - 1, '.'));
        if marked
            || is_clock(tokens, number)
            || digits > 6
            || tokens.at(number).is_some_and(|token| is_year(token.text))
        {
            continue;
        }
        // `12 Elm`
        if is_name(tokens, number + 1, last) && (kind || names_speak(tokens, number + 1, last)) {
            return Part::Street(number);
        }
        // `Elm 12`, `Mlynské nivy 12`
        let small = number
            .checked_sub(1)
            .filter(|at| tokens.class(*at) == Some(Class::Small) && names_before(tokens, *at));
        let begins = names_left(tokens, small.unwrap_or(number)).map(|(begins, _)| begins.max(first));
        if let Some(begins) = begins.filter(|begins| kind || names_speak(tokens, *begins, number - 1)) {
            let begins = trimmed(tokens, begins, number);
            return Part::Street(kind_before(tokens, begins, first).unwrap_or(begins));
        }
    }
    let sure = (first..=last).any(|at| {
        is_kind(tokens, at)
            && !tokens.kind(at).any(Kind::DOUBTFUL)
            && tokens.at(at).is_some_and(|word| word.text.len() > 1)
    });
    if sure && (first..=last).any(|at| tokens.class(at) == Some(Class::Capital)) {
        return Part::Street(first);
    }
    Part::Number
}

/// The kind of street before a name, with its full stop: `ul. Długa`.
fn kind_before(tokens: &Tokens<'_, '_>, name: usize, floor: usize) -> Option<usize> {
    let mut at = name.checked_sub(1)?;
    if tokens.is(at, '.') {
        at = at.checked_sub(1)?;
    }
    (at >= floor && is_kind(tokens, at)).then_some(at)
}

/// Whether a name begins at an index: a word with a capital of two letters or more that is no part of a house.
fn is_name(tokens: &Tokens<'_, '_>, at: usize, last: usize) -> bool {
    let word = tokens.at(at).filter(|_| at <= last);
    word.is_some_and(|word| {
        (word.class == Class::Capital && word.text.chars().count() > 1 && unit(tokens, at, None).is_none())
            || (word.class == Class::Small && is_kind(tokens, at))
    })
}

/// Whether the words are no phrase of common ones.
pub(crate) fn names_speak(tokens: &Tokens<'_, '_>, first: usize, last: usize) -> bool {
    let words = tokens.slice(first, last);
    // `AB0A0EAD`
    let coded = words
        .split(' ')
        .any(|word| word.starts_with(char::is_alphabetic) && word.bytes().any(|byte| byte.is_ascii_digit()));
    // `BN BV`, `TCP`
    let long = words.split([' ', '-']).any(|word| {
        word.chars().count() > 2
            && (word.len() > 4 || !word.bytes().all(|byte| byte.is_ascii_uppercase()))
            && word.contains(char::is_alphabetic)
    });
    long && !coded && !vocabulary::is_phrase(words)
}

/// Leaves out common words before the name: `Visit Backvägen`.
fn trimmed(tokens: &Tokens<'_, '_>, first: usize, number: usize) -> usize {
    let mut at = first;
    while at + 1 < number
        && tokens
            .at(at)
            .is_some_and(|word| vocabulary::is_common(word.text) || leads_to_address(tokens.text, word.end()))
        && !is_kind(tokens, at)
        && tokens.class(at + 1) == Some(Class::Capital)
    {
        at += 1;
    }
    at
}

/// `Wohnhaft Hauptstraße 5`: whether a word that an address follows ends at a place.
fn leads_to_address(text: &str, end: usize) -> bool {
    keys::phrase_ending(text, end)
        .is_some_and(|phrase| matches!(phrase.meaning, Meaning::LivesAt | Meaning::AnyAddress))
}

/// The first token of a street that ends before a flat at an index.
pub(crate) fn street_before(tokens: &Tokens<'_, '_>, flat: usize) -> Option<usize> {
    let mut end = separated(tokens, flat);
    for _ in 0..2 {
        let (first, whole) = part_before(tokens, end)?;
        match classify(tokens, first, end.checked_sub(1)?) {
            Part::Street(street) => return Some(street),
            // `33 Trần Hưng Đạo, Phường Bến Nghé, Quận 2`
            Part::Names { .. } if whole && tokens.kind(first).any(Kind::FLAT) => {
                end = separated(tokens, first);
            }
            _ => return None,
        }
    }
    None
}

/// Whether the tokens are a street with its number.
pub(crate) fn is_street(tokens: &Tokens<'_, '_>, first: usize, last: usize) -> bool {
    let words = (first..=last).all(|at| {
        matches!(tokens.class(at), Some(Class::Number | Class::Capital | Class::Mark('.' | ',' | '/' | '#')))
            || tokens.kind(at) != Kind::default()
    });
    words
        && matches!(classify(tokens, first, last), Part::Street(street) if street == first || tokens.kind(first).any(Kind::STREET))
}
