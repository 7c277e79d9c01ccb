//! The program: arguments become parts, the parts run.
//!
//! Exit codes: 0 all went well, 1 start or self-test failed, 2 the configuration or the arguments are wrong.

mod arguments;
mod check;
mod demo;
mod gateway;
mod logging;
mod manual;
mod probe;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command};

/// Something failed that is no mistake of the configuration.
const EXIT_FAILED: u8 = 1;
/// The configuration is wrong; clap ends with the same code for wrong arguments.
const EXIT_BAD_CONFIGURATION: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(arguments) {
        Ok(code) => code,
        Err(error) => {
            // Error texts hold names and places, never values; where even this fails nobody is left to tell.
            let _unheard = writeln!(std::io::stderr(), "cloakgate: {}", chain(&error));
            ExitCode::from(if error.is::<cloakgate_gateway::config::ConfigError>() {
                EXIT_BAD_CONFIGURATION
            } else {
                EXIT_FAILED
            })
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
        Some(Command::Check(check)) => check::run(&check),
        Some(Command::Demo(demo)) => demo::run(demo),
        Some(Command::DemoServer(server)) => demo::serve(server),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man) => manual::page(),
        Some(Command::Schema) => manual::schema(),
    }
}

/// An error and its causes on one line.
fn chain(error: &anyhow::Error) -> String {
    let texts: Vec<String> = error.chain().map(ToString::to_string).collect();
    texts.join(": ")
}
