//! Whether what stands beside a number can make it an age, a weight, an amount or the length of a pregnancy.
//!
//! In: a text and its numbers, in order. Out: whether the rules are worth asking: a word of theirs, a sign of a currency or
//! a letter outside ASCII stands before the number, or behind it and the numbers that follow. Invariant: never says no
//! where one of the rules would find something (the tests of `extended` compare both ways); what stands behind a run of
//! numbers is read once for all of them. Not here: the rules.

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use super::{age, medical, money, weight};
use crate::word_hash::hash_at;
use crate::word_set::WordSet;

/// Longest word that tells, and most marks between it and a number, in bytes.
const MAX_WORD_BYTES: usize = 20;
const MAX_GAP_BYTES: usize = 48;

/// Words of ASCII that tell before a number.
static BEFORE: LazyLock<WordSet> =
    LazyLock::new(|| WordSet::of(age::words_before().chain(money::words_before())));
/// Words of ASCII that tell behind a number.
static AFTER: LazyLock<WordSet> = LazyLock::new(|| {
    let numbers = age::words_after().chain(weight::words_after()).chain(money::words_after());
    WordSet::of(numbers.chain(medical::words_after()))
});

/// The last run of numbers, with the marks between them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    run_end: usize,
    told: bool, // whether what follows the run tells
}

impl Beside {
    /// False when neither side of the number says what it counts.
    pub(super) fn tells(&mut self, text: &str, number: Span) -> bool {
        let bytes = text.as_bytes();
        if number.end() > self.run_end || number.end() + MAX_GAP_BYTES < self.run_end {
            let rest = bytes.get(number.end()..).unwrap_or_default();
            let gap = rest.iter().take(MAX_GAP_BYTES).take_while(|byte| is_of_run(**byte)).count();
            self.run_end = number.end() + gap;
            self.told = tells_behind(bytes, self.run_end);
        }
        self.told || tells_before(bytes, number.start())
    }
}

/// Digits, and marks that may stand in an amount or before its unit.
const fn is_of_run(byte: u8) -> bool {
    byte.is_ascii_digit() || byte.is_ascii_whitespace() || matches!(byte, 0x0b | b'.' | b',' | b'-' | b'\'')
}

/// Whether a sign or a word at a place tells what stands before it.
fn tells_behind(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b'$' | 0x80..) => true,
        Some(byte) if byte.is_ascii_alphabetic() => {
            let rest = bytes.get(at..).unwrap_or_default();
            let len = rest.iter().take(MAX_WORD_BYTES).take_while(|byte| byte.is_ascii_alphabetic()).count();
            // `R$`, `S/`, `y/o`, letters with marks
            matches!(rest.get(len), Some(b'$' | b'/' | 0x80..)) || AFTER.has(hash_at(bytes, at, len))
        }
        _ => false,
    }
}

/// Whether a sign or a word that ends before a place, marks between them left out, tells what follows.
fn tells_before(bytes: &[u8], at: usize) -> bool {
    let head = bytes.get(..at).unwrap_or_default();
    let mark =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0x0b | b':' | b'=' | b'(' | b'~' | b'-');
    let gap = head.iter().rev().take(MAX_GAP_BYTES).take_while(|byte| mark(byte)).count();
    let head = head.get(..at - gap).unwrap_or_default();
    match head {
        [.., b'$' | 0x80..] | [.., b'S', b'/'] | [.., b's', b'.'] | [.., b'F', b't'] => true,
        [.., last] if last.is_ascii_alphabetic() => {
            let len =
                head.iter().rev().take(MAX_WORD_BYTES).take_while(|byte| byte.is_ascii_alphabetic()).count();
            let start = head.len() - len;
            start.checked_sub(1).and_then(|at| head.get(at)).is_some_and(|byte| !byte.is_ascii())
                || BEFORE.has(hash_at(head, start, len))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::Beside;
    use crate::extended::{age, money, weight};

    const LEFT: [&str; 29] = [
        "",
        "x ",
        "is ",
        "she is ",
        "I'm ",
        "aged: ",
        "at the age of ",
        "à l'âge de ",
        "USD ",
        "US$",
        "R$ ",
        "S/ ",
        "Rs. ",
        "-€",
        "salary of ",
        "gehalt = ",
        "Kč ",
        "(",
        "my son is ",
        "he weighs\n",
        "12 ",
        "3.",
        "#",
        "just ",
        "ich bin ",
        "ik ben ",
        "jeg er ",
        "weighs between ",
        "she went from ",
    ];
    const NUMBERS: [&str; 9] =
        ["5", "40", "72.5", "1 850 000", "70-75", "1,20,000", "40 to 45", "2.500,-", "1'000"];
    const RIGHT: [&str; 30] = [
        "",
        ".",
        " and 75 kg",
        " Mio. Euro",
        " kg to 75 kg",
        " lb 4 oz",
        ", and",
        " years old",
        "-year-old",
        "\nyears old",
        " y/o",
        "yo ",
        " y.o.",
        "½ years old",
        "歳",
        " kg",
        "kg now",
        " stone 4",
        " pounds",
        " €",
        "$",
        " Kč",
        " zł",
        " USD",
        "k",
        " million euros",
        " - 45",
        " x",
        ": ",
        "% of it",
    ];

    #[test]
    fn no_number_is_passed_over_that_a_rule_would_take() {
        let (mut taken, mut passed) = (0, 0);
        for (left, number, right) in LEFT
            .iter()
            .flat_map(|left| NUMBERS.iter().flat_map(move |number| RIGHT.map(|right| (left, number, right))))
        {
            let text = format!("{left}{number}{right}");
            let mut beside = Beside::default();
            let mut at = 0;
            for group in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
                let digits = group.trim_end_matches(|c: char| !c.is_ascii_digit()).len();
                let number = Span::sized(at, digits);
                at += group.len();
                if digits == 0 {
                    continue;
                }
                let tells = beside.tells(&text, number);
                let found = age::at_number(&text, number)
                    .or_else(|| weight::at_number(&text, number))
                    .or_else(|| money::at_number(&text, number));
                assert!(tells || found.is_none(), "{text:?} at {number:?}");
                taken += usize::from(found.is_some());
                passed += usize::from(!tells);
            }
        }
        assert!(taken > 1000 && passed > 1000, "{taken} taken, {passed} passed over");
    }
}
