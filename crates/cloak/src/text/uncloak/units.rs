//! A text as units that compare whole: words, single letters of scripts that set no blanks, blanks, marks.
//!
//! In: a text. Out: units in order, each with a keyed hash of its folded form. Invariant: `Ann` is no unit of
//! `Annual`; a unit is the same in any case, with any hyphen, quote or blank, and whether or not emphasis, escapes or
//! invisible characters stand around or inside it. Not here: what units mean.

use std::hash::Hasher;

use siphasher::sip::SipHasher24;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

mod letters;

use letters::{Letter, Letters, is_unsegmented};

/// What a unit is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Class {
    /// A run of letters and digits.
    Word,
    /// One letter of a script that sets no blanks between words.
    Glyph,
    /// Blanks on a line.
    Blank,
    /// The end of one line, or of several.
    Break,
    /// Any other character; runs of `*` and `#` are one.
    Mark(char),
}

/// One unit of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) hash: u64,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) class: Class,
}

impl Unit {
    /// The unit as it stands in the text.
    pub(crate) fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// True for the start of what a reader takes for a word.
    pub(crate) fn is_word(&self) -> bool {
        matches!(self.class, Class::Word | Class::Glyph)
    }
}

/// The units of a text. `words` is a hasher under the session's key.
pub(crate) fn units(text: &str, words: &SipHasher24) -> Vec<Unit> {
    let mut list = Vec::with_capacity(text.len() / 3);
    let (blank, line) = (hash(" ", words), hash("\n", words));
    let mut letters = Letters::of(text);
    let mut folded = String::new();
    loop {
        folded.clear();
        if let Some(word) = letters.plain_word() {
            folded.push_str(text.get(word.clone()).unwrap_or_default());
            let hash = hash_word(&mut folded, words);
            list.push(Unit { hash, start: word.start, end: word.end, class: Class::Word });
            continue;
        }
        let Some(letter) = letters.next() else { return list };
        folded.push(letter.folded);
        let class = class(letter.folded);
        let mut end = letter.end;
        while let Some(next) = letters.next_if(|next| goes_on(class, next)) {
            folded.push(next.folded);
            end = next.end;
        }
        if class == Class::Mark('*') && folded.len() <= MAX_EMPHASIS {
            continue;
        }
        let hash = match class {
            Class::Blank => blank,
            Class::Break => line,
            _ => hash_word(&mut folded, words),
        };
        list.push(Unit { hash, start: letter.start, end, class });
    }
}

/// As many stars are emphasis.
const MAX_EMPHASIS: usize = 3;

/// A text as a reader sees it, escapes read and what is invisible left out.
pub(crate) fn seen(text: &str) -> String {
    Letters::of(text).map(|letter| letter.folded).collect()
}

fn class(letter: char) -> Class {
    match letter {
        ' ' => Class::Blank,
        '\n' => Class::Break,
        _ if is_unsegmented(letter) => Class::Glyph,
        _ if letter.is_alphanumeric() => Class::Word,
        _ => Class::Mark(letter),
    }
}

fn goes_on(class: Class, next: &Letter) -> bool {
    let letter = next.folded;
    match class {
        Class::Word => {
            (letter.is_alphanumeric() && !is_unsegmented(letter))
                || (!letter.is_ascii() && is_combining_mark(letter))
        }
        Class::Glyph => false,
        Class::Blank => letter == ' ',
        Class::Break => matches!(letter, ' ' | '\n'),
        Class::Mark(mark) => matches!(mark, '*' | '#') && letter == mark,
    }
}

fn hash_word(word: &mut str, words: &SipHasher24) -> u64 {
    if word.is_ascii() {
        word.make_ascii_lowercase();
        return hash(word, words);
    }
    let lower: String =
        word.chars().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).nfc().collect();
    hash(&lower, words)
}

fn hash(word: &str, words: &SipHasher24) -> u64 {
    let mut hasher = *words;
    hasher.write(word.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use siphasher::sip::SipHasher24;

    use super::units;

    fn hashes(text: &str) -> Vec<u64> {
        units(text, &SipHasher24::new()).iter().map(|unit| unit.hash).collect()
    }

    #[test]
    fn looks_fold() {
        for (a, b) in [
            ("Yuki Tanaka", "YUKI\u{a0}tanaka"),
            ("Yuki Tanaka", "Yuki  \t Tanaka"),
            ("Yuki Tanaka", "**Yuki** *Tanaka*"),
            ("Yuki Tanaka", "`Yuki` ~~Tanaka~~"),
            ("Yuki Tanaka", "Yu\u{ad}ki&nbsp;Tana\u{200b}ka"),
            ("{{NAME_2}}", "{{name\\_2}}"),
            ("[A1]", "\\[A1\\]"),
            ("30–44", "30-44"),
            ("Müller-Lüdenscheidt", "M\\u00fcller\u{2011}Lu\u{308}denscheidt"),
            ("O'Brien", "O’Brien"),
            ("****1111", "\\*\\*\\*\\*1111"),
            ("Ａｎｎ", "ann"),
            ("ΝΊΚΟΣ", "νίκος"),
        ] {
            assert_eq!(hashes(a), hashes(b), "{a} {b}");
        }
    }

    #[test]
    fn words_compare_whole() {
        assert_ne!(hashes("Annual")[0], hashes("Ann")[0]);
        assert_ne!(hashes("*****")[0], hashes("****")[0]);
        assert_eq!(hashes("PERSON_10").len(), 3);
        assert_eq!(hashes("田中さん").len(), 4);
        assert_eq!(hashes("a \n\n b").len(), 4, "blanks before an end of line stay by themselves");
    }

    #[test]
    fn units_lie_in_the_text() {
        for text in ["\\u00e9\\ud83d\\ude00 x", "\\", "\\u12", "&nbsp", "a\\nb", "\u{301}\u{301}", "**", ""] {
            let mut end = 0;
            for unit in units(text, &SipHasher24::new()) {
                assert!(
                    unit.start >= end && unit.end > unit.start && text.get(unit.start..unit.end).is_some(),
                    "{text}"
                );
                end = unit.end;
            }
        }
    }
}
