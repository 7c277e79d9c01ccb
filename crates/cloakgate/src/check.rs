//! `cloakgate check`: says what a configuration does, and whether its servers serve.

use std::io::{self, Write};
use std::process::ExitCode;

use cloakgate_gateway::config::{Config, TokenScope, Trust, Unresolved, UpstreamConfig, Warning};
use cloakgate_vocab::{Category, Defaults, UpstreamName};
use cloakgate_wire::withheld_names;

use crate::arguments::CheckArgs;
use crate::probe::{Offer, probe};
use crate::{EXIT_FAILED, gateway, logging};

pub(crate) fn run(arguments: &CheckArgs) -> anyhow::Result<ExitCode> {
    let (config, warnings) = gateway::load(&arguments.file)?;
    logging::start(arguments.logging, config.log_level);
    let mut out = io::stdout().lock();
    print(&mut out, &config, &warnings)?;
    if arguments.no_upstreams {
        return Ok(ExitCode::SUCCESS);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let all_serve = runtime.block_on(try_all(&mut out, &config))?;
    Ok(if all_serve { ExitCode::SUCCESS } else { ExitCode::from(EXIT_FAILED) })
}

/// Tries each server by itself, so that each failure has its own line.
async fn try_all(out: &mut impl Write, config: &Config) -> io::Result<bool> {
    let mut all_serve = true;
    for name in config.upstreams.keys() {
        let mut alone = config.clone();
        alone.upstreams.retain(|other, _| other == name);
        match probe(alone).await {
            Ok(Offer { lists }) if lists.is_empty() => writeln!(out, "{name} serves, and lists nothing")?,
            Ok(Offer { lists }) => {
                let counts: Vec<String> =
                    lists.iter().map(|(list, count)| format!("{count} {list}")).collect();
                writeln!(out, "{name} serves {}", counts.join(", "))?;
            }
            Err(error) => {
                all_serve = false;
                writeln!(out, "{name} does not serve: {}", crate::chain(&error))?;
                writeln!(out, "  if it misses a variable, name it in `inherit_env`")?;
            }
        }
    }
    Ok(all_serve)
}

fn print(out: &mut impl Write, config: &Config, warnings: &[Warning]) -> io::Result<()> {
    writeln!(out, "configuration is valid")?;
    for warning in warnings {
        writeln!(out, "  warning: {warning}")?;
    }
    writeln!(out, "cloaking: {}", on_off(config.sanitize))?;
    let names = |wanted: bool| {
        let mut names: Vec<&str> = Category::all()
            .filter(|category| category.defaults() != Defaults::Internal)
            .filter(|category| config.categories.contains(*category) == wanted)
            .map(Category::name)
            .collect();
        names.sort_unstable();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    };
    writeln!(out, "categories on: {}", names(true))?;
    writeln!(out, "categories off: {}", names(false))?;
    let scope = match config.token_scope {
        TokenScope::Session => "to every server, except secrets, which go back only where they came from",
        TokenScope::Upstream => "only to the server that brought the value",
    };
    writeln!(out, "tokens are restored: {scope}")?;
    writeln!(
        out,
        "not inspected: images, audio and other binary data; schemas and descriptions of tools and prompts"
    )?;
    let mut shown = Vec::new();
    for (name, upstream) in &config.upstreams {
        print_upstream(out, name, upstream)?;
        let withheld = withheld_names(&upstream.inherit_env, &upstream.env);
        if withheld.is_empty() {
            continue;
        }
        let names = if withheld == shown { "as above".to_owned() } else { withheld.join(", ") };
        writeln!(out, "  variables not handed on: {names} (see `inherit_env`)")?;
        shown = withheld;
    }
    Ok(())
}

fn print_upstream(out: &mut impl Write, name: &UpstreamName, upstream: &UpstreamConfig) -> io::Result<()> {
    let trust = match upstream.trust {
        Trust::Local => "local",
        Trust::Trusted => "trusted",
        Trust::ThirdParty => "third-party",
    };
    let unresolved = match upstream.unresolved {
        Unresolved::Refuse => "refused",
        Unresolved::Pass => "passed on as text",
    };
    writeln!(out, "upstream {name}: {}", upstream.command)?;
    writeln!(out, "  cloaking: {}, trust: {trust}, unknown tokens: {unresolved}", on_off(upstream.sanitize))
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
