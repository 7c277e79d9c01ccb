//! `cloakgate cloak`: replaces what identifies people in a text, so that `uncloak` can put it back.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use cloakgate_cloak::Finder;
use cloakgate_cloak::text::{Today, cloak};
use cloakgate_detect::{Engine, Settings};
use cloakgate_names::Readers;
use cloakgate_service::SettingsFile;
use serde_json::{Map, Value};

use crate::detectors::random_key;
use crate::texts::{Answer, PlaceArgs, local, remote};

/// Arguments of `cloakgate cloak`.
#[derive(Args, Debug)]
pub(crate) struct CloakArgs {
    #[command(flatten)]
    place: PlaceArgs,
    /// Cloak into the session of this id, so that equal values stay equal
    #[arg(long, value_name = "ID", requires = "remote")]
    id: Option<String>,
    /// Cloak settings, JSON as the API has them [default: a placeholder for everything]
    #[arg(long, value_name = "FILE", conflicts_with = "remote")]
    settings: Option<PathBuf>,
}

/// Cloaks a text and prints it.
///
/// # Errors
/// When the text, the settings or the session cannot be read or written, or the server refuses.
pub(crate) fn run(arguments: &CloakArgs) -> anyhow::Result<ExitCode> {
    let text = arguments.place.text()?;
    let answer = match &arguments.place.session {
        Some(session) => {
            let mut held = local::load_or_new(session)?;
            let settings = settings(arguments)?;
            let profile = settings.profile()?;
            let mut engine = Engine::new(Settings { categories: profile.categories() });
            if let Some(names) = Readers::load([settings.names()], &[])?.of(settings.names())? {
                engine = engine.with_names(names);
            }
            let finder = Finder::new(engine, random_key());
            let cloaked = cloak(&text, &profile, &finder, &mut held, today()?)?;
            // First the file, so that no text is out that cannot be restored.
            local::save(session, &held)?;
            Answer { text: cloaked.text, id: None, unresolved: 0 }
        }
        None => {
            let mut call = Map::from_iter([("message".to_owned(), Value::from(text))]);
            if let Some(id) = &arguments.id {
                call.insert("id".to_owned(), Value::from(id.as_str()));
            }
            remote::call("cloak", &call)?
        }
    };
    arguments.place.print(&answer)?;
    if let (false, Some(id)) = (arguments.place.json, &answer.id) {
        // The text alone is on standard output; whoever pipes it needs the id all the same.
        crate::complain(format_args!("id {id}"));
    }
    Ok(ExitCode::SUCCESS)
}

fn settings(arguments: &CloakArgs) -> anyhow::Result<SettingsFile> {
    let Some(path) = &arguments.settings else { return Ok(SettingsFile::default()) };
    let text = std::fs::read(path).with_context(|| format!("cannot read the settings {}", path.display()))?;
    SettingsFile::read(&text).with_context(|| format!("the settings {} are wrong", path.display()))
}

/// The date, in UTC.
fn today() -> anyhow::Result<Today> {
    let date = jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date();
    let year = u16::try_from(date.year())?;
    let (month, day) = (u8::try_from(date.month())?, u8::try_from(date.day())?);
    Today::new(year, month, day).context("the clock of this machine is wrong")
}
