//! Payment card numbers (ISO/IEC 7812).
//!
//! Issuer: card schemes, by ranges of the first digits (IIN, ISO/IEC 7812-1; ranges as the schemes publish them).
//! Format: 12 to 19 digits, in one run or in groups by one kind of separator (blank, `-`, `.`):
//! positions 1-6 or 1-8 name the issuer, the last is the check digit.
//!
//! | scheme | first digits | lengths |
//! |---|---|---|
//! | Visa | 4 | 13, 16, 19 |
//! | Mastercard | 51-55, 2221-2720 | 16 |
//! | American Express | 34, 37 | 15 |
//! | Diners Club | 300-305, 3095, 36, 38, 39 | 14-19 |
//! | Discover | 6011, 644-649, 65 | 16-19 |
//! | JCB | 3528-3589 (issued: 35); 2131, 1800 | 16-19; 15 |
//! | UnionPay | 62, 81 | 16-19 |
//! | MIR | 2200-2204 | 16-19 |
//! | Maestro | 50, 56-58, 60, 61, 63, 66-69 | 12-19 |
//! | RuPay, Troy, Elo | 60, 81, 82, 508, 353, 356; 9792; 5067, 6362 | 16 |
//!
//! Check rule (Luhn, ISO/IEC 7812-1 annex B): from the right, every second digit is doubled, 9 taken off what
//! exceeds 9, and the sum is a multiple of 10. `4111 1111 1111 1111`: 4 doubled is 8, the seven other doubled
//! ones give 14, the eight plain ones 8; 8 + 14 + 8 = 30.
//!
//! Without a cue word the short and wide ranges (Maestro other than 16 digits, 13-digit Visa, which looks like
//! an EAN) count only in groups that begin with four digits; with a cue every grouping counts.
//!
//! Invariant: a hit covers whole digit groups. Not here: card verification codes, expiry dates.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::digits::{Buffer, Cue, Groups, NO_BREAK, Taken};
use crate::work;

const MIN_DIGITS: usize = 12;
const MAX_DIGITS: usize = 19;

/// Luhn check over digits, given as ASCII or as values.
fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| {
            let value = u32::from(digit & 0x0F);
            let weighted = if place % 2 == 1 { value * 2 } else { value };
            if weighted > 9 { weighted - 9 } else { weighted }
        })
        .sum();
    !digits.is_empty() && sum.is_multiple_of(10)
}

/// True for a number with the range and length of an issuer and a right check digit; digits as ASCII or values.
fn card(digits: &[u8]) -> bool {
    scheme(digits).is_some() && !monotone(digits) && luhn(digits)
}

#[derive(Clone, Copy, Eq, PartialEq)]
enum Scheme {
    /// Range and length leave little to chance.
    Narrow,
    /// Many other numbers lie in the range; the look of the number must add to it.
    Wide,
}

fn scheme(digits: &[u8]) -> Option<Scheme> {
    let length = digits.len();
    if !(MIN_DIGITS..=MAX_DIGITS).contains(&length) {
        return None;
    }
    let first = digits.iter().take(4).fold(0_u32, |value, &digit| value * 10 + u32::from(digit & 0x0F));
    match (first, length) {
        (4000..=4999, 16 | 19)
        | (5100..=5599 | 2221..=2720, 16)
        | (3400..=3499 | 3700..=3799, 15)
        | (3000..=3059 | 3095 | 3600..=3699 | 3800..=3999, 14 | 16)
        | (6011 | 6440..=6599 | 6200..=6299 | 8100..=8199 | 3500..=3599 | 2200..=2204, 16..=19)
        | (2131 | 1800, 15)
        | (9792 | 8200..=8299, 16)
        | (5000..=5099 | 5600..=5899 | 6000..=6199 | 6300..=6399 | 6600..=6999, 16) => Some(Scheme::Narrow),
        (4000..=4999, 13)
        | (3000..=3059 | 3600..=3699 | 3800..=3999, 15 | 17..=19)
        | (5000..=5099 | 5600..=5899 | 6000..=6199 | 6300..=6399 | 6600..=6999, _) => Some(Scheme::Wide),
        _ => None,
    }
}

/// All digits after the fourth are the same zero: a round amount or a fill, no card. (`4111...` is a test card.)
fn monotone(digits: &[u8]) -> bool {
    digits.iter().skip(1).all(|digit| digit & 0x0F == 0)
}

/// Reports the cards among the groups and marks their groups as taken.
pub(super) fn find(groups: &Groups<'_>, cue: Cue, taken: &mut Taken, out: &mut Vec<Hit>) {
    let mut first = 0;
    while first < groups.len() {
        match longest_from(groups, first, cue, *taken) {
            Some(last) => {
                let strength = Strength::Checked;
                out.push(groups.hit((first, last), Category::CreditCard, "card", strength));
                taken.add(first, last);
                first = last + 1;
            }
            None => first += 1,
        }
    }
}

fn longest_from(groups: &Groups<'_>, first: usize, cue: Cue, taken: Taken) -> Option<usize> {
    // No other group begins what `is_card` takes for one.
    if cue != Cue::Card && groups.width(first) != 4 && groups.width(first) < MIN_DIGITS {
        return None;
    }
    let mut best = None;
    let mut total = 0;
    let mut digits: Option<Buffer> = None;
    for last in first..groups.len() {
        work::count(1);
        total += groups.width(last);
        if total > MAX_DIGITS || taken.has(last) || (last > first && !same_separator(groups, first, last)) {
            break;
        }
        if total >= MIN_DIGITS {
            let digits = digits.get_or_insert_with(|| groups.digits_from(first, MAX_DIGITS));
            if digits
                .as_slice()
                .get(..total)
                .is_some_and(|digits| is_card(groups, (first, last), digits, cue))
            {
                best = Some(last);
            }
        }
    }
    best
}

fn same_separator(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let separator = groups.joint(last);
    matches!(separator, b" " | b"-" | b"." | NO_BREAK) && separator == groups.joint(first + 1)
}

fn is_card(groups: &Groups<'_>, (first, last): (usize, usize), digits: &[u8], cue: Cue) -> bool {
    let Some(scheme) = scheme(digits) else { return false };
    let cued = cue == Cue::Card;
    let grouped = last > first;
    let shaped = if grouped {
        cued || (groups.width(first) == 4
            && (first + 1..last).all(|group| groups.width(group) >= 3)
            && groups.width(last) >= 2)
    } else {
        cued || scheme == Scheme::Narrow
    };
    // a number that goes on in the same manner on either side is a piece of something longer
    let alone = !groups.continues_left(first, b"-.") && !groups.continues_right(last, b"-.");
    shaped && alone && groups.clear_left(first) && groups.clear_right(last) && card(digits)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check_digit_runs, spans_with};
    use super::{Cue, card, luhn};
    use cloakgate_vocab::Category::CreditCard;

    #[test]
    fn luhn_takes_ascii_and_values() {
        assert!(luhn(b"4111111111111111") && luhn(&[4, 2]));
        assert!(!luhn(b"4111111111111112") && !luhn(b""));
    }

    #[test]
    fn issuers_and_lengths() {
        let valid = [
            "4111111111111111",
            "5555555555554444",
            "2223003122003222",
            "378282246310005",
            "30569309025904",
            "38520000023237",
            "6011111111111117",
            "3530111333300000",
            "6200000000000005",
            "2200000000000004",
            "6759649826438453",
            "4222222222222",
            "180000826105910",
            "213173282369527",
            "6304000000000000",
            "4273468222888969924",
            "503867297114",
        ];
        for number in valid {
            assert!(card(number.as_bytes()), "{number}");
        }
        for number in
            ["1111111111111117", "41111111111111", "0000000000000000", "4000000000000000", "37828224631000"]
        {
            assert!(!card(number.as_bytes()), "{number}");
        }
    }

    #[test]
    fn cards_in_text() {
        check_digit_runs(
            CreditCard,
            Cue::None,
            &[
                "pay «4111 1111 1111 1111» now",
                "pay «4111-1111-1111-1111», «4111.1111.1111.1111»; «4111111111111111»",
                "Amex «3782 822463 10005» and «4111 11111111 1111»",
                "19 digits «6212 3456 7890 1234 007» here",
                "PAN=«5555555555554444»",
                "カード«4111111111111111»です",
                "é«4111 1111 1111 1111»é",
                "expiry «4111 1111 1111 1111 »12/28".replace(" »", "» ").as_str(),
                "4111 1111 1111 1112",
                "4111 1111 1111 111",
                "«4111 1111 1111 1111» 1111 1111 1111",
                "94111111111111111",
                "a4111111111111111",
                "4111111111111111b",
                "4111-1111-1111-1111-1111",
                "order 482-3576220-5190118",
                "id_4111111111111111",
                "#«4111111111111111»",
                "0.4111111111111111",
                "ean 4012345678901",
            ],
        );
    }

    #[test]
    fn a_cue_admits_short_and_oddly_grouped_cards() {
        assert_eq!(spans_with(CreditCard, Cue::Card, "503867297114"), ["503867297114"]);
        assert_eq!(spans_with(CreditCard, Cue::None, "503867297114"), [""; 0]);
        assert_eq!(spans_with(CreditCard, Cue::Card, "4222222222222"), ["4222222222222"]);
        assert_eq!(spans_with(CreditCard, Cue::Card, "41 1111 1111 111111"), ["41 1111 1111 111111"]);
    }
}
