//! `cloakgate check`: says what a configuration does, and whether its servers serve.
//!
//! In: a configuration. Out: a report for a person or as JSON, and an exit code. Invariant: first the file, then the
//! self-test, then the servers, each of which is tried by itself; no value of the file and no data of a server is
//! shown. Not here: what a configuration means.

mod plain;
mod report;

use std::io::{self, Write};
use std::process::ExitCode;

use cloakgate_gateway::config::Config;
use cloakgate_gateway::self_test;
use cloakgate_names::{NamesError, Readers};
use cloakgate_vocab::{Category, UpstreamName};

use crate::arguments::CheckArgs;
use crate::probe::{Offer, probe};
use crate::{EXIT_FAILED, gateway, logging};

/// Whether a server serves: what it lists, or why not.
struct Trial {
    upstream: UpstreamName,
    outcome: Result<Offer, String>,
}

/// What the self-test found: the categories whose values were found and put back, or why the gateway would not start.
/// `None` where nothing is cloaked, so that there is nothing to test.
type SelfTest = Option<Result<Vec<Category>, String>>;

pub(crate) fn run(arguments: &CheckArgs) -> anyhow::Result<ExitCode> {
    let (config, warnings) = gateway::load(&arguments.file)?;
    logging::start(arguments.logging, config.log_level);
    let mut out = io::stdout().lock();
    if !arguments.json {
        plain::configuration(&mut out, &config, &warnings, arguments.verbose)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let readers = Readers::load(cloakgate_gateway::efforts(&config), &config.models);
    let tested = runtime.block_on(test_self(&config, &readers));
    if !arguments.json {
        plain::self_test(&mut out, &tested)?;
    }
    let passed = !matches!(tested, Some(Err(_)));
    let mut trials = Vec::new();
    // Servers behind a gateway that would not start are not worth starting.
    if let (true, false, Ok(readers)) = (passed, arguments.no_upstreams, readers) {
        for name in config.upstreams.keys() {
            let trial = runtime.block_on(try_alone(&config, name, readers.clone()));
            if !arguments.json {
                plain::trial(&mut out, &trial)?;
            }
            trials.push(trial);
        }
    }
    if arguments.json {
        writeln!(out, "{:#}", report::json(&config, &warnings, &tested, &trials))?;
    }
    let all_serve = trials.iter().all(|trial| trial.outcome.is_ok());
    Ok(if passed && all_serve { ExitCode::SUCCESS } else { ExitCode::from(EXIT_FAILED) })
}

async fn test_self(config: &Config, readers: &Result<Readers, NamesError>) -> SelfTest {
    if config.upstreams.values().all(|upstream| !upstream.sanitize) {
        return None;
    }
    let readers = match readers {
        Ok(readers) => readers,
        Err(error) => return Some(Err(format!("names cannot be read: {error}"))),
    };
    Some(self_test(config, readers).await.map_err(|error| crate::chain(&error.into())))
}

/// Tries one server by itself, so that each failure has its own line.
async fn try_alone(config: &Config, name: &UpstreamName, readers: Readers) -> Trial {
    let mut alone = config.clone();
    alone.upstreams.retain(|other, _| other == name);
    let outcome = probe(alone, readers).await.map_err(|error| crate::chain(&error));
    Trial { upstream: name.clone(), outcome }
}
