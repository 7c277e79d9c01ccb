//! The words of a text in scripts with capitals, with what the lists and their endings say of them.
//!
//! In: a text. Out: words in order; a comma is one of its own. Invariant: one look-up a word with a capital, two for
//! one with a hyphen.

use super::Letters;
use super::endings::{Endings, endings};
use crate::lists::{Lists, Role, RoleSet, WordEvidence};

/// Longest word that may be part of a name, in bytes.
const MAX_BYTES: usize = 48;

/// How a word is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// One capital letter with a full stop.
    Initial,
    /// With a capital letter.
    Capital,
    /// In small letters.
    Small,
    /// Anything else that no name goes over.
    Other,
}

/// A word of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) form: Form,
    pub(super) evidence: WordEvidence,
    pub(super) roles: RoleSet,
    /// It has the ending of a surname.
    pub(super) ending: bool,
    /// It has an ending of a surname that other words have, too.
    pub(super) perhaps: bool,
    pub(super) patronymic: bool,
    /// It has the ending of a thing.
    pub(super) thing: bool,
    /// The next word follows after one blank, or after the full stop of an initial.
    pub(super) joined: bool,
    /// Nothing stands before it in its line or cell.
    pub(super) begins_line: bool,
    /// A sentence ends before it.
    pub(super) begins_sentence: bool,
    pub(super) comma: bool,
}

impl Word {
    /// It means something else than a person.
    pub(super) const fn means_else(&self) -> bool {
        let known = self.evidence;
        known.technical
            || known.everyday >= 2
            || known.place
            || known.everyday == 1 && !(known.is_name() && known.frequency >= 1)
            || self.thing && !known.is_name()
    }

    /// The lists or its ending say that it is a surname.
    pub(super) const fn surname_like(&self) -> bool {
        self.evidence.surname || self.ending || self.perhaps
    }

    /// A name may begin with it.
    pub(super) const fn can_begin(&self) -> bool {
        match self.form {
            Form::Initial => true,
            Form::Capital => self.evidence.is_name() || !self.means_else(),
            Form::Small | Form::Other => false,
        }
    }

    /// A name may go on with it.
    pub(super) const fn can_follow(&self) -> bool {
        let known = self.evidence;
        if known.surname || self.ending {
            known.everyday < 3
        } else {
            known.given.is_some() || !self.means_else()
        }
    }

    /// Nothing is known of it.
    pub(super) const fn is_unknown(&self) -> bool {
        matches!(self.form, Form::Capital) && !self.evidence.is_name() && !self.ending && !self.patronymic
    }

    /// A word for an institution or a street that is called by the name before it.
    pub(super) const fn is_institution(&self) -> bool {
        matches!(self.form, Form::Capital) && self.roles.has(Role::Institution)
    }

    /// A word for an institution or a street that is called by the name after it.
    pub(super) const fn is_institution_before(&self) -> bool {
        matches!(self.form, Form::Capital) && self.roles.has(Role::Street)
    }

    /// A small word within a name.
    pub(super) const fn is_particle(&self) -> bool {
        matches!(self.form, Form::Small) && self.roles.has(Role::Particle)
    }
}

/// The words of a text.
pub(super) fn words(text: &str, letters: Letters, lists: &Lists) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut characters = text.char_indices().peekable();
    let mut before = None;
    let mut begins_line = true;
    let mut stopped = false;
    while let Some((start, c)) = characters.next() {
        if !c.is_alphanumeric() {
            if c == ',' {
                words.push(Word::other(start, start + 1, true));
            }
            begins_line = matches!(c, '\n' | '\t' | '"' | '|' | '>' | ';')
                || begins_line && matches!(c, ' ' | '-' | '*');
            stopped |= matches!(c, '.' | '!' | '?');
            before = Some(c);
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some((at, next)) = characters.peek().copied() {
            let inner = matches!(next, '-' | '\'' | '’' | '_' | '\u{301}')
                && text
                    .get(at + next.len_utf8()..)
                    .is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
            if !next.is_alphanumeric() && !inner {
                break;
            }
            end = at + next.len_utf8();
            characters.next();
        }
        let after = text.get(end..).unwrap_or_default();
        let code = before
            .is_some_and(|c| matches!(c, '@' | '/' | '\\' | '_' | '.' | '#' | '$' | '=' | '-' | '&' | '%'))
            && !(before == Some('.') && words.last().is_some_and(|word| word.form == Form::Initial))
            || after.starts_with(['_', '@', '(', '=', '/', '\\'])
            || after.starts_with("::");
        let mut word = Word::read(text, start, end, (letters, lists));
        if code {
            word.form = Form::Other;
        }
        word.begins_line = begins_line;
        word.begins_sentence = stopped;
        stopped = false;
        word.joined = joined(after, word.form, end - start <= 5);
        words.push(word);
        begins_line = false;
        before = None;
    }
    words
}

/// Whether what follows a word joins it with the next.
fn joined(after: &str, form: Form, short: bool) -> bool {
    let after = match form {
        Form::Initial => match after.strip_prefix('.') {
            Some(rest) if rest.starts_with(|c: char| c.is_uppercase()) || rest.starts_with('-') => {
                return true;
            }
            Some(rest) => rest,
            None => after,
        },
        // `Dr. Anna`: forms of address are written with a full stop.
        _ if short => after.strip_prefix('.').unwrap_or(after),
        _ => after,
    };
    after.strip_prefix([' ', '\u{a0}']).is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

impl Word {
    const fn other(start: usize, end: usize, comma: bool) -> Self {
        Self {
            start,
            end,
            form: Form::Other,
            evidence: WordEvidence {
                given: None,
                surname: false,
                frequency: 0,
                everyday: 0,
                technical: false,
                place: false,
                culture: 0,
            },
            roles: RoleSet::NONE,
            ending: false,
            perhaps: false,
            patronymic: false,
            thing: false,
            joined: false,
            begins_line: false,
            begins_sentence: false,
            comma,
        }
    }

    fn read(text: &str, start: usize, end: usize, (letters, lists): (Letters, &Lists)) -> Self {
        let written = text.get(start..end).unwrap_or_default();
        let mut word = Self::other(start, end, false);
        let possessive = written.strip_suffix("'s").or_else(|| written.strip_suffix("’s"));
        let written = possessive.unwrap_or(written);
        word.end = start + written.len();
        let mut rest = written.chars();
        let Some(first) = rest.next().filter(|c| letters.have(*c) && written.len() <= MAX_BYTES) else {
            return word;
        };
        word.roles = lists.roles().of(written);
        if first.is_lowercase() {
            word.form = if written.chars().all(|c| c.is_alphabetic() || c == '\'') {
                Form::Small
            } else {
                Form::Other
            };
            return word;
        }
        if rest.next().is_none() {
            let stop = text.get(word.end..).is_some_and(|rest| rest.starts_with('.'));
            word.form = if stop { Form::Initial } else { Form::Other };
            return word;
        }
        if written.chars().any(|c| c.is_numeric() || c == '_') || is_camel(written) || is_shouted(written) {
            return word;
        }
        word.form = Form::Capital;
        word.evidence = lists.word(written);
        if word.evidence == WordEvidence::default()
            && let Some((one, two)) = written.split_once('-')
        {
            let (one, two) = (lists.word(one), lists.word(two));
            word.evidence = WordEvidence { given: one.given, surname: one.surname || two.surname, ..two };
        }
        if word.evidence == WordEvidence::default() {
            word.evidence = inflected(written, lists);
        }
        let Endings { surname, perhaps, patronymic, thing } = endings(written, lists);
        (word.ending, word.perhaps, word.patronymic, word.thing) = (surname, perhaps, patronymic, thing);
        word
    }
}

impl Letters {
    const fn have(self, c: char) -> bool {
        match self {
            Self::Latin => {
                c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}')
            }
            Self::Others => matches!(c, '\u{370}'..='\u{52f}' | '\u{1f00}'..='\u{1fff}'),
        }
    }
}

/// Endings of cases that names take in Slavic languages, and what stands there in the first case.
const CASES: &[(&str, &str)] = &[
    ("om", ""),
    ("em", ""),
    ("a", ""),
    ("u", ""),
    ("e", "a"),
    ("i", "a"),
    ("om", "a"),
    ("u", "a"),
    ("owi", ""),
    ("ovi", ""),
    ("ju", ""),
    ("ja", ""),
    ("ом", ""),
    ("ем", "й"),
    ("а", ""),
    ("у", ""),
    ("ы", "а"),
    ("и", "а"),
    ("е", "а"),
    ("у", "а"),
    ("ой", "а"),
    ("я", "й"),
    ("ю", "й"),
    ("я", "ь"),
    ("и", "я"),
    ("ою", "а"),
    ("ові", ""),
    ("і", "а"),
];

/// What is known of the first case of a word that is nothing as it stands.
fn inflected(word: &str, lists: &Lists) -> WordEvidence {
    let first_cases = CASES.iter().filter_map(|(ending, first)| {
        let stem = word.strip_suffix(ending).filter(|stem| stem.chars().nth(2).is_some())?;
        let known = lists.word(&format!("{stem}{first}"));
        (known.is_name() && !known.is_other()).then_some(WordEvidence { frequency: 0, ..known })
    });
    first_cases.max_by_key(|known| known.given.is_some()).unwrap_or_default()
}

/// Two capitals at the start: `UNESCO`, `UN-a`.
fn is_shouted(word: &str) -> bool {
    word.chars().take(2).filter(|c| c.is_uppercase()).count() == 2
}

/// A capital within a word, unless after a prefix or a hyphen: `userName`.
fn is_camel(word: &str) -> bool {
    let mut last = '-';
    word.char_indices().any(|(at, c)| {
        let inner = at > 0 && c.is_uppercase() && last.is_lowercase();
        let prefix =
            matches!(word.get(..at), Some("Mc" | "Mac" | "De" | "Di" | "La" | "Le" | "Du" | "Van" | "Fitz"));
        last = c;
        inner && !prefix
    })
}
