//! Endings of words that tell surnames, patronymics and things.
//!
//! In: one word. Out: whether it ends so. A word must be longer than its ending by two letters.

use crate::lists::{Lists, Role};

/// Longest ending, in letters.
const MAX_LETTERS: usize = 10;

/// How a word ends.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Endings {
    /// Like a surname and hardly anything else.
    pub(super) surname: bool,
    /// Like a surname, and other words as well.
    pub(super) perhaps: bool,
    /// Like the name after one's father.
    pub(super) patronymic: bool,
    /// Like a thing.
    pub(super) thing: bool,
}

/// How a word ends.
pub(super) fn endings(word: &str, lists: &Lists) -> Endings {
    let mut endings = Endings::default();
    let letters = word.chars().count();
    let longest = letters.saturating_sub(2).min(MAX_LETTERS);
    for (at, _) in word.char_indices().skip(letters - longest) {
        let roles = lists.roles().of(word.get(at..).unwrap_or_default());
        endings.surname |= roles.has(Role::EndingSurname);
        endings.perhaps |= roles.has(Role::EndingPerhaps);
        endings.patronymic |= roles.has(Role::EndingPatronymic);
        endings.thing |= roles.has(Role::EndingThing);
    }
    endings.thing &= !endings.surname;
    endings.surname &= !endings.perhaps;
    endings
}
