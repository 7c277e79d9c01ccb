//! Takes down one cloaked text.
//!
//! In: the cloaked text, what was replaced in it. Out: a record in the session. Not here: what the record is for.

use std::ops::Range;

use cloakgate_vocab::Sensitive;

use super::record::{Line, Place, Record};
use super::{MAX_TEXTS, Replaced, SessionError, TextSession, Value};
use crate::text::uncloak::lines::{core, lines};
use crate::text::uncloak::{passed_through, sentences_of};

/// How many bytes of a line beside its places tell it from others.
const TELLING_BYTES: usize = 12;

impl TextSession {
    /// Remembers what was replaced where in a cloaked text. Whoever writes a unique stand-in adds its entry first. A
    /// stand-in of an earlier text that stands in this one, too, is taken for its value.
    ///
    /// # Errors
    /// When the places do not lie in the text in order and apart, or a limit is reached.
    pub(crate) fn record(&mut self, cloaked: &str, replaced: &[Replaced]) -> Result<(), SessionError> {
        if self.records.len() >= MAX_TEXTS {
            return Err(SessionError::Texts);
        }
        check(cloaked, replaced)?;
        let hash = self.text_hash(cloaked);
        if replaced.is_empty() && self.records.iter().any(|record| record.hash == hash) {
            return Ok(()); // cloaked again: what is known of it says more
        }
        let replaced = &with_known(replaced, passed_through(self, cloaked));
        let originals: usize = replaced.iter().map(|replaced| replaced.original.len() + 12).sum();
        self.grow(originals + 32)?;
        let mut places = Vec::with_capacity(replaced.len());
        for replaced in replaced {
            let text = Sensitive::new(replaced.original.as_str());
            let value = self.keep_value(Value { text, field: replaced.field, forgotten: false });
            let (start, len) = (small(replaced.at.start())?, small(replaced.at.len())?);
            places.push(Place { start, len, value, field: replaced.field, unique: replaced.unique });
            if !replaced.unique
                && let Some(label) = replaced.at.of(cloaked)
            {
                self.keep_label(Box::from(label));
            }
        }
        let lines = self.record_lines(cloaked, &places)?;
        self.grow(lines.len() * 24)?;
        let sentences = sentences_of(self, cloaked, &places);
        let words: usize =
            sentences.iter().map(|sentence| 18 + sentence.words.len() * 4 + sentence.facts.len() * 8).sum();
        self.grow(words)?;
        let line_count = small(cloaked.split('\n').count())?;
        self.recorded_entries = small(self.entries.len())?;
        self.records.push(Record { hash, line_count, places, lines, sentences });
        Ok(())
    }

    /// The lines of a text that hold a place.
    fn record_lines(&self, cloaked: &str, places: &[Place]) -> Result<Vec<Line>, SessionError> {
        let mut recorded = Vec::new();
        let mut first = 0;
        for (number, line) in lines(cloaked).enumerate() {
            let core = core(cloaked, line);
            let rest = places.get(first..).unwrap_or_default();
            let count = rest.iter().take_while(|place| place.range().end <= core.end).count();
            let inside = rest.get(..count).unwrap_or_default();
            if count > 0 && inside.iter().all(|place| core.start <= place.range().start) {
                let text = cloaked.get(core.clone()).ok_or(SessionError::Places)?;
                let replaced: usize = inside.iter().map(|place| place.len as usize).sum();
                recorded.push(Line {
                    number: small(number)?,
                    hash: self.line_hash(text),
                    start: small(core.start)?,
                    first: small(first)?,
                    count: small(count)?,
                    telling: inside.iter().any(|place| place.unique && place.len > 0)
                        || text.len().saturating_sub(replaced) >= TELLING_BYTES,
                });
            }
            first += count;
        }
        Ok(recorded)
    }
}

impl Place {
    /// Where it is in the text.
    pub(crate) fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.len as usize
    }
}

fn check(cloaked: &str, replaced: &[Replaced]) -> Result<(), SessionError> {
    let mut end = 0;
    for replaced in replaced {
        if replaced.at.start() < end || replaced.at.of(cloaked).is_none() {
            return Err(SessionError::Places);
        }
        end = replaced.at.end();
    }
    Ok(())
}

/// What was replaced, with stand-ins that stood in the text already where nothing was.
fn with_known(replaced: &[Replaced], known: Vec<Replaced>) -> Vec<Replaced> {
    let mut all = replaced.to_vec();
    for known in known {
        let after = replaced.partition_point(|replaced| replaced.at.end() <= known.at.start());
        if replaced.get(after).is_none_or(|replaced| known.at.end() <= replaced.at.start()) {
            all.push(known);
        }
    }
    all.sort_by_key(|replaced| (replaced.at.start(), replaced.at.end()));
    all
}

fn small(size: usize) -> Result<u32, SessionError> {
    u32::try_from(size).map_err(|_| SessionError::Bytes)
}
