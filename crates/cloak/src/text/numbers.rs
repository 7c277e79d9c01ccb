//! Numbers as operators read them: `34`, `17½`, `72,5`, `thirty-four`.
//!
//! In: a text that should begin with a number. Out: the number, exact to a thousandth, and its length. Invariant: a
//! look is bounded.

use cloakgate_detect::number_words;

use super::profile::Quantity;

/// Most digits before the point.
const MAX_DIGITS: usize = 6;

/// The number at the start of a text and its length in bytes.
pub(super) fn quantity(text: &str) -> Option<(Quantity, usize)> {
    let digits = text.bytes().take(MAX_DIGITS + 1).take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        let (number, len) = number_words(text)?;
        return Some((Quantity::whole(u32::try_from(number).ok()?), len));
    }
    let whole: u64 = text.get(..digits).filter(|_| digits <= MAX_DIGITS)?.parse().ok()?;
    let rest = text.get(digits..)?;
    let (fraction, len) = match rest.chars().next() {
        Some('¼') => (250, '¼'.len_utf8()),
        Some('½') => (500, '½'.len_utf8()),
        Some('¾') => (750, '¾'.len_utf8()),
        Some('.' | ',') => decimals(rest.get(1..).unwrap_or_default()),
        _ => (0, 0),
    };
    Some((Quantity::thousandths(whole * 1000 + fraction), digits + len))
}

/// Thousandths behind a point, with the length that includes it; no length when no digits follow.
fn decimals(text: &str) -> (u64, usize) {
    let digits = text.bytes().take(4).take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 3 {
        return (0, 0);
    }
    let value = text.get(..digits).and_then(|digits| digits.parse().ok()).unwrap_or(0u64);
    let scale = [100, 10, 1].get(digits - 1).copied().unwrap_or(1);
    (value * scale, digits + 1)
}

/// The second number of `70-75`, `70 – 75`, `70 to 75` behind the first, with the length up to its end.
pub(super) fn to_second(rest: &str) -> Option<(Quantity, usize)> {
    let tail = rest.trim_start_matches(' ');
    let tail = tail.strip_prefix(['-', '–']).or_else(|| tail.strip_prefix("to "))?.trim_start_matches(' ');
    let (second, len) = tail.starts_with(|c: char| c.is_ascii_digit()).then(|| quantity(tail))??;
    Some((second, rest.len() - tail.len() + len))
}

#[cfg(test)]
mod tests {
    use super::{quantity, to_second};

    #[test]
    fn numbers_are_exact() {
        for (text, thousandths, len) in [
            ("34 years", 34_000, 2),
            ("17½", 17_500, 4),
            ("72,5 kg", 72_500, 4),
            ("72.", 72_000, 2),
            ("1.1234", 1_000, 1),
            ("thirty-four", 34_000, 11),
        ] {
            let (number, read) = quantity(text).expect("a number");
            assert_eq!((number.in_thousandths(), read), (thousandths, len), "{text}");
        }
        assert!(quantity("").is_none() && quantity("kg").is_none() && quantity("12345678").is_none());
        assert_eq!(
            to_second("-75 kg").map(|(second, len)| (second.in_thousandths(), len)),
            Some((75_000, 3))
        );
        assert!(to_second("-kg").is_none());
    }
}
