//! What the words of a name are: titles, given names, initials, family names.
//!
//! In: a name as it stands in a text. Out: its parts in order; what lies between them (blanks, commas, titles,
//! possessive endings) stays as it is. Invariant: parts are in order and do not overlap. Not here: what stands for them.

use cloakgate_detect::fold;
use cloakgate_vocab::Span;

use super::pools::Pools;

/// What a part of a name is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Role {
    Given,
    /// With the particles before it: `van der Berg`.
    Family,
    /// One letter.
    Initial,
}

/// A part of a name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Part {
    /// Where, in the name.
    pub(super) span: Span,
    /// What it is.
    pub(super) role: Role,
}

/// Words that stay: they say nothing of who it is.
const TITLES: &[&str] = &[
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "dr",
    "prof",
    "professor",
    "doctor",
    "sir",
    "madam",
    "lady",
    "lord",
    "rev",
    "fr",
    "capt",
    "captain",
    "col",
    "lt",
    "sgt",
    "judge",
    "hon",
    "herr",
    "frau",
    "hr",
    "fru",
    "dhr",
    "mevr",
    "meneer",
    "mevrouw",
    "monsieur",
    "madame",
    "mme",
    "mlle",
    "me",
    "maitre",
    "docteur",
    "senor",
    "senora",
    "senorita",
    "sr",
    "sra",
    "srta",
    "don",
    "dona",
    "doctora",
    "signor",
    "signora",
    "sig",
    "dott",
    "dottssa",
    "avv",
    "ing",
    "dipl",
    "pan",
    "pani",
    "mudr",
    "ingenieur",
    "bay",
    "bayan",
    "г н",
    "г жа",
    "господин",
    "госпожа",
    "пан",
    "пані",
    "jr",
    "snr",
    "ii",
    "iii",
    "iv",
    "phd",
    "md",
    "esq",
    "cpa",
    "rn",
    "mba",
    "dds",
    "haji",
    "sheikh",
    "shri",
    "smt",
    "mag",
];
const PARTICLES: &[&str] = &[
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "dos", "das", "do", "du", "des", "la",
    "le", "las", "los", "el", "al", "bin", "ibn", "bint", "ben", "abu", "af", "av", "zu", "ter", "ten",
    "vom", "zur", "st", "san", "mac", "mc", "y", "e", "ul", "o",
];
/// What is said behind names that are written without blanks.
const HONORIFICS: &[&str] = &[
    "さん",
    "様",
    "さま",
    "氏",
    "君",
    "くん",
    "ちゃん",
    "先生",
    "殿",
    "女士",
    "小姐",
    "先生",
    "씨",
    "님",
    "선생님",
    "군",
    "양",
];
/// Family names that stand first before a given name of two syllables: `Kim Min-jun`.
const EASTERN: &[&str] = &[
    "kim", "lee", "park", "choi", "jung", "jeong", "kang", "cho", "yoon", "jang", "lim", "han", "shin",
    "seo", "kwon", "wang", "li", "zhang", "chen", "liu", "yang", "huang", "zhao", "wu", "zhou", "xu", "sun",
    "ma", "zhu", "hu", "guo", "lin",
];
const TWO_SYLLABLES: &[&str] = &["남궁", "황보", "제갈", "사공", "선우", "서문", "독고", "동방"];

/// The parts of a name. Empty when there is no letter in it.
pub(super) fn parts(name: &str) -> Vec<Part> {
    let words = words(name);
    if let [word] = words.as_slice()
        && let Some(parts) = without_blanks(name, *word)
    {
        return parts;
    }
    let names: Vec<Span> =
        words.into_iter().filter(|word| !word.of(name).is_some_and(|word| is_one(word, TITLES))).collect();
    let comma = names.first().zip(names.get(1)).is_some_and(|(first, _)| {
        let rest = name.get(first.end()..).unwrap_or_default();
        let head = name.get(..name.len() - rest.len() + rest.find(',').unwrap_or(0)).unwrap_or_default();
        rest.contains(',') && names.iter().any(|word| word.start() > head.len())
    });
    let names = with_particles(name, &names);
    if comma { comma_parts(name, &names) } else { straight_parts(name, &names) }
}

/// Words of letters, with what stands inside them: `O'Neil`, `Jean-Pierre`.
fn words(name: &str) -> Vec<Span> {
    let inner = |c: char| c.is_alphabetic() || is_mark(c) || matches!(c, '\'' | '’' | '-' | '‐' | '‑');
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in name.char_indices().chain([(name.len(), ' ')]) {
        match (start, inner(c)) {
            (None, true) if c.is_alphabetic() => start = Some(at),
            (Some(from), false) => {
                start = None;
                words.extend(trimmed(name, from, at));
            }
            _ => {}
        }
    }
    words
}

/// A word without possessive ending and marks at its end.
fn trimmed(name: &str, start: usize, end: usize) -> Option<Span> {
    let word = name.get(start..end)?;
    let word = ["'s", "’s", "'S", "’S"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    let word = word.trim_end_matches(|c: char| !c.is_alphabetic() && !is_mark(c));
    (!word.is_empty()).then(|| Span::sized(start, word.len()))
}

/// Marks that belong to words of scripts such as Devanagari and Thai, or to decomposed letters.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x300..=0x36f | 0x5b0..=0x5c7 | 0x64b..=0x670 | 0x900..=0x903 | 0x93a..=0xdff | 0xe31..=0xe4e | 0x200c | 0x30fc)
}

fn is_one(word: &str, list: &[&str]) -> bool {
    list.contains(&fold(word).as_str())
}

/// Words with the particles before them joined to them: `van der Berg` is one.
fn with_particles(name: &str, words: &[Span]) -> Vec<(Span, bool)> {
    let mut joined: Vec<(Span, bool)> = Vec::new();
    let mut open: Option<Span> = None;
    for (place, word) in words.iter().enumerate() {
        let particle = word.of(name).is_some_and(|word| is_one(word, PARTICLES));
        let adjoins = |before: Span| {
            name.get(before.end()..word.start()).is_some_and(|gap| gap.chars().all(char::is_whitespace))
        };
        let first = place == 0 && word.of(name).is_some_and(|word| word.starts_with(char::is_uppercase));
        match open.take().filter(|before| adjoins(*before)) {
            Some(before) if particle => open = Some(before.union(*word)),
            Some(before) => joined.push((before.union(*word), true)),
            None if particle && place + 1 < words.len() && !first => open = Some(*word),
            None => joined.push((*word, false)),
        }
    }
    joined.extend(open.map(|word| (word, true)));
    joined
}

/// `Johnson, Alice M.`
fn comma_parts(name: &str, words: &[(Span, bool)]) -> Vec<Part> {
    let comma = name.find(',').unwrap_or(name.len());
    let role = |word: Span| match () {
        () if word.start() < comma => Role::Family,
        () if is_initial(name, word) => Role::Initial,
        () => Role::Given,
    };
    words.iter().map(|(word, _)| Part { span: *word, role: role(*word) }).collect()
}

/// `Alice M. Johnson`, `Kim Min-jun`, `Alice`.
fn straight_parts(name: &str, words: &[(Span, bool)]) -> Vec<Part> {
    let known = |word: Span| word.of(name).map(|word| Pools::get().known(word)).unwrap_or_default();
    let last = words.len().saturating_sub(1);
    let family_first = matches!(words, [(first, _), .., (last, _)] if {
        let eastern = first.of(name).is_some_and(|word| is_one(word, EASTERN))
            && last.of(name).is_some_and(|word| word.contains('-'));
        let (first, last) = (known(*first), known(*last));
        eastern || (first.surname() && !first.given() && last.given() && !last.surname())
    });
    let role = |place: usize, word: Span, particle: bool| {
        let known = known(word);
        match () {
            () if last > 0 && is_initial(name, word) => Role::Initial,
            () if last == 0 && !particle => {
                if known.rather_surname() || word.of(name).is_some_and(|word| word.starts_with("O'")) {
                    Role::Family
                } else {
                    Role::Given
                }
            }
            () if particle || (family_first && place == 0) => Role::Family,
            () if family_first => Role::Given,
            () if place == last => Role::Family,
            () if place > 0 && known.surname() && !known.given() => Role::Family,
            () => Role::Given,
        }
    };
    let parts = words.iter().enumerate();
    let parts =
        parts.map(|(place, (word, particle))| Part { span: *word, role: role(place, *word, *particle) });
    parts.collect()
}

/// One letter of a script that has initials.
fn is_initial(name: &str, word: Span) -> bool {
    word.of(name).is_some_and(|word| {
        let mut letters = word.chars();
        let one = letters.next().is_some_and(|c| c.is_uppercase() || c.is_lowercase());
        one && letters.next().is_none()
    })
}

/// Names in Chinese characters, kana and Hangul: the family name stands first.
fn without_blanks(name: &str, word: Span) -> Option<Vec<Part>> {
    let written = word.of(name)?;
    let east = |c: char| matches!(u32::from(c), 0x3040..=0x30ff | 0x3005 | 0x4e00..=0x9fff | 0xac00..=0xd7a3);
    if !written.chars().all(east) {
        return None;
    }
    let bare = HONORIFICS.iter().find_map(|honorific| written.strip_suffix(honorific));
    let written = bare.filter(|bare| !bare.is_empty()).unwrap_or(written);
    let ends: Vec<usize> = written.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    let hangul = written.starts_with(|c: char| matches!(u32::from(c), 0xac00..));
    let known = |end: usize| written.get(..end).is_some_and(|head| Pools::get().known(head).surname());
    let split = match ends.len() {
        0 | 1 => None,
        2 if !hangul && known(ends.last().copied().unwrap_or(0)) => None,
        _ if hangul => {
            let two = TWO_SYLLABLES.iter().any(|surname| written.starts_with(surname));
            ends.get(usize::from(two && ends.len() > 2)).copied()
        }
        count => ends
            .iter()
            .take(count - 1)
            .rev()
            .copied()
            .find(|end| known(*end))
            .or_else(|| ends.get(if count >= 4 { 1 } else { 0 }).copied()),
    };
    let whole = Span::sized(word.start(), written.len());
    Some(match split {
        Some(at) => vec![
            Part { span: Span::sized(word.start(), at), role: Role::Family },
            Part { span: Span::sized(word.start() + at, written.len() - at), role: Role::Given },
        ],
        None => {
            let known = Pools::get().known(written);
            vec![Part { span: whole, role: if known.rather_surname() { Role::Family } else { Role::Given } }]
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Role, parts};

    fn marked(name: &str) -> String {
        let parts = parts(name);
        let of = |role: Role| -> Vec<&str> {
            parts.iter().filter(|part| part.role == role).filter_map(|part| part.span.of(name)).collect()
        };
        [Role::Given, Role::Initial, Role::Family].map(|role| of(role).join("+")).join("/")
    }

    #[test]
    fn names_have_parts() {
        for (name, expected) in [
            ("Alice Johnson", "Alice//Johnson"),
            ("alice johnson", "alice//johnson"),
            ("Dr. Alice M. Johnson Jr.", "Alice/M/Johnson"),
            ("JOHNSON, Alice M.", "Alice/M/JOHNSON"),
            ("J. Smith", "/J/Smith"),
            ("Alice Johnson's", "Alice//Johnson"),
            ("Tanaka’s", "//Tanaka"),
            ("Jean-Pierre Dupont", "Jean-Pierre//Dupont"),
            ("Jan van der Berg", "Jan//van der Berg"),
            ("van der Berg, Jan", "Jan//van der Berg"),
            ("María García López", "María//García+López"),
            ("Kim Min-jun", "Min-jun//Kim"),
            ("Иван Петров", "Иван//Петров"),
            ("И. С. Петров", "/И+С/Петров"),
            ("山田太郎", "太郎//山田"),
            ("山田太郎さん", "太郎//山田"),
            ("王小明", "小明//王"),
            ("김민준씨", "민준//김"),
            ("Alice", "Alice//"),
            ("Tanaka", "//Tanaka"),
            ("O'Neil", "//O'Neil"),
            ("Omar al-Farsi", "Omar//al-Farsi"),
            ("", "//"),
            ("--", "//"),
        ] {
            assert_eq!(marked(name), expected, "{name}");
        }
    }
}
