//! Known values go through the real path before anything is served.
//!
//! Invariant: one value that survives cloaking, or does not come back, and the service does not start.

use cloakgate_cloak::Finder;
use cloakgate_cloak::text::{Mode, Profile, TextSession, Today, cloak, uncloak};
use cloakgate_detect::{Engine, KnownKey, Settings};
use cloakgate_names::{Effort, Readers};

/// A text with invented values, each of which must vanish.
const SAMPLE: &str = "Please write to alice.johnson@example.org or call +1 415 555 2671.\n\
                      The card is 4111 1111 1111 1111, the account DE89 3704 0044 0532 0130 00.\n\
                      api_key = AKIAIOSFODNN7EXAMPLE\n\
                      I'm 34 years old and weigh 72 kg.";
/// The values of the sample, with what they are.
const VALUES: [(&str, &str); 5] = [
    ("an e-mail address", "alice.johnson@example.org"),
    ("a card", "4111 1111 1111 1111"),
    ("an account", "DE89 3704 0044 0532 0130 00"),
    ("an age", "34 years"),
    ("a weight", "72 kg"),
];
/// A sentence for what reads names.
const NAMES: &str = "Yesterday our colleague Alice Johnson met Robert Miller at the station.";
/// The names in it.
const NAME_VALUES: [(&str, &str); 2] = [("a name", "Alice Johnson"), ("a name", "Robert Miller")];

/// What the self-test found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Survivor {
    /// A value was not cloaked.
    #[error("{0} of the sample text was not cloaked")]
    Uncloaked(&'static str),
    /// The text did not come back.
    #[error("the sample text did not come back")]
    Unrestored,
    /// Cloaking failed.
    #[error("the sample text could not be cloaked")]
    Failed(#[from] cloakgate_cloak::CloakError),
    /// A reader is not loaded.
    #[error("a reader of names is not loaded")]
    Names(#[from] cloakgate_names::NamesError),
}

/// Cloaks samples with everything on, and restores them.
///
/// # Errors
/// When a value survives or does not come back.
pub(crate) fn run(readers: &Readers, names: Effort) -> Result<(), Survivor> {
    let profile = Profile::default();
    let mut engine = Engine::new(Settings { categories: profile.categories() });
    let reader = readers.of(names)?;
    let reads_names = reader.is_some();
    if let Some(reader) = reader {
        engine = engine.with_names(reader);
    }
    let finder = Finder::new(engine, KnownKey::new([7; 16]));
    check(SAMPLE, &VALUES, &profile, &finder)?;
    if reads_names {
        check(NAMES, &NAME_VALUES, &profile, &finder)?;
    }
    Ok(())
}

fn check(
    text: &str,
    values: &[(&'static str, &str)],
    profile: &Profile,
    finder: &Finder,
) -> Result<(), Survivor> {
    let mut session = TextSession::new([7; 32]);
    let Some(today) = Today::new(2026, 1, 1) else { return Err(Survivor::Unrestored) };
    let cloaked = cloak(text, profile, finder, &mut session, today)?.text;
    if let Some((kind, _)) = values.iter().find(|(_, value)| cloaked.contains(value)) {
        return Err(Survivor::Uncloaked(kind));
    }
    let restored = uncloak(&cloaked, &session, Mode::Strict).text;
    if restored == text { Ok(()) } else { Err(Survivor::Unrestored) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_samples_pass() {
        let readers = Readers::load([Effort::default()], &[]).expect("whole");
        run(&readers, Effort::default()).expect("nothing survives");
    }
}
