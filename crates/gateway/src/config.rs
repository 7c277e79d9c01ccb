//! The gateway's configuration: a file becomes checked types, once, at start.
//!
//! In: JSON or TOML. Out: `Config` and warnings. Invariant: every key is known and of its type, or the file is
//! refused with the place and the nearest valid name; a key that has no effect is never passed over in silence,
//! and one that would promise or lower protection without effect is refused. No value of the file is repeated in
//! an error: it may be a credential.
//! Not here: starting anything, reading the command line.

mod budgets;
mod categories;
mod choices;
mod detection;
mod error;
mod keys;
mod locate;
mod models;
mod pattern;
mod profile;
mod reference;
mod schema;
mod section;
mod tables;
mod terms;
mod tree;
mod units;
mod upstream;

use std::path::{Path, PathBuf};
use std::time::Duration;

use cloakgate_names::Preset;
use cloakgate_vocab::UpstreamName;
use indexmap::IndexMap;

pub use choices::{Binary, FreshPii, LogLevel, PersonText, TokenStyle, Trust, UnknownMethods};
pub use cloakgate_cloak::{TokenScope, Unresolved};
pub use cloakgate_names::{Effort, ModelConfig};
pub use detection::Detection;
pub use error::{ConfigError, KeyProblem, Place, Warning};
pub use locate::{CONFIG_VARIABLE, locate};
pub use pattern::{Pattern, PatternError};
pub use profile::{ProfileError, ProfileName};
pub use schema::json_schema;
pub use terms::{FieldEntry, Folding, Term, TermList};
pub use tree::Format;
pub use upstream::{DEFAULT_CALL_TIMEOUT, DEFAULT_STARTUP_TIMEOUT, ToolConfig, UpstreamConfig};

use section::{Section, expected};

/// Everything that the gateway is told at start.
#[derive(Clone, Debug)]
pub struct Config {
    /// The servers behind the gateway, in the order of the file; at least one.
    pub upstreams: IndexMap<UpstreamName, UpstreamConfig>,
    /// False switches cloaking off everywhere: only ids and names change. Each upstream has the last word in
    /// its own `sanitize`.
    pub sanitize: bool,
    /// What is looked for where no server or tool says otherwise.
    pub detection: Detection,
    /// Models of the operator's own that read names beside those that are built in.
    pub models: Vec<ModelConfig>,
    /// How tokens are written.
    pub token_style: TokenStyle,
    /// Whose numbers plain tokens share.
    pub profile: ProfileName,
    /// Folder of state files, where the file names one.
    pub state_dir: Option<PathBuf>,
    /// What a person reads where a server asks for something.
    pub person_text: PersonText,
    /// What happens to requests with a method that is not known; `Forward` only with exactly one server.
    pub unknown_methods: UnknownMethods,
    /// Longest text of a message in characters; no limit but the message's when `None`.
    pub max_input_length: Option<usize>,
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

/// How long the gateway waits for answers to its own requests.
pub const DEFAULT_REQUEST_TIMEOUT: Duration = Duration::from_secs(120);
/// What a shortened name needs beside its upstream's: the separator, one character, `_` and a hash of six.
const SHORTENED_NAME_BYTES: usize = 10;
/// A configuration is written by people; more is a mistake of the path.
const MAX_FILE_BYTES: u64 = 4 << 20;

const WHY_NOT_FORWARD: &str =
    "a request that nobody knows can go to one server only, and there are more; leave the key out";

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
        let config = read_root(&Section::of(String::new(), &tree, tables::ROOT)?, &mut warnings)?;
        Ok((config, warnings))
    }
}

fn read_root(root: &Section<'_>, warnings: &mut Vec<Warning>) -> Result<Config, ConfigError> {
    let sanitize = root.flag("sanitize")?.unwrap_or(true);
    let unresolved = root.choice("unresolved")?.unwrap_or_default();
    let reference = reference::read(root, warnings)?;
    let detection = detection::read_root(root, reference.as_ref(), warnings)?;
    let wider = upstream::Wider { sanitize, unresolved, detection: &detection };
    let upstreams = upstream::read_all(root, wider, warnings)?;
    let models = models::read(root)?;
    models::warn_of_unasked(root, &models, deepest_preset(&upstreams), warnings)?;
    root.read("$schema", "a text", section::any_text)?;
    Ok(Config {
        sanitize,
        unresolved,
        token_scope: root.choice("token_scope")?.unwrap_or_default(),
        token_style: root.choice("token_style")?.unwrap_or_default(),
        profile: read_profile(root)?,
        state_dir: root.text("state_dir")?.map(PathBuf::from),
        person_text: root.choice("person_text")?.unwrap_or_default(),
        unknown_methods: read_unknown_methods(root, upstreams.len())?,
        max_input_length: reference.and_then(|table| table.max_input_length),
        name_budget: root
            .integer_from("name_budget", least_name_budget(&upstreams))?
            .unwrap_or(cloakgate_mcp::DEFAULT_NAME_BUDGET),
        max_message_bytes: root.integer("max_message_bytes")?.unwrap_or(cloakgate_wire::MAX_MESSAGE_BYTES),
        request_timeout: root.duration("request_timeout")?.unwrap_or(DEFAULT_REQUEST_TIMEOUT),
        allow_unknown_protocol_version: root.flag("allow_unknown_protocol_version")?.unwrap_or(false),
        log_level: root.choice("log_level")?.unwrap_or_default(),
        models,
        upstreams,
        detection,
    })
}

/// How much is done for names where most is done; `None` when they are read nowhere.
fn deepest_preset(upstreams: &IndexMap<UpstreamName, UpstreamConfig>) -> Option<Preset> {
    let scopes = upstreams.values().flat_map(|upstream| {
        upstream.tools.values().map(|tool| &tool.detection).chain([&upstream.detection])
    });
    scopes.filter_map(|detection| detection.names.preset()).max()
}

fn read_profile(root: &Section<'_>) -> Result<ProfileName, ConfigError> {
    let Some(name) = root.text("profile")? else { return Ok(ProfileName::default()) };
    name.parse().map_err(|error: ProfileError| {
        let (path, line) = root.place("profile");
        expected(path, line, &error.to_string())
    })
}

fn read_unknown_methods(root: &Section<'_>, servers: usize) -> Result<UnknownMethods, ConfigError> {
    let methods = root.choice("unknown_methods")?.unwrap_or_default();
    if methods == UnknownMethods::Forward && servers != 1 {
        let (path, line) = root.place("unknown_methods");
        return Err(ConfigError::key(path, line, KeyProblem::Unsupported(WHY_NOT_FORWARD)));
    }
    Ok(methods)
}

/// Under a smaller budget the tools of the longest-named server could not be told apart.
fn least_name_budget(upstreams: &IndexMap<UpstreamName, UpstreamConfig>) -> usize {
    let longest = upstreams.keys().map(|name| name.as_str().len()).max().unwrap_or(0);
    longest.saturating_add(SHORTENED_NAME_BYTES)
}

#[cfg(test)]
mod tests;
