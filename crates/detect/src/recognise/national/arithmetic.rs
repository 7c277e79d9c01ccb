//! Arithmetic that check rules share: weighted sums, Luhn, ISO 7064, Verhoeff, dates inside numbers.
//!
//! In: the letters (capitals) and digits of a number without separators. Out: sums, remainders, yes or no.
//! Invariant: no call panics; what lies outside the number counts as zero. Not here: which number uses which rule.

/// The digit at a place; zero for a letter and outside the number.
pub(super) fn digit(id: &[u8], place: usize) -> u32 {
    id.get(place).filter(|byte| byte.is_ascii_digit()).map_or(0, |byte| u32::from(byte - b'0'))
}

/// The byte at a place; NUL outside the number.
pub(super) fn byte(id: &[u8], place: usize) -> u8 {
    id.get(place).copied().unwrap_or(0)
}

/// The part of `len` bytes that begins at `from`; empty outside the number.
pub(super) fn part(id: &[u8], from: usize, len: usize) -> &[u8] {
    id.get(from..from + len).unwrap_or_default()
}

/// Value of the `len` digits that begin at `from`; letters count as zero.
pub(super) fn number(id: &[u8], from: usize, len: usize) -> u64 {
    (from..from + len)
        .fold(0, |value, place| u64::wrapping_add(u64::wrapping_mul(value, 10), u64::from(digit(id, place))))
}

/// 0 to 9 for digits, 10 to 35 for letters.
pub(super) fn letter_value(byte: u8) -> u32 {
    match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        b'A'..=b'Z' => u32::from(byte - b'A') + 10,
        _ => 0,
    }
}

/// Sum of the digits from the first place on, each times its weight.
pub(super) fn weighted(id: &[u8], weights: &[u32]) -> u32 {
    weights.iter().enumerate().map(|(place, weight)| digit(id, place) * weight).sum()
}

/// The same, letters with their values.
pub(super) fn weighted_letters(id: &[u8], weights: &[u32]) -> u32 {
    weights.iter().zip(id).map(|(weight, byte)| letter_value(*byte) * weight).sum()
}

/// Luhn's rule over digits: from the right each second one doubled, digits of products added, sum 0 mod 10.
pub(super) fn luhn(id: &[u8]) -> bool {
    luhn_sum(id).is_multiple_of(10)
}

/// The sum of Luhn's rule.
pub(super) fn luhn_sum(id: &[u8]) -> u32 {
    let doubled = |value: u32| if value > 4 { 2 * value - 9 } else { 2 * value };
    let digits = id.iter().rev().filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'));
    digits.enumerate().map(|(place, value)| if place % 2 == 1 { doubled(value) } else { value }).sum()
}

/// ISO 7064, MOD 11,10: the last digit checks the others.
pub(super) fn mod_11_10(id: &[u8]) -> bool {
    let Some((last, rest)) = id.split_last() else { return false };
    let mut check = 10;
    for place in 0..rest.len() {
        let sum = (check + digit(rest, place)) % 10;
        check = (if sum == 0 { 10 } else { sum }) * 2 % 11;
    }
    (11 - check) % 10 == letter_value(*last)
}

/// ISO 7064, MOD 11-2: the last character, a digit or `X`, checks the others.
pub(super) fn mod_11_2(id: &[u8]) -> bool {
    let Some((last, rest)) = id.split_last() else { return false };
    let sum = (0..rest.len()).fold(0, |sum, place| (sum + digit(rest, place)) * 2 % 11);
    let last = if *last == b'X' { 10 } else { letter_value(*last) };
    (sum + last) % 11 == 1
}

/// Remainder of a number of any length; letters are two digits (`A` is 10).
pub(super) fn remainder(id: &[u8], modulus: u32) -> u32 {
    id.iter().fold(0, |rest, byte| {
        let value = letter_value(*byte);
        (rest * if value > 9 { 100 } else { 10 } + value) % modulus
    })
}

/// 7-3-1 weights over digits and letters, as machine readable documents use them.
pub(super) fn seven_three_one(id: &[u8]) -> u32 {
    id.iter()
        .zip([7, 3, 1].into_iter().cycle())
        .map(|(byte, weight)| letter_value(*byte) * weight)
        .sum::<u32>()
        % 10
}

/// Verhoeff's rule: products in the dihedral group of the pentagon, permuted by place from the right.
pub(super) fn verhoeff(id: &[u8]) -> bool {
    const PERMUTATION: [u32; 10] = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
    let product = |left: u32, right: u32| match (left < 5, right < 5) {
        (true, true) => (left + right) % 5,
        (true, false) => (left + right) % 5 + 5,
        (false, true) => (left + 5 - right) % 5 + 5,
        (false, false) => (left + 5 - right) % 5,
    };
    let permuted = |value: u32, times: usize| {
        (0..times).fold(value, |value, _| {
            PERMUTATION.get(usize::try_from(value).unwrap_or(0)).copied().unwrap_or(0)
        })
    };
    let last = id.len();
    (0..last).fold(0, |check, back| product(check, permuted(digit(id, last - 1 - back), back % 8))) == 0
}

/// True for a day that the month can have.
pub(super) fn is_day(month: u64, day: u64) -> bool {
    let longest = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 29,
        _ => 0,
    };
    (1..=longest).contains(&day)
}

/// True when six digits from `from` on read year, month, day.
pub(super) fn is_yymmdd(id: &[u8], from: usize) -> bool {
    is_day(number(id, from + 2, 2), number(id, from + 4, 2))
}

/// True when six digits from `from` on read day, month, year.
pub(super) fn is_ddmmyy(id: &[u8], from: usize) -> bool {
    is_day(number(id, from + 2, 2), number(id, from, 2))
}

/// True when eight digits from `from` on read a year in which people now alive were born, month, day.
pub(super) fn is_yyyymmdd(id: &[u8], from: usize) -> bool {
    (1900..=2039).contains(&number(id, from, 4)) && is_yymmdd(id, from + 2)
}

/// True when all bytes are equal, as in numbers that people invent.
pub(super) fn is_repetition(id: &[u8]) -> bool {
    id.windows(2).all(|pair| matches!(pair, [one, other] if one == other))
}

/// Structure alone: the number has no check digit.
pub(super) const fn structure(_: &[u8]) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::{is_yyyymmdd, luhn, mod_11_2, mod_11_10, number, remainder, seven_three_one, verhoeff};

    #[test]
    fn published_examples_pass_and_their_neighbours_fail() {
        for (name, rule, valid) in [
            ("luhn", luhn as fn(&[u8]) -> bool, "79927398713"),
            ("verhoeff", verhoeff, "2363"),
            ("mod 11,10", mod_11_10, "07945"),
            ("mod 11-2", mod_11_2, "07940"),
            ("mod 11-2", mod_11_2, "079X"),
        ] {
            assert!(rule(valid.as_bytes()), "{name} {valid}");
            for last in '0'..='9' {
                let other = format!("{}{last}", valid.strip_suffix(|_| true).unwrap_or_default());
                assert!(other == valid || !rule(other.as_bytes()), "{name} {other}");
            }
        }
        assert_eq!(remainder(b"3214282912345698765432161182", 97), 1);
        assert_eq!(seven_three_one(b"520727"), 3);
        assert_eq!(seven_three_one(b"AB2134"), 5);
        assert_eq!(number(b"12", 1, 5), 20_000);
        assert!(is_yyyymmdd(b"19840312", 0) && !is_yyyymmdd(b"19841312", 0) && !is_yyyymmdd(b"", 0));
    }
}
