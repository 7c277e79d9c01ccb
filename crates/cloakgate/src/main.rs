//! The program: arguments become parts, the parts run.
//!
//! Exit codes: 0 all went well, 1 start or self-test failed, 2 the configuration or the arguments are wrong.

mod arguments;
mod check;
mod cloak;
mod colours;
mod demo;
mod detect;
mod detectors;
mod explain;
mod gateway;
mod key;
mod logging;
mod manual;
mod probe;
mod scan;
mod serve;
mod shown;
mod texts;
mod uncloak;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command};

/// A call is thousands of strings that live as long as it does, on several threads: the allocator of most systems spends a
/// tenth of the time on them, this one less than half of that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Something failed that is no mistake of the configuration.
const EXIT_FAILED: u8 = 1;
/// The configuration is wrong; clap ends with the same code for wrong arguments.
const EXIT_BAD_CONFIGURATION: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(code) => code,
        // Whoever read our output has what they wanted.
        Err(error) if is_closed_pipe(&error) => ExitCode::from(EXIT_FAILED),
        Err(error) => {
            // Error texts hold names and places, never values.
            complain(format_args!("{}", chain(&error)));
            let is_configuration = error.is::<cloakgate_gateway::config::ConfigError>()
                || error.is::<cloakgate_service::ConfigError>()
                || error.is::<cloakgate_service::SettingsError>();
            ExitCode::from(if is_configuration { EXIT_BAD_CONFIGURATION } else { EXIT_FAILED })
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    match arguments.command {
        None if !arguments.gateway.names_a_configuration() => {
            Arguments::command().print_help()?;
            Ok(ExitCode::from(EXIT_BAD_CONFIGURATION))
        }
        None => gateway::run(&arguments.gateway),
        Some(Command::Gateway(gateway)) => gateway::run(&gateway),
        Some(Command::Serve(serve)) => serve::run(&serve),
        Some(Command::Key(command)) => key::run(&command),
        Some(Command::Cloak(cloak)) => cloak::run(&cloak),
        Some(Command::Uncloak(uncloak)) => uncloak::run(&uncloak),
        Some(Command::Check(check)) => check::run(&check),
        Some(Command::Detect(arguments)) => detect::run(&arguments),
        Some(Command::Scan(arguments)) => scan::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&arguments),
        Some(Command::Demo(demo)) => demo::run(demo),
        Some(Command::DemoServer(server)) => demo::serve(server),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man { command }) => manual::page(command.as_deref()),
        Some(Command::Schema) => manual::schema(),
    }
}

/// True when an output could not be written because nobody reads it any more.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

/// One line on the error output; where even that fails nobody is left to tell.
fn complain(text: std::fmt::Arguments<'_>) {
    let _unheard = writeln!(std::io::stderr(), "cloakgate: {text}");
}

/// An error and its causes on one line.
fn chain(error: &anyhow::Error) -> String {
    let texts: Vec<String> = error.chain().map(ToString::to_string).collect();
    texts.join(": ")
}
