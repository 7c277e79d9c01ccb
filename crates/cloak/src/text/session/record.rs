//! What a session remembers of one cloaked text: where something stands instead of a value, and keyed hashes by
//! which the text, its lines and its sentences are known again. The text itself is not kept.

use crate::text::Field;

/// One cloaked text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Record {
    /// Keyed hash of the whole text.
    pub(crate) hash: u64,
    /// Places in order, apart from each other.
    pub(crate) places: Vec<Place>,
    /// Lines that hold a place, in order.
    pub(crate) lines: Vec<Line>,
    /// How many lines the text has.
    pub(crate) line_count: u32,
    /// Sentences that hold a word that stands for several values.
    pub(crate) sentences: Vec<Sentence>,
}

/// Where something stands instead of a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Place {
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// Index in the session's values.
    pub(crate) value: u32,
    pub(crate) field: Field,
    pub(crate) unique: bool,
}

/// One line without its indent, bullet and trailing blanks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Line {
    /// How many lines come before.
    pub(crate) number: u32,
    /// Keyed hash of the line's core.
    pub(crate) hash: u64,
    /// Where the core starts in the text.
    pub(crate) start: u32,
    /// Its first place, and how many it has.
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// True when the line can be known again by itself: a unique stand-in, or several words beside the places.
    pub(crate) telling: bool,
}

/// One sentence, by the words in it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Sentence {
    /// Keyed hash of its words, and of the sentences before from the last one on that names somebody.
    pub(crate) hash: u64,
    pub(crate) before: u64,
    /// Keyed hash of the sentence right before.
    pub(crate) previous: u64,
    /// Keyed hash of the sentences after, up to the next one that names somebody.
    pub(crate) after: u64,
    /// The words, a word of a fact being one: keyed hashes.
    pub(crate) words: Vec<u32>,
    pub(crate) facts: Vec<Fact>,
}

/// A word in a sentence that stands, or could stand, for several values.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Fact {
    /// Which word of the sentence.
    pub(crate) word: u32,
    /// Index in the session's labels.
    pub(crate) label: u32,
    /// Index in the session's values; `None` for a word that the text had by itself.
    pub(crate) value: Option<u32>,
    /// The people whom it may speak of: entries. One, when it is known.
    pub(crate) owners: Vec<u32>,
}
