//! Takes down one cloaked text.
//!
//! In: the cloaked text, what was replaced in it. Out: a record in the session. Not here: what the record is for.

use std::ops::Range;

use cloakgate_vocab::Sensitive;

use super::keyed::{Domain, hash};
use super::record::{Line, Place, Record};
use super::{MAX_TEXTS, Replaced, SessionError, TextSession, Value};
use crate::text::uncloak::Uncloaked;
use crate::text::uncloak::lines::{core, lines};

/// How many bytes of a line beside its places tell it from others.
const TELLING_BYTES: usize = 12;

impl TextSession {
    /// Remembers what was replaced where in a cloaked text. Whoever writes a unique stand-in adds its entry first.
    ///
    /// # Errors
    /// When the places do not lie in the text in order and apart, or a limit is reached.
    pub(crate) fn record(&mut self, cloaked: &str, replaced: &[Replaced]) -> Result<(), SessionError> {
        if self.records.len() >= MAX_TEXTS {
            return Err(SessionError::Texts);
        }
        check(cloaked, replaced)?;
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
        self.records.push(Record {
            hash: hash(&self.key, Domain::Text, cloaked),
            line_count: small(cloaked.split('\n').count())?,
            places,
            lines,
            sentences: Vec::new(),
        });
        Ok(())
    }

    /// A text that was cloaked here and came back unchanged.
    pub(crate) fn whole(&self, text: &str) -> Option<Uncloaked> {
        let hash = hash(&self.key, Domain::Text, text);
        let record = self.records.iter().rev().find(|record| record.hash == hash)?;
        let mut whole = Uncloaked { text: String::new(), restored: 0, unresolved: 0 };
        let mut end = 0;
        for place in &record.places {
            let value = self.values.get(place.value as usize).filter(|value| !value.forgotten);
            whole.text.push_str(text.get(end..place.range().start)?);
            // Looked at to be put back where it stood.
            whole.text.push_str(value.map_or(text.get(place.range()), |value| Some(value.text.expose()))?);
            *(if value.is_some() { &mut whole.restored } else { &mut whole.unresolved }) += 1;
            end = place.range().end;
        }
        whole.text.push_str(text.get(end..)?);
        Some(whole)
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
                    hash: hash(&self.key, Domain::Line, text),
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

fn small(size: usize) -> Result<u32, SessionError> {
    u32::try_from(size).map_err(|_| SessionError::Bytes)
}
