//! Names of people where something beside them says so: a title, a mail head, an address, a greeting.
//!
//! In: a text and the place of such a sign. Out: the span of the name, without title and address. Invariant: a name
//! is at most six words and 120 bytes long, so every look is bounded. Not here: names in free prose.

use std::sync::LazyLock;

use cloakgate_vocab::Span;

use crate::canonical::{is_plain_letter, is_word_char, stands_alone};
use crate::word_hash::hash;
use crate::word_set::WordSet;
use crate::work;

/// Most words of one name.
pub(crate) const MAX_NAME_WORDS: usize = 6;
/// Longest name in bytes.
const MAX_NAME_BYTES: usize = 120;

static NO_VALUES: LazyLock<WordSet> = LazyLock::new(|| WordSet::read(include_str!("../data/no_values.txt")));
static NOT_NAMES: LazyLock<WordSet> = LazyLock::new(|| WordSet::read(include_str!("../data/not_names.txt")));
static ORGANISATIONS: LazyLock<WordSet> =
    LazyLock::new(|| WordSet::read(include_str!("../data/organisations.txt")));

/// Words inside names that are written small.
const PARTICLES: &[&str] = &[
    "de", "da", "do", "dos", "das", "du", "des", "del", "della", "di", "d", "la", "le", "les", "los", "las",
    "von", "van", "vom", "zu", "zum", "zur", "der", "den", "ter", "ten", "te", "bin", "ibn", "bint", "al",
    "el", "y", "e", "af", "av", "'t", "op", "het", "in", "san", "i", "abu",
];

/// Longest of them.
const MAX_PARTICLE_BYTES: usize = 5;

fn is_particle(word: &str) -> bool {
    word.len() <= MAX_PARTICLE_BYTES
        && !word.starts_with(|c: char| c.is_ascii_uppercase())
        && PARTICLES.contains(&word)
}

/// True for a small letter of a script that has capitals in its texts; Georgian has them in name only.
pub(crate) fn is_small(c: char) -> bool {
    c.is_lowercase() && !matches!(c, '\u{10d0}'..='\u{10ff}')
}

/// How a name may be written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Letters {
    /// Every word but particles begins with a capital, or is of a script that has none.
    Capitals,
    /// In any case.
    Any,
}

/// A name at the start of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct NamePrefix {
    /// Length in bytes.
    pub(crate) len: usize,
    /// Number of words, particles and initials included.
    pub(crate) words: usize,
    /// True for scripts without capitals.
    pub(crate) uncased: bool,
}

/// True for a word that stands under keys of names without being one: `admin`, `string`, `null`.
pub(crate) fn is_no_value(word: &str) -> bool {
    NO_VALUES.contains(word)
}

/// True for the name of a firm or an office: its last word, or the last but one, says so (`Garcia Inc`, `Bank of X`).
pub(crate) fn is_organisation(value: &str) -> bool {
    let several = value.contains([' ', '\u{a0}']);
    (several && value.split([' ', '\u{a0}']).any(is_firm_word)) || value.contains('&')
}

/// True for a word that names of firms and offices hold: `Ltd`, `GmbH`, `Bank`.
pub(crate) fn is_firm_word(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !is_word_char(c));
    // `Sa` and `Co` are surnames too.
    (word.len() > 2 || word.chars().all(char::is_uppercase)) && ORGANISATIONS.contains(word)
}

/// True for a word that begins no name in a text: `admin`, `the`, `Monday`.
pub(crate) fn is_no_name(word: &str) -> bool {
    let bare = if word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        word
    } else {
        word.trim_matches(|c: char| !is_word_char(c))
    };
    let hash = hash(bare.as_bytes());
    NO_VALUES.has(hash) || NOT_NAMES.has(hash)
}

/// Words of sentences and months that are names as well.
fn is_also_a_name(word: &str) -> bool {
    ["will", "may", "can", "april", "june", "august"].iter().any(|name| word.eq_ignore_ascii_case(name))
}

/// Reads a name at the start of the text: up to six words of letters, joined by single blanks.
pub(crate) fn name_prefix(text: &str, letters: Letters) -> Option<NamePrefix> {
    let mut name = NamePrefix { len: 0, words: 0, uncased: false };
    let mut at = 0;
    while name.words < MAX_NAME_WORDS {
        let Some(word) = name_word(text.get(at..)?) else { break };
        let particle = is_particle(word);
        let capital = word.chars().find(|c| is_letter(*c)).is_some_and(|c| !is_small(c));
        if (!capital && !particle && letters == Letters::Capitals) || at + word.len() > MAX_NAME_BYTES {
            break;
        }
        if is_no_name(word) && !particle && word.chars().count() > 1 && !(capital && is_also_a_name(word)) {
            break;
        }
        name.uncased |= !word.is_ascii() && word.chars().any(has_no_case);
        name.words += 1;
        work::count(word.len());
        at += word.len();
        // A name does not end in a particle: what follows `Jan van` belongs to no name.
        if !particle || letters == Letters::Any {
            name.len = at;
        }
        match separator(text.get(at..)?) {
            Some(width) => at += width,
            None => break,
        }
    }
    let first = text.get(..name.len)?;
    if name.len == 0 || first.chars().filter(|c| is_plain_letter(*c) || c.is_alphabetic()).take(2).count() < 2
    {
        return None;
    }
    name.words = first.split([' ', '\u{a0}']).count();
    Some(name)
}

fn is_letter(c: char) -> bool {
    is_plain_letter(c) || c.is_alphabetic()
}

/// True for a letter of a script without capitals.
fn has_no_case(c: char) -> bool {
    // Nearly all letters that have a case, told without a table.
    let cased = matches!(c, '\0'..='\u{7f}' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{17f}'
        | '\u{400}'..='\u{481}' | '\u{48a}'..='\u{52f}');
    !cased && c.is_alphabetic() && !is_small(c) && !c.is_uppercase()
}

/// Width of the blank between two words of a name.
fn separator(rest: &str) -> Option<usize> {
    let mut chars = rest.chars();
    match (chars.next(), chars.next()) {
        (Some(blank @ (' ' | '\u{a0}')), Some(next)) if is_word_char(next) => Some(blank.len_utf8()),
        _ => None,
    }
}

/// One word of a name at the start of the text: letters, marks, inner apostrophes, dashes and dots; a final dot
/// only after an initial or a short form (`J.`, `St.`).
fn name_word(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let letters = bytes.iter().take(MAX_NAME_BYTES + 1).take_while(|byte| byte.is_ascii_alphabetic()).count();
    match bytes.get(letters) {
        _ if letters > MAX_NAME_BYTES => return None,
        Some(b'\'' | b'-' | b'.' | 0x80..) => {}
        Some(b'0'..=b'9' | b'_') => return None,
        // Letters of ASCII and nothing that may go on with them: nearly all.
        _ => return text.get(..letters).filter(|_| letters > 0),
    }
    let mut end = 0;
    let mut last = ' ';
    let mut count = 0;
    for (at, c) in text.char_indices() {
        if !is_plain_letter(c) && (c.is_numeric() || c == '_') {
            // `Marie2` and `marie_x` are names of accounts.
            return None;
        }
        if is_word_char(c) || matches!(c, '\u{94d}' | '\u{9cd}' | '\u{200c}' | '\u{200d}' | '·' | '・') {
            end = at + c.len_utf8();
            count += 1;
        } else if !(matches!(c, '\'' | '’' | '-' | '‐' | '.') && is_word_char(last)) {
            break;
        } else if c == '.' && count == 1 {
            end = at + 1;
        }
        last = c;
        if end > MAX_NAME_BYTES {
            return None;
        }
    }
    let word = text.get(..end)?;
    let word = possessive_end(word).and_then(|end| word.get(..end)).unwrap_or(word);
    // `e.g`, `example.org`: an inner dot belongs to initials only.
    let dotted = word.trim_end_matches('.').split('.').collect::<Vec<_>>();
    if dotted.len() > 1 && dotted.iter().any(|part| part.chars().count() > 2) {
        return word.split('.').next().filter(|part| !part.is_empty());
    }
    (!word.is_empty()).then_some(word)
}

/// End of the name in `Marie's`.
fn possessive_end(word: &str) -> Option<usize> {
    ["'s", "’s", "'S", "’S"].iter().find_map(|ending| word.strip_suffix(ending)).map(str::len)
}

/// A name written family first: `Dubois, Marie`, at the start of the text and up to a border.
pub(crate) fn reversed_prefix(text: &str) -> Option<usize> {
    let family = name_prefix(text, Letters::Capitals).filter(|name| name.words <= 3)?;
    let given = text.get(family.len..)?.strip_prefix(", ")?;
    let given_name = name_prefix(given, Letters::Capitals).filter(|name| name.words <= 3)?;
    let after = given.get(given_name.len..)?;
    let border = after.is_empty()
        || after.starts_with("  ")
        || after.starts_with(['\t', '\r', '\n', '<', '"', '|', ';', ')'])
        || after.starts_with(" <")
        // `Dubois, Marie, born 12 March`
        || after.strip_prefix(", ").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c.is_ascii_lowercase() || c == '*'));
    border.then_some(family.len + 2 + given_name.len)
}

/// Titles that are also words or letters of other uses: only with a dot.
const NEED_DOT: &[&str] = &["m", "hr", "fr", "ing", "sig", "sr", "avv", "sra", "dott", "rev"];
/// Titles whose use for other things is as common: the name needs two words.
const NEED_TWO: &[&str] = &["don", "sir", "miss", "dame", "madam", "doctor", "professor", "doña"];

/// The name after a title that ends at `end`.
pub(crate) fn after_title(text: &str, start: usize, end: usize) -> Option<Span> {
    let title = text.get(start..end)?;
    let capital = title.chars().next().is_some_and(|c| !c.is_lowercase());
    let mut rest = text.get(end..)?;
    let dot = rest.starts_with('.');
    // `MS Windows` is a firm; `David M. Gay`, `Module M. Return`: an initial after a name.
    if title == "MS" && !dot {
        return None;
    }
    if title.len() == 1 && follows_capital(text, start) {
        return around_initial(text, start, end);
    }
    rest = rest.strip_prefix('.').unwrap_or(rest);
    let lower = title.to_lowercase();
    if !capital || (NEED_DOT.contains(&lower.as_str()) && !dot) {
        return None;
    }
    rest = rest.strip_prefix([' ', '\u{a0}'])?;
    // `Dr. med. Weber`, `Dr. rer. nat. Weber`
    for _ in 0..3 {
        let degree = rest.bytes().take(8).take_while(u8::is_ascii_lowercase).count();
        match rest.get(degree..).and_then(|after| after.strip_prefix(". ")) {
            Some(after) if degree >= 3 && dot => rest = after,
            _ => break,
        }
    }
    // Titles pile up: `Herr Dr. Weber`; the inner one finds the name.
    let name = name_prefix(rest, Letters::Capitals)?;
    let found = rest.get(..name.len)?;
    let first = found.split(' ').next().unwrap_or_default();
    let title_again = crate::lexicon::lexicon().roles(first.trim_end_matches('.').as_bytes());
    let goes_on = found.contains(' ') || rest.get(name.len..).is_some_and(|after| after.starts_with('.'));
    if title_again.any(crate::lexicon::Roles::TITLE) && goes_on {
        return None;
    }
    if NEED_TWO.contains(&lower.as_str()) && name.words < 2 {
        return None;
    }
    let at = text.len() - rest.len();
    Some(Span::sized(at, name.len))
}

/// `David M. Gay`: the name around an initial that looks like a title.
fn around_initial(text: &str, start: usize, end: usize) -> Option<Span> {
    let head = text.get(..start)?.strip_suffix(' ')?;
    let given = head
        .chars()
        .rev()
        .take(24)
        .take_while(|c| is_word_char(*c) || matches!(c, '-' | '\''))
        .map(char::len_utf8)
        .sum::<usize>();
    let first = head.get(head.len() - given..)?;
    let family = text.get(end..)?.strip_prefix(". ")?;
    let name = name_prefix(family, Letters::Capitals)?;
    let last = family.get(..name.len)?;
    let word = |word: &str| is_no_name(word) || crate::vocabulary::is_common(word);
    let named =
        given > 2 && first.starts_with(char::is_uppercase) && !word(first) && !last.split(' ').any(word);
    named.then(|| Span::sized(head.len() - given, end + 2 + name.len - (head.len() - given)))
}

/// Whether a word with a capital stands before the one at `start`.
fn follows_capital(text: &str, start: usize) -> bool {
    let Some(head) = text.get(..start) else { return false };
    let blank = head.ends_with(' ');
    let word =
        head.trim_end_matches(' ').chars().rev().take(24).take_while(|c| is_word_char(*c) || *c == '.');
    (blank || head.ends_with('.')) && word.last().is_some_and(char::is_uppercase)
}

/// The name before the bracket of `Marie Dubois <marie@example.eu>`; `bracket` is the place of `<` or `(`.
pub(crate) fn before_bracket(text: &str, bracket: usize) -> Option<Span> {
    let head = text.get(..bracket)?;
    let blanks = head.len() - head.trim_end_matches(' ').len();
    if blanks > 2 {
        return None;
    }
    let end = bracket - blanks;
    let floor = text
        .get(..end)?
        .char_indices()
        .rev()
        .map(|(at, _)| at)
        .take_while(|at| end - at <= MAX_NAME_BYTES)
        .last()?;
    let window = text.get(floor..end)?;
    // `=?utf-8?B?TWFyaWU=?= <marie@example.eu>`
    if window.ends_with("?=") {
        let open = window.find("=?")?;
        let name = window.get(open..)?;
        return (!name.contains('\n')).then(|| Span::sized(floor + open, name.len()));
    }
    if let Some(inner) = window.strip_suffix('"') {
        let open = inner.rfind('"')?;
        let value = inner.get(open + 1..)?;
        // `"The Book Club" <club@example.org>`
        let titled = value.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("the "));
        return (is_safe_name(value) && !titled).then(|| Span::sized(floor + open + 1, value.len()));
    }
    // A quote opens a string, or a nickname; one inside a word is an apostrophe.
    let quote = window
        .char_indices()
        .rev()
        .find(|(at, c)| *c == '\'' && !window.get(..*at).is_some_and(|head| head.ends_with(is_word_char)));
    let line = window
        .rfind(['\n', ':', '>', ';', '<', '(', '\t', '"', '|', '='])
        .max(quote.map(|(at, _)| at))
        .map_or(0, |at| at + 1);
    let mut start = line + window.get(line..)?.chars().take_while(|c| *c == ' ').count();
    // Other mailboxes stand before the last comma, unless it parts family and given name.
    let value = window.get(start..)?;
    if reversed_prefix(value) != Some(value.len()) {
        start += value.rfind(", ").map_or(0, |at| at + 2);
    }
    let value = window.get(start..)?;
    if is_organisation(value) {
        return None;
    }
    longest_name_ending(value).map(|offset| Span::sized(floor + start + offset, value.len() - offset))
}

/// Offset of the longest name that the text ends with: `mail from Marie Dubois` -> `Marie Dubois`.
fn longest_name_ending(value: &str) -> Option<usize> {
    if reversed_prefix(value) == Some(value.len()) {
        return Some(0);
    }
    let mut best = None;
    let mut starts: Vec<usize> = vec![0];
    starts.extend(value.match_indices(' ').map(|(at, _)| at + 1));
    for start in starts.into_iter().rev().take(MAX_NAME_WORDS) {
        let Some(rest) = value.get(start..) else { continue };
        if name_prefix(rest, Letters::Capitals).is_some_and(|name| name.len == rest.len()) {
            let particle = is_particle(rest.split(' ').next().unwrap_or_default());
            if !particle {
                best = Some(start);
            }
        }
    }
    best
}

/// The name after the word that opens a letter: `Dear Marie Dubois,`.
pub(crate) fn after_greeting(text: &str, end: usize) -> Option<Span> {
    let rest = text.get(end..)?.strip_prefix(' ')?;
    let name = name_prefix(rest, Letters::Capitals).filter(|name| name.words <= 4)?;
    let after = rest.get(name.len..)?;
    // "Hello World!"
    if crate::vocabulary::is_phrase(rest.get(..name.len)?) {
        return None;
    }
    let ends = after.is_empty()
        || after.starts_with([',', '!', ':', '\n', '\r', '，', '：'])
        || after.starts_with("\\n");
    ends.then(|| Span::sized(end + 1, name.len))
}

/// The name under the two dashes that open a signature.
pub(crate) fn after_dashes(text: &str, line_end: usize) -> Option<Span> {
    let start = line_end + 1;
    let name = name_prefix(text.get(start..)?, Letters::Capitals)
        .filter(|name| (2..=5).contains(&name.words) || name.uncased)?;
    ends_line(text, start + name.len).then(|| Span::sized(start, name.len))
}

/// The name before a date of birth: `Marie Dubois, born ...`, `Marie Dubois (born ...`; `start` is where the cue
/// begins.
pub(crate) fn before_birth(text: &str, start: usize) -> Option<Span> {
    let head = text.get(..start)?;
    let head = head.strip_suffix(", ").or_else(|| head.strip_suffix(" ("))?;
    let floor = head.char_indices().rev().map(|(at, _)| at).take_while(|at| head.len() - at <= 80).last()?;
    let window = head.get(floor..)?;
    let from = window.rfind(['\n', ',', ';', ':', '.', '(']).map_or(0, |at| at + 1);
    let value = window.get(from..)?.trim_start();
    let offset = longest_name_ending(value)?;
    let name = after_last_title(value.get(offset..)?);
    name.contains(' ').then(|| Span::sized(head.len() - name.len(), name.len()))
}

/// What stands behind the last form of address in a run of words: `Ihren Patienten Herrn Jürgen Vogel`.
fn after_last_title(run: &str) -> &str {
    let mut titled = run.match_indices(' ').filter(|(at, _)| {
        let word = run.get(..*at).and_then(|head| head.rsplit(' ').next()).unwrap_or_default();
        crate::lexicon::lexicon().roles(word.as_bytes()).any(crate::lexicon::Roles::TITLE)
    });
    titled.next_back().and_then(|(at, _)| run.get(at + 1..)).unwrap_or(run)
}

/// True when every character lies in the alphabet of names and there are at most six words.
pub(crate) fn is_safe_name(value: &str) -> bool {
    let mut letters = 0;
    for c in value.chars() {
        if c.is_alphabetic() {
            letters += 1;
        } else if (!is_word_char(c) || c.is_numeric())
            && !matches!(
                c,
                ' ' | '.' | ',' | '\'' | '’' | '-' | '‐' | '\u{a0}' | '·' | '・' | '\u{200c}' | '\u{200d}'
            )
        {
            return false;
        }
    }
    letters > 0 && value.split_whitespace().count() <= MAX_NAME_WORDS
}

/// True when every word but particles begins with a capital, or is of a script that has none.
pub(crate) fn is_written_as_name(value: &str) -> bool {
    value.split([' ', '\u{a0}', '-']).all(|word| {
        is_particle(word) || word.chars().find(|c| c.is_alphabetic()).is_none_or(|first| !is_small(first))
    })
}

/// The name on the first line, or the second, after the words that close a letter.
pub(crate) fn after_closing(text: &str, end: usize) -> Option<Span> {
    let line_end = memchr::memchr(b'\n', text.as_bytes().get(end..)?.get(..24.min(text.len() - end))?)? + end;
    // Between the closing word and the end of its line only marks may stand.
    if text.get(end..line_end)?.chars().any(is_word_char) {
        return None;
    }
    let rest = text.get(line_end..)?;
    let start = line_end + rest.len() - rest.trim_start_matches(['\n', '\r', ' ', '>', '\t']).len();
    if start - line_end > 16 {
        return None;
    }
    let rest = text.get(start..)?;
    let name = name_prefix(rest, Letters::Capitals).filter(|name| name.words <= 5)?;
    // "Thanks!", then the next heading.
    let heading = crate::vocabulary::is_phrase(rest.get(..name.len)?);
    (!heading && ends_line(text, start + name.len)).then(|| Span::sized(start, name.len))
}

/// True when nothing but blanks, or a comma and what follows, stands between `at` and the end of the line.
pub(crate) fn ends_line(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default().trim_start_matches([' ', '\r', '\t']);
    rest.is_empty() || rest.starts_with(['\n', ',', '|', '<']) || rest.starts_with("\\n")
}

/// The writer in `On 3 March 2026, Marie Dubois wrote:`; `start` is the place of the verb.
pub(crate) fn before_wrote(text: &str, start: usize, end: usize) -> Option<Span> {
    let after = text.get(end..)?.trim_start_matches(' ');
    let head = text.get(..start)?;
    let trimmed = head.strip_suffix(" a ").or_else(|| head.strip_suffix(" ha ")).unwrap_or(head).trim_end();
    let floor =
        trimmed.char_indices().rev().map(|(at, _)| at).take_while(|at| trimmed.len() - at <= 80).last()?;
    let window = trimmed.get(floor..)?;
    if let Some(comma) = window.rfind([',', '\n']).filter(|_| after.starts_with(':')) {
        let value = window.get(comma + 1..)?.trim_start();
        let offset = longest_name_ending(value)?;
        return Some(Span::sized(trimmed.len() - value.len() + offset, value.len() - offset));
    }
    None
}

/// True when a value is of a script whose characters stand alone and short enough for a name.
pub(crate) fn is_unspaced_name(value: &str) -> bool {
    (2..=12).contains(&value.chars().count())
        && value.chars().all(|c| stands_alone(c) || c == '·' || c == '・' || c == ' ')
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "spans of findings are on character boundaries")]
mod tests {
    use cloakgate_vocab::Span;

    use super::{
        Letters, after_closing, after_title, before_bracket, before_wrote, name_prefix, reversed_prefix,
    };

    #[test]
    fn names_end_where_their_words_end() {
        for (text, name) in [
            ("Marie Dubois wrote", "Marie Dubois"),
            ("Jan van der Berg, Utrecht", "Jan van der Berg"),
            ("J. R. Miller-Smith", "J. R. Miller-Smith"),
            ("Seán O'Brien's car", "Seán O'Brien"),
            ("Marie van", "Marie"),
            ("राजीव यादव,", "राजीव यादव"),
            ("MARIE DUBOIS", "MARIE DUBOIS"),
            ("Marie  Dubois", "Marie"),
            ("Marie2 Dubois", ""),
            ("marie dubois", ""),
            ("The Team", ""),
            ("Example.org", ""),
            ("", ""),
        ] {
            let found = name_prefix(text, Letters::Capitals).map_or("", |name| &text[..name.len]);
            assert_eq!(found, name, "{text}");
        }
        assert_eq!(reversed_prefix("Paredes, Aarón"), Some("Paredes, Aarón".len()));
        assert_eq!(reversed_prefix("Lyon, France is nice"), None);
    }

    fn cut(text: &str, span: Option<Span>) -> &str {
        span.map_or("", |span| &text[span.range()])
    }

    #[test]
    fn titles_name_people_and_stay_outside() {
        for (title, rest, name) in [
            ("Dr", ". Helena Shaw accidentally", "Helena Shaw"),
            ("Mrs", " Dubois's car", "Dubois"),
            ("Herr", " von Weizsäcker", "von Weizsäcker"),
            ("M", ". Dubois", "Dubois"),
            ("M", " Dubois", ""),
            ("mr", " Dubois", ""),
            ("Herr", " Dr. Weber", ""),
            ("Sir", " Lancelot", ""),
            ("MS", " Windows", ""),
            ("Ms", " Windows", "Windows"),
            ("Dr", ". who", ""),
        ] {
            let text = format!("{title}{rest}");
            assert_eq!(cut(&text, after_title(&text, 0, title.len())), name, "{text}");
        }
    }

    #[test]
    fn encoded_names_stand_before_addresses() {
        let text = "To: =?utf-8?B?TWFyaWU=?= <m@example.org>";
        assert_eq!(cut(text, before_bracket(text, 25)), "=?utf-8?B?TWFyaWU=?=");
    }

    #[test]
    fn names_stand_before_addresses() {
        for (head, name) in [
            ("From: Marie Dubois ", "Marie Dubois"),
            ("Cc: a@example.org, Bob Ray ", "Bob Ray"),
            ("To: Gorlitz, Franz-Josef ", "Gorlitz, Franz-Josef"),
            ("From: \"Dubois, Marie (Sales)\" ", ""),
            ("From: \"Marie Dubois\" ", "Marie Dubois"),
            ("please mail Marie Dubois ", "Marie Dubois"),
            ("please mail ", ""),
            ("('Ka-Ping Yee ", "Ka-Ping Yee"),
            ("Seán O'Brien ", "Seán O'Brien"),
            ("", ""),
        ] {
            let text = format!("{head}<m@example.org>");
            assert_eq!(cut(&text, before_bracket(&text, head.len())), name, "{text}");
        }
    }

    #[test]
    fn letters_and_quotes_name_their_writers() {
        let text = "Best regards,\n\nMarie Dubois\nAcme";
        assert_eq!(cut(text, after_closing(text, 12)), "Marie Dubois");
        let text = "kind regards to all\nMarie Dubois";
        assert_eq!(cut(text, after_closing(text, 12)), "");
        let text = "> On 3 Mar 2026, Franz-Josef Gorlitz wrote:";
        assert_eq!(cut(text, before_wrote(text, 37, 42)), "Franz-Josef Gorlitz");
    }
}
