//! Calendar dates: `2026-03-12`, `12.3.2026`, `March 12, 2026`, `12. února 2025`; years, months and days of the week alone
//! where the words around them say so: `since 1977`, `a 2017 Polish film`, `2001 y 2005`, `en junio`, `meet Monday at`.
//!
//! In: a number, or the name of a month or a day. Out: the date. A date with a time behind it at the
//! start of a line, or in the form of ISO 8601, is the stamp of a machine and no date here. Not here: dates of birth, which are found by what stands before them.

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use super::context::{after, before, first_word, is_one_of, last_word};
use crate::birth::{date_prefix, is_month, months};
use crate::word_hash::hash_at;
use crate::word_set::WordSet;

/// Longest date in bytes.
const MAX_DATE_BYTES: usize = 48;

/// Reads a date that begins with a number.
pub(super) fn at_number(text: &str, number: Span) -> Option<(Span, &'static str)> {
    // Most numbers are neither a day nor a year.
    if !matches!(number.len(), 1 | 2 | 4) {
        return None;
    }
    let goes_on = goes_on(text.as_bytes(), number.end());
    goes_on.then(|| read(text, number.start())).flatten().or_else(|| year(text, number))
}

/// Words of ASCII behind a number with which a date goes on: months, and what stands before one.
static NEXT: LazyLock<WordSet> = LazyLock::new(|| {
    let links = ["de", "del", "of", "d", "do", "di", "th", "st", "nd", "rd", "er"];
    WordSet::of(months().filter(|name| name.is_ascii()).chain(links))
});

/// False when the number that ends at a place begins no date, as what follows it shows.
fn goes_on(bytes: &[u8], end: usize) -> bool {
    let blank = bytes.get(end) == Some(&b' ');
    let at = end + usize::from(blank);
    match bytes.get(at) {
        Some(b'-' | b'.' | b'/' | b',' | 0x80..) => true,
        Some(b' ') => blank,
        Some(byte) if byte.is_ascii_alphabetic() => {
            let rest = bytes.get(at..).unwrap_or_default();
            let len = rest.iter().take(MAX_DATE_BYTES).take_while(|byte| byte.is_ascii_alphabetic()).count();
            !rest.get(len).is_none_or(u8::is_ascii) || NEXT.has(hash_at(bytes, at, len))
        }
        _ => false,
    }
}

/// Reads a date that begins with the name of a month.
pub(super) fn at_word(text: &str, word: Span) -> Option<(Span, &'static str)> {
    if !(3..=20).contains(&word.len()) {
        return None;
    }
    numbered(text, word).or_else(|| alone(text, word))
}

/// A name with a number behind it.
fn numbered(text: &str, word: Span) -> Option<(Span, &'static str)> {
    // A day, a year, or `de` and `of` before one.
    let rest = after(text, word.end(), 5).trim_start_matches(['.', ',', ' ']);
    if !rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, 'd' | 'o')) {
        return None;
    }
    read(text, word.start()).or_else(|| month_of_year(text, word))
}

/// Words before a month or a day of the week that make it a date.
const NAME_WORDS: &[&str] = &[
    "in",
    "on",
    "since",
    "until",
    "by",
    "during",
    "before",
    "after",
    "from",
    "last",
    "next",
    "this",
    "early",
    "late",
    "mid",
    "en",
    "desde",
    "hasta",
    "depuis",
    "dès",
    "am",
    "im",
    "seit",
    "bis",
    "ab",
    "letzten",
    "nächsten",
    "dal",
    "nel",
    "em",
    "sinds",
    "op",
    "od",
    "w",
    "el",
    "le",
    "på",
    "den",
    "pasado",
    "próximo",
    "prossimo",
    "dernier",
    "prochain",
    "mes",
    "mois",
    "mese",
];

/// `en junio`, `since March`, `meet Monday at`: a month or a day of the week without a number.
fn alone(text: &str, word: Span) -> Option<(Span, &'static str)> {
    let written = word.of(text)?;
    let capital = written.starts_with(char::is_uppercase);
    let day = is_one_of(written, DAYS);
    let month = written.chars().count() >= 4 && is_month(written);
    if !day && !month {
        return None;
    }
    // `may`, `march` and `mars` are words of sentences too.
    if !capital && (is_one_of(written, &["march", "mars", "marche"]) || written.eq_ignore_ascii_case("sun")) {
        return None;
    }
    let left = before(text, word.start(), 24);
    let told = left.ends_with(' ') && is_one_of(last_word(left, &[]), NAME_WORDS)
        || ["de ", "di ", "du "].iter().any(|link| {
            left.strip_suffix(link)
                .is_some_and(|left| is_one_of(last_word(left, &[]), &["mes", "mese", "mois", "mês"]))
        });
    let rest = after(text, word.end(), 12);
    let timed = day
        && capital
        && [" at ", " morning", " afternoon", " evening", " night"].iter().any(|next| rest.starts_with(next));
    // `de marzo a mayo del 2000`, `March to May`
    let spans = month && {
        let link = first_word(rest);
        let next = after(text, word.end(), 32);
        let behind = next.trim_start().get(link.len()..).unwrap_or_default();
        rest.starts_with(' ')
            && is_one_of(link, &["to", "until", "bis", "a", "à", "al", "hasta", "tot", "do", "till", "til"])
            && is_month(first_word(behind))
    };
    let told = told || spans;
    // `Victoria on Friday's list`, `in April-Lane`
    let whole = !rest.starts_with(['-', '_', '/', '(']) && !rest.starts_with(".c");
    (whole && (told || timed)).then_some((word, "date"))
}

/// All names of days.
pub(super) fn days() -> impl Iterator<Item = &'static str> {
    DAYS.iter().copied()
}

/// Days of the week.
const DAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "lundi",
    "mardi",
    "mercredi",
    "jeudi",
    "vendredi",
    "samedi",
    "dimanche",
    "lunes",
    "martes",
    "miércoles",
    "jueves",
    "viernes",
    "sábado",
    "domingo",
    "lunedì",
    "martedì",
    "mercoledì",
    "giovedì",
    "venerdì",
    "maandag",
    "dinsdag",
    "woensdag",
    "donderdag",
    "vrijdag",
    "zaterdag",
    "zondag",
    "poniedziałek",
    "wtorek",
    "środę",
    "czwartek",
    "piątek",
    "sobotę",
    "niedzielę",
    "segunda-feira",
    "måndag",
    "tisdag",
    "onsdag",
    "torsdag",
    "fredag",
];

/// `septiembre de 2005`, `March 2021`
fn month_of_year(text: &str, word: Span) -> Option<(Span, &'static str)> {
    is_month(word.of(text)?).then_some(())?;
    let rest = after(text, word.end(), 16);
    let gap = rest.find(|c: char| c.is_ascii_digit())?;
    let link = rest.get(..gap)?.trim_matches([' ', ',', '.']);
    let year = rest.get(gap..).is_some_and(is_year);
    let day = before(text, word.start(), 4)
        .trim_end_matches([' ', '.', '-'])
        .ends_with(|c: char| c.is_ascii_digit());
    (year && !day && matches!(link, "" | "de" | "del" | "of"))
        .then(|| (Span::sized(word.start(), word.len() + gap + 4), "date"))
}

/// `1977`, `2005.`
fn is_year(text: &str) -> bool {
    let century = text.starts_with("19") || text.starts_with("20");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.get(digits..).unwrap_or_default();
    // `2005.1`, `1999-2001/x`, `2001:db8` are something else.
    let ends =
        rest.trim_start_matches(['.', ',', ')', ';']).starts_with([' ', '\n', '\r', '"']) || rest.len() <= 1;
    century && digits == 4 && ends && text < "2040"
}

/// Words after which four digits are a year.
const YEAR_WORDS: &[&str] = &[
    "in", "since", "until", "by", "during", "before", "after", "circa", "from", "early", "late", "year",
    "en", "desde", "hasta", "depuis", "dès", "seit", "jahr", "jahre", "dal", "nel", "anno", "em", "sinds",
    "w", "od", "del", "año", "años", "ano", "année", "jaar", "året", "år", "rok", "roku", "roce", "году",
    "год",
];

/// `founded in 1977`
fn year(text: &str, number: Span) -> Option<(Span, &'static str)> {
    if !is_year(after(text, number.start(), 8)) {
        return None;
    }
    let left = before(text, number.start(), 24);
    let word = last_word(left, &[]);
    // `the Act of 2001`, not `a buffer of 2048 bytes`.
    let named = word == "of" && {
        let whose = last_word(left.trim_end().trim_end_matches("of"), &[]);
        whose.starts_with(char::is_uppercase)
            || is_one_of(
                whose,
                &[
                    "act",
                    "law",
                    "treaty",
                    "summer",
                    "winter",
                    "spring",
                    "autumn",
                    "fall",
                    "crisis",
                    "end",
                    "beginning",
                ],
            )
    };
    let told = (named || is_one_of(word, YEAR_WORDS)) && left.ends_with(' ');
    let told = told || is_of_film(text, number, word) || is_range(text, number);
    told.then_some((number, "year"))
}

/// `a 2017 Polish film`, `un 1998 Renault`: between an article and a word with a capital that is no unit.
fn is_of_film(text: &str, number: Span, word: &str) -> bool {
    let rest = after(text, number.end(), 24);
    let next = first_word(rest);
    let unit =
        ["watt", "bit", "byte", "bytes", "mah", "hz", "mhz", "kb", "mb", "gb", "rpm", "euro", "euros", "kg"];
    rest.starts_with(' ')
        && is_one_of(word, &["a", "an", "the", "ein", "eine", "un", "une", "una", "um", "uma", "een"])
        && next.chars().count() > 3
        && next.starts_with(char::is_uppercase)
        && next.chars().skip(1).all(char::is_lowercase)
        && !is_one_of(next, &unit)
}

/// `2001 y 2005`, `1999 bis 2003`: one of two years in a row, words of a span around them.
fn is_range(text: &str, number: Span) -> bool {
    const LINKS: &[&str] =
        &["and", "y", "e", "et", "und", "bis", "to", "a", "à", "until", "en", "tot", "do", "i", "och", "al"];
    const OPENERS: &[&str] =
        &["between", "entre", "zwischen", "tra", "tussen", "mellan", "od", "dal", "von", "from", "de", "van"];
    let ahead = after(text, number.end(), 16);
    let link = first_word(ahead);
    let second = ahead.trim_start().get(link.len()..).unwrap_or_default().trim_start();
    if ahead.starts_with(' ') && is_one_of(link, LINKS) && starts_year(second) {
        return is_one_of(last_word(before(text, number.start(), 16), &[]), OPENERS);
    }
    let left = before(text, number.start(), 28).trim_end();
    let link = last_word(left, &[]);
    let head = left.strip_suffix(link).unwrap_or_default().trim_end();
    let year = head.len().checked_sub(4).and_then(|at| head.get(at..)).filter(|year| starts_year(year));
    let opener = year.and_then(|year| head.strip_suffix(year)).map(|head| last_word(head, &[]));
    let opens = |opener: &str| is_one_of(opener, OPENERS) || is_one_of(opener, YEAR_WORDS);
    is_one_of(link, LINKS) && opener.is_some_and(opens)
}

/// Four digits of this century or the last.
fn starts_year(text: &str) -> bool {
    (text.starts_with("19") || text.starts_with("20"))
        && text.bytes().take_while(u8::is_ascii_digit).count() == 4
}

fn read(text: &str, start: usize) -> Option<(Span, &'static str)> {
    let left = before(text, start, 4);
    // `Fecha de Ingreso:20/12/2017`: a label, and no time or host
    let labelled = left.strip_suffix(':').is_some_and(|left| left.ends_with(char::is_alphabetic));
    let joined = !labelled
        && left
            .ends_with(|c: char| matches!(c, '.' | '/' | '-' | '_' | ':' | '+' | '@') || c.is_alphanumeric());
    let date = (!joined).then(|| date_prefix(after(text, start, MAX_DATE_BYTES)))??;
    let value = after(text, start, date.len);
    // `3.13.44` is a version; a date by itself has a whole year.
    let whole = value.split(|c: char| !c.is_ascii_digit()).any(|group| group.len() >= 4);
    let end = start + date.len;
    let rest = after(text, end, 12);
    let file =
        rest.starts_with('.') && after(text, end + 1, 1).starts_with(|c: char| c.is_ascii_alphanumeric());
    let timed =
        rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
    if !whole || file || timed || rest.starts_with(['T', 't', '_', '-', '/']) {
        return None;
    }
    let time = time_len(rest.trim_start_matches([' ', ',']));
    if time == 0 {
        return Some((Span::sized(start, date.len), "date"));
    }
    // At the start of a line, or with the name of a month, it is the stamp of a log or of a mail.
    let line = before(text, start, 24);
    let stamp = line.is_empty()
        || line.ends_with(['\n', '[', '(', '|', '\t'])
        || !value.bytes().all(|byte| !byte.is_ascii_alphabetic());
    let gap = rest.len() - rest.trim_start_matches([' ', ',']).len();
    (!stamp).then(|| (Span::sized(start, date.len + gap + time), "date"))
}

/// Length of `10:22` or `10:22:33`; 0 when no time follows.
fn time_len(rest: &str) -> usize {
    let len = rest.bytes().take(8).take_while(|byte| byte.is_ascii_digit() || *byte == b':').count();
    let time = rest.get(..len).unwrap_or_default();
    if time.len() >= 4 && time.contains(':') { time.trim_end_matches(':').len() } else { 0 }
}
