//! The small network: spaCy's English entity recogniser (`en_core_web_md`), run natively.
//!
//! In: texts. Out: persons, places, organisations and groups in each. The network was trained on news, talk and web
//! text; it reads a word with four words on each side. Invariant: a text's answer depends on that text alone, not on
//! what is read with it; memory is bounded whatever a text's length, but for its answer. Not here: which mentions
//! become findings (`decide`).
//!
//! Texts pass as one stream of words, with empty rows between texts, a window after the other. What the network knows
//! of a word by itself is a third of the work and is kept for the words seen last.

mod classes;
mod data;
mod decoder;
mod ids;
mod layer;
mod network;
mod stream;
mod tokenizer;
mod words;

use std::fmt;
use std::hint::black_box;
use std::sync::{Mutex, PoisonError};

use cloakgate_vocab::Span;

use crate::NamesError;
use crate::integrity::check;
use crate::mention::{Kind, Mention};
use data::{Sections, strings};
use decoder::Entity;
use ids::Ids;
use network::Network;
use stream::{Desk, Stream, Voice};
use tokenizer::Tokenizer;
use words::{Vectors, Words};

const FILE: &str = "english.cnn";
static BYTES: &[u8] = include_bytes!("../data/english.cnn");
const HASH: &str = include_str!("../data/english.sha256");
/// Desks that are kept for later readers; more readers at once make their own.
const MAX_DESKS: usize = 8;

/// The recogniser of the small network. Readers may share it.
pub struct Cnn {
    tokenizer: Tokenizer,
    words: Words,
    network: Network,
    labels: Vec<&'static str>,
    /// The label of people.
    person: Option<usize>,
    desks: Mutex<Vec<Desk>>,
}

impl fmt::Debug for Cnn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cnn").finish_non_exhaustive()
    }
}

impl Cnn {
    /// The recogniser that is built in.
    ///
    /// # Errors
    /// When its file is not the one that this version was made with.
    pub fn load() -> Result<Self, NamesError> {
        // The compiler would look for what it can compute beforehand in ten megabytes.
        Self::of(black_box(BYTES)).ok_or(NamesError::Damaged { file: FILE })
    }

    fn of(file: &'static [u8]) -> Option<Self> {
        check(FILE, file, HASH).ok()?;
        Self::parse(file)
    }

    fn parse(file: &'static [u8]) -> Option<Self> {
        let mut sections = Sections::of(file)?;
        let mut next = || sections.next();
        let labels = strings(next()?)?;
        let ids = Ids::new(&strings(next()?)?);
        let norms = [next()?, next()?, next()?];
        let rules = [next()?, next()?, next()?];
        let layers = [next()?, next()?, next()?, next()?, next()?, next()?, next()?];
        let tables = [next()?, next()?, next()?, next()?];
        let vectors = Vectors::read(next()?, next()?, next()?)?;
        let words = Words::new(ids, norms, tables, vectors)?;
        let cnn = Self {
            tokenizer: Tokenizer::read(rules, &words)?,
            network: Network::read(layers, labels.len())?,
            words,
            person: labels.iter().position(|label| kind(label) == Some(Kind::Person)),
            labels,
            desks: Mutex::default(),
        };
        sections.is_done().then_some(cnn)
    }

    /// What a text names, in order, and the words that may be people, with how likely that is.
    pub(crate) fn read_with_doubts(&self, text: &str) -> (Vec<Mention>, Vec<Mention>) {
        let (mut mentions, mut doubts) = (Vec::new(), Vec::new());
        self.entities(&[text], |_, entity, voice| match voice {
            Voice::Entity => mentions.extend(self.mention(entity, 1.0)),
            Voice::Doubt(chance) => doubts.extend(self.mention(entity, chance)),
        });
        (mentions, doubts)
    }

    /// What a text names, in order.
    pub fn read(&self, text: &str) -> Vec<Mention> {
        self.read_many(&[text]).pop().unwrap_or_default()
    }

    /// What each text names. Many short texts at once cost little more than one text as long as all of them.
    pub fn read_many(&self, texts: &[&str]) -> Vec<Vec<Mention>> {
        let mut mentions = vec![Vec::new(); texts.len()];
        self.entities(texts, |text, entity, voice| {
            if let Some(mentions) = mentions.get_mut(text).filter(|_| voice == Voice::Entity) {
                mentions.extend(self.mention(entity, 1.0));
            }
        });
        mentions
    }

    fn mention(&self, entity: Entity, score: f32) -> Option<Mention> {
        let kind = self.labels.get(entity.label).and_then(|label| kind(label))?;
        Some(Mention { span: Span::new(entity.start, entity.end)?, kind, score })
    }

    /// Gives each entity, and each word that may be a person, with the number of its text.
    fn entities(&self, texts: &[&str], found: impl FnMut(usize, Entity, Voice)) {
        let kept = self.desks.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut desk = kept.unwrap_or_default();
        Stream::new(self, texts).read(&mut desk, found);
        let mut desks = self.desks.lock().unwrap_or_else(PoisonError::into_inner);
        if desks.len() < MAX_DESKS {
            desks.push(desk);
        }
    }
}

/// What a label of the network names, if it is of use.
fn kind(label: &str) -> Option<Kind> {
    match label {
        "PERSON" => Some(Kind::Person),
        "GPE" | "LOC" | "FAC" => Some(Kind::Place),
        "ORG" => Some(Kind::Organisation),
        "NORP" => Some(Kind::Group),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
