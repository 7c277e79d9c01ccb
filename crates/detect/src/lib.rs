//! Text to findings: one scan over the bytes proposes, checks decide.
//!
//! In: one string of a message with what is known about its place (key, kind, siblings). Out: findings sorted
//! by start that do not overlap. Invariant: the same input gives the same findings on every replica; cost is
//! linear in length and in findings. Not here: replacing text (`cloak`), I/O, clocks, randomness, logging of
//! matched text.

mod address;
mod beside;
mod beside_mail;
mod birth;
mod block;
mod call_arguments;
mod canonical;
mod cda;
mod cluster_secret;
mod code;
mod commands;
mod credentials;
mod edges;
mod edifact;
mod engine;
mod extended;
mod fields;
mod files;
pub mod gazetteer;
mod hash_filter;
mod hints;
mod hl7;
mod ids;
mod keys;
mod known;
mod letters;
mod lex;
mod lexicon;
mod lists;
mod named_lines;
mod named_value;
mod names;
mod negative;
mod number_words;
mod overlap;
mod own;
mod pass;
mod path;
mod people;
mod phone_list;
mod phrases;
mod placeholder;
mod reading;
mod recognise;
mod records;
mod recovery_codes;
mod secret_end;
mod seeds;
mod settings;
mod stamped;
mod stated;
mod structure;
mod swift;
mod table;
mod terms;
mod trace;
mod under;
mod vcard;
mod views;
mod vocabulary;
mod word_hash;
mod word_set;
mod work;

pub use beside::Names;
pub use birth::{DateParts, date_parts};
pub use canonical::canonical;
pub use edges::is_cut;
pub use engine::{Engine, Field, FieldKind};
pub use extended::age::{AgeUnit, age_tail, age_unit};
pub use extended::gender::is_of_a_thing;
pub use extended::medical::{MedicalKind, MedicalMeaning, is_chronic_category, medical_meaning};
pub use hints::Hints;
pub use keys::is_identifier_key;
pub use known::{KnownKey, KnownValue, KnownValues, Reach, admit};
pub use names::{NameReader, NameReading, ReadError};
pub use number_words::number_words;
pub use overlap::merge;
pub use path::{FieldPath, FieldPathError, Fields, PathState, Steps, Within};
pub use phrases::fold;
pub use reading::{
    KeySense, is_everyday_word, is_expression, is_firm_word, is_identifier, is_letter_word, is_name_alone,
    is_place, is_street_word, is_title, key_sense,
};
pub use records::Records;
pub use settings::{CategorySet, Settings};
pub use terms::Terms;
pub use trace::{Dropped, Explained, Reason, cue_before};
pub use views::PlainText;
