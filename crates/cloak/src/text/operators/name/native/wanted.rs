//! A part of a name, and what stands for it in a session.
//!
//! In: a name in parts, the session. Out: the stand-in that is known. Invariant: nothing is chosen here but letters for
//! initials. Not here: making parts known (`pick`).

use super::parts::{Part, Role};
use crate::text::session::{Kind, TextSession, canonical};

/// A part of a name whose stand-in is asked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) name: &'a str,
    pub(super) parts: &'a [Part],
    pub(super) part: Part,
}

impl<'a> Wanted<'a> {
    /// As it is written.
    pub(super) fn written(&self) -> &'a str {
        self.part.span.of(self.name).unwrap_or_default()
    }

    /// What stands for the part in this session.
    pub(super) fn stand_in(&self, session: &TextSession) -> Option<String> {
        let identity = canonical(self.written());
        let of =
            |kind: &Kind, identity: &str| session.entry(kind, identity).map(|entry| entry.shown.to_string());
        let alone = self.parts.len() == 1;
        match self.part.role {
            Role::Initial => Some(self.initial(session)),
            // What is not known alone may be known from a whole name.
            Role::Given => {
                of(&Kind::GIVEN, &identity).or_else(|| of(&Kind::FAMILY, &identity).filter(|_| alone))
            }
            Role::Family => of(&Kind::FAMILY, &identity)
                .or_else(|| of(&Kind::GIVEN, &identity).filter(|_| alone))
                .or_else(|| self.hyphened(session)),
        }
    }

    /// `Smith-Jones`, part by part.
    fn hyphened(&self, session: &TextSession) -> Option<String> {
        let halves: Vec<&str> = self.written().split('-').collect();
        let shown = halves
            .iter()
            .map(|half| session.entry(&Kind::FAMILY, &canonical(half)).map(|entry| entry.shown.to_string()));
        (halves.len() > 1).then(|| shown.collect::<Option<Vec<String>>>())?.map(|halves| halves.join("-"))
    }

    /// Another letter: that of the given name which is known with this initial and family name, else one chosen.
    fn initial(&self, session: &TextSession) -> String {
        const LETTERS: &[&str] = &["ABCDEFGHIJKLMNOPRSTVY", "АБВГДЕЗИКЛМНОПРСТФ", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΟΠΡΣΤΦΧ"];
        let letter = self.written().to_uppercase();
        if let Some(entry) =
            self.abbreviation(&letter).and_then(|identity| session.entry(&Kind::PERSON, &identity))
        {
            return entry.shown.chars().take(1).collect();
        }
        let script = match letter.chars().next().map_or(0, u32::from) {
            0x400.. => 1,
            0x370.. => 2,
            _ => 0,
        };
        let letters: Vec<char> = LETTERS.get(script).copied().unwrap_or_default().chars().collect();
        let family = self.family().map(canonical).unwrap_or_default();
        let start = session.choose("initial", &format!("{letter} {family}"), letters.len());
        let chosen = letters.iter().cycle().skip(start).take(2).find(|other| !letter.starts_with(**other));
        chosen.map(char::to_string).unwrap_or_default()
    }

    /// The family name of the whole name.
    pub(super) fn family(&self) -> Option<&'a str> {
        let family = self.parts.iter().find(|part| part.role == Role::Family)?;
        family.span.of(self.name)
    }

    /// How a name with an initial for the given name is known: `a. johnson`.
    pub(super) fn abbreviation(&self, letter: &str) -> Option<String> {
        Some(format!("{}. {}", letter.to_lowercase(), canonical(self.family()?)))
    }
}
