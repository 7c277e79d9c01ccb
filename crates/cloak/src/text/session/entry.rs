//! What a session knows of one value: what it is, what stands for it, and the value.

use std::borrow::Cow;
use std::fmt;

use cloakgate_vocab::{Sensitive, Span};

use crate::text::Field;

/// What an entry stands for: an upper-case label, by which placeholders are numbered, too.
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Kind(Cow<'static, str>);

impl Kind {
    /// A person's whole name.
    pub const PERSON: Self = Self::of("NAME");
    /// A given name by itself.
    pub const GIVEN: Self = Self::of("NAME.FIRST");
    /// A family name by itself.
    pub const FAMILY: Self = Self::of("NAME.LAST");

    /// The kind with a label.
    #[must_use]
    pub const fn of(label: &'static str) -> Self {
        Self(Cow::Borrowed(label))
    }

    /// The kind with a label that is only known while running: an operator's own.
    #[must_use]
    pub fn named(label: impl Into<String>) -> Self {
        Self(Cow::Owned(label.into()))
    }

    /// The label.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.0
    }

    /// True for names of people, whole or in part.
    pub(crate) fn is_name(&self) -> bool {
        [Self::PERSON, Self::GIVEN, Self::FAMILY].contains(self)
    }
}

/// A value and what stands for it in this session. Never changes, but for being forgotten.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    pub(crate) field: Field,
    /// The canonical form: equal for all spellings of the value.
    pub(crate) identity: Sensitive,
    /// What the cloaked text says.
    pub(crate) shown: Box<str>,
    /// The value as its reader writes it (JSON escapes and the like are decoded).
    pub(crate) original: Sensitive,
    /// Nothing else in the session is shown like that, and no cloaked text held it by itself: it may be restored
    /// wherever it stands.
    pub(crate) unique: bool,
    /// The value is gone, the stand-in stays taken.
    pub(crate) forgotten: bool,
}

/// A value that is not in the session yet.
pub(crate) struct NewEntry<'a> {
    pub(crate) kind: Kind,
    pub(crate) field: Field,
    pub(crate) identity: &'a str,
    pub(crate) shown: &'a str,
    pub(crate) original: &'a str,
    pub(crate) unique: bool,
}

/// What stands at a place of a cloaked text instead of a value.
#[derive(Clone, Eq, PartialEq)]
pub(crate) struct Replaced {
    /// Where, in the cloaked text. May be empty where the original is dropped.
    pub(crate) at: Span,
    /// Exactly what stood there before, byte for byte.
    pub(crate) original: String,
    pub(crate) field: Field,
    /// False for a word that stands for several values or is an everyday word: `adult`, `France`, `*****`.
    pub(crate) unique: bool,
}

impl fmt::Debug for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replaced").field("at", &self.at).field("field", &self.field).finish_non_exhaustive()
    }
}
