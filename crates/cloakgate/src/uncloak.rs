//! `cloakgate uncloak`: puts the values of a session back into a text.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use cloakgate_cloak::text::{Mode, uncloak};
use serde_json::{Map, Value};

use crate::texts::{Answer, PlaceArgs, local, remote};

/// Arguments of `cloakgate uncloak`.
#[derive(Args, Debug)]
pub(crate) struct UncloakArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// The session that `cloak` answered with
    #[arg(long, value_name = "ID", required_if_eq("remote", "true"), conflicts_with = "session")]
    id: Option<String>,
    /// How sure a place must be to be restored
    #[arg(long, value_name = "MODE", default_value = "lenient")]
    mode: Sureness,
}

/// How sure a place must be.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Sureness {
    /// Only what is certain, for texts that make something happen
    Strict,
    /// Also words that several values share, where the sentence tells whose they are
    Lenient,
}

/// Uncloaks a text and prints it.
///
/// # Errors
/// When the text or the session cannot be read, or the server refuses.
pub(crate) fn run(arguments: &UncloakArgs) -> anyhow::Result<ExitCode> {
    let text = arguments.place.text()?;
    let answer = match &arguments.place.session {
        Some(session) => {
            let mode = match arguments.mode {
                Sureness::Strict => Mode::Strict,
                Sureness::Lenient => Mode::Lenient,
            };
            let uncloaked = uncloak(&text, &local::load(session)?, mode);
            Answer { text: uncloaked.text, id: None, unresolved: u64::from(uncloaked.unresolved) }
        }
        None => {
            let word = match arguments.mode {
                Sureness::Strict => "strict",
                Sureness::Lenient => "lenient",
            };
            let id = arguments.id.clone().unwrap_or_default();
            let call = [("message", text), ("id", id), ("mode", word.to_owned())];
            let call: Map<String, Value> =
                call.into_iter().map(|(name, value)| (name.to_owned(), Value::from(value))).collect();
            remote::call("uncloak", &call)?
        }
    };
    arguments.place.print(&answer)?;
    if answer.unresolved > 0 && !arguments.place.json {
        crate::complain(format_args!("{} places were not restored", answer.unresolved));
    }
    Ok(ExitCode::SUCCESS)
}
