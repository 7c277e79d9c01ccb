//! Words of names that stand elsewhere in the message.
//!
//! In: the names of a message, one after another. Out: whether all words of another are among theirs. Not here: what
//! that is worth (`weights`).

use std::collections::HashSet;

use cloakgate_vocab::{Category, Finding};

use super::words::{self, Word};
use crate::lists::Lists;

/// Where words stand that stand here, too.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Elsewhere {
    /// In names that are sure.
    Sure,
    /// In names that count, but are not sure.
    Perhaps,
}

/// The words of all names of a message.
#[derive(Debug)]
pub(super) struct Known {
    sure: HashSet<String>,
    perhaps: HashSet<String>,
}

impl Known {
    /// Those that are sure from the beginning.
    pub(super) fn new(sure: HashSet<String>) -> Self {
        Self { sure, perhaps: HashSet::new() }
    }

    /// Adds the words of a name.
    pub(super) fn add(&mut self, how: Elsewhere, words: &[String]) {
        let known = match how {
            Elsewhere::Sure => &mut self.sure,
            Elsewhere::Perhaps => &mut self.perhaps,
        };
        known.extend(words.iter().cloned());
    }

    /// Where all of these words stand; `None` where one does not, or there are none.
    pub(super) fn holds(&self, words: &[String]) -> Option<Elsewhere> {
        if words.is_empty() {
            None
        } else if words.iter().all(|word| self.sure.contains(word)) {
            Some(Elsewhere::Sure)
        } else {
            let known = |word: &String| self.sure.contains(word) || self.perhaps.contains(word);
            words.iter().all(known).then_some(Elsewhere::Perhaps)
        }
    }
}

/// The words of a name that speak for it elsewhere: no initials, no everyday words.
pub(super) fn speaking(text: &str, words: &[Word]) -> Vec<String> {
    let speaks = |word: &Word| word.span.of(text).filter(|part| word.speaks(part)).map(str::to_lowercase);
    words.iter().filter_map(speaks).collect()
}

/// The words of the people that the rules found.
pub(crate) fn known_words(text: &str, found: &[Finding], lists: &Lists, known: &mut HashSet<String>) {
    let mut inner = Vec::new();
    for finding in found.iter().filter(|finding| finding.category == Category::Person) {
        for piece in &finding.pieces {
            inner.clear();
            words::words(text, *piece, lists, &mut inner);
            known.extend(speaking(text, &inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Elsewhere, Known};

    #[test]
    fn words_are_known_when_all_of_them_are() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let mut known = Known::new(words(&["dubois"]).into_iter().collect());
        known.add(Elsewhere::Perhaps, &words(&["citrine"]));
        known.add(Elsewhere::Sure, &words(&["marie"]));
        for (name, expected) in [
            (&["marie", "dubois"][..], Some(Elsewhere::Sure)),
            (&["dubois", "citrine"], Some(Elsewhere::Perhaps)),
            (&["marie", "brzyk"], None),
            (&[], None),
        ] {
            assert_eq!(known.holds(&words(name)), expected, "{name:?}");
        }
    }
}
