//! Machine readable zones of passports, identity cards and visas.
//!
//! Issuer: states. Positions: two lines of 44 (passport) or 36, or three of 30 (card), of capitals, digits and `<`;
//! in the second of two lines 1-9 number, 14-19 birth date, 22-27 date of expiry, a check digit after each; in cards
//! the number at 6-14 of the first line, the dates at 1-6 and 9-14 of the second. Check rule: weights 7 3 1 in
//! turn, letters from A = 10, `<` is 0, mod 10: `L898902C3` has 6. Source: ICAO 9303, parts 3 to 5.
//!
//! Invariant: at most three lines of 44 bytes are read. Not here: the name alone, other lines of a document.

use cloakgate_vocab::{Category, Span, Strength};

use super::super::Hit;
use super::super::boundary::{at, before, is_identifier, run_end};
use super::arithmetic::{byte, letter_value, part, seven_three_one};

/// Reports the zone whose first line begins at `start`.
pub(in crate::recognise) fn mrz_at(text: &str, start: usize) -> Option<Hit> {
    if !matches!(at(text, start), b'P' | b'I' | b'A' | b'C' | b'V') || is_identifier(before(text, start)) {
        return None;
    }
    let first = line_at(text, start)?;
    let second = line_at(text, next_line(text, first.end())).filter(|second| second.len() == first.len())?;
    let mut pieces = vec![first, second];
    let (one, two) = (first.of(text)?.as_bytes(), second.of(text)?.as_bytes());
    let proved = match first.len() {
        30 => [(one, 5, 9), (two, 0, 6), (two, 8, 6)],
        _ => [(two, 0, 9), (two, 13, 6), (two, 21, 6)],
    };
    if !proved.into_iter().all(|(line, from, len)| is_checked(line, from, len)) {
        return None;
    }
    if first.len() == 30 {
        let third = line_at(text, next_line(text, second.end()));
        pieces.extend(third.filter(|third| third.len() == 30));
    }
    let end = pieces.last().map_or(second.end(), |last| last.end());
    let mut hit = Hit::new(start, end, Category::Passport, "mrz", Strength::Checked);
    hit.pieces = pieces;
    Some(hit)
}

/// A line of a length that zones have.
fn line_at(text: &str, start: usize) -> Option<Span> {
    let end =
        run_end(text, start, 45, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'<');
    matches!(end - start, 30 | 36 | 44).then(|| Span::sized(start, end - start))
}

/// Where the next line begins: after a line break, with the blanks of an indent.
fn next_line(text: &str, end: usize) -> usize {
    let broken = run_end(text, end, 2, |byte| matches!(byte, b'\r' | b'\n' | b' '));
    run_end(text, broken, 16, |byte| byte == b' ')
}

fn is_checked(line: &[u8], from: usize, len: usize) -> bool {
    let check = byte(line, from + len);
    seven_three_one(part(line, from, len)) == letter_value(check) && (check.is_ascii_digit() || check == b'<')
}

#[cfg(test)]
mod tests {
    use super::mrz_at;

    #[test]
    fn zones_are_found_with_all_their_lines() {
        for (text, lines) in [
            (
                "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10 x",
                2,
            ),
            (
                "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\r\n  L898902C36UTO7408122F1204159ZE184226B<<<<<10",
                2,
            ),
            ("I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<\nD231458907UTO7408122F1204159<<<<<<<6", 2),
            (
                "I<UTOD231458907<<<<<<<<<<<<<<<\n7408122F1204159UTO<<<<<<<<<<<6\nERIKSSON<<ANNA<MARIA<<<<<<<<<<",
                3,
            ),
            ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C37UTO7408122F1204159ZE184226B<<<<<10", 0),
            ("P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", 0),
            ("P<T>", 0),
            ("é", 0),
        ] {
            let found = mrz_at(text, 0);
            assert_eq!(found.map_or(0, |hit| hit.pieces.len()), lines, "{text}");
        }
    }
}
