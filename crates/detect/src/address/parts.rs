//! The parts of a street: its name and its number, on either side of a word.
//!
//! In: tokens and an index. Out: the index where the part begins or ends. Invariant: at most eight tokens are read.
//! Not here: which parts make a street (`address`), what follows it (`tail`).

use super::kinds::Kind;
use super::tokens::{Class, Tokens};

/// Last token of the name that begins at an index: particles and words with capitals.
pub(super) fn names_right(tokens: &Tokens<'_, '_>, from: usize) -> Option<usize> {
    let mut last = None;
    let mut at = from;
    // `9 de Julio`, `3 Maja`
    if tokens.class(at) == Some(Class::Number)
        && (tokens.class(at + 1) == Some(Class::Capital)
            || (tokens.kind(at + 1).any(Kind::PARTICLE) && tokens.class(at + 2) == Some(Class::Capital)))
    {
        at += 1;
    }
    for _ in 0..8 {
        let Some(token) = tokens.at(at) else { break };
        let unit = last.is_some()
            && token.kind().any(Kind::UNIT)
            && !token.kind().any(Kind::PLACE)
            && unit_number(tokens, at + 1).is_some();
        // `Sudirman No. 5`
        let mark = last.is_some()
            && token.kind().any(Kind::NUMBER_MARK)
            && tokens.class(at + 1 + usize::from(tokens.is(at + 1, '.'))) == Some(Class::Number);
        match token.class {
            Class::Capital if !unit && !mark => {
                last = Some(at);
                // `Dr. Marañón`: the full stop of a short form.
                let dot = tokens.at(at + 1).is_some_and(|dot| dot.is('.') && dot.glued);
                let goes_on = matches!(tokens.class(at + 2), Some(Class::Capital | Class::Number));
                at += 1 + usize::from(dot && goes_on && token.text.chars().count() <= 5);
            }
            Class::Small if token.kind().any(Kind::PARTICLE) && !unit => at += 1,
            // `N-332`
            Class::Mark('-')
                if token.glued
                    && tokens
                        .at(at + 1)
                        .is_some_and(|number| number.glued && number.class == Class::Number) =>
            {
                last = Some(at + 1);
                at += 2;
            }
            _ => break,
        }
    }
    last
}

/// First token of the name before an index, and how many words it has.
pub(super) fn names_left(tokens: &Tokens<'_, '_>, end: usize) -> Option<(usize, usize)> {
    let mut first = None;
    let mut at = end;
    let mut words = 0;
    for _ in 0..7 {
        let Some(before) = at.checked_sub(1) else { break };
        let Some(token) = tokens.at(before) else { break };
        let ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| token.text.ends_with(ending));
        match token.class {
            Class::Capital => {
                first = Some(before);
                words += usize::from(!token.kind().any(Kind::PARTICLE));
            }
            Class::Number if ordinal => {
                first = Some(before);
                words += 1;
            }
            // `liefern Sie an Linzer Gasse 145`, `livraison au Rue de la Loi 29`
            Class::Small if matches!(token.text, "an" | "au" | "aux" | "in" | "im" | "bei") => break,
            Class::Small if token.kind().any(Kind::PARTICLE) && first.is_some() => {}
            Class::Mark('.') if token.glued && at < end + 1 => {
                let short = before.checked_sub(1).and_then(|at| tokens.at(at));
                if !short.is_some_and(|word| word.class == Class::Capital && word.text.chars().count() <= 4) {
                    break;
                }
            }
            _ => break,
        }
        at = before;
    }
    first.filter(|_| (1..=5).contains(&words)).map(|first| (first, words))
}

/// The house number directly before an index, or with a comma or `bis` between.
pub(super) fn number_left(tokens: &Tokens<'_, '_>, before: usize, comma: bool) -> Option<usize> {
    let mut at = before.checked_sub(1)?;
    if comma && tokens.is(at, ',') {
        at = at.checked_sub(1)?;
    }
    if tokens.at(at).is_some_and(|word| matches!(word.text, "bis" | "ter" | "quater")) {
        at = at.checked_sub(1)?;
    }
    let number = tokens.at(at).filter(|token| token.class == Class::Number)?;
    let joined = number.glued
        && tokens.before(at).is_some_and(|mark| {
            !matches!(mark.class, Class::Mark('(' | '"' | '\'' | '\n' | '>' | '：' | ':' | '。' | '，'))
        });
    let decimal = !number.glued
        && tokens.before(at).is_some_and(|mark| matches!(mark.class, Class::Mark('$' | '€' | '#' | '§')));
    ((1..=6).contains(&number.digits()) && !joined && !decimal && !is_clock(tokens, at)).then_some(at)
}

/// `10:01:22`: the number ends a time.
pub(super) fn is_clock(tokens: &Tokens<'_, '_>, at: usize) -> bool {
    tokens.before(at).is_some_and(|mark| mark.is(':'))
        && at.checked_sub(2).is_some_and(|hours| tokens.class(hours) == Some(Class::Number))
}

/// The house number at an index: 1 to 5 digits that nothing is glued to.
pub(super) fn house_number(tokens: &Tokens<'_, '_>, at: usize) -> Option<usize> {
    let number = tokens.at(at).filter(|token| token.class == Class::Number)?;
    let next = tokens.at(at + 1);
    let glued = next.is_some_and(|next| {
        next.glued
            && (matches!(next.class, Class::Mark(':' | '%' | '=' | '_' | '$' | '@' | '*'))
                || (next.is('.')
                    && tokens.at(at + 2).is_some_and(|more| more.glued && more.class == Class::Number)))
    });
    let unit =
        next.is_some_and(|next| matches!(next.text, "%" | "km" | "kg" | "ms" | "MB" | "GB" | "€" | "°"));
    ((1..=5).contains(&number.digits()) && !glued && !unit).then_some(at)
}

/// The house number behind a name: ` 42`, `, 42`, `, nº 42`, `km 41`, `s/n`.
pub(super) fn number_right(tokens: &Tokens<'_, '_>, from: usize) -> Option<usize> {
    let mut at = from;
    if tokens.is(at, ',') {
        at += 1;
    }
    if tokens.is(at, '#') {
        at += 1;
    } else if let Some(word) = tokens.at(at) {
        let mark = word.kind().any(Kind::NUMBER_MARK) || word.text.eq_ignore_ascii_case("km");
        if mark {
            at += 1;
            at += usize::from(tokens.is(at, '.') || tokens.is(at, ':'));
        }
    }
    house_number(tokens, at)
}

/// `Calle 45 # 12-34`, `Carrera 7 No. 71-21`
pub(super) fn numbered_street(tokens: &Tokens<'_, '_>, at: usize) -> Option<usize> {
    tokens.at(at).filter(|token| token.class == Class::Number)?;
    let next = at
        + 1
        + usize::from(tokens.at(at + 1).is_some_and(|word| matches!(word.text, "A" | "B" | "C" | "bis")));
    let marked = tokens.is(next, '#') || tokens.kind(next).any(Kind::NUMBER_MARK);
    marked.then(|| number_right(tokens, next)).flatten()
}

/// The number or letter of a part of a house that stands at an index, behind a mark: `4B`, `: 7`, `nº 3`, `A`.
pub(super) fn unit_number(tokens: &Tokens<'_, '_>, from: usize) -> Option<usize> {
    let mut at = from;
    if tokens.is(at, '.') || tokens.is(at, ':') || tokens.is(at, '#') {
        at += 1;
    }
    if tokens.kind(at).any(Kind::NUMBER_MARK)
        && tokens.at(at).is_some_and(|mark| mark.text.chars().count() > 1)
    {
        at += 1;
        at += usize::from(tokens.is(at, '.') || tokens.is(at, ':'));
    }
    let token = tokens.at(at)?;
    let letter = token.class == Class::Capital && token.text.chars().count() == 1;
    let number = token.class == Class::Number && token.digits() <= 5;
    (letter || number).then_some(at)
}
