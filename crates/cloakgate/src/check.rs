//! `cloakgate check`: says what a configuration does.

use std::io::{self, Write};
use std::process::ExitCode;

use cloakgate_gateway::config::{Config, TokenScope, Trust, Unresolved, UpstreamConfig, Warning};
use cloakgate_vocab::{Category, Defaults, UpstreamName};
use cloakgate_wire::withheld_names;

use crate::arguments::CheckArgs;
use crate::{gateway, logging};

pub(crate) fn run(arguments: &CheckArgs) -> anyhow::Result<ExitCode> {
    let (config, warnings) = gateway::load(&arguments.file)?;
    logging::start(arguments.logging, config.log_level);
    let mut out = io::stdout().lock();
    print(&mut out, &config, &warnings)?;
    Ok(ExitCode::SUCCESS)
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
    for (name, upstream) in &config.upstreams {
        print_upstream(out, name, upstream)?;
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
    writeln!(out, "  cloaking: {}, trust: {trust}, unknown tokens: {unresolved}", on_off(upstream.sanitize))?;
    let withheld = withheld_names(&upstream.inherit_env, &upstream.env);
    if !withheld.is_empty() {
        writeln!(out, "  variables not handed on: {} (see `inherit_env`)", withheld.join(", "))?;
    }
    Ok(())
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
