//! Names of people: placeholders, and other names.
//!
//! In: a name, whole or in part, titles aside. Out: what stands for it. A person has one number: `{{NAME_2}}`, and
//! `{{NAME_2.LAST}}` for the family name alone. Invariant: the same name has the same stand-in in a session, in any case.

mod native;

use super::{Choice, Outcome, Replacement, Spot, placeholder};
use crate::error::CloakError;
use crate::text::field::Field;
use crate::text::profile::{NameOption, Profile};
use crate::text::session::{Kind, NewEntry, TextSession, canonical};

/// Makes whole names of a text known before any is replaced, so that a given name that stands first is part of the
/// person. `names` are in the order of the text.
pub(crate) fn prepare(
    names: &[&str],
    text: &str,
    profile: &Profile,
    session: &mut TextSession,
) -> Result<(), CloakError> {
    match profile.name {
        NameOption::Placeholder => {
            for name in names.iter().filter(|name| Parts::of(name).is_some()) {
                person(name, profile, session)?;
            }
            Ok(())
        }
        NameOption::Native => native::prepare(names, text, profile, session),
        NameOption::Keep | NameOption::Block => Ok(()),
    }
}

/// What stands for a name.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    match choice.profile.name {
        NameOption::Keep | NameOption::Block => Ok(None),
        NameOption::Native => native::cloak(spot, choice, session),
        NameOption::Placeholder => placeholders(spot, choice.profile, session).map(Some),
    }
}

/// A placeholder, or two for a name whose family name stands first: `JOHNSON, Alice M.`
fn placeholders(
    spot: &Spot<'_>,
    profile: &Profile,
    session: &mut TextSession,
) -> Result<Replacement, CloakError> {
    if let Some((last, first)) = spot.value.split_once(',')
        && let (last, first) = (last.trim(), first.trim())
        && !last.is_empty()
        && !first.is_empty()
    {
        person(&format!("{first} {last}"), profile, session)?;
        let given = part(&Kind::GIVEN, without_initials(first), session);
        let family = part(&Kind::FAMILY, last, session);
        if let (Some(given), Some(family)) = (given, family) {
            return Ok(Replacement::unique(spot, format!("{family}, {given}")));
        }
    }
    let known = [Kind::GIVEN, Kind::FAMILY].into_iter().find_map(|kind| part(&kind, spot.value, session));
    let text = match known {
        Some(shown) => shown,
        None => person(spot.value, profile, session)?,
    };
    Ok(Replacement::unique(spot, text))
}

/// The placeholder of a part that is known.
fn part(kind: &Kind, value: &str, session: &TextSession) -> Option<String> {
    session.entry(kind, &canonical(value)).map(|entry| entry.shown.to_string())
}

/// The placeholder of a person; the parts of the name are made known with it.
fn person(name: &str, profile: &Profile, session: &mut TextSession) -> Result<String, CloakError> {
    let identity = canonical(name);
    if let Some(entry) = session.entry(&Kind::PERSON, &identity) {
        return Ok(entry.shown.to_string());
    }
    let value =
        placeholder::Value { label: Kind::PERSON, field: Field::Name, identity: &identity, original: name };
    let shown = placeholder::stand_in(&value, profile, session)?;
    let Some(parts) = Parts::of(name) else { return Ok(shown) };
    for (kind, suffix, original) in
        [(Kind::GIVEN, ".FIRST", parts.given), (Kind::FAMILY, ".LAST", parts.family)]
    {
        let identity = canonical(original);
        let shown = placeholder::with_suffix(&shown, suffix);
        // The first person of that name has it: a given name alone cannot say which one is meant.
        if session.entry(&kind, &identity).is_none() && !session.is_taken(&shown) {
            session.add(NewEntry {
                kind,
                field: Field::Name,
                identity: &identity,
                shown: &shown,
                original,
                unique: true,
            })?;
        }
    }
    Ok(shown)
}

/// Given and family name of a whole name.
struct Parts<'a> {
    given: &'a str,
    family: &'a str,
}

/// Words that belong to the family name behind them.
const PARTICLES: &[&str] = &[
    "de", "da", "do", "dos", "das", "du", "des", "del", "della", "di", "la", "le", "von", "van", "vom", "zu",
    "der", "den", "ter", "ten", "bin", "ibn", "al", "el", "af", "av",
];

/// Words behind a family name.
const SUFFIXES: &[&str] = &["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"];

impl<'a> Parts<'a> {
    /// The first word, and the last with the particles before it; `None` for a single word.
    fn of(name: &'a str) -> Option<Self> {
        let mut words: Vec<&str> = name.split_whitespace().collect();
        while words.len() > 2 && words.last().is_some_and(|word| is_in(word, SUFFIXES)) {
            words.pop();
        }
        let (given, last) = (*words.first()?, *words.last()?);
        if words.len() < 2 || is_initial(last) || is_initial(given) {
            return None;
        }
        let particles = words.iter().rev().skip(1).take_while(|word| is_in(word, PARTICLES)).count();
        let first = *words.get(words.len() - 1 - particles.min(words.len() - 2))?;
        // Both ends are words of the name.
        let start = first.as_ptr() as usize - name.as_ptr() as usize;
        let end = last.as_ptr() as usize - name.as_ptr() as usize + last.len();
        Some(Self { given, family: name.get(start..end)? })
    }
}

fn is_in(word: &str, list: &[&str]) -> bool {
    list.iter().any(|other| word.eq_ignore_ascii_case(other))
}

/// `M.`
fn is_initial(word: &str) -> bool {
    word.trim_end_matches('.').chars().count() <= 1
}

/// `Alice` of `Alice M.`
fn without_initials(given: &str) -> &str {
    given.split_whitespace().next().unwrap_or(given)
}
