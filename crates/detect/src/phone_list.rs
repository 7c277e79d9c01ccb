//! Telephone numbers in a list of people, each behind a name and dots.
//!
//! In: a line. Out: the number that it ends with: `Dubois, Marie (Sales) ........ 750 36 60`. Check rule: the line begins
//! with a name, three dots or more lead to the number, which has six to fifteen digits. Invariant: a line longer than
//! `MAX_LINE_BYTES` is not read. Not here: the name (`letters`).

use cloakgate_vocab::Span;

use crate::letters;

/// Longest line of a list.
const MAX_LINE_BYTES: usize = 160;

/// The number at the end of a line.
pub(crate) fn number(text: &str, line: Span) -> Option<Span> {
    let row = line.of(text).filter(|row| row.len() <= MAX_LINE_BYTES)?.trim_end();
    if !row.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let dots = row.rfind("...")?;
    let value = row.get(dots + 3..)?.trim_start_matches(' ');
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let written = value.bytes().all(|byte| byte.is_ascii_digit() || b" ()+-/".contains(&byte));
    let begins = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '('));
    (written && begins && (6..=15).contains(&digits) && letters::entry_name(row.get(..dots)?).is_some())
        .then(|| Span::sized(line.start() + row.len() - value.len(), value.len()))
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::number;

    #[test]
    fn dots_lead_from_a_name_to_its_number() {
        for (line, value) in [
            ("Dubois, Marie ........ 750 36 60", "750 36 60"),
            ("Marie Dubois (Sales) ... +33 1 44 12", "+33 1 44 12"),
            ("Dubois, Marie – Lager ....... 043812960", "043812960"),
            ("Marie Dubois .......... 412", ""),
            ("Total amount .......... 1 204 300", ""),
            ("Introduction .......... 1204300", ""),
            ("Passport Number ....... 750366012", ""),
            ("Marie Dubois 750 36 60", ""),
        ] {
            let found = number(line, Span::sized(0, line.len())).and_then(|span| span.of(line));
            assert_eq!(found.unwrap_or_default(), value, "{line}");
        }
    }
}
