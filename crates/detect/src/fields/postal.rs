//! Decides whether a value under a key is an address or a post code, and where it ends.
//!
//! In: a text that is, or begins with, the value of a key that says so. Out: the part of it that is the address. An
//! address ends with its line or its sentence; a full stop behind a short form (`Av.`, `nr.`) ends none. Not here:
//! addresses without a key (`address`).

use cloakgate_vocab::Category;

use super::{Extent, Verdict, verdict};
use crate::address;
use crate::hints::Hints;
use crate::ids::{is_post_code, post_code_prefix};
use crate::keys::{self, Meaning};
use crate::placeholder::is_placeholder;

/// Judges the value under a key that says address.
pub(super) fn street(meaning: Meaning, value: &str, extent: Extent, hints: Hints) -> Option<Verdict> {
    let len = match extent {
        Extent::Whole => value.len(),
        Extent::Open if meaning == Meaning::LivesAt => prose_end(value, address_line(value)),
        Extent::Open => address_line(value),
        Extent::Verb if value.starts_with(|c: char| c.is_ascii_digit()) => {
            prose_end(value, address_line(value))
        }
        Extent::Verb | Extent::Blank => return None,
    };
    let line = value.get(..len)?;
    let digit = line.bytes().any(|byte| byte.is_ascii_digit())
        && (line.split([' ', ',', '\n', '/']).any(is_house_number)
            || line.split([' ', ',', '\n']).any(|word| is_post_code(word) && word.len() >= 4))
        || (!line.is_ascii() && line.chars().any(char::is_numeric))
        || line.ends_with("s/n")
        || line.ends_with("S/N");
    // Prose after a key: `address: a 2-tuple (host, port)`.
    let sentence = line.split(' ').next().is_some_and(|word| PROSE.contains(&word.to_lowercase().as_str()));
    let letters = line.chars().filter(|c| c.is_alphabetic()).take(2).count();
    let blank = line.contains([' ', ',', '\n']) || !line.is_ascii();
    let machine =
        line.contains("://") || line.contains('@') || line.contains(['{', '}', '<', '>', '=', '\\', '[']);
    if letters < 2 || machine || sentence || is_placeholder(line) || keys::is_label(line) {
        return None;
    }
    // In a sentence, the names of an address begin with capitals.
    let capital = !line.is_ascii()
        || line
            .split([' ', ','])
            .any(|word| word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase()));
    let typed = line.split([' ', '.', '/']).next().is_some_and(address::is_street_word);
    if !capital && !typed && (extent != Extent::Whole || line.contains(['$', '%', '_', '(', '`'])) {
        return None;
    }
    let likely = match (meaning, extent) {
        (Meaning::AddressLine, _) => blank && (hints.address_like() || address::is_street_line(line)),
        // `Domicilio: Calle Cronista Juan de la Torre`
        (Meaning::Street, Extent::Open) => {
            blank && (digit || (typed && capital && line.split(' ').count() > 1))
        }
        (Meaning::Street, Extent::Whole) => blank && (digit || line.split([' ', ',']).count() <= 8),
        _ => digit && blank,
    };
    likely.then(|| verdict(len, Category::Address, "key.address")).flatten()
}

/// Words that begin a sentence and no address.
const PROSE: &[&str] = &[
    "a", "an", "this", "these", "that", "if", "when", "returns", "return", "must", "should", "see", "use",
    "used", "optional",
];

/// `12`, `12b`, `1042`, `No.7`.
fn is_house_number(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word.get(digits..).unwrap_or_default();
    let suffix = rest.chars().count() <= 2 && rest.chars().all(char::is_alphabetic);
    let range = rest.strip_prefix(['-', '–']).is_some_and(|to| to.starts_with(|c: char| c.is_ascii_digit()));
    (1..=5).contains(&digits) && (suffix || range)
}

/// Length of the address at the start of a text: to the end of the line or of the sentence.
fn address_line(text: &str) -> usize {
    let end = text.find(['\n', '\r', '\t', '|', ';', '<', '"', '(']).unwrap_or(text.len());
    let line = text.get(..end).unwrap_or_default();
    let line = line.get(..next_field(line).unwrap_or(line.len())).unwrap_or_default();
    let end = end.min(line.len());
    let parts = |at: usize, len: usize| {
        (line.get(..at).unwrap_or_default(), line.get(at + len..).unwrap_or_default())
    };
    let stop = line.match_indices(". ").map(|(at, _)| at).find(|at| {
        let (head, tail) = parts(*at, 2);
        // `Ventilla. 98`, `1. Bajo A`
        let number =
            tail.starts_with(|c: char| c.is_ascii_digit()) && !head.contains(|c: char| c.is_ascii_digit());
        !(number || ends_short_form(head) || address::begins_with_unit(tail))
    });
    let gap = line.match_indices("  ").map(|(at, _)| at).find(|at| !parts(*at, 2).0.ends_with(','));
    // `1630 - Vitacura`, but not `12 Elm Street - Contact: x`
    let dash = line.match_indices(" - ").map(|(at, _)| at).find(|at| {
        let tail = parts(*at, 3).1;
        tail.contains(':') || !tail.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
    });
    // `10115 Berlin, Steuer-ID 65 929 970 489`
    let number = line.match_indices(", ").map(|(at, _)| at).find(|at| {
        let tail = parts(*at, 2).1;
        let words =
            tail.get(..tail.find(|c: char| c.is_ascii_digit() || c == ':').unwrap_or(0)).unwrap_or_default();
        let words = words.trim_end_matches([' ', '#', '.']);
        !words.is_empty() && address::names_a_number(words, words.len())
    });
    let border = [stop, gap, dash, number].into_iter().flatten().min();
    let end = border.unwrap_or(end);
    line.get(..end).unwrap_or_default().trim_end_matches([' ', '.', ',']).len()
}

/// `12 Elm Rise&zip=69003`: where the next field of a form begins.
fn next_field(line: &str) -> Option<usize> {
    line.match_indices('&').map(|(at, _)| at).find(|at| {
        let name = line.get(at + 1..).unwrap_or_default();
        let len = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        len > 0 && name.get(len..).is_some_and(|rest| rest.starts_with('='))
    })
}

/// Where a sentence goes on behind an address of `len` bytes: at the first small word that belongs to none.
fn prose_end(text: &str, len: usize) -> usize {
    let mut at = 0;
    for word in text.get(..len).unwrap_or_default().split_inclusive(' ') {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let small = bare.starts_with(char::is_lowercase) && bare.is_ascii();
        if at > 0 && small && bare != "n" && bare != "s/n" && !address::is_inner_word(bare) {
            return text.get(..at).unwrap_or_default().trim_end_matches([' ', ',', '.']).len();
        }
        at += word.len();
    }
    len
}

/// `Apt. 92`, `Av. Valdes`: the full stop ends no sentence.
fn ends_short_form(head: &str) -> bool {
    let word = head.rsplit([' ', ',', '/']).next().unwrap_or_default();
    let first = !head.contains(' ');
    word.chars().count() <= 5
        && (address::is_short_form(word) || (first && word.starts_with(char::is_uppercase)))
}

/// Judges the value under a key that says post code.
pub(super) fn post_code(value: &str, extent: Extent) -> Option<Verdict> {
    let len = match extent {
        Extent::Whole if is_post_code(value) => value.len(),
        Extent::Open => post_code_prefix(value)?,
        Extent::Verb | Extent::Blank => post_code_prefix(value).filter(|len| stands_as_code(value, *len))?,
        Extent::Whole => return None,
    };
    verdict(len, Category::Address, "key.post_code")
}

/// `postcode 57294`, `zip 94107-1234`: four digits or more, or letters and digits, that nothing counts.
fn stands_as_code(value: &str, len: usize) -> bool {
    let code = value.get(..len).unwrap_or_default();
    let rest = value.get(len..).unwrap_or_default();
    let digits = code.bytes().filter(u8::is_ascii_digit).count();
    let mixed = digits >= 2 && code.bytes().any(|byte| byte.is_ascii_uppercase());
    // `zip 20480 bytes`
    let counts = rest.strip_prefix(' ').is_some_and(|rest| rest.starts_with(|c: char| c.is_lowercase()));
    (digits >= 5 || mixed || (digits == 4 && code.len() == 4))
        && !(counts && digits < 5)
        && !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '='))
}

/// Five digits, as Italian, French and Spanish post codes have.
pub(super) fn short_post_code(value: &str, extent: Extent) -> Option<Verdict> {
    let digits = value.bytes().take_while(u8::is_ascii_digit).count();
    let rest = value.get(digits..)?;
    let ends = if extent == Extent::Whole {
        rest.is_empty()
    } else {
        !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/'))
    };
    ((5..=7).contains(&digits) && ends && extent != Extent::Blank)
        .then(|| verdict(digits, Category::Address, "key.post_code"))
        .flatten()
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans are on character boundaries")]
mod tests {
    use super::{Extent, street};
    use crate::hints::Hints;
    use crate::keys::Meaning;

    #[test]
    fn addresses_under_keys_end_with_their_sentence() {
        for (meaning, extent, text, address) in [
            (Meaning::Street, Extent::Open, "C MAYOR, 1. Bajo A.", "C MAYOR, 1. Bajo A"),
            (Meaning::Street, Extent::Open, "Calle La Venta. 98.", "Calle La Venta. 98"),
            (Meaning::Street, Extent::Open, "Calle Juan de la Torre.", "Calle Juan de la Torre"),
            (Meaning::Street, Extent::Open, "Av. Norte 1630 - Vitacura.", "Av. Norte 1630 - Vitacura"),
            (Meaning::Street, Extent::Open, "12 Elm Street - Contact: Bob", "12 Elm Street"),
            (Meaning::Street, Extent::Open, "C/ Viana,  86. Next", "C/ Viana,  86"),
            (Meaning::Street, Extent::Verb, "340 Hay Street just after 1963", "340 Hay Street"),
            (
                Meaning::LivesAt,
                Extent::Open,
                "12 rue des Lilas, 69003 Lyon and works",
                "12 rue des Lilas, 69003 Lyon",
            ),
            (Meaning::AddressLine, Extent::Whole, "5040 Adam Throughway", "5040 Adam Throughway"),
            (Meaning::AddressLine, Extent::Whole, "plac Floriana 85", "plac Floriana 85"),
            (Meaning::AddressLine, Extent::Whole, "12 errors found", ""),
            (Meaning::Street, Extent::Open, "see the docs", ""),
        ] {
            let found = street(meaning, text, extent, Hints::default());
            assert_eq!(found.map_or("", |found| &text[found.span.range()]), address, "{text}");
        }
    }
}
