//! Log lines on the error output: standard output belongs to the protocol.
//!
//! Invariant: without a terminal there are no colours; what other libraries say below a warning is left out, for
//! only our own crates promise to log no user text.

use std::io::IsTerminal;

use cloakgate_gateway::config::LogLevel;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::arguments::{LogFormat, LoggingArgs};

/// Prefix of our crates' names.
const OUR_TARGETS: &str = "cloakgate";

/// Starts logging. `configured` counts where the arguments name no level.
pub(crate) fn start(arguments: LoggingArgs, configured: LogLevel) {
    let level = match arguments.log_level.map_or(configured, |level| level.0) {
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Silent => LevelFilter::OFF,
    };
    let filter = Targets::new().with_default(level.min(LevelFilter::WARN)).with_target(OUR_TARGETS, level);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(filter);
    match arguments.log_format {
        LogFormat::Text => registry.with(lines.with_ansi(has_colours())).init(),
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).init(),
    }
}

fn has_colours() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}
