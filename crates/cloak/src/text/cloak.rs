//! Cloaks one text: finds, asks the operators, splices once, and remembers what stands where.
//!
//! In: a text, a profile, a finder made for the profile's categories, the session, today. Out: the cloaked text and
//! how many values of each field went. Invariant: a text in which nothing is found stays byte for byte; the count and
//! order of lines stay; in JSON strings, numbers that are values and keys that hold one change, and it stays JSON; no
//! value of four characters or more is left outside keys of JSON. Linear in the text and in what is found.

mod edits;
mod needles;
mod parts;
mod survivors;

use std::collections::{BTreeMap, HashSet};

use cloakgate_detect::FieldKind;
use cloakgate_vocab::{Category, Sensitive, Span};

use super::candidate::{self, Candidate};
use super::field::Field;
use super::operators::{self, Choice, Replacement, Spot};
use super::profile::{Marks, Profile};
use super::seek::{imitations, seek};
use super::session::{Kind, NewEntry, TextSession, canonical};
use super::today::Today;
use crate::error::CloakError;
use crate::find::Finder;
use crate::texts::{Text, walk};
use edits::{Edit, Edits};
use survivors::Survivors;

/// Fields whose values are replaced in keys of JSON, too: what says whose a member is. Places, dates and the like are what
/// keys are made of.
const OF_KEYS: [Field; 8] = [
    Field::Credential,
    Field::Financial,
    Field::GovernmentId,
    Field::Email,
    Field::Phone,
    Field::Name,
    Field::NetworkId,
    Field::Custom,
];
/// What the kind of a mark begins with.
const MARK: &str = "MARK.";

/// A cloaked text.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CloakedText {
    /// The text.
    pub text: String,
    /// How many values of each field were replaced.
    pub counts: BTreeMap<Field, u32>,
}

/// Cloaks a text. The finder's engine must look for [`Profile::categories`].
///
/// # Errors
/// When the finder looks for less, names could not be read, the profile refuses a value, the session is full, or a value would be left: then
/// nothing may be passed on, and the session may hold entries of values that were not.
pub fn cloak(
    text: &str,
    profile: &Profile,
    finder: &Finder,
    session: &mut TextSession,
    today: Today,
) -> Result<CloakedText, CloakError> {
    let looks_for = finder.engine().settings().categories;
    let wanted = profile.categories();
    if Category::all().any(|category| wanted.contains(category) && !looks_for.contains(category)) {
        return Err(CloakError::Detectors);
    }
    let mut lists = candidates(text, profile, finder, session)?;
    parts::seek(text, finder, &mut lists);
    let choice = Choice::new(profile, today, text);
    let mut edits = Edits::default();
    let mut survivors = Survivors::default();
    let mut failed = None;
    let mut next = lists.iter();
    walk(text, finder.outer(None), &mut |inner| {
        let list = next.next().map_or(&[][..], Vec::as_slice);
        if failed.is_none() && !list.is_empty() {
            let mut one = OneText { inner, choice: &choice, edits: &mut edits, survivors: &mut survivors };
            failed = one.replace(list, session).err();
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    survivors.look(text, finder, &mut edits)?;
    let (cloaked, replaced) = edits.apply(text)?;
    let mut counts = BTreeMap::new();
    for replaced in &replaced {
        *counts.entry(replaced.field).or_default() += 1;
    }
    session.record(&cloaked, &replaced)?;
    Ok(CloakedText { text: cloaked, counts })
}

/// What may be a value in each innermost text, in the order of the walk. Text that looks like a placeholder is made
/// known to the session, so that it restores to itself, and names are made known before any is replaced.
fn candidates(
    text: &str,
    profile: &Profile,
    finder: &Finder,
    session: &mut TextSession,
) -> Result<Vec<Vec<Candidate>>, CloakError> {
    let mut found = finder.find_each(text)?.into_iter();
    let mut lists = Vec::new();
    let mut names: Vec<Sensitive> = Vec::new();
    let mut failed = None;
    let issued = issued_marks(profile, session);
    walk(text, finder.outer(None), &mut |inner| {
        let findings = found.next().unwrap_or_default();
        let taken = imitations(inner.text, profile.marks);
        for shown in taken.iter().filter_map(|span| span.of(inner.text)) {
            if !issued.contains(&shown.to_ascii_uppercase()) {
                failed = failed.take().or_else(|| reserve(shown, session).err());
            }
        }
        let mut list = Vec::new();
        for finding in &findings {
            candidate::of_finding(finding, inner.text, profile, &mut list);
        }
        if inner.kind == FieldKind::Key {
            list.retain(|one| OF_KEYS.contains(&one.field));
        } else {
            seek(inner, profile, &mut list);
        }
        list.retain(|one| one.field != Field::Name || !profile.keeps(Field::Name));
        let list = candidate::join_reversed(candidate::resolve(list), inner.text);
        let list = keep_wanted(list, &taken, (inner.text, profile, session));
        let of_names = list.iter().filter(|one| one.field == Field::Name);
        names.extend(of_names.map(|one| Sensitive::new(value(one, inner.text))));
        lists.push(list);
    });
    if let Some(error) = failed {
        return Err(error);
    }
    // Looked at to be told apart from one another by the operator of names.
    let names: Vec<&str> = names.iter().map(Sensitive::expose).collect();
    if !names.is_empty() {
        operators::prepare(&names, text, profile, session)?;
    }
    Ok(lists)
}

/// The marks that the session has given by now; a text may bring them back.
fn issued_marks(profile: &Profile, session: &TextSession) -> HashSet<String> {
    if profile.marks == Marks::Off {
        return HashSet::new();
    }
    let entries = session.all_entries().iter().filter(|entry| entry.kind.label().starts_with(MARK));
    entries.filter_map(|entry| Some(entry.shown.rsplit_once(' ')?.1.to_owned())).collect()
}

/// Makes text that looks like a placeholder restore to itself, unless it stands for a value of the session.
fn reserve(shown: &str, session: &mut TextSession) -> Result<(), CloakError> {
    if session.is_taken(shown) {
        return Ok(());
    }
    session.add(NewEntry {
        kind: Kind::of("LITERAL"),
        field: Field::Custom,
        identity: shown,
        shown,
        original: shown,
        unique: true,
    })?;
    Ok(())
}

/// The value of a candidate, as its view reads it.
fn value<'a>(candidate: &'a Candidate, text: &'a str) -> &'a str {
    // Looked at to be handed to an operator.
    let written = candidate.span.of(text).unwrap_or_default();
    candidate.decoded.as_ref().map_or(written, Sensitive::expose)
}

/// Leaves out what the operator lets through, and what stands for a value already. Both lists are sorted.
fn keep_wanted(
    mut list: Vec<Candidate>,
    taken: &[Span],
    (text, profile, session): (&str, &Profile, &TextSession),
) -> Vec<Candidate> {
    let mut next = 0;
    list.retain(|candidate| {
        while taken.get(next).is_some_and(|span| span.end() <= candidate.span.start()) {
            next += 1;
        }
        let value = value(candidate, text);
        !taken.get(next).is_some_and(|span| span.overlaps(candidate.span))
            && !profile.knowledge_base.allows(value)
            && !session.shown_as(value).is_some_and(|entry| entry.unique)
    });
    list
}

/// One innermost text while its values are replaced.
struct OneText<'t, 's> {
    inner: &'t Text<'t>,
    choice: &'t Choice<'t>,
    edits: &'s mut Edits,
    survivors: &'s mut Survivors,
}

impl OneText<'_, '_> {
    fn replace(&mut self, list: &[Candidate], session: &mut TextSession) -> Result<(), CloakError> {
        let text = self.inner.text;
        let mut done = 0;
        for candidate in list {
            // What an operator took together with the value before is done.
            if candidate.span.end() <= done {
                continue;
            }
            let start = candidate.span.start().max(done);
            let spot = Spot {
                text,
                span: Span::new(start, candidate.span.end()).unwrap_or(candidate.span),
                value: if start == candidate.span.start() {
                    value(candidate, text)
                } else {
                    text.get(start..candidate.span.end()).unwrap_or_default()
                },
                what: candidate.what,
                field: candidate.field,
            };
            let Some(replacement) = operators::apply(&spot, self.choice, session)? else { continue };
            let replacement = self.for_key(replacement, &spot, session)?;
            let replacement = clip(&replacement, &spot, done);
            if replacement.span.of(text) == Some(replacement.text.as_str()) {
                continue;
            }
            done = replacement.span.end();
            let replacement = self.mark(replacement, &spot, session)?;
            self.survivors.learn(&spot, &replacement);
            self.edits.push(Edit::new(self.inner, &replacement, spot.field)?);
        }
        Ok(())
    }

    /// Keys tell members apart, so what stands for one stands for no other.
    fn for_key(
        &self,
        replacement: Replacement,
        spot: &Spot<'_>,
        session: &mut TextSession,
    ) -> Result<Replacement, CloakError> {
        if self.inner.kind != FieldKind::Key || replacement.unique {
            return Ok(replacement);
        }
        let own = operators::placeholder_of(spot, self.choice.profile, session)?;
        Ok(own.unwrap_or(replacement))
    }

    /// Adds a mark to a word that may stand for other values too, where marks are wanted.
    fn mark(
        &self,
        replacement: Replacement,
        spot: &Spot<'_>,
        session: &mut TextSession,
    ) -> Result<Replacement, CloakError> {
        if replacement.unique || self.choice.profile.marks == Marks::Off || replacement.text.is_empty() {
            return Ok(replacement);
        }
        let letter = spot.field.name().chars().next().map_or('X', |first| first.to_ascii_uppercase());
        let kind = Kind::named(format!("{MARK}{letter}"));
        let original = replacement.span.of(spot.text).unwrap_or_default();
        let identity = format!("{} {}", replacement.text, canonical(original));
        if let Some(entry) = session.entry(&kind, &identity) {
            return Ok(Replacement { text: entry.shown.to_string(), unique: true, ..replacement });
        }
        let mut number = session.count(&kind);
        let shown = loop {
            number += 1;
            let mark = format!("[{letter}{number}]");
            let shown = format!("{} {mark}", replacement.text);
            // A text may have the mark by itself, or the word with it.
            if !session.is_taken(&mark) && !session.is_taken(&shown) {
                break shown;
            }
        };
        session.add(NewEntry {
            kind,
            field: spot.field,
            identity: &identity,
            shown: &shown,
            original,
            unique: true,
        })?;
        Ok(Replacement { text: shown, unique: true, ..replacement })
    }
}

/// Keeps a replacement within its line and off what was replaced before. The value itself is always covered.
fn clip(replacement: &Replacement, spot: &Spot<'_>, done: usize) -> Replacement {
    let span = replacement.span.union(spot.span);
    // Only what an operator took beyond the value may hold a line break.
    let taken_before = span.start().max(done).min(spot.span.start());
    let lead = spot.text.get(taken_before..spot.span.start()).unwrap_or_default();
    let start = lead.rfind(['\n', '\r']).map_or(taken_before, |at| taken_before + at + 1);
    let tail = spot.text.get(spot.span.end()..span.end()).unwrap_or_default();
    let end = tail.find(['\n', '\r']).map_or(span.end(), |at| spot.span.end() + at);
    let text = replacement.text.replace(['\n', '\r'], " ");
    Replacement { span: Span::new(start, end).unwrap_or(spot.span), text, unique: replacement.unique }
}

#[cfg(test)]
pub(crate) mod tests;
