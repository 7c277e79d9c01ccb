//! Numbers in English words: `thirty-four`, `one hundred and five`, `five thousand`.
//!
//! In: a text that should begin with one. Out: the number and its length. Invariant: a number has at most `MAX_WORDS`
//! words, so a look is bounded. Not here: numbers of other languages.

/// Most words of one number.
const MAX_WORDS: usize = 8;

/// Words that may begin a number.
pub(crate) const FIRST: &[&str] = &[
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
];

/// What one word adds.
#[derive(Clone, Copy)]
enum Part {
    Small(u64), // up to 19
    Ten(u64),
    Hundred,
    Large(u64),
}

fn part(word: &str) -> Option<Part> {
    let small = word.to_ascii_lowercase();
    if let Some(place) = FIRST.iter().position(|other| *other == small) {
        let place = place as u64;
        return Some(if place < 19 { Part::Small(place + 1) } else { Part::Ten((place - 17) * 10) });
    }
    Some(match small.as_str() {
        "hundred" => Part::Hundred,
        "thousand" => Part::Large(1000),
        "million" => Part::Large(1_000_000),
        "billion" => Part::Large(1_000_000_000),
        _ => return None,
    })
}

/// The number at the start of a text and its length in bytes.
#[must_use]
pub fn number_words(text: &str) -> Option<(u64, usize)> {
    let (mut whole, mut group) = (0u64, 0u64);
    let (mut at, mut end) = (0, 0);
    for place in 0..MAX_WORDS {
        let rest = text.get(at..)?;
        let len = rest.bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
        let word = rest.get(..len).unwrap_or_default();
        let Some(part) = part(word) else {
            // `one hundred and five`
            if place == 0 || !word.eq_ignore_ascii_case("and") || group % 100 != 0 || group == 0 {
                break;
            }
            at += len + 1;
            if !rest.get(len..).is_some_and(|rest| rest.starts_with(' ')) {
                break;
            }
            continue;
        };
        match part {
            // `thirty four`, not `four thirty` or `two three`.
            Part::Small(value)
                if group % 100 == 0 || (group % 10 == 0 && group % 100 >= 20 && value < 10) =>
            {
                group += value;
            }
            Part::Ten(value) if group % 100 == 0 => group += value,
            Part::Hundred if (1..=99).contains(&group) => group *= 100,
            Part::Large(value) if group > 0 => {
                whole = whole.checked_add(group.checked_mul(value)?)?;
                group = 0;
            }
            _ => break,
        }
        end = at + len;
        let tail = text.get(end..).unwrap_or_default();
        if !tail.starts_with([' ', '-']) {
            break;
        }
        at = end + 1;
    }
    let stands = text.get(end..).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()));
    (end > 0 && stands).then_some((whole + group, end))
}

#[cfg(test)]
mod tests {
    use super::number_words;

    #[test]
    fn numbers_are_read_to_their_end() {
        for (text, number, words) in [
            ("thirty-four years", 34, "thirty-four"),
            ("Thirty four.", 34, "Thirty four"),
            ("nineteen", 19, "nineteen"),
            ("one hundred and five years", 105, "one hundred and five"),
            ("one hundred and counting", 100, "one hundred"),
            ("five thousand dollars", 5000, "five thousand"),
            ("two million three hundred thousand euros", 2_300_000, "two million three hundred thousand"),
            ("four thirty", 4, "four"),
            ("two-thirds", 2, "two"),
            ("twenty-year-old", 20, "twenty"),
        ] {
            assert_eq!(number_words(text), Some((number, words.len())), "{text}");
        }
        for text in ["", "someone", "onerous", "hundred", "and five", "tension"] {
            assert_eq!(number_words(text), None, "{text}");
        }
    }
}
