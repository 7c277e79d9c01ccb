//! Parties in the messages that banks send (SWIFT MT): field 50 the payer, 59 the payee; in statements 25 the account, 86
//! the other side.
//!
//! In: a line `:50K:/account`, `:59:/account` or `:59F:1/NAME`. Out: the account, and on the lines below the name and the
//! parts of an address, up to the next field. In form F the lines begin with `1/` name, `2/` street, `3/` town. Invariant:
//! at most `MAX_LINES` lines of `MAX_LINE_BYTES` are read. Not here: amounts, banks, what speaks for itself.

use cloakgate_vocab::{Category, Span};

use crate::people;
use crate::recognise::Hit;

/// Most lines of a party.
const MAX_LINES: usize = 5;
/// Longest line of a party; the standard allows 35 signs.
const MAX_LINE_BYTES: usize = 140;

/// Reads a statement's own account (field 25) or, in what an entry says of the other side (field 86), the name and the
/// account in the parts `?31` and `?32` of German banks or behind `/NAME/` and `/IBAN/`.
pub(crate) fn statement(text: &str, start: usize, hits: &mut Vec<Hit>) {
    let Some(rest) = text.get(start..) else { return };
    let window = rest.get(..rest.floor_char_boundary(MAX_LINES * MAX_LINE_BYTES)).unwrap_or_default();
    if let Some(value) = window.strip_prefix(":25:") {
        let account = value.split(['\n', '\r', ' ']).next().unwrap_or_default();
        let digits = account.bytes().filter(u8::is_ascii_digit).count();
        if (5..=24).contains(&digits) {
            push(account, start + ":25:".len(), Category::BankAccount, hits);
        }
        return;
    }
    if !window.starts_with(":86:") {
        return;
    }
    let field = window.get(..window.find("\n:").unwrap_or(window.len())).unwrap_or_default();
    for (mark, end, category) in [
        ("?31", '?', Category::BankAccount),
        ("?32", '?', Category::Person),
        ("/IBAN/", '/', Category::BankAccount),
        ("/NAME/", '/', Category::Person),
    ] {
        let Some(at) = field.find(mark).map(|at| at + mark.len()) else { continue };
        let value = field.get(at..).and_then(|rest| rest.split([end, '\n', '\r']).next()).unwrap_or_default();
        let fits = if category == Category::Person {
            value.contains(char::is_alphabetic) && !people::is_organisation(value)
        } else {
            value.bytes().filter(u8::is_ascii_digit).count() >= 5
        };
        if fits {
            push(value.trim_end(), start + at, category, hits);
        }
    }
}

/// Reads the party whose field begins with the line at `start`.
pub(crate) fn party(text: &str, start: usize, hits: &mut Vec<Hit>) {
    let Some(head) = text.get(start..start + 6) else { return };
    let field = head.strip_prefix(':').and_then(|head| head.split_once(':')).map(|(field, _)| field);
    let Some(field) = field.filter(|field| is_party(field)) else { return };
    let mut at = start + field.len() + 2;
    let mut named = false;
    for _ in 0..MAX_LINES {
        let rest = text.get(at..).unwrap_or_default();
        let window = rest.get(..rest.floor_char_boundary(MAX_LINE_BYTES)).unwrap_or_default();
        let len = window.find('\n').unwrap_or(window.len());
        let line = window.get(..len).unwrap_or_default();
        if line.starts_with([':', '-', '{']) || (len == window.len() && len < rest.len()) {
            break;
        }
        named |= part(line.trim_end(), at, named, hits);
        at += len + 1;
    }
}

fn is_party(field: &str) -> bool {
    matches!(field, "50" | "50A" | "50F" | "50G" | "50H" | "50K" | "59" | "59A" | "59F")
}

/// One line; tells whether it is the name.
fn part(line: &str, at: usize, named: bool, hits: &mut Vec<Hit>) -> bool {
    if let Some(account) = line.strip_prefix('/') {
        let digits = account.bytes().filter(u8::is_ascii_digit).count();
        if digits >= 5 && account.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            push(account, at + 1, Category::BankAccount, hits);
        }
        return false;
    }
    let (number, value) = match line.split_once('/') {
        Some((number @ ("1" | "2" | "3" | "4"), value)) => (Some(number), value),
        _ => (None, line),
    };
    let start = at + line.len() - value.len();
    let name = number.map_or(!named, |number| number == "1");
    if name {
        let person =
            value.chars().filter(|c| c.is_alphabetic()).count() > 1 && !people::is_organisation(value);
        if person {
            push(value, start, Category::Person, hits);
        }
        return true;
    }
    match number {
        Some("4") => push(value, start, Category::DateOfBirth, hits),
        Some("2") => push(value, start, Category::Address, hits),
        _ if value.bytes().any(|byte| byte.is_ascii_digit()) => push(value, start, Category::Address, hits),
        _ => {}
    }
    false
}

fn push(value: &str, start: usize, category: Category, hits: &mut Vec<Hit>) {
    if !value.trim().is_empty() {
        hits.push(Hit::by_context(Span::sized(start, value.len()), category, "swift"));
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn statements_have_accounts_and_the_other_side() {
        for (text, values) in [
            (":25:10020030/0437454139\n:28C:1", "10020030/0437454139"),
            (
                ":86:177?00SEPA?20SVWZ+Rent?31DE89370400440532013000?32Rita Roca\n:62F:x",
                "DE89370400440532013000|Rita Roca",
            ),
            (":86:/TRTP/SEPA/IBAN/NL91ABNA0417164300/NAME/R. Roca/REMI/x\n", "NL91ABNA0417164300|R. Roca"),
            (":86:177?20x?32ACME GMBH\n:61:?32Bob", ""),
            (":25:12\n", ""),
            (":8", ""),
        ] {
            let mut hits = Vec::new();
            super::statement(text, 0, &mut hits);
            let found: Vec<&str> = hits.iter().filter_map(|hit| hit.span.of(text)).collect();
            assert_eq!(found.join("|"), values, "{text}");
        }
    }

    #[test]
    fn parties_have_names_and_addresses() {
        for (text, values) in [
            (":50K:/12345678\nRITA ROCA\nELM STREET 3\nLYON\n:57A:X", "12345678|RITA ROCA|ELM STREET 3"),
            (
                ":59:/DE89370400440532013000\nBob Ray\n10115 BERLIN\n:70:INV 4",
                "DE89370400440532013000|Bob Ray|10115 BERLIN",
            ),
            (
                ":50F:/12345678\n1/RITA ROCA\n2/ELM 3\n3/FR/LYON 69003\n-}",
                "12345678|RITA ROCA|ELM 3|FR/LYON 69003",
            ),
            (":59:ACME GMBH\nELM 3\n", "ELM 3"),
            (":20:4711\nRITA ROCA", ""),
            (":5", ""),
        ] {
            let mut hits = Vec::new();
            super::party(text, 0, &mut hits);
            let found: Vec<&str> = hits.iter().filter_map(|hit| hit.span.of(text)).collect();
            assert_eq!(found.join("|"), values, "{text}");
        }
    }
}
