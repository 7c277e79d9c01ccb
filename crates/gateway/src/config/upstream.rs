//! The servers behind the gateway.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use cloakgate_vocab::UpstreamName;
use cloakgate_wire::{ChildSpec, Inherit};
use indexmap::IndexMap;

use super::section::{Section, expected, plain_text, text_list};
use super::tree::Value;
use super::{ConfigError, KeyProblem, Trust, Unresolved};

/// How long a server may take to answer the handshake.
pub const DEFAULT_STARTUP_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a forwarded call may take.
pub const DEFAULT_CALL_TIMEOUT: Duration = Duration::from_secs(15 * 60);

pub(super) const UNRESOLVED: &[(&str, Unresolved)] =
    &[("refuse", Unresolved::Refuse), ("pass", Unresolved::Pass)];
const TRUST: &[(&str, Trust)] =
    &[("local", Trust::Local), ("trusted", Trust::Trusted), ("third-party", Trust::ThirdParty)];

/// One server.
#[derive(Clone)]
pub struct UpstreamConfig {
    /// Program, by path or by name on the server's `PATH`.
    pub command: String,
    /// Arguments, passed without a shell.
    pub args: Vec<String>,
    /// Variables that the file writes out, in its order.
    pub env: Vec<(String, String)>,
    /// Which of our own variables it gets besides.
    pub inherit_env: Inherit,
    /// Folder to start in; ours when `None`.
    pub cwd: Option<PathBuf>,
    /// How long it may take to answer the handshake.
    pub startup_timeout: Duration,
    /// How long a forwarded call may take.
    pub call_timeout: Duration,
    /// Whether its messages are cloaked; the file's `sanitize` where it has none of its own.
    pub sanitize: bool,
    /// How far it is trusted with values that others brought.
    pub trust: Trust,
    /// What happens to a token that does not verify; the file's where it has none of its own.
    pub unresolved: Unresolved,
}

impl UpstreamConfig {
    /// How to start the server.
    #[must_use]
    pub fn child_spec(&self, upstream: UpstreamName, max_message_bytes: usize) -> ChildSpec {
        ChildSpec {
            upstream,
            command: self.command.clone(),
            args: self.args.clone(),
            env: self.env.clone(),
            inherit: self.inherit_env.clone(),
            cwd: self.cwd.clone(),
            max_message_bytes,
        }
    }
}

/// Arguments and values of variables may be credentials: only their number and names are shown.
impl fmt::Debug for UpstreamConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.env.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("UpstreamConfig")
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &names)
            .field("inherit_env", &self.inherit_env)
            .field("cwd", &self.cwd)
            .field("startup_timeout", &self.startup_timeout)
            .field("call_timeout", &self.call_timeout)
            .field("sanitize", &self.sanitize)
            .field("trust", &self.trust)
            .field("unresolved", &self.unresolved)
            .finish()
    }
}

/// Reads `upstreams`.
pub(super) fn read_all(
    root: &mut Section<'_>,
    sanitize: bool,
    unresolved: Unresolved,
) -> Result<IndexMap<UpstreamName, UpstreamConfig>, ConfigError> {
    let Some(section) = root.section("upstreams")? else {
        return Err(ConfigError::key("upstreams", root.line(), KeyProblem::Missing));
    };
    let mut upstreams = IndexMap::new();
    for entry in section.sections() {
        let (name, fields) = entry?;
        let line = fields.line();
        let checked = name
            .parse::<UpstreamName>()
            .map_err(|error| expected(section.path_of(name), line, &format!("named otherwise: {error}")))?;
        upstreams.insert(checked, read_one(fields, sanitize, unresolved)?);
    }
    if upstreams.is_empty() {
        return Err(expected("upstreams".into(), section.line(), "an object with at least one server"));
    }
    Ok(upstreams)
}

fn read_one(
    mut fields: Section<'_>,
    sanitize: bool,
    unresolved: Unresolved,
) -> Result<UpstreamConfig, ConfigError> {
    let Some(command) = fields.text("command")? else {
        return Err(ConfigError::key(fields.path_of("command"), fields.line(), KeyProblem::Missing));
    };
    let upstream = UpstreamConfig {
        command,
        args: fields.texts("args")?.unwrap_or_default(),
        env: fields
            .read("env", "an object of texts with names of variables as keys", variables)?
            .unwrap_or_default(),
        inherit_env: fields
            .read("inherit_env", "true, false or a list of names", inherit)?
            .unwrap_or_default(),
        cwd: fields.text("cwd")?.map(PathBuf::from),
        startup_timeout: fields.duration("startup_timeout")?.unwrap_or(DEFAULT_STARTUP_TIMEOUT),
        call_timeout: fields.duration("call_timeout")?.unwrap_or(DEFAULT_CALL_TIMEOUT),
        sanitize: fields.flag("sanitize")?.unwrap_or(sanitize),
        trust: fields.choice("trust", TRUST)?.unwrap_or_default(),
        unresolved: fields.choice("unresolved", UNRESOLVED)?.unwrap_or(unresolved),
    };
    fields.finish()?;
    Ok(upstream)
}

fn variables(value: &Value) -> Option<Vec<(String, String)>> {
    let Value::Table(table) = value else { return None };
    table
        .iter()
        .map(|(name, node)| {
            let is_name = !name.is_empty() && !name.contains(['=', '\0']);
            match &node.value {
                Value::Text(text) if is_name && !text.contains('\0') => Some((name.clone(), text.clone())),
                _ => None,
            }
        })
        .collect()
}

fn inherit(value: &Value) -> Option<Inherit> {
    match value {
        Value::Bool(true) => Some(Inherit::All),
        Value::Bool(false) => Some(Inherit::Default),
        Value::List(items) => {
            let all_named = items.iter().all(|item| plain_text(&item.value).is_some());
            text_list(value).filter(|_| all_named).map(Inherit::Names)
        }
        _ => None,
    }
}
