//! Puts the values back into a text that was cloaked, however it came back.
//!
//! In: a text, the session it was cloaked in, how far to go. Out: the text with values, and how many places were
//! restored, masked, withheld and left. Invariant: a place is restored to the value that stood there, or left; a value that
//! its reader may not see is never written; what was restored is never looked at again. Cost is linear in the text and the
//! session. Not here: who the reader is.

use std::fmt;

use crate::text::TextSession;
use crate::text::session::Replaced;
use crate::text::session::record::{Fact, Place, Sentence};

pub use self::access::Access;
use self::edits::{Put, apply};
use self::items::{What, items, sentences};
use self::lookup::Lookup;
use self::owners::Reading;
use self::told::{Told, told};
use self::units::units;

mod access;
mod beside;
mod case;
mod edits;
mod items;
mod known;
pub(crate) mod lines;
mod lookup;
mod owners;
mod speech;
mod told;
pub(crate) mod trie;
mod unchanged;
pub(crate) mod units;
mod whose;
mod words;

/// How far restoring goes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Mode {
    /// What is certain: unchanged texts and lines, and stand-ins that stand for one value only.
    Strict,
    /// Everyday words too (`adult`, `France`), where what stands beside them says whose they are.
    #[default]
    Lenient,
}

/// A text with its values back.
#[derive(Clone, Eq, PartialEq)]
pub struct Uncloaked {
    /// The text.
    pub text: String,
    /// How many places were restored.
    pub restored: u32,
    /// How many places show a mask of the value.
    pub masked: u32,
    /// How many stand-ins were left because the reader may not see their values.
    pub withheld: u32,
    /// How many words stand in the text that the session shows for values, and that nothing says the value of.
    pub unresolved: u32,
}

impl fmt::Debug for Uncloaked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Uncloaked")
            .field("restored", &self.restored)
            .field("masked", &self.masked)
            .field("withheld", &self.withheld)
            .field("unresolved", &self.unresolved)
            .finish_non_exhaustive()
    }
}

/// Puts the values of a session back into a text.
#[must_use]
pub fn uncloak(text: &str, session: &TextSession, mode: Mode) -> Uncloaked {
    uncloak_for(Access::EVERYTHING, text, session, mode)
}

/// Puts back the values of a session that a reader may see.
#[must_use]
pub fn uncloak_for(access: Access, text: &str, session: &TextSession, mode: Mode) -> Uncloaked {
    let mut edits = unchanged::whole(text, session, access).unwrap_or_else(|| {
        let mut lines = unchanged::lines(text, session, access);
        let mut words = words::restore(text, session, (mode, access), &lines);
        lines.edits.append(&mut words);
        lines.edits
    });
    edits.sort_by_key(|edit| edit.range.start);
    let count = |is_counted: fn(&Put) -> bool| {
        let count = edits.iter().filter(|edit| is_counted(&edit.put)).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    };
    Uncloaked {
        restored: count(|put| matches!(put, Put::Value(_))),
        masked: count(|put| matches!(put, Put::Mask(_))),
        withheld: count(|put| matches!(put, Put::Withheld)),
        unresolved: count(|put| matches!(put, Put::Unknown)),
        text: apply(text, &edits),
    }
}

/// Stand-ins of earlier texts in a text that was cloaked again.
pub(crate) fn passed_through(session: &TextSession, cloaked: &str) -> Vec<Replaced> {
    if session.recorded_entries() == 0 { Vec::new() } else { words::known_before(cloaked, session) }
}

/// The sentences of a cloaked text that hold a word that stands for several values, with what stood there.
pub(crate) fn sentences_of(session: &TextSession, cloaked: &str, places: &[Place]) -> Vec<Sentence> {
    if session.labels().is_empty() {
        return Vec::new();
    }
    let lookup = Lookup::new(session);
    let units = units(cloaked, session.words());
    let items = items(&units, &lookup.matches(&units, cloaked), &lookup, cloaked);
    let reading = Reading { text: cloaked, units: &units, items: &items, lookup: &lookup };
    let mut places = places.iter().filter(|place| !place.unique && place.len > 0).peekable();
    let mut recorded = Vec::new();
    for told in told(reading, sentences(&items, &units, cloaked)) {
        let mut facts = Vec::new();
        for owned in &told.owned {
            let Some((item, word)) = items.get(owned.item).zip(told.word(owned.item)) else { continue };
            let What::Fact(pattern) = item.what else { continue };
            let start = units.get(item.first).map_or(0, |unit| unit.start);
            let end = units.get(item.after.wrapping_sub(1)).map_or(0, |unit| unit.end);
            while places.next_if(|place| place.range().end <= start).is_some() {}
            let place = places.peek().filter(|place| place.range().start < end);
            let label = place.and_then(|place| session.label(cloaked.get(place.range())?));
            let Some(label) = label.or_else(|| lookup.any_label(pattern)) else { continue };
            facts.push(Fact {
                word: u32::try_from(word).unwrap_or(u32::MAX),
                label,
                value: place.map(|place| place.value),
                owners: owned.owners.clone(),
            });
        }
        if !facts.is_empty() {
            let Told { hash, before, previous, after, .. } = told;
            recorded.push(Sentence { hash, before, previous, after, words: told.words, facts });
        }
    }
    recorded
}

#[cfg(test)]
mod tests;
