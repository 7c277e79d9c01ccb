//! What a key of the configuration is: name, shape, default, meaning.
//!
//! Invariant: the tables of keys are written once; the reader (`section`), the published schema (`schema`) and the
//! tests of the documents all go by them. Not here: which keys there are (`tables`).

/// One key of a table.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    pub(super) required: bool,
    /// As JSON text; `None` where it follows from another key.
    pub(super) default: Option<&'static str>,
    /// What it does, for the schema.
    pub(super) help: &'static str,
}

impl Key {
    pub(super) const fn new(name: &'static str, shape: Shape, help: &'static str) -> Self {
        Self { name, shape, required: false, default: None, help }
    }

    pub(super) const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self { required: true, ..self }
    }
}

/// What a value may look like.
pub(super) enum Shape {
    /// `true` or `false`.
    Flag,
    /// A text that is not empty and can be handed to the operating system.
    Text,
    /// A text that may be empty.
    AnyText,
    /// A name made of letters, digits, `-` and `_`, at most `MAX_PROFILE_BYTES` long.
    Profile,
    /// A whole number, both ends included.
    Integer(usize, usize),
    /// A number above 0, at most 1.
    Share,
    /// A SHA-256 in hexadecimal digits.
    Sha256,
    /// Seconds, or a text with a unit.
    Duration,
    /// One of these texts.
    Choice(fn() -> Vec<&'static str>),
    /// The name of a category, in any case.
    Category,
    /// A table with these keys.
    Table(&'static [Key]),
    /// A table whose keys are names.
    Names(Names, &'static Shape),
    /// A list of at most so many.
    List(&'static Shape, usize),
    /// A list of exactly two texts.
    Pair,
    /// Any of these.
    AnyOf(&'static [Shape]),
    /// A shape with a name of its own, for several keys.
    Shared(&'static str, &'static Shape),
}

/// What the keys of a table of names are.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Names {
    /// Servers; at least one.
    Upstreams,
    /// Tools, by the name that the server gives them.
    Tools,
    /// Categories.
    Categories,
    /// Environment variables.
    Variables,
    /// Labels of a model.
    Labels,
}

/// A setting that is one of a few words.
pub(super) trait Choice: Copy + 'static {
    /// The words, in the order in which they are shown.
    const WORDS: &'static [(&'static str, Self)];
}

/// The words of a choice.
pub(super) fn words<T: Choice>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}
