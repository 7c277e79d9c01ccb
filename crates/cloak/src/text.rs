//! Cloaks texts for a service: each kind of value by the option that was chosen for it, exactly restorable.
//!
//! In: a text, a profile, a finder, the session's memory, today's date. Out: the cloaked text, and a session that
//! restores it. Pure: no clock, no randomness, no I/O. Invariant: a text in which nothing is found stays byte for
//! byte; the count and order of lines stay; JSON stays JSON. Not here: storing sessions, HTTP, JSON of settings.

mod candidate;
mod cloak;
mod field;
mod gender_words;
mod language;
mod numbers;
mod operators;
mod profile;
mod seek;
mod session;
mod today;
mod uncloak;

pub use cloak::{CloakedText, cloak};
pub use field::Field;
pub use profile::{
    AgeOption, Bucket, DateOption, Extended, ExtendedOption, FinancialLabel, FinancialOption, GenderOption,
    GenderPronouns, GenderStyle, KnowledgeBase, KnowledgeError, LocationOption, Marks, MedicalDetail,
    MedicalOption, NameCulture, NameGender, NameOption, OptionError, PlaceholderStyle, Profile,
    PromptLanguage, Quantity, Ranges, RangesError, RangesUnit, RegionKind, Reveal, Term, TermOption,
    TermText, WeightOption, WeightUnit,
};
pub use session::{Kind, MAX_ENTRIES, MAX_STATE_BYTES, MAX_TEXTS, SessionError, TextSession, canonical};
pub use today::Today;
pub use uncloak::{Access, Mode, Uncloaked, uncloak, uncloak_for};
