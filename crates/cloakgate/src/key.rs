//! `cloakgate key`: makes master keys, and wraps what was sealed with the newest one.
//!
//! In: where keys and databases are. Out: a new key where it was asked for, a report of what was wrapped anew. Invariant: a
//! key is written to the standard output or a key file and nowhere else; what is told of one is its id.

use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, Subcommand};
use cloakgate_service::open_regions;
use cloakgate_vault::{Database, Rotated, add_key, new_key_line};
use indicatif::{ProgressBar, ProgressStyle};

use crate::serve::StoreArgs;

/// How often it is said how far a rotation is, where nobody watches.
const TELL_EVERY: Duration = Duration::from_secs(10);

const ROTATE_HELP: &str =
    "The service may go on meanwhile. Before, every process that uses the databases must have been \
started with a key file whose last line is the new key, and the old ones above it:

  cloakgate key new --file cloakgate-data/master.key
  (restart the service)
  cloakgate key rotate

What was done stays done when it is stopped half way; run it again.";

/// What to do with master keys.
#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a new master key, for a new database or to rotate to
    New(NewArgs),
    /// Wrap all that is sealed with the newest master key, so that the older ones can be thrown away
    #[command(after_help = ROTATE_HELP)]
    Rotate(StoreArgs),
}

#[derive(Args, Debug)]
pub(crate) struct NewArgs {
    /// Add it to this key file as the newest, and make the file where there is none [default: print it]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// Does what was asked.
///
/// # Errors
/// When a key file, a configuration or a database cannot be used, or something sealed is damaged.
pub(crate) fn run(command: &KeyCommand) -> anyhow::Result<ExitCode> {
    match command {
        KeyCommand::New(NewArgs { file: None }) => {
            let line = new_key_line()?;
            let mut out = std::io::stdout().lock();
            out.write_all(line.as_bytes())?;
            out.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        KeyCommand::New(NewArgs { file: Some(file) }) => {
            let id = add_key(file)?;
            writeln!(std::io::stderr(), "master key {id} is now the newest of {}", file.display())?;
            Ok(ExitCode::SUCCESS)
        }
        KeyCommand::Rotate(store) => {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(rotate(store))
        }
    }
}

async fn rotate(store: &StoreArgs) -> anyhow::Result<ExitCode> {
    let config = store.configured()?;
    for region in config.regions.iter().filter(|region| region.database.is_none()) {
        let file = config.file_of(region);
        anyhow::ensure!(file.is_file(), "there is no database {}", file.display());
    }
    let regions = open_regions(&config).await?;
    let mut damaged = 0;
    for name in regions.names() {
        let database = regions.database(&name)?;
        let rotated = rotate_one(name.as_str(), &database).await;
        let rotated = rotated.with_context(|| format!("the region `{name}` is not done; run it again"))?;
        damaged += rotated.damaged;
        tell(name.as_str(), &rotated)?;
    }
    regions.close().await;
    anyhow::ensure!(
        damaged == 0,
        "{damaged} data keys are damaged and were left as they are: restore them from a backup"
    );
    Ok(ExitCode::SUCCESS)
}

async fn rotate_one(region: &str, database: &Database) -> anyhow::Result<Rotated> {
    let all = database.to_rotate().await?;
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new(all) } else { ProgressBar::hidden() };
    bar.set_style(ProgressStyle::with_template("{msg} {bar:40} {pos} of {len}, {eta} left")?);
    bar.set_message(region.to_owned());
    let mut told = std::time::Instant::now();
    let rotated = database
        .rotate(|so_far| {
            bar.set_position(so_far.rewrapped + so_far.damaged);
            if bar.is_hidden() && told.elapsed() >= TELL_EVERY {
                told = std::time::Instant::now();
                // Nobody who watches may stop it.
                let _unheard = writeln!(std::io::stderr(), "{region}: {} of {all}", so_far.rewrapped);
            }
        })
        .await?;
    bar.finish_and_clear();
    Ok(rotated)
}

fn tell(region: &str, rotated: &Rotated) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let Rotated { rewrapped, retired, .. } = rotated;
    writeln!(out, "{region}: {rewrapped} data keys are wrapped with the newest master key")?;
    for id in retired {
        writeln!(out, "{region}: master key {id} is needed no more")?;
    }
    out.flush()
}
