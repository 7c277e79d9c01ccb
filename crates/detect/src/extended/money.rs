//! Amounts of money: `$2,150`, `USD 1,250,000.00`, `1 850 000 Kč`, `£79,606.21`, `3.5 million euros`.
//!
//! In: the first group of digits of an amount. Out: the amount with its currency, which must stand right before or
//! after it. Not here: numbers under keys such as `salary` (`fields`).

use cloakgate_vocab::Span;

use super::context::{after, before, is_one_of, last_word};
use super::weight;
use crate::number_words::number_words;

/// Signs that stand before or after an amount.
const SIGNS: &[&str] = &[
    "$", "€", "£", "¥", "₹", "₩", "₽", "₺", "₴", "₪", "฿", "₫", "₱", "₦", "₡", "₲", "₸", "元", "円", "원",
    "zł", "Kč", "Ft", "лв", "руб", "R$", "S/",
];
/// Codes and words that must stand by themselves; the codes in capitals.
const CODES: &[&str] = &[
    "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK",
    "HUF", "RON", "BGN", "TRY", "RUB", "UAH", "ILS", "ZAR", "BRL", "MXN", "ARS", "CLP", "COP", "PEN", "KRW",
    "SGD", "HKD", "TWD", "THB", "IDR", "MYR", "PHP", "VND", "AED", "SAR", "EGP", "NGN", "KES", "ISK", "RMB",
];
const WORDS: &[&str] = &[
    "dollars",
    "dollar",
    "bucks",
    "euros",
    "euro",
    "pounds",
    "pesos",
    "francs",
    "franken",
    "yen",
    "yuan",
    "rupees",
    "kronor",
    "kroner",
    "kr",
    "lei",
    "reais",
    "złotych",
    "korun",
    "forint",
    "рублей",
    "рубля",
    "гривень",
    "rs",
];
/// Words for large numbers between a number and its currency.
const MULTIPLES: &[&str] = &[
    "thousand",
    "million",
    "billion",
    "trillion",
    "k",
    "m",
    "mm",
    "bn",
    "mn",
    "mio",
    "mrd",
    "tsd",
    "mln",
    "mld",
    "tys",
    "millionen",
    "milliarden",
    "millions",
    "milliards",
    "millones",
    "milioni",
    "miljoen",
    "mil",
    "万",
    "億",
    "lakh",
    "crore",
];

/// Those that are short forms.
const SHORT_MULTIPLES: &[&str] = &["mio", "mrd", "tsd", "mln", "mld", "mn", "bn", "tys"];

/// Words before a number that is somebody's pay.
const PAY: &[&str] = &[
    "salary",
    "income",
    "wage",
    "wages",
    "earns",
    "earn",
    "earning",
    "earned",
    "pay",
    "gehalt",
    "einkommen",
    "lohn",
    "salaire",
    "revenu",
    "sueldo",
    "salario",
    "ingresos",
    "stipendio",
    "reddito",
    "salário",
    "renda",
    "salaris",
    "inkomen",
    "lön",
    "løn",
    "bonus",
    "commission",
    "pension",
    "stipend",
    "severance",
    "prämie",
    "rente",
    "abfindung",
    "provision",
    "pensión",
    "pensione",
    "pensioen",
];
/// Words between those and the number.
const PAY_LINKS: &[&str] = &[
    "of", "is", "was", "about", "around", "over", "von", "de", "di", "van", "est", "es", "è", "é", "ist",
    "på", "at",
];

/// Words that may stand right before an amount.
pub(super) fn words_before() -> impl Iterator<Item = &'static str> {
    [CODES, PAY, PAY_LINKS].into_iter().flatten().copied().chain(["rs"])
}

/// Words that may stand right behind an amount.
pub(super) fn words_after() -> impl Iterator<Item = &'static str> {
    [CODES, WORDS, MULTIPLES, SIGNS].into_iter().flatten().copied()
}

/// Reads an amount in words: `five thousand dollars`.
pub(super) fn at_word(text: &str, word: Span) -> Option<(Span, &'static str)> {
    let (_, len) = number_words(after(text, word.start(), 64))?;
    let end = word.start() + len;
    let left = before(text, word.start(), 2);
    if left.ends_with(|c: char| c == '-' || c.is_alphanumeric()) {
        return None;
    }
    let unit = currency_after(after(text, end, 32))?;
    Some((Span::sized(word.start(), len + unit), "money"))
}

/// `salary of 85k`, `income: 72000`
fn is_pay(left: &str, digits: usize, multiple: usize) -> bool {
    let marks = [':', '=', ' ', '~'];
    let word = last_word(left, &marks);
    let head = left.trim_end_matches(marks).strip_suffix(word).unwrap_or_default();
    let told = is_one_of(word, PAY) || is_one_of(word, PAY_LINKS) && is_one_of(last_word(head, &[]), PAY);
    told && (digits >= 4 || multiple > 0)
}

/// Reads an amount at a number.
pub(super) fn at_number(text: &str, number: Span) -> Option<(Span, &'static str)> {
    let left = before(text, number.start(), 16);
    // The middle of an amount, or of something else.
    if left.ends_with(['.', ',', '/', ':', '_', '#', '@', '%']) || ends_with_digit_group(left) {
        return None;
    }
    let end = number.start() + amount_len(after(text, number.start(), 48));
    let (start, marked_before) = currency_before(left, number.start());
    let right = after(text, end, 32);
    let multiple = multiple(right, marked_before);
    let tail = right.get(multiple..)?;
    // `$1` is an argument.
    let marked_before = marked_before
        && (end - number.start() >= 2 || multiple > 0 || !text.get(start..end)?.starts_with('$'));
    match currency_after(tail) {
        // `weighs 160 pounds`
        Some(_) if !marked_before && weight::at_number(text, number).is_some() => None,
        Some(len) => Some((Span::sized(start, end + multiple + len - start), "money")),
        None if marked_before => Some((Span::sized(start, end + multiple - start), "money")),
        None => {
            let kilo = usize::from(
                right.starts_with(['k', 'K']) && !right.get(1..)?.starts_with(char::is_alphanumeric),
            );
            let pay = is_pay(before(text, number.start(), 40), end - number.start(), kilo);
            pay.then(|| (Span::sized(start, end + kilo - start), "pay"))
        }
    }
}

/// Length of digits in groups of three and decimals.
fn amount_len(text: &str) -> usize {
    let digits = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let mut len = digits(0);
    loop {
        let rest = text.get(len..).unwrap_or_default();
        let Some(mark) =
            rest.chars().next().filter(|c| matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}'))
        else {
            break;
        };
        let group = digits(len + mark.len_utf8());
        // `1,20,000`: groups of two before the last one.
        let lakh = mark == ',' && group == 2 && rest.get(3..).is_some_and(|more| more.starts_with(','));
        let decimals = matches!(mark, '.' | ',') && (1..=2).contains(&group) && !lakh;
        if group != 3 && !decimals && !lakh {
            break;
        }
        len += mark.len_utf8() + group;
        if decimals {
            break;
        }
    }
    // `2.500,-`, `5.-`
    let rest = text.get(len..).unwrap_or_default();
    if [",-", ".-", ",–"].iter().any(|form| rest.starts_with(form)) { len + 2 } else { len }
}

/// `1 850` before ` 000`
fn ends_with_digit_group(left: &str) -> bool {
    let mut back = left.chars().rev();
    matches!(back.next(), Some(' ' | '\'' | '’' | '\u{a0}' | '\u{202f}')) && false_group(&mut back)
}

fn false_group(back: &mut dyn Iterator<Item = char>) -> bool {
    back.next().is_some_and(|c| c.is_ascii_digit()) && back.take(3).any(|c| matches!(c, '.' | ',' | '\''))
}

/// Where an amount begins whose currency stands before the number.
fn currency_before(left: &str, at: usize) -> (usize, bool) {
    let signed = left.strip_suffix('-').unwrap_or(left);
    let head = signed.trim_end_matches([' ', '\u{a0}']);
    if left.len() - head.len() > 3 {
        return (at, false);
    }
    let skipped = left.len() - head.len();
    if let Some(sign) = SIGNS.iter().find(|sign| head.ends_with(**sign)) {
        let outer = head.get(..head.len() - sign.len()).unwrap_or_default();
        // `US$`, `A$`, `-$`
        let country = outer.len() - outer.trim_end_matches(|c: char| c.is_ascii_uppercase()).len();
        let country = if country <= 2 { country } else { 0 };
        return (at - skipped - sign.len() - country, true);
    }
    let start = head.rfind(|c: char| !c.is_alphabetic()).map_or(0, |place| {
        place + head.get(place..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
    });
    let word = head.get(start..).unwrap_or_default();
    if CODES.contains(&word) || (word.eq_ignore_ascii_case("rs") && skipped <= 2) {
        return (at - skipped - word.len(), true);
    }
    // `Rs. 500`
    if head.ends_with("Rs.") {
        return (at - skipped - 3, true);
    }
    (at, false)
}

/// Length of a word for a large number with the blank before it.
fn multiple(right: &str, marked: bool) -> usize {
    let blanks = right.len() - right.trim_start_matches([' ', '\u{a0}', '-']).len();
    if blanks > 1 {
        return 0;
    }
    let rest = right.get(blanks..).unwrap_or_default();
    let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    let word = rest.get(..end).unwrap_or_default().to_lowercase();
    let known = !word.is_empty() && MULTIPLES.contains(&word.as_str());
    // `1,5 Mio. Euro`: a short form with its full stop
    let short = SHORT_MULTIPLES.contains(&word.as_str())
        && rest.get(end..).is_some_and(|rest| rest.starts_with(". "));
    let end = end + usize::from(short);
    // `5 m` is a length unless a currency stands before or after it.
    let follows = || currency_after(rest.get(end..).unwrap_or_default()).is_some();
    if known && (marked || follows()) { blanks + end } else { 0 }
}

/// Length of a currency right after an amount, with the blank before it.
fn currency_after(right: &str) -> Option<usize> {
    let blanks = right.len() - right.trim_start_matches([' ', '\u{a0}', '\u{202f}']).len();
    let rest = right.get(blanks..).filter(|_| blanks <= 3)?;
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        let goes_on = rest.get(sign.len()..)?.starts_with(|c: char| c.is_ascii_alphanumeric());
        let letters = sign.chars().all(char::is_alphabetic);
        return (!goes_on || !(letters || *sign == "$")).then_some(blanks + sign.len());
    }
    let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    let word = rest.get(..end)?;
    (CODES.contains(&word) || (end > 0 && WORDS.contains(&word.to_lowercase().as_str())))
        .then_some(blanks + end)
}
