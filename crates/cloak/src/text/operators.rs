//! What stands for a value: one operator for each field.
//!
//! In: where a value stands, the text around it, the profile, the session. Out: the text that stands for it, over the
//! value or more of its line (`years old` goes with an age), or nothing where it stays. Invariant: a replacement
//! holds no line break and covers the value. Not here: finding values, splicing (`cloak`).

mod age;
mod custom;
mod date;
mod extended;
mod financial;
mod gender;
mod location;
mod medical;
mod name;
mod placeholder;
mod weight;

pub(crate) use extended::MASK;

use std::cell::OnceCell;

use cloakgate_vocab::{Category, Span};

use super::field::Field;
use super::language::Language;
use super::profile::{Profile, TermOption};
use super::session::TextSession;
use super::today::Today;
use crate::error::CloakError;

pub(crate) use age::age_alone;
pub(crate) use gender::PRONOUNS;
pub(crate) use name::prepare;
pub(crate) use weight::is_weight_alone;

/// How far operators look around a value, in bytes.
const LOOK_BYTES: usize = 64;

/// What a value is, as far as the category of a finding does not say it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum What {
    /// What the detectors say.
    Found(Category),
    /// Security code of a card.
    CardCode,
    /// Month and year in which a card expires.
    CardExpiry,
    /// Number that opens an account.
    Pin,
    /// `he`, `her`.
    Pronoun,
    /// One of the operator's own terms.
    Term(TermOption),
}

/// A value at its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot<'a> {
    /// The innermost text that it stands in, decoded.
    pub(crate) text: &'a str,
    /// Where, in bytes of that text; never over a line break.
    pub(crate) span: Span,
    /// The value, decoded from the view that it was found in.
    pub(crate) value: &'a str,
    /// What it is.
    pub(crate) what: What,
    /// Whose option counts.
    pub(crate) field: Field,
}

impl<'a> Spot<'a> {
    /// At most 64 bytes before the value on its line.
    pub(crate) fn before(&self) -> &'a str {
        let start = self.text.ceil_char_boundary(self.span.start().saturating_sub(LOOK_BYTES));
        let near = self.text.get(start..self.span.start()).unwrap_or_default();
        near.rsplit(['\n', '\r']).next().unwrap_or_default()
    }

    /// At most 64 bytes after the value on its line.
    pub(crate) fn after(&self) -> &'a str {
        let end = self.text.floor_char_boundary(self.span.end().saturating_add(LOOK_BYTES));
        let near = self.text.get(self.span.end()..end).unwrap_or_default();
        near.split(['\n', '\r']).next().unwrap_or_default()
    }

    /// The text from a place in the value on, up to 64 bytes behind the value on its line.
    pub(crate) fn ahead(&self, start: usize) -> &'a str {
        let end = self.text.floor_char_boundary(self.span.end().saturating_add(LOOK_BYTES));
        let near = self.text.get(start..end).unwrap_or_default();
        near.split(['\n', '\r']).next().unwrap_or_default()
    }

    /// The value as it is written in the text.
    pub(crate) fn written(&self) -> &'a str {
        self.span.of(self.text).unwrap_or_default()
    }
}

/// What is chosen for all values of a text.
#[derive(Debug)]
pub(crate) struct Choice<'a> {
    /// The profile.
    pub(crate) profile: &'a Profile,
    /// The day on which ages are counted.
    pub(crate) today: Today,
    text: &'a str,
    /// Told by the text with the first value that is put into words, which is seldom.
    language: OnceCell<Language>,
}

impl<'a> Choice<'a> {
    /// What a profile chooses on a day for the values of a text.
    pub(crate) fn new(profile: &'a Profile, today: Today, text: &'a str) -> Self {
        Self { profile, today, text, language: OnceCell::new() }
    }

    /// The language of the words that stand for values.
    fn language(&self) -> Language {
        *self.language.get_or_init(|| Language::of(self.text, self.profile.prompt_language))
    }
}

/// What stands for a value.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Replacement {
    /// Over what it stands, in bytes of the spot's text: the value or more of its line.
    pub(crate) span: Span,
    /// The text.
    pub(crate) text: String,
    /// True when it stands for this value alone in the session, which then has an entry of it; false for `adult`.
    pub(crate) unique: bool,
}

impl Replacement {
    /// A text that stands for this value alone, over the value.
    pub(crate) fn unique(spot: &Spot<'_>, text: String) -> Self {
        Self { span: spot.span, text, unique: true }
    }

    /// A text that may stand for other values, too, over the value.
    pub(crate) fn shared(spot: &Spot<'_>, text: impl Into<String>) -> Self {
        Self { span: spot.span, text: text.into(), unique: false }
    }

    /// The same over another span.
    pub(crate) fn over(self, span: Span) -> Self {
        Self { span, ..self }
    }
}

/// What an operator says of a value; `None` when it stays.
pub(crate) type Outcome = Result<Option<Replacement>, CloakError>;

/// A placeholder for the value, whatever its option.
pub(crate) fn placeholder_of(spot: &Spot<'_>, profile: &Profile, session: &mut TextSession) -> Outcome {
    placeholder::cloak(spot, extended::label(spot.what), profile, session)
}

/// Asks the operator of the value's field.
pub(crate) fn apply(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    if let What::Term(option) = spot.what
        && option != TermOption::Field
    {
        return custom::cloak(spot, option, choice, session);
    }
    if choice.profile.blocks(spot.field) {
        return Err(CloakError::Blocked(spot.field));
    }
    match spot.field {
        Field::Name => name::cloak(spot, choice, session),
        Field::Age => age::cloak(spot, choice, session),
        Field::Gender => gender::cloak(spot, choice, session),
        Field::Location => location::cloak(spot, choice, session),
        Field::Medical => medical::cloak(spot, choice, session),
        Field::Financial => financial::cloak(spot, choice, session),
        Field::Weight => weight::cloak(spot, choice, session),
        Field::Date => date::cloak(spot, choice, session),
        _ => extended::cloak(spot, choice, session),
    }
}
