//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use cloakgate_gateway::config::{CONFIG_VARIABLE, LogLevel};

use crate::cloak::CloakArgs;
use crate::demo::{DemoArgs, DemoServerArgs};
use crate::detect::DetectArgs;
use crate::explain::ExplainArgs;
use crate::key::KeyCommand;
use crate::scan::ScanArgs;
use crate::serve::ServeArgs;
use crate::uncloak::UncloakArgs;

const AFTER_HELP: &str = "Without a command, --config runs the gateway.

Exit codes: 0 all went well, 1 start or self-test failed, 2 the configuration or the arguments are wrong.";

/// Keeps personal data and secrets away from language models, and the tools of the models working.
#[derive(Debug, Parser)]
#[command(name = "cloakgate", version, after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) gateway: GatewayArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve over standard streams, in front of the servers of a configuration
    #[command(version)]
    Gateway(GatewayArgs),
    /// Serve the tools `cloak` and `uncloak` and the management API
    #[command(version)]
    Serve(ServeArgs),
    /// Make and rotate the master keys of the service
    #[command(subcommand)]
    Key(KeyCommand),
    /// Replace what identifies people in a text
    Cloak(CloakArgs),
    /// Put the values back into a text
    Uncloak(UncloakArgs),
    /// Read a configuration, say what it does and try its servers
    #[command(version)]
    Check(CheckArgs),
    /// Say what is in texts: line by line for programs, or as a table
    Detect(DetectArgs),
    /// Say which files of folders hold personal data or secrets
    Scan(ScanArgs),
    /// Say why something in a text is masked, and why something else is not
    Explain(ExplainArgs),
    /// Show the whole loop on a built-in sample server
    Demo(DemoArgs),
    /// The sample server of the demonstration
    #[command(hide = true)]
    DemoServer(DemoServerArgs),
    /// Print the JSON Schema of the configuration, for editors
    Schema,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or that of one command
    Man {
        /// The command
        command: Option<String>,
    },
}

#[derive(Args, Debug)]
pub(crate) struct GatewayArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    #[command(flatten)]
    pub(crate) logging: LoggingArgs,
    /// Only check, as `cloakgate check` does
    #[arg(long)]
    pub(crate) check: bool,
}

impl GatewayArgs {
    /// True when a file was named, or the variable names one, or a check is wanted.
    pub(crate) fn names_a_configuration(&self) -> bool {
        self.check || self.file.config.is_some() || variable().is_some()
    }
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) file: FileArgs,
    #[command(flatten)]
    pub(crate) logging: LoggingArgs,
    /// Start no servers, for machines that have none
    #[arg(long)]
    pub(crate) no_upstreams: bool,
    /// List every category, every withheld variable and every position that is not inspected
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Print one JSON object with everything
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct FileArgs {
    /// Configuration, JSON or TOML [default: $CLOAKGATE_CONFIG, else ./cloakgate.json or ./cloakgate.toml]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LoggingArgs {
    /// How much is logged to the error output [default: the configuration's]
    #[arg(long, value_name = "LEVEL")]
    pub(crate) log_level: Option<Level>,
    /// How log lines look
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) log_format: LogFormat,
}

/// The configuration's levels, as arguments.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Level(pub(crate) LogLevel);

impl ValueEnum for Level {
    fn value_variants<'a>() -> &'a [Self] {
        const LEVELS: [Level; LogLevel::NAMES.len()] = [
            Level(LogLevel::Debug),
            Level(LogLevel::Info),
            Level(LogLevel::Warn),
            Level(LogLevel::Error),
            Level(LogLevel::Silent),
        ];
        &LEVELS
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let (name, _) = LogLevel::NAMES.into_iter().find(|(_, level)| *level == self.0)?;
        Some(clap::builder::PossibleValue::new(name))
    }
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// The file that the environment names.
pub(crate) fn variable() -> Option<OsString> {
    std::env::var_os(CONFIG_VARIABLE).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_gateway_runs_with_and_without_its_name() {
        for arguments in
            [vec!["cloakgate", "--config", "a.json"], vec!["cloakgate", "gateway", "--config", "a.json"]]
        {
            let parsed = Arguments::try_parse_from(&arguments).expect("valid");
            let gateway = match parsed.command {
                Some(Command::Gateway(gateway)) => gateway,
                None => parsed.gateway,
                Some(other) => panic!("{other:?}"),
            };
            assert_eq!(gateway.file.config, Some(PathBuf::from("a.json")), "{arguments:?}");
        }
        for level in Level::value_variants() {
            let name = level.to_possible_value().expect("a name");
            let parsed = Arguments::try_parse_from(["cloakgate", "--check", "--log-level", name.get_name()]);
            assert_eq!(parsed.expect("valid").gateway.logging.log_level, Some(*level));
        }
        assert!(Arguments::try_parse_from(["cloakgate", "--log-level", "loud"]).is_err());
    }
}
