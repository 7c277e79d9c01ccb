//! The gateway's configuration: a file becomes checked types, once, at start.
//!
//! In: JSON or TOML. Out: `Config` and warnings. Invariant: every key is known and of its type, or the file is
//! refused with the place and the nearest valid name; a key that has no effect is never passed over in silence,
//! and one that would promise or lower protection without effect is refused. No value of the file is repeated in
//! an error: it may be a credential.
//! Not here: starting anything, reading the command line.

mod categories;
mod detection;
mod error;
mod locate;
mod section;
mod tree;
mod units;
mod upstream;

use std::path::Path;
use std::time::Duration;

use cloakgate_detect::CategorySet;
use cloakgate_vocab::UpstreamName;
use indexmap::IndexMap;

pub use cloakgate_cloak::{TokenScope, Unresolved};
pub use error::{ConfigError, KeyProblem, Place, Warning};
pub use locate::{CONFIG_VARIABLE, locate};
pub use tree::Format;
pub use upstream::{DEFAULT_CALL_TIMEOUT, DEFAULT_STARTUP_TIMEOUT, UpstreamConfig};

use section::Section;

/// Everything that the gateway is told at start.
#[derive(Clone, Debug)]
pub struct Config {
    /// The servers behind the gateway, in the order of the file; at least one.
    pub upstreams: IndexMap<UpstreamName, UpstreamConfig>,
    /// False switches cloaking off everywhere: only ids and names change. Each upstream has the last word in
    /// its own `sanitize`.
    pub sanitize: bool,
    /// What is looked for.
    pub categories: CategorySet,
    /// Where a token may be restored.
    pub token_scope: TokenScope,
    /// What happens to a token that does not verify, unless an upstream says otherwise.
    pub unresolved: Unresolved,
    /// Longest `upstream__tool` name in bytes; longer ones are shortened.
    pub name_budget: usize,
    /// Longest message in bytes, in either direction.
    pub max_message_bytes: usize,
    /// How long the gateway waits for answers to its own requests: lists, log levels.
    pub request_timeout: Duration,
    /// Pass on a protocol version that the gateway does not know instead of answering with one that it knows.
    pub allow_unknown_protocol_version: bool,
    /// What is logged, unless the command line says otherwise.
    pub log_level: LogLevel,
}

/// How far a server is trusted with values that it did not bring itself.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Trust {
    /// It keeps to this machine.
    Local,
    /// It is run by the operator.
    #[default]
    Trusted,
    /// It is run by somebody else.
    ThirdParty,
}

/// How much is logged.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum LogLevel {
    /// Everything, for looking for mistakes.
    Debug,
    /// What happens.
    #[default]
    Info,
    /// What should not have happened.
    Warn,
    /// What somebody must act on.
    Error,
    /// Nothing.
    Silent,
}

impl LogLevel {
    /// Names and levels, as the file and the command line have them.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("debug", Self::Debug),
        ("info", Self::Info),
        ("warn", Self::Warn),
        ("error", Self::Error),
        ("silent", Self::Silent),
    ];
}

/// How long the gateway waits for answers to its own requests.
pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(120);
const MIN_NAME_BUDGET: usize = 16;
/// The protocol allows no more.
const MAX_NAME_BUDGET: usize = 128;
/// What a shortened name needs beside its upstream's: the separator, one character, `_` and a hash of six.
const SHORTENED_NAME_BYTES: usize = 10;
const MIN_MESSAGE_BYTES: usize = 64 << 10;
const LARGEST_MESSAGE_BYTES: usize = 1 << 30;
/// A configuration is written by people; more is a mistake of the path.
const MAX_FILE_BYTES: u64 = 4 << 20;

impl Config {
    /// Reads a file: TOML where its name ends with `.toml`, JSON otherwise.
    ///
    /// # Errors
    /// When it cannot be read, or holds a key that is unknown, missing, of the wrong type or without effect where
    /// protection depends on it.
    pub fn load(path: &Path) -> Result<(Self, Vec<Warning>), ConfigError> {
        let read = |source| ConfigError::Read { file: path.to_owned(), source };
        let length = std::fs::metadata(path).map_err(read)?.len();
        if length > MAX_FILE_BYTES {
            return Err(ConfigError::TooBig { file: path.to_owned(), max: MAX_FILE_BYTES });
        }
        let text = std::fs::read_to_string(path).map_err(read)?;
        Self::parse(&text, Format::of(path)).map_err(|error| error.in_file(path))
    }

    /// Reads a text.
    ///
    /// # Errors
    /// As `load`, without the file's name.
    pub fn parse(text: &str, format: Format) -> Result<(Self, Vec<Warning>), ConfigError> {
        let tree = tree::parse(text, format)?;
        let mut warnings = Vec::new();
        let config = read_root(Section::root(&tree)?, &mut warnings)?;
        Ok((config, warnings))
    }
}

fn read_root(mut root: Section<'_>, warnings: &mut Vec<Warning>) -> Result<Config, ConfigError> {
    let sanitize = root.flag("sanitize")?.unwrap_or(true);
    let unresolved = root.choice("unresolved", upstream::UNRESOLVED)?.unwrap_or_default();
    let categories = root.section("categories")?;
    let detection = root.section("detection")?;
    let token_scope = [("session", TokenScope::Session), ("upstream", TokenScope::Upstream)];
    let upstreams = upstream::read_all(&mut root, sanitize, unresolved)?;
    let config = Config {
        sanitize,
        unresolved,
        token_scope: root.choice("token_scope", &token_scope)?.unwrap_or_default(),
        name_budget: root
            .integer("name_budget", least_name_budget(&upstreams)..=MAX_NAME_BUDGET)?
            .unwrap_or(cloakgate_mcp::DEFAULT_NAME_BUDGET),
        max_message_bytes: root
            .integer("max_message_bytes", MIN_MESSAGE_BYTES..=LARGEST_MESSAGE_BYTES)?
            .unwrap_or(cloakgate_wire::MAX_MESSAGE_BYTES),
        request_timeout: root.duration("request_timeout")?.unwrap_or(DEFAULT_REQUEST_TIMEOUT),
        allow_unknown_protocol_version: root.flag("allow_unknown_protocol_version")?.unwrap_or(false),
        log_level: root.choice("log_level", &LogLevel::NAMES)?.unwrap_or_default(),
        upstreams,
        categories: categories::read(categories, detection, warnings)?,
    };
    root.finish()?;
    Ok(config)
}

/// Under a smaller budget the tools of the longest-named server could not be told apart.
fn least_name_budget(upstreams: &IndexMap<UpstreamName, UpstreamConfig>) -> usize {
    let longest = upstreams.keys().map(|name| name.as_str().len()).max().unwrap_or(0);
    MIN_NAME_BUDGET.max(longest.saturating_add(SHORTENED_NAME_BYTES))
}

#[cfg(test)]
mod tests;
