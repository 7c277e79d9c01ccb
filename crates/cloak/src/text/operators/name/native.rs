//! Other names for names of people: given for given, family for family.
//!
//! In: the names of a text, the session. Out: names of the same script, in the order, case and form of those that they
//! stand for. Invariant: a given name and a family name have one stand-in each in a session, so that kin stay kin; no
//! stand-in stands for two names, or is a word of the text; when the lists are used up, a placeholder stands for a
//! name. Not here: what the parts of a name are (`parts`), the lists (`pools`).

mod cultures;
mod forms;
mod parts;
mod pick;
mod pools;
mod wanted;
mod words;

use self::parts::{Part, Role, parts};
use self::pick::Picker;
use self::wanted::Wanted;
use self::words::Words;
use super::{Choice, Outcome, Replacement, Spot, placeholders};
use crate::error::CloakError;
use crate::text::profile::Profile;
use crate::text::session::TextSession;

/// Makes whole names of a text known before any is replaced: first those of several parts, which say most.
pub(super) fn prepare(
    names: &[&str],
    text: &str,
    profile: &Profile,
    session: &mut TextSession,
) -> Result<(), CloakError> {
    let words = Words::of(text);
    let picker = Picker::new(profile, &words);
    let all: Vec<(&str, Vec<Part>)> = names.iter().map(|name| (*name, parts(name))).collect();
    for alone in [false, true] {
        for (name, parts) in all.iter().filter(|(_, parts)| (parts.len() < 2) == alone) {
            picker.learn(name, parts, session)?;
        }
    }
    Ok(())
}

/// What stands for a name.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    let name = spot.value;
    let parts = parts(name);
    let known = match shown(name, &parts, session) {
        Some(known) => Some(known),
        // A value that nobody made known: only its line is looked at for words that must not stand in.
        None => {
            let near = format!("{} {} {}", spot.before(), name, spot.after());
            let words = Words::of(&near);
            Picker::new(choice.profile, &words).learn(name, &parts, session)?;
            shown(name, &parts, session)
        }
    };
    match known {
        Some((text, unique)) => Ok(Some(Replacement { span: spot.span, text, unique })),
        None => placeholders(spot, choice.profile, session).map(Some),
    }
}

/// The name with each part replaced by its stand-in, when all have one.
fn shown(name: &str, parts: &[Part], session: &TextSession) -> Option<(String, bool)> {
    if parts.is_empty() {
        return None;
    }
    let mut text = String::with_capacity(name.len());
    let mut done = 0;
    let mut unique = false;
    for part in parts {
        let written = part.span.of(name)?;
        let wanted = Wanted { name, parts, part: *part };
        text.push_str(name.get(done..part.span.start())?);
        let stand_in = wanted.stand_in(session)?;
        text.push_str(&forms::in_case_of(&stand_in, written));
        // One letter, or one character of Chinese or Korean, is found in other words, too.
        unique |= part.role != Role::Initial && stand_in.chars().count() > 1;
        done = part.span.end();
    }
    text.push_str(name.get(done..)?);
    Some((text, unique))
}

#[cfg(test)]
mod tests;
