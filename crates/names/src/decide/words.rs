//! The words of a block, with what the lists know of each.
//!
//! In: a stretch of a text. Out: its words in order: letters with the apostrophes, dashes and dots inside, the dot of an
//! initial, no possessive ending. Invariant: each word is looked up once. Not here: which words are names.

use cloakgate_detect::{is_everyday_word, is_title};
use cloakgate_vocab::Span;

use super::context::is_small_english;
use crate::lists::{Lists, WordEvidence};

/// How a word is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Shape {
    /// `J`, `J.`
    Initial,
    /// `Marie`, `O'Neill`, `al-Sadr`
    Capital,
    /// `MARIE`
    Upper,
    /// `marie`
    Lower,
    /// Of a script without capitals.
    Uncased,
}

/// One word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Where it is in the text.
    pub(crate) span: Span,
    /// How it is written.
    pub(crate) shape: Shape,
    /// What the lists know.
    pub(crate) known: WordEvidence,
    /// A word of a language or of programs.
    pub(crate) everyday: bool,
    /// `Mrs`, `Herr`, `Senator`.
    pub(crate) title: bool,
    /// A small word of English: `my`, `the`.
    pub(crate) small: bool,
}

impl Word {
    /// Written as names are.
    pub(crate) const fn is_big(&self) -> bool {
        matches!(self.shape, Shape::Initial | Shape::Capital | Shape::Upper)
    }

    /// A given name.
    pub(crate) const fn is_given(&self) -> bool {
        self.known.given.is_some()
    }

    /// An everyday word, or one of programs, that is no name besides; a small word of a language is one that is no common
    /// given name.
    pub(crate) const fn is_plain(&self) -> bool {
        let function = self.known.everyday == 3 && !(self.is_given() && self.known.frequency >= 2);
        self.small || function || ((self.everyday || self.known.technical) && !self.known.is_name())
    }

    /// Speaks for a name elsewhere.
    pub(crate) fn speaks(&self, word: &str) -> bool {
        let common = self.known.everyday > 1 || (self.everyday && is_everyday_word(word));
        word.len() > 2 && !common && !self.title && self.is_big() && self.shape != Shape::Initial
    }
}

/// Offices and callings that stand before a name.
const OFFICES: &[&str] = &[
    "actor",
    "actress",
    "admiral",
    "artist",
    "attorney",
    "aunt",
    "auntie",
    "author",
    "bishop",
    "captain",
    "capt",
    "chairman",
    "chairwoman",
    "chef",
    "coach",
    "col",
    "colonel",
    "composer",
    "congressman",
    "congresswoman",
    "councillor",
    "deputy",
    "detective",
    "director",
    "drummer",
    "duke",
    "emperor",
    "father",
    "founder",
    "gen",
    "general",
    "gov",
    "governor",
    "guitarist",
    "inspector",
    "journalist",
    "judge",
    "justice",
    "king",
    "lady",
    "lieutenant",
    "lord",
    "lt",
    "major",
    "manager",
    "mayor",
    "minister",
    "musician",
    "officer",
    "painter",
    "player",
    "poet",
    "pope",
    "premier",
    "president",
    "prince",
    "princess",
    "producer",
    "professor",
    "queen",
    "rabbi",
    "rep",
    "reporter",
    "representative",
    "rev",
    "reverend",
    "saint",
    "secretary",
    "sen",
    "senator",
    "sergeant",
    "sgt",
    "sheikh",
    "shaikh",
    "singer",
    "sir",
    "sister",
    "brother",
    "striker",
    "uncle",
    "writer",
    "präsident",
    "kanzler",
    "kanzlerin",
    "ministre",
    "président",
    "presidente",
    "ministro",
    "ministra",
    "doutor",
    "doutora",
    "premijer",
    "predsjednik",
    "ministar",
    "statsminister",
];

/// Small words inside names.
const PARTICLES: &[&str] = &[
    "de", "da", "do", "dos", "das", "du", "des", "del", "della", "di", "la", "le", "van", "von", "der",
    "den", "ter", "ten", "bin", "ibn", "bint", "al", "el", "y", "af", "av", "zu", "zur",
];

/// True for a small word that stands inside names.
pub(crate) fn is_particle(word: &str) -> bool {
    PARTICLES.contains(&word)
}

/// The words of a stretch of a text.
pub(crate) fn words(text: &str, stretch: Span, lists: &Lists, found: &mut Vec<Word>) {
    let part = stretch.of(text).unwrap_or_default();
    let mut at = 0;
    while let Some((start, _)) =
        part.get(at..).and_then(|rest| rest.char_indices().find(|(_, c)| c.is_alphabetic()))
    {
        let start = at + start;
        let end = start + word_len(part.get(start..).unwrap_or_default());
        at = end.max(start + 1);
        let Some(word) = part.get(start..end) else { break };
        let bare = without_possessive(word);
        found.push(described(bare, Span::sized(stretch.start() + start, bare.len()), lists));
    }
}

fn described(word: &str, span: Span, lists: &Lists) -> Word {
    let plain = word.trim_end_matches('.');
    let mut known = lists.word(plain);
    // `Jean-Luc`, `Smith-Jones`: both parts are names.
    if !known.is_name() && known.everyday == 0 && plain.contains('-') {
        let parts = plain.split('-').map(|part| lists.word(part));
        if let Some(both) =
            parts.reduce(|one, other| if one.is_name() { other } else { one }).filter(WordEvidence::is_name)
        {
            known = both;
        }
    }
    let everyday = known.everyday > 0 || is_everyday_word(plain);
    let office = plain.len() <= 16 && OFFICES.iter().any(|office| plain.eq_ignore_ascii_case(office));
    let title = office || is_title(plain);
    Word { span, shape: shape(word), known, everyday, title, small: is_small_english(plain) && plain == word }
}

fn shape(word: &str) -> Shape {
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return Shape::Lower };
    let rest = chars.as_str();
    if first.is_uppercase() {
        if rest.is_empty() || rest == "." {
            return Shape::Initial;
        }
        return if rest.chars().any(char::is_lowercase) { Shape::Capital } else { Shape::Upper };
    }
    if !first.is_lowercase() {
        return Shape::Uncased;
    }
    // `al-Sadr`, `d'Orves`
    let capital = word
        .split_once(['-', '\'', '’'])
        .is_some_and(|(head, tail)| head.len() <= 4 && tail.starts_with(char::is_uppercase));
    if capital { Shape::Capital } else { Shape::Lower }
}

/// Length of the word at the start of the text.
fn word_len(text: &str) -> usize {
    let mut end = 0;
    let mut letters = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c.is_alphabetic() || (end > 0 && is_mark(c)) {
            end = at + c.len_utf8();
            letters += 1;
            continue;
        }
        let joined = matches!(c, '\'' | '’' | '-' | '‐' | '.')
            && chars.peek().is_some_and(|(_, next)| next.is_alphabetic());
        // `J.K`, but not `end.Next`
        let dot = c == '.' && letters > 1 && joined;
        if c == '.' && letters == 1 {
            end = at + 1;
            letters = 0;
        } else if dot || !joined {
            break;
        } else {
            letters = if c == '.' { 0 } else { letters };
        }
    }
    end
}

/// A mark that belongs to the letter before it.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{200c}' | '\u{200d}')
}

fn without_possessive(word: &str) -> &str {
    ["'s", "’s", "'S", "’S"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Span;

    use super::{Shape, words};
    use crate::lists::Lists;

    #[test]
    fn words_are_cut_as_names_are_written() {
        let lists = Lists::load().unwrap();
        let text = "J. K. O'Neill's al-Sadr, DUBOIS. m2 Jean-Luc (山)";
        let mut found = Vec::new();
        words(text, Span::sized(0, text.len()), &lists, &mut found);
        let shown: Vec<_> = found.iter().map(|word| (word.span.of(text).unwrap(), word.shape)).collect();
        let expected = [
            ("J.", Shape::Initial),
            ("K.", Shape::Initial),
            ("O'Neill", Shape::Capital),
            ("al-Sadr", Shape::Capital),
            ("DUBOIS", Shape::Upper),
            ("m", Shape::Lower),
            ("Jean-Luc", Shape::Capital),
            ("山", Shape::Uncased),
        ];
        assert_eq!(shown, expected);
    }
}
