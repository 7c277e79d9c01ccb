//! Telephone numbers beside an address of mail, as lines of contacts hold them.
//!
//! In: a text and an address in it. Out: numbers before or behind it: `887 353 475 | r.roca@example.org`,
//! `Kontakt: 22 932 85 55, r.roca@example.org`. Check rule: a mark and a blank part the two; the number has seven to
//! fifteen digits, in groups or behind `+` or `0`, and is no date. Invariant: at most `REACH` bytes on either side are
//! read. Not here: numbers that a word names (`recognise`).

use cloakgate_vocab::Span;

use crate::birth::date_prefix;

/// How far, in bytes, from the address a number goes.
const REACH: usize = 36;
/// What parts a number from an address, beside blanks.
const MARKS: [char; 6] = ['|', '·', '•', '/', ',', ';'];

/// The numbers right before and right behind the address.
pub(crate) fn numbers(text: &str, mail: Span) -> impl Iterator<Item = Span> {
    [before(text, mail.start()), behind(text, mail.end())].into_iter().flatten()
}

fn before(text: &str, start: usize) -> Option<Span> {
    let head = text.get(text.ceil_char_boundary(start.saturating_sub(REACH))..start)?;
    let from = start - head.len();
    let rest = head.trim_end_matches(is_gap);
    if !parts(head.get(rest.len()..)?) {
        return None;
    }
    let number = rest.get(rest.trim_end_matches(is_part).len()..)?.trim_start_matches([' ', '-', ')']);
    let at = from + rest.len() - number.len();
    let free =
        !text.get(..at)?.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '#' | '_' | '/'));
    (free && is_number(number)).then(|| Span::sized(at, number.len()))
}

fn behind(text: &str, end: usize) -> Option<Span> {
    let rest = text.get(end..)?;
    let rest = rest.get(..rest.floor_char_boundary(REACH))?;
    let value = rest.trim_start_matches(is_gap);
    if !parts(rest.get(..rest.len() - value.len())?) {
        return None;
    }
    let at = end + rest.len() - value.len();
    let run = value.len() - value.trim_start_matches(is_part).len();
    let number = value.get(..run)?.trim_end_matches([' ', '-', '(', '+']);
    let free = !value
        .get(number.len()..)?
        .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '/'));
    (free && is_number(number)).then(|| Span::sized(at, number.len()))
}

/// Whether a gap parts a number from an address: a mark, and a blank beside it.
fn parts(gap: &str) -> bool {
    gap.len() <= 8 && gap.contains(' ') && gap.contains(MARKS)
}

fn is_gap(c: char) -> bool {
    c == ' ' || MARKS.contains(&c)
}

const fn is_part(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ' ' | '(' | ')' | '+' | '-')
}

fn is_number(number: &str) -> bool {
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let grouped = number.contains([' ', '-', ')']);
    (7..=15).contains(&digits)
        && (grouped || number.starts_with(['+', '0']))
        && number.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '('))
        && date_prefix(number).is_none()
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::numbers;

    #[test]
    fn numbers_stand_beside_addresses() {
        for (text, expected) in [
            ("Lyon | 887 353 475 | r@example.org", "887 353 475"),
            ("Kontakt: 22 932 85 55, r@example.org.", "22 932 85 55"),
            ("CONTACT 71 0426-3747 / r@example.org", "71 0426-3747"),
            ("r@example.org · +48 22 932 85 55", "+48 22 932 85 55"),
            ("r@example.org, (01) 4412 8080; x", "(01) 4412 8080"),
            ("7,22932855,r@example.org,2026", ""),
            ("| 22932855 | r@example.org |", ""),
            ("2026-03-02 | r@example.org", ""),
            ("12.03.2026, r@example.org", ""),
            ("v1.887 353 475 | r@example.org", ""),
            ("22 932 85 55 r@example.org", ""),
            ("r@example.org", ""),
        ] {
            let at = text.find("r@").unwrap_or(0);
            let found: Vec<&str> = numbers(text, Span::sized(at, "r@example.org".len()))
                .filter_map(|span| span.of(text))
                .collect();
            assert_eq!(found.join("|"), expected, "{text}");
        }
    }
}
