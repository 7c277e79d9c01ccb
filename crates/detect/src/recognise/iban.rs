//! International bank account numbers.
//!
//! Issuer: banks, under ISO 13616; formats as SWIFT's IBAN registry gives them, and those of countries that use the
//! scheme without registering. Format: positions 1-2 country, 3-4 check digits, then 11 to 29 characters as the country
//! lays them down (`iban_formats.txt`: `n` digits, `a` letters, `c` both), in any case, in one run or with single
//! blanks, no-break blanks, `-` or `.` between groups.
//! Check rule (ISO 7064 mod 97-10): the first four characters move to the end, letters become 10-35, and the number
//! leaves 1 when divided by 97. `DE89 3704 0044 0532 0130 00` becomes 370400440532013000 131489, which leaves 1.
//!
//! In: text and a word start. Out: one hit that ends with the last character the country allows.
//! Invariant: reads at most 33 characters and as many separators. Not here: bank codes, domestic numbers.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::{at, before, is_identifier};

const MAX_LENGTH: usize = 34;
static FORMATS: [Format; 676] = read_formats(include_bytes!("iban_formats.txt"));

/// Up to four runs of a class of characters; length 0 when the country has none.
type Format = [(u8, u8); 4];

/// True for a number without separators, in any case, of a known country with right length, form and check digits.
fn iban(compact: &str) -> bool {
    let bytes = compact.as_bytes();
    format_of(bytes).is_some_and(|format| length(&format) == bytes.len() && fits(&format, bytes))
        && remainder(bytes) == 1
}

/// Reports the number that begins at `start`, two letters and two digits.
pub(super) fn iban_at(text: &str, start: usize) -> Option<Hit> {
    let bytes = text.as_bytes();
    let format = format_of(bytes.get(start..)?)?;
    if is_identifier(before(text, start)) {
        return None;
    }
    let wanted = length(&format);
    let mut compact = [0_u8; MAX_LENGTH];
    let mut position = start;
    let mut filled = 0;
    let mut group = 0;
    while filled < wanted {
        let byte = at(text, position);
        if byte.is_ascii_alphanumeric() {
            *compact.get_mut(filled)? = byte;
            filled += 1;
            group += 1;
            position += 1;
        } else {
            // "no12 is the one": words are not groups of an account number
            let separator = separator_length(text, position)?;
            if group < 2 {
                return None;
            }
            group = 0;
            position += separator;
        }
    }
    let whole = std::str::from_utf8(compact.get(..filled)?).ok()?;
    (!is_identifier(at(text, position)) && iban(whole))
        .then(|| Hit::new(start, position, Category::Iban, "iban", Strength::Checked))
}

fn separator_length(text: &str, position: usize) -> Option<usize> {
    match at(text, position) {
        b' ' | b'-' | b'.' => Some(1),
        0xC2 if at(text, position + 1) == 0xA0 => Some(2),
        0xE2 if at(text, position + 1) == 0x80 && at(text, position + 2) == 0xAF => Some(3),
        _ => None,
    }
}

fn format_of(bytes: &[u8]) -> Option<Format> {
    let &[first, second] = bytes.first_chunk::<2>()?;
    let letter = |byte: u8| byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_uppercase() - b'A'));
    let format = *FORMATS.get(letter(first)? * 26 + letter(second)?)?;
    (length(&format) > 4).then_some(format)
}

fn length(format: &Format) -> usize {
    4 + format.iter().map(|&(_, count)| usize::from(count)).sum::<usize>()
}

fn fits(format: &Format, bytes: &[u8]) -> bool {
    let mut rest = bytes.iter().skip(4);
    let checks = bytes.get(2..4).is_some_and(|digits| digits.iter().all(u8::is_ascii_digit));
    checks
        && format.iter().all(|&(class, count)| {
            rest.by_ref().take(usize::from(count)).all(|byte| match class {
                b'n' => byte.is_ascii_digit(),
                b'a' => byte.is_ascii_alphabetic(),
                _ => byte.is_ascii_alphanumeric(),
            })
        })
}

fn remainder(bytes: &[u8]) -> u32 {
    bytes.iter().cycle().skip(4).take(bytes.len()).fold(0, |rest, &byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte.to_ascii_uppercase().wrapping_sub(b'A')) + 10) % 97,
    })
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only: out of range fails the build")]
const fn read_formats(rows: &[u8]) -> [Format; 676] {
    let mut formats = [[(0, 0); 4]; 676];
    let mut index = 0;
    while index + 2 < rows.len() {
        let country = (rows[index] - b'A') as usize * 26 + (rows[index + 1] - b'A') as usize;
        index += 3;
        let mut part = 0;
        while rows[index] != b'\n' {
            let class = rows[index];
            index += 1;
            let mut count = 0;
            while rows[index].is_ascii_digit() {
                count = count * 10 + (rows[index] - b'0');
                index += 1;
            }
            formats[country][part] = (class, count);
            part += 1;
        }
        index += 1;
    }
    formats
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_words;
    use super::{FORMATS, iban, length};
    use cloakgate_vocab::Category::Iban;

    #[test]
    fn formats_are_complete() {
        assert!(FORMATS.iter().filter(|format| length(format) > 4).count() > 100);
        assert!(FORMATS.iter().all(|format| length(format) <= 34));
    }

    #[test]
    fn examples_of_the_registry() {
        for number in [
            "AD1200012030200359100100",
            "BE68539007547034",
            "BR1800360305000010009795493C1",
            "CH9300762011623852957",
            "DE89370400440532013000",
            "ES9121000418450200051332",
            "FR1420041010050500013M02606",
            "GB29NWBK60161331926819",
            "IT60X0542811101000000123456",
            "LC55HEMM000100010012001200023015",
            "MT84MALT011000012345MTLCAST001S",
            "NO9386011117947",
            "PL61109010140000071219812874",
            "SC18SSCB11010000000000001497USD",
            "UA213223130000026007233566001",
            "de89370400440532013000",
        ] {
            assert!(iban(number), "{number}");
        }
        for number in [
            "DE88370400440532013000",
            "DE8937040044053201300",
            "DE893704004405320130000",
            "XX89370400440532013000",
            "",
            "DE",
            "DEé9370400440532013000",
        ] {
            assert!(!iban(number), "{number}");
        }
    }

    #[test]
    fn numbers_in_text() {
        check_words(
            Iban,
            &[
                "pay to «DE89 3704 0044 0532 0130 00» today",
                "IBAN:«DE89370400440532013000».",
                "«de89 3704 0044 0532 0130 00»",
                "\"«NO9386011117947»\",",
                "«GB29-NWBK-6016-1331-9268-19»",
                "é«NL91ABNA0417164300»é",
                "«DE89\u{a0}3704\u{a0}0044\u{a0}0532\u{a0}0130\u{a0}00»",
                "«FR14 2004 1010 0505 0001 3M02 606» BIC",
                "pay to DE88 3704 0044 0532 0130 00 today",
                "DE89 3704 0044 0532 0130 0",
                "DE89370400440532013000X",
                "XDE89370400440532013000",
                "AB12CDEF3456GHIJ7890",
                "no12 is the one we want",
                "BH03BHKH405429382577",
                "DE89\n3704 0044 0532 0130 00",
            ],
        );
    }
}
