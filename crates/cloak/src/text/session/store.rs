//! A session as bytes.
//!
//! In: a session. Out: bytes of a version, to be sealed, and the session from them. Invariant: whatever the bytes,
//! reading gives a session in which every index holds, or an error. Not here: sealing.

use cloakgate_vocab::Sensitive;

use super::bytes::{Reader, Writer};
use super::entry::{Entry, Kind};
use super::record::{Fact, Line, Place, Record, Sentence};
use super::{SessionError, TextSession, Value};
use crate::text::Field;

/// The version that is written.
const VERSION: u8 = 1;

const UNIQUE: u8 = 1;
const FORGOTTEN: u8 = 2;
const TELLING: u8 = 1;

impl TextSession {
    /// The session as bytes, its key and its values in clear: to be sealed before they are kept.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.byte(VERSION);
        // The key and the values are looked at to be written down; whoever keeps the bytes seals them.
        writer.raw(self.key.expose());
        writer.size(self.entries.len());
        for entry in &self.entries {
            write_entry(&mut writer, entry);
        }
        writer.number(u64::from(self.recorded_entries));
        writer.size(self.values.len());
        for value in &self.values {
            writer.byte(value.field.number());
            writer.byte(if value.forgotten { FORGOTTEN } else { 0 });
            writer.string(value.text.expose());
        }
        writer.size(self.labels.len());
        for label in &self.labels {
            writer.string(label);
        }
        writer.size(self.records.len());
        for record in &self.records {
            write_record(&mut writer, record);
        }
        writer.0
    }

    /// The session that was written as these bytes.
    ///
    /// # Errors
    /// When the bytes are no session, or of a version that is not known here.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SessionError> {
        let mut reader = Reader(bytes);
        let version = reader.byte()?;
        if version != VERSION {
            return Err(SessionError::Version(version));
        }
        let mut session = Self::new(reader.array()?);
        for entry in reader.list(read_entry)? {
            let shown_hash = session.shown_hash(&entry.shown);
            session.keep_entry(entry, shown_hash)?;
        }
        session.recorded_entries = reader.small()?;
        let values = reader.list(|reader| {
            let field = field(reader)?;
            let forgotten = flags(reader, FORGOTTEN)? == FORGOTTEN;
            Ok(Value { field, forgotten, text: Sensitive::new(reader.string()?) })
        })?;
        for value in values {
            session.keep_value(value);
        }
        for label in reader.list(|reader| Ok(Box::from(reader.string()?)))? {
            session.keep_label(label);
        }
        session.records = reader.list(read_record)?;
        if !reader.0.is_empty() || !session.records.iter().all(|record| session.holds(record)) {
            return Err(SessionError::Damaged);
        }
        session.size = bytes.len();
        Ok(session)
    }

    /// True when all that a record points at is there.
    fn holds(&self, record: &Record) -> bool {
        let value = |value: u32| (value as usize) < self.values.len();
        let fact = |fact: &Fact, sentence: &Sentence| {
            (fact.word as usize) < sentence.words.len()
                && (fact.label as usize) < self.labels.len()
                && fact.value.is_none_or(value)
                && fact.owners.iter().all(|owner| (*owner as usize) < self.entries.len())
        };
        let line = |line: &Line| {
            u64::from(line.first) + u64::from(line.count) <= record.places.len() as u64
                && line.number < record.line_count
        };
        record.places.iter().all(|place| value(place.value))
            && record.lines.iter().all(line)
            && record.sentences.iter().all(|sentence| sentence.facts.iter().all(|one| fact(one, sentence)))
    }
}

fn write_entry(writer: &mut Writer, entry: &Entry) {
    writer.string(entry.kind.label());
    writer.byte(entry.field.number());
    writer.byte(if entry.unique { UNIQUE } else { 0 } | if entry.forgotten { FORGOTTEN } else { 0 });
    writer.string(&entry.shown);
    // As above: to be sealed.
    writer.string(entry.identity.expose());
    writer.string(entry.original.expose());
}

fn read_entry(reader: &mut Reader<'_>) -> Result<Entry, SessionError> {
    let label = reader.string()?;
    let known = [Kind::PERSON, Kind::GIVEN, Kind::FAMILY].into_iter().find(|kind| kind.label() == label);
    let kind = known.unwrap_or_else(|| Kind::named(label));
    let field = field(reader)?;
    let flags = flags(reader, UNIQUE | FORGOTTEN)?;
    Ok(Entry {
        kind,
        field,
        unique: flags & UNIQUE != 0,
        forgotten: flags & FORGOTTEN != 0,
        shown: Box::from(reader.string()?),
        identity: Sensitive::new(reader.string()?),
        original: Sensitive::new(reader.string()?),
    })
}

fn write_record(writer: &mut Writer, record: &Record) {
    writer.raw(&record.hash.to_le_bytes());
    writer.size(record.places.len());
    let mut end = 0;
    for place in &record.places {
        writer.number(u64::from(place.start.saturating_sub(end)));
        writer.number(u64::from(place.len));
        writer.number(u64::from(place.value));
        writer.byte(place.field.number());
        writer.byte(if place.unique { UNIQUE } else { 0 });
        end = place.start.saturating_add(place.len);
    }
    writer.number(u64::from(record.line_count));
    writer.size(record.lines.len());
    for line in &record.lines {
        writer.number(u64::from(line.number));
        writer.raw(&line.hash.to_le_bytes());
        writer.number(u64::from(line.start));
        writer.number(u64::from(line.first));
        writer.number(u64::from(line.count));
        writer.byte(if line.telling { TELLING } else { 0 });
    }
    writer.size(record.sentences.len());
    for sentence in &record.sentences {
        write_sentence(writer, sentence);
    }
}

fn read_record(reader: &mut Reader<'_>) -> Result<Record, SessionError> {
    let hash = u64::from_le_bytes(reader.array()?);
    let mut end = 0u32;
    let places = reader.list(|reader| {
        let start = end.checked_add(reader.small()?).ok_or(SessionError::Damaged)?;
        let len = reader.small()?;
        end = start.checked_add(len).ok_or(SessionError::Damaged)?;
        let value = reader.small()?;
        let field = field(reader)?;
        Ok(Place { start, len, value, field, unique: flags(reader, UNIQUE)? == UNIQUE })
    })?;
    let line_count = reader.small()?;
    let lines = reader.list(|reader| {
        let number = reader.small()?;
        let hash = u64::from_le_bytes(reader.array()?);
        let (start, first, count) = (reader.small()?, reader.small()?, reader.small()?);
        Ok(Line { number, hash, start, first, count, telling: flags(reader, TELLING)? == TELLING })
    })?;
    Ok(Record { hash, places, line_count, lines, sentences: reader.list(read_sentence)? })
}

fn write_sentence(writer: &mut Writer, sentence: &Sentence) {
    writer.raw(&sentence.hash.to_le_bytes());
    writer.raw(&sentence.before.to_le_bytes());
    writer.raw(&sentence.previous.to_le_bytes());
    writer.raw(&sentence.after.to_le_bytes());
    writer.size(sentence.words.len());
    for word in &sentence.words {
        writer.raw(&word.to_le_bytes());
    }
    writer.size(sentence.facts.len());
    for fact in &sentence.facts {
        writer.number(u64::from(fact.word));
        writer.number(u64::from(fact.label));
        writer.number(fact.value.map_or(0, |value| u64::from(value) + 1));
        writer.size(fact.owners.len());
        for owner in &fact.owners {
            writer.number(u64::from(*owner));
        }
    }
}

fn read_sentence(reader: &mut Reader<'_>) -> Result<Sentence, SessionError> {
    let hash = u64::from_le_bytes(reader.array()?);
    let before = u64::from_le_bytes(reader.array()?);
    let previous = u64::from_le_bytes(reader.array()?);
    let after = u64::from_le_bytes(reader.array()?);
    let words = reader.list(|reader| Ok(u32::from_le_bytes(reader.array()?)))?;
    let facts = reader.list(|reader| {
        let (word, label) = (reader.small()?, reader.small()?);
        let value = match reader.number()? {
            0 => None,
            more => Some(u32::try_from(more - 1).map_err(|_| SessionError::Damaged)?),
        };
        Ok(Fact { word, label, value, owners: reader.list(Reader::small)? })
    })?;
    Ok(Sentence { hash, before, previous, after, words, facts })
}

fn field(reader: &mut Reader<'_>) -> Result<Field, SessionError> {
    Field::from_number(reader.byte()?).ok_or(SessionError::Damaged)
}

fn flags(reader: &mut Reader<'_>, known: u8) -> Result<u8, SessionError> {
    let flags = reader.byte()?;
    if flags & !known == 0 { Ok(flags) } else { Err(SessionError::Damaged) }
}
