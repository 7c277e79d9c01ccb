//! Street addresses on one line, in eight languages, where their form speaks for itself.
//!
//! In: a text and a place where a word for a kind of street ends, or where a number stands. Out: the span of the
//! address. Forms: `12 Elm Street, Springfield, IL 62704`, `12 rue des Lilas, 69003 Lyon`, `Calle de Alcalá, 42`,
//! `Hauptstraße 5, 10115 Berlin`, `ul. Długa 7/9, 00-238 Warszawa`. Check rule: a number of one to five digits and a name
//! with capitals beside the word; words with other uses (`Drive`, `Place`) also need a post code, or a city behind a
//! comma. Invariant: at most `REACH` bytes are read on either side. Not here: addresses under keys (`fields`).

use cloakgate_vocab::Span;

use crate::canonical::is_word_char;

/// Most bytes read before or after the word.
const REACH: usize = 72;

/// English words after the name: `12 Elm Street`.
const AFTER: &[&str] = &[
    "street",
    "st",
    "avenue",
    "ave",
    "road",
    "rd",
    "lane",
    "ln",
    "boulevard",
    "blvd",
    "crescent",
    "terrace",
    "parkway",
    "highway",
];
/// Those that are also other things.
const DOUBTFUL: &[&str] =
    &["drive", "dr", "way", "place", "court", "ct", "square", "close", "st", "rd", "ln", "lane"];
/// French words: the number stands before.
const FRENCH: &[&str] =
    &["rue", "avenue", "boulevard", "allée", "allee", "impasse", "chemin", "quai", "faubourg"];
/// Spanish, Italian, Portuguese and Polish words: the number stands behind the name.
const BEFORE: &[&str] = &[
    "calle",
    "avenida",
    "avda",
    "paseo",
    "plaza",
    "carretera",
    "camino",
    "ronda",
    "via",
    "viale",
    "piazza",
    "corso",
    "largo",
    "rua",
    "travessa",
    "praça",
    "estrada",
    "ulica",
    "ul",
    "aleja",
    "al",
];
/// German and Dutch endings: `Hauptstraße 5`.
const ENDINGS: &[&str] = &[
    "straße", "strasse", "str.", "gasse", "allee", "platz", "weg", "damm", "ufer", "straat", "laan", "plein",
    "gracht", "kade",
];

/// True for a word that a street's name begins or ends with.
pub(crate) fn is_street_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    [AFTER, DOUBTFUL, FRENCH, BEFORE].iter().any(|words| words.contains(&lower.as_str()))
}

/// The address around a word for a kind of street at `start..end`.
pub(crate) fn around_word(text: &str, start: usize, end: usize) -> Option<Span> {
    let word = text.get(start..end)?;
    let lower = word.to_lowercase();
    let capital = word.starts_with(char::is_uppercase);
    let word_is = |words: &[&str]| words.contains(&lower.as_str());
    if capital
        && (word_is(AFTER) || word_is(DOUBTFUL))
        && let Some(from) = number_and_name_before(text, start).filter(|from| !is_licence(text, *from))
    {
        let dot = usize::from(word.len() <= 4 && text.get(end..)?.starts_with('.') && lower != "road");
        let to = place_after(text, end + dot);
        let year = text
            .get(from..from + 5)
            .is_some_and(|head| (head.starts_with("19") || head.starts_with("20")) && head.ends_with(' '));
        let doubtful = word_is(DOUBTFUL) || year;
        if to > end + dot || !doubtful {
            return Span::new(from, if to > end + dot { to } else { end });
        }
    }
    if word_is(FRENCH)
        && let Some(from) = number_before(text, start)
    {
        let name = name_after(text, end)?;
        return Span::new(from, place_after(text, name));
    }
    if word_is(BEFORE) && (capital || matches!(lower.as_str(), "ul" | "calle" | "rua")) {
        let dot = usize::from(text.get(end..)?.starts_with('.'));
        let name = name_after(text, end + dot)?;
        let number = number_after(text, name)?;
        return Span::new(start, place_after(text, number));
    }
    None
}

/// The address of a foundation, as licences print it.
fn is_licence(text: &str, start: usize) -> bool {
    let head = text.get(..start).unwrap_or_default();
    let mut words = head.rsplit(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(3);
    words.any(|word| word == "Foundation")
}

/// `Hauptstraße 5`: the address before and around the number at `start`.
pub(crate) fn around_number(text: &str, start: usize) -> Option<Span> {
    let head = text.get(..start)?.strip_suffix(' ')?;
    let len: usize = head
        .chars()
        .rev()
        .take(32)
        .take_while(|c| is_word_char(*c) || matches!(c, '-' | '.'))
        .map(char::len_utf8)
        .sum();
    let word = head.get(head.len() - len..)?;
    let lower = word.to_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(**ending))?;
    // `Weg 5` alone is no name; `Berliner Straße 5` is one with the word before.
    let compound = lower.len() > ending.len() + 2;
    let mut from = head.len() - len;
    if !compound {
        let before = head.get(..from)?.strip_suffix(' ')?;
        let more: usize = before
            .chars()
            .rev()
            .take(24)
            .take_while(|c| is_word_char(*c) || *c == '-')
            .map(char::len_utf8)
            .sum();
        from = before.len() - more;
    }
    let named = text.get(from..)?.starts_with(char::is_uppercase) && word.starts_with(char::is_uppercase);
    let end = number_end(text, start)?;
    named.then(|| Span::new(from, place_after(text, end))).flatten()
}

/// End of a house number that begins at `start`: `12`, `12b`, `7/9`, `12-14`.
fn number_end(text: &str, start: usize) -> Option<usize> {
    let rest = text.get(start..)?;
    let mut end = digits(rest);
    if !(1..=5).contains(&end) {
        return None;
    }
    if let Some(more) = rest.get(end..)?.strip_prefix(['/', '-']) {
        let second = digits(more);
        if (1..=4).contains(&second) {
            end += 1 + second;
        }
    }
    let letter = rest.get(end..)?.chars().next().filter(char::is_ascii_alphabetic);
    end += usize::from(letter.is_some());
    let next = rest.get(end..)?.chars().next();
    let glued = next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '%' | '='));
    let decimal =
        rest.get(end..)?.starts_with('.') && rest.get(end + 1..)?.starts_with(|c: char| c.is_ascii_digit());
    (!glued && !decimal).then_some(start + end)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// The number before `rue`, with `bis` or a comma.
fn number_before(text: &str, start: usize) -> Option<usize> {
    let head = text.get(..start)?.strip_suffix(' ')?;
    let head = head.strip_suffix(',').unwrap_or(head);
    let head = head.strip_suffix(" bis").or_else(|| head.strip_suffix(" ter")).unwrap_or(head);
    number_ending(head)
}

/// Start of a house number that the text ends with.
fn number_ending(head: &str) -> Option<usize> {
    let bare = head.strip_suffix(|c: char| c.is_ascii_alphabetic()).unwrap_or(head);
    let count = bare.bytes().rev().take(6).take_while(u8::is_ascii_digit).count();
    let at = bare.len() - count;
    let before = bare.get(..at)?.chars().next_back();
    let glued = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '#' | '$' | '/' | ':'));
    ((1..=5).contains(&count) && !glued).then_some(at)
}

/// Start of `12 Old Elm` before `Street`.
fn number_and_name_before(text: &str, start: usize) -> Option<usize> {
    let mut head = text.get(..start)?.strip_suffix(' ')?;
    for _ in 0..4 {
        let len: usize = head
            .chars()
            .rev()
            .take(24)
            .take_while(|c| is_word_char(*c) || matches!(c, '\'' | '’' | '-' | '.'))
            .map(char::len_utf8)
            .sum();
        let word = head.get(head.len() - len..)?;
        let ordinal = ["st", "nd", "rd", "th"].iter().any(|ending| word.ends_with(ending));
        let begins = word.starts_with(char::is_uppercase)
            || (ordinal && word.starts_with(|c: char| c.is_ascii_digit()));
        if !begins {
            return None;
        }
        head = head.get(..head.len() - len)?.strip_suffix(' ')?;
        if let Some(at) = number_ending(head) {
            return Some(at);
        }
    }
    None
}

/// End of the name behind a word for a street: particles and words with capitals.
fn name_after(text: &str, end: usize) -> Option<usize> {
    const PARTICLES: &[&str] = &[
        "de", "du", "des", "la", "le", "les", "del", "della", "delle", "dei", "di", "da", "do", "dos", "das",
        "los", "las", "y", "e", "et", "d", "l", "san", "el",
    ];
    let mut at = end;
    let mut capitals = 0;
    while at < end + REACH {
        let Some(rest) = text.get(at..)?.strip_prefix([' ', '\'', '’', '-']) else { break };
        let len: usize = rest.chars().take_while(|c| is_word_char(*c)).map(char::len_utf8).sum();
        let word = rest.get(..len)?;
        let capital = word.starts_with(char::is_uppercase);
        if word.is_empty()
            || word.bytes().any(|byte| byte.is_ascii_digit())
            || !(capital || PARTICLES.contains(&word))
        {
            break;
        }
        let gap = text.get(at..)?.len() - rest.len();
        capitals += usize::from(capital);
        at += gap + len;
        if text.get(at..)?.starts_with('.') && len <= 4 && capital {
            at += 1;
        }
    }
    (capitals > 0).then_some(at)
}

/// End of the house number behind a name: ` 42`, `, 42`, `, nº 42`.
fn number_after(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let mut gap = rest.len() - rest.trim_start_matches([',', ' ']).len();
    if !(1..=3).contains(&gap) {
        return None;
    }
    let mark = ["nº", "n°", "n.º", "n.", "no.", "nr", "núm."]
        .iter()
        .find(|mark| rest.get(gap..).is_some_and(|rest| rest.starts_with(**mark)));
    if let Some(mark) = mark {
        gap += mark.len();
        gap += usize::from(rest.get(gap..)?.starts_with(' '));
    }
    number_end(text, at + gap)
}

/// End of what goes on with an address: flat, post code, city, state. `at` when nothing does.
fn place_after(text: &str, at: usize) -> usize {
    let mut end = at;
    for _ in 0..4 {
        let Some(next) = part_after(text, end) else { break };
        if next > at + REACH {
            break;
        }
        end = next;
    }
    end
}

/// One part behind a comma, or a post code behind a blank.
fn part_after(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let comma = rest.starts_with(", ");
    let body = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(' '))?;
    let from = text.len() - body.len();
    if let Some(code) = code_at(body) {
        let city = name_after(text, from + code)
            .filter(|_| body.get(code..).is_some_and(|rest| rest.starts_with(' ')));
        return Some(city.unwrap_or(from + code));
    }
    let lower = body.get(..8.min(body.len())).unwrap_or_default().to_lowercase();
    if ["apt", "suite", "unit", "flat", "floor", "piso", "ste ", "#"]
        .iter()
        .any(|word| lower.starts_with(word))
    {
        let len = body.char_indices().take(20).find(|(_, c)| matches!(c, ',' | '\n' | ';'))?.0;
        return Some(from + len);
    }
    // A city: only in front of a post code, or of a state with one.
    let city = comma.then(|| name_after(text, from.checked_sub(1)?)).flatten()?;
    let tail = text.get(city..)?;
    let after = tail.strip_prefix(", ").or_else(|| tail.strip_prefix(' '))?;
    let state = after
        .get(..3)
        .filter(|state| state.ends_with(' ') && state.bytes().take(2).all(|byte| byte.is_ascii_uppercase()));
    let code = if state.is_some() { after.get(3..)? } else { after };
    let len = code_at(code)?;
    Some(text.len() - code.len() + len)
}

/// Length of a post code: `69003`, `62704-1234`, `00-238`, `SW1A 1AA`, `1234 AB`.
fn code_at(text: &str) -> Option<usize> {
    let count = digits(text);
    let after = text.get(count..)?;
    let ends = |rest: &str| {
        !rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '%'))
            || rest.starts_with(". ")
            || rest == "."
    };
    let dashed = after.strip_prefix('-').map_or(0, digits);
    let whole = match (count, dashed) {
        (5, 4) | (4, 3) | (5, 3) => Some(count + 1 + dashed),
        (2, 3) => Some(6),
        (4..=6, 0) => {
            let letters = after
                .strip_prefix(' ')
                .and_then(|rest| rest.get(..2))
                .filter(|letters| count == 4 && letters.bytes().all(|byte| byte.is_ascii_uppercase()));
            Some(if letters.is_some() && after.get(3..).is_some_and(ends) { 7 } else { count })
        }
        _ => None,
    };
    if let Some(len) = whole {
        return text.get(len..).filter(|rest| ends(rest)).map(|_| len);
    }
    let outward = text.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let head = text.get(..outward)?;
    let inward = text.get(outward..)?.strip_prefix(' ')?.get(..3)?;
    let british = (2..=4).contains(&outward)
        && head.starts_with(|c: char| c.is_ascii_uppercase())
        && head.bytes().any(|byte| byte.is_ascii_digit())
        && inward.starts_with(|c: char| c.is_ascii_digit())
        && inward.bytes().skip(1).all(|byte| byte.is_ascii_uppercase());
    (british && text.get(outward + 4..).is_some_and(ends)).then_some(outward + 4)
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use super::{around_number, around_word};
    use crate::canonical::Words;

    fn found(text: &str) -> Vec<&str> {
        let mut spans = Vec::new();
        for word in Words::of(text) {
            let hit = if text[word.range()].starts_with(|c: char| c.is_ascii_digit()) {
                around_number(text, word.start())
            } else {
                around_word(text, word.start(), word.end())
            };
            spans.extend(hit.map(|span| &text[span.range()]));
        }
        spans
    }

    #[test]
    fn addresses_of_eight_languages_end_where_they_end() {
        for (text, address) in [
            (
                "I live at 12 Elm Street, Springfield, IL 62704 since May.",
                "12 Elm Street, Springfield, IL 62704",
            ),
            ("at 221B Baker Street, London NW1 6XE.", "221B Baker Street, London NW1 6XE"),
            ("go to 5 Old Mill Rd., Dublin", ""),
            ("1600 Pennsylvania Avenue is white", "1600 Pennsylvania Avenue"),
            ("send to 7 Google Drive, Austin, TX 78701", "7 Google Drive, Austin, TX 78701"),
            ("chez moi, 12 rue des Lilas, 69003 Lyon, merci", "12 rue des Lilas, 69003 Lyon"),
            ("4 bis, avenue de l'Opéra", "4 bis, avenue de l'Opéra"),
            ("vivo en Calle de Alcalá, 42, 28014 Madrid.", "Calle de Alcalá, 42, 28014 Madrid"),
            ("abito in Via Roma 12, 00184 Roma", "Via Roma 12, 00184 Roma"),
            ("Rua Augusta, nº 1500, 01305-100 São Paulo", "Rua Augusta, nº 1500, 01305-100 São Paulo"),
            ("nach Hauptstraße 5, 10115 Berlin bitte", "Hauptstraße 5, 10115 Berlin"),
            ("Berliner Straße 12a ist", "Berliner Straße 12a"),
            ("Kalverstraat 92, 1012 PH Amsterdam", "Kalverstraat 92, 1012 PH Amsterdam"),
            ("ul. Długa 7/9, 00-238 Warszawa", "ul. Długa 7/9, 00-238 Warszawa"),
        ] {
            assert_eq!(found(text).first().copied().unwrap_or_default(), address, "{text}");
        }
    }

    #[test]
    fn look_alikes_are_none() {
        for text in [
            "3 Google Drive accounts",
            "2 First Place medals",
            "Wall Street fell 3 %",
            "Via Rail runs",
            "en rue 3",
            "step 4 Way out",
            "the Street",
            "Weg 5",
            "auf dem Weg 5 Leute",
            "Al 3 Tests",
            "12 street lights",
            "v1.2 Road",
            "Platz 5 im Rennen",
            "section 3 rue",
            "2016 Iain Lane",
            "Free Software Foundation, Inc., 59 Temple Place, Suite 330, Boston, MA 02111",
            "Free Software Foundation, Inc., 51 Franklin Street, Fifth Floor",
            "",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
