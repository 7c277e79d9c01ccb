//! Weights of people: `weighs 72 kg`, `peso: 68 kg`, `Gewicht 80 kg`, `160 lbs`.
//!
//! In: a number. Out: number and unit. A weight by itself may be a parcel's: words near it must speak of a body.

use cloakgate_vocab::Span;

use super::context::{after, before, first_word, is_one_of, last_word, mentions};

const UNITS: &[&str] = &[
    "kg",
    "kgs",
    "kilo",
    "kilos",
    "kilogram",
    "kilograms",
    "kilogramm",
    "lb",
    "lbs",
    "pound",
    "pounds",
    "pfund",
    "livres",
    "libras",
    "chili",
    "quilos",
    "кг",
];
/// Fourteen pounds; pounds may follow.
const STONES: &[&str] = &["stone", "stones", "st"];
/// Pounds, behind stones.
const POUNDS: &[&str] = &["lb", "lbs", "pound", "pounds"];
/// Sixteenths of a pound.
const OUNCES: &[&str] = &["oz", "ounce", "ounces"];
/// Words before the first of two weights, and between them.
const BETWEEN: &[&str] = &["between", "zwischen", "entre", "tra", "fra", "tussen", "mellan", "między"];
const LINKS: &[&str] = &["and ", "und ", "et ", "y ", "e ", "en ", "och ", "og ", "a "];
const FROM: &[&str] = &["from", "von", "de", "da", "van", "från", "fra"];
const TO: &[&str] = &["to", "auf", "à", "a", "naar", "till", "til"];
/// Whose weight changes.
const PEOPLE: &[&str] = &[
    "i", "he", "she", "his", "her", "my", "ich", "er", "sie", "il", "elle", "je", "él", "ella", "lui", "lei",
    "ele", "ela", "hij", "zij", "ik", "han", "hon", "hun", "patient",
];
/// Words right before a number that is a price.
const PRICES: &[&str] =
    &["pays", "paid", "pay", "costs", "cost", "price", "fee", "spent", "worth", "owes", "for"];
/// Words after `lost 20 pounds` that make it money.
const STAKES: &[&str] = &[
    "poker", "casino", "bet", "bets", "betting", "gambling", "wager", "roulette", "lottery", "cards",
    "horses",
];
const BODY: &[&str] = &[
    "weighs",
    "weigh",
    "weighed",
    "weight",
    "weighing",
    "bmi",
    "bodyweight",
    "patient",
    "obese",
    "wiegt",
    "gewicht",
    "körpergewicht",
    "wog",
    "pèse",
    "poids",
    "pesait",
    "pesa",
    "peso",
    "pesaba",
    "pesava",
    "pesando",
    "weegt",
    "waży",
    "waga",
    "vikt",
    "väger",
    "vekt",
    "veier",
    "paino",
    "вес",
    "весит",
    "paciente",
    "patientin",
    "female",
    "male",
    "lost",
    "gained",
    "wt",
    "adelgazado",
    "abgenommen",
];

/// What is weighed and is nobody.
const THINGS: &[&str] = &[
    "suitcase",
    "parcel",
    "package",
    "box",
    "bag",
    "luggage",
    "car",
    "truck",
    "laptop",
    "bike",
    "bicycle",
    "shipment",
    "container",
    "crate",
    "machine",
    "koffer",
    "paket",
    "auto",
    "valise",
    "colis",
    "maleta",
    "paquete",
    "valigia",
    "pacco",
];

/// Words that may stand right behind the number of a weight: units, and what joins two numbers.
pub(super) fn words_after() -> impl Iterator<Item = &'static str> {
    [UNITS, STONES].into_iter().flatten().copied().chain(LINKS.iter().map(|link| link.trim_end()))
}

/// Reads a weight at a number.
pub(super) fn at_number(text: &str, number: Span) -> Option<(Span, &'static str)> {
    if number.len() > 3 {
        return None;
    }
    let right = after(text, number.end(), 32);
    let mut at = decimals(right);
    let near = before(text, number.start(), 40);
    let between = is_one_of(last_word(near, &[]), BETWEEN);
    at += range_len(right.get(at..)?, between);
    let (gap, unit) = unit_after(right.get(at..)?)?;
    at += gap + unit.len();
    if is_one_of(unit, STONES) {
        at += smaller_len(right.get(at..)?, POUNDS, Unit::MayBeLeftOut);
    } else if is_one_of(unit, POUNDS) {
        at += smaller_len(right.get(at..)?, OUNCES, Unit::Written);
    } else if !is_one_of(unit, UNITS) {
        return None;
    }
    if is_one_of(last_word(near, &[]), PRICES) {
        return None;
    }
    let staked =
        || mentions(after(text, number.end() + at, 24).split(['\n', '.']).next().unwrap_or_default(), STAKES);
    let whole = Span::sized(number.start(), number.len() + at);
    let line = near.rsplit(['\n', ';']).next()?;
    let body =
        || mentions(line, BODY) || is_somebody(line) || is_change(line, after(text, number.end() + at, 24));
    (body() && !is_of_a_thing(line) && !staked()).then_some((whole, "weight"))
}

/// `the suitcase weighs`
fn is_of_a_thing(left: &str) -> bool {
    let verb = last_word(left, &[]);
    let head = left.trim_end().strip_suffix(verb).unwrap_or_default();
    is_one_of(verb, BODY) && is_one_of(last_word(head, &[]), THINGS)
}

/// `I'm 72 kg`, `she is 60 kg`
fn is_somebody(left: &str) -> bool {
    let small = left.to_lowercase();
    let end = small.trim_end_matches("about ").trim_end_matches("around ").trim_end_matches("now ");
    [
        "i'm ", "i’m ", "i am ", "he is ", "she is ", "he's ", "she's ", "he was ", "she was ", "i was ",
        "ich bin ",
    ]
    .iter()
    .any(|form| end.strip_suffix(form).is_some_and(|head| !head.ends_with(char::is_alphanumeric)))
}

/// `.5`, `,5`: the number goes on.
fn decimals(right: &str) -> usize {
    match right.as_bytes() {
        [b'.' | b',', digit, ..] if digit.is_ascii_digit() => {
            1 + right.bytes().skip(1).take_while(u8::is_ascii_digit).count()
        }
        _ => 0,
    }
}

/// `from 90 kg to 75 kg`, said of somebody: `she went from 90 kg to 75 kg`.
fn is_change(left: &str, right: &str) -> bool {
    let link = last_word(left, &[]);
    let first = is_one_of(link, FROM) && is_one_of(first_word(right), TO);
    let second = || {
        let head = left.trim_end().strip_suffix(link).unwrap_or_default();
        let before_unit = head.trim_end().trim_end_matches(char::is_alphabetic).trim_end();
        is_one_of(link, TO)
            && is_one_of(last_word(head, &[]), UNITS)
            && before_unit.ends_with(|c: char| c.is_ascii_digit())
    };
    (first || second()) && mentions(left, PEOPLE)
}

/// `-75` of `70-75 kg`, ` and 75` of `between 70 and 75 kg`
fn range_len(right: &str, between: bool) -> usize {
    let rest = right.trim_start_matches(' ');
    let link = || LINKS.iter().find_map(|link| rest.strip_prefix(*link)).filter(|_| between);
    let rest =
        rest.strip_prefix(['-', '–']).or_else(|| rest.strip_prefix("to ")).or_else(link).unwrap_or_default();
    let rest = rest.trim_start_matches(' ');
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if !(2..=3).contains(&digits) {
        return 0;
    }
    let more = digits + decimals(rest.get(digits..).unwrap_or_default());
    right.len() - rest.len() + more
}

/// A unit with what stands before it.
fn unit_after(right: &str) -> Option<(usize, &str)> {
    let gap = right.len() - right.trim_start_matches([' ', '-', '\u{a0}']).len();
    let unit = first_word(right.get(gap..)?);
    (gap <= 2 && !unit.is_empty()).then_some((gap, unit))
}

/// Whether the unit of a smaller part must stand there.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Unit {
    Written,
    MayBeLeftOut,
}

/// ` 4`, ` 4 lb` behind stones, ` 4 oz` behind pounds
fn smaller_len(right: &str, units: &[&str], unit: Unit) -> usize {
    let rest = right.trim_start_matches([' ', ',']);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let gap = right.len() - rest.len();
    if !(1..=2).contains(&digits) || gap > 2 || (gap > 1 && unit == Unit::MayBeLeftOut) {
        return 0;
    }
    let tail = rest.get(digits..).unwrap_or_default();
    if tail.starts_with(['.', ',', ':', '/', '%'])
        && tail.get(1..).is_some_and(|tail| tail.starts_with(|c: char| c.is_ascii_digit()))
    {
        return 0;
    }
    match unit_after(tail).filter(|(_, written)| is_one_of(written, units)) {
        Some((skipped, written)) => gap + digits + skipped + written.len(),
        None if unit == Unit::MayBeLeftOut => gap + digits,
        None => 0,
    }
}
