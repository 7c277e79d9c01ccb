//! What speaks against a finding: machines write numbers that look like those of people.
//!
//! In: a text, the place of a finding that only its shape speaks for, and the machine words seen in the text. Out:
//! whether to drop it. UUID, hash, git id, epoch, version, ISBN, doi, part number, port, size, coordinate, order and
//! tracking numbers veto. Invariant: at most `REACH` bytes are read on either side. Checked findings are never
//! vetoed.

use cloakgate_vocab::{Category, Span, Strength};

use crate::recognise::Hit;
use crate::trace::Reason;

/// How far, in bytes, a machine word speaks for a number that follows.
const REACH: usize = 24;

/// Why a hit should be dropped, if it should. `machine` holds the machine words of the text, sorted.
pub(crate) fn veto(text: &str, hit: &Hit, machine: &[Span]) -> Option<Reason> {
    if hit.strength != Strength::Shape || !is_number(hit.category) {
        return None;
    }
    if is_marked_ssn(text, hit) {
        return None;
    }
    // `203.0.113.7:443` has a port; its recogniser looks at what is glued to an address.
    if hit.category != Category::IpAddress && in_longer_code(text, hit.span) {
        return Some(Reason::Glued);
    }
    named_machine(text, hit.span, machine)
        .map(Reason::MachineWord)
        .or_else(|| named_after(text, hit.span).then_some(Reason::NamedAfter))
}

fn is_number(category: Category) -> bool {
    matches!(
        category,
        Category::Phone
            | Category::Ssn
            | Category::NationalId
            | Category::TaxId
            | Category::BankAccount
            | Category::Passport
            | Category::DriverLicense
            | Category::HealthId
            | Category::OtherId
            | Category::IpAddress
    )
}

/// `file #567-89-0123`, `reference #567-89-0123`: files and cases of people go by the number in its full form.
fn is_marked_ssn(text: &str, hit: &Hit) -> bool {
    if hit.category != Category::Ssn {
        return false;
    }
    let head = text.get(..hit.span.start()).and_then(|head| head.strip_suffix('#')).unwrap_or_default();
    let groups = hit.span.of(text).unwrap_or_default().split('-').map(str::len);
    let word = head.trim_end_matches(' ').rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let after = text.as_bytes().get(hit.span.end()).copied().unwrap_or_default();
    groups.eq([3, 2, 4])
        && !after.is_ascii_alphanumeric()
        && !matches!(after, b'-' | b'_' | b'/')
        && ["file", "reference", "ref", "record", "case", "applicant", "employee", "member"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
}

/// `order 966-...`, `isbn 978-...`: a machine word just before, with nothing but marks and blanks between.
fn named_machine(text: &str, span: Span, machine: &[Span]) -> Option<Span> {
    let index = machine.partition_point(|word| word.end() <= span.start());
    let word = index.checked_sub(1).and_then(|before| machine.get(before))?;
    let gap = text.get(word.end()..span.start())?;
    let beside = gap.len() <= REACH
        && !gap.contains('\n')
        && gap.split_whitespace().filter(|part| part.len() > 2).count() == 0;
    beside.then_some(*word)
}

/// `954-82-6591 is the part number`.
fn named_after(text: &str, span: Span) -> bool {
    let Some(rest) = text.get(span.end()..) else { return false };
    // Most texts go on otherwise.
    if !rest.as_bytes().first_chunk::<8>().is_some_and(|head| head.eq_ignore_ascii_case(b" is the ")) {
        return false;
    }
    let end = rest.char_indices().map(|(at, _)| at).take_while(|at| *at <= REACH).last().unwrap_or(0);
    let window = rest.get(..end).unwrap_or_default();
    let line = window.lines().next().unwrap_or_default().to_lowercase();
    line.starts_with(" is the ")
        && ["part", "order", "serial", "model", "sku", "item", "build", "ticket"]
            .iter()
            .any(|word| line.contains(word))
}

/// The number is part of a longer code: letters, `_`, `#` or more groups are glued to it.
fn in_longer_code(text: &str, span: Span) -> bool {
    let before = text.get(..span.start()).and_then(|head| head.chars().next_back());
    let after = text.get(span.end()..).unwrap_or_default();
    let mut next = after.chars();
    let glued_before =
        before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '#' | '/' | '\\' | '$' | '~' | '^'));
    let glued_after = match (next.next(), next.next()) {
        (Some(c), _) if c.is_alphanumeric() || matches!(c, '_' | '%') => true,
        (Some('-' | '.' | '/' | ':'), Some(c)) => c.is_alphanumeric(),
        _ => false,
    };
    glued_before || glued_after
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Detector, Span, Strength};

    use super::veto;
    use crate::recognise::Hit;

    #[test]
    fn machine_numbers_are_vetoed_and_others_not() {
        for (text, number, vetoed) in [
            ("order 966-9091111-4656", "966-9091111-4656", true),
            ("isbn: 978-3-680", "978-3-680", true),
            ("954-82-6591 is the part number", "954-82-6591", true),
            ("model x, call 966-909-1111", "966-909-1111", false),
            ("169-93-8954-B", "169-93-8954", true),
            ("PO169-93-8954", "169-93-8954", true),
            ("order one,\n966-909-1111", "966-909-1111", false),
            ("phone 966-909-1111", "966-909-1111", false),
            ("order #567-89-0123", "567-89-0123", true),
            ("reference #567-89-0123-B", "567-89-0123", true),
            ("File reference #567-89-0123 needs", "567-89-0123", false),
        ] {
            let machine: Vec<Span> = ["order", "isbn", "model", "reference"]
                .iter()
                .filter_map(|w| text.find(w).map(|at| Span::sized(at, w.len())))
                .collect();
            let hit = Hit {
                span: Span::sized(text.find(number).unwrap(), number.len()),
                category: if number.starts_with("567") { Category::Ssn } else { Category::Phone },
                detector: Detector("test"),
                strength: Strength::Shape,
                pieces: Vec::new(),
            };
            assert_eq!(veto(text, &hit, &machine).is_some(), vetoed, "{text}");
        }
    }
}
