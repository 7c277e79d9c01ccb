//! What packagers and editors need: completions, the manual page, the schema of the configuration.

use std::io::{Write, stdout};
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

use crate::arguments::Arguments;

pub(crate) fn completions(shell: clap_complete::Shell) -> anyhow::Result<ExitCode> {
    // The generator panics where it cannot write, as into a closed pipe; a buffer takes everything.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "cloakgate", &mut script);
    stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn page(command: Option<&str>) -> anyhow::Result<ExitCode> {
    let mut root = Arguments::command();
    // Names such as `cloakgate-scan` are made when the whole is built.
    root.build();
    let described = match command {
        None => root,
        Some(name) => root.find_subcommand(name).cloned().with_context(|| format!("no command `{name}`"))?,
    };
    clap_mangen::Man::new(described).render(&mut stdout())?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn schema() -> anyhow::Result<ExitCode> {
    stdout().write_all(cloakgate_gateway::config::json_schema().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
