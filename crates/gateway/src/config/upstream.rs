//! The servers behind the gateway.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use cloakgate_vocab::UpstreamName;
use cloakgate_wire::{ChildSpec, Inherit};
use indexmap::IndexMap;

use super::choices::{Binary, FreshPii, Trust};
use super::detection::{self, Detection};
use super::section::{Section, expected, plain_text, text_list};
use super::tables::{TOOL, UPSTREAM};
use super::tree::Value;
use super::{ConfigError, Unresolved, Warning, budgets};

/// How long a server may take to answer the handshake.
pub const DEFAULT_STARTUP_TIMEOUT: Duration = Duration::from_secs(30);
/// How long a forwarded call may take.
pub const DEFAULT_CALL_TIMEOUT: Duration = Duration::from_secs(15 * 60);

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
    /// What is looked for in its messages, the file's settings taken in.
    pub detection: Detection,
    /// Settings of single tools, by the names that the server gives them; the server's for all others.
    pub tools: IndexMap<String, ToolConfig>,
    /// What happens to content that cannot be read.
    pub binary: Binary,
    /// What happens to personal data that the model writes by itself.
    pub fresh_pii: FreshPii,
    /// Most different tokens in one call that stand for values which this server did not bring.
    pub max_foreign_tokens_per_call: usize,
    /// The same within a minute.
    pub max_foreign_tokens_per_minute: usize,
    /// Most values in one call that the model wrote by itself.
    pub max_fresh_values_per_call: usize,
    /// Most different values that it may bring into a session.
    pub max_entries: usize,
}

/// One tool of a server, what the server's settings say taken in.
#[derive(Clone, Debug)]
pub struct ToolConfig {
    /// What is looked for in its answers.
    pub detection: Detection,
    /// How long a call of it may take.
    pub call_timeout: Duration,
}

impl UpstreamConfig {
    /// What is looked for in the messages of a tool of this server.
    #[must_use]
    pub fn detection_of(&self, tool: &str) -> &Detection {
        self.tools.get(tool).map_or(&self.detection, |tool| &tool.detection)
    }

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
            .field("detection", &self.detection)
            .field("tools", &self.tools)
            .field("binary", &self.binary)
            .field("fresh_pii", &self.fresh_pii)
            .field("max_foreign_tokens_per_call", &self.max_foreign_tokens_per_call)
            .field("max_foreign_tokens_per_minute", &self.max_foreign_tokens_per_minute)
            .field("max_fresh_values_per_call", &self.max_fresh_values_per_call)
            .field("max_entries", &self.max_entries)
            .finish()
    }
}

/// What the top level says for servers that say nothing else.
#[derive(Clone, Copy)]
pub(super) struct Wider<'a> {
    pub(super) sanitize: bool,
    pub(super) unresolved: Unresolved,
    pub(super) detection: &'a Detection,
}

/// Reads `upstreams`.
pub(super) fn read_all(
    root: &Section<'_>,
    wider: Wider<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<IndexMap<UpstreamName, UpstreamConfig>, ConfigError> {
    let mut upstreams = IndexMap::new();
    let section = root.named("upstreams")?;
    for (section, name, node) in
        section.iter().flat_map(|section| section.entries().map(move |(name, node)| (section, name, node)))
    {
        let path = section.path_of(name);
        let checked = name
            .parse::<UpstreamName>()
            .map_err(|error| expected(path.clone(), node.line, &format!("named otherwise: {error}")))?;
        upstreams.insert(checked, read_one(&Section::of(path, node, UPSTREAM)?, wider, warnings)?);
    }
    if upstreams.is_empty() {
        let (path, line) = root.place("upstreams");
        return Err(expected(path, line, "an object with at least one server"));
    }
    Ok(upstreams)
}

fn read_one(
    fields: &Section<'_>,
    wider: Wider<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<UpstreamConfig, ConfigError> {
    let trust = fields.choice("trust")?.unwrap_or_default();
    let budgets = budgets::defaults(trust);
    let detection = detection::read_within(fields, wider.detection, warnings)?;
    let call_timeout = fields.duration("call_timeout")?.unwrap_or(DEFAULT_CALL_TIMEOUT);
    let of_server = ToolConfig { detection, call_timeout };
    Ok(UpstreamConfig {
        // It is required, so it is there.
        command: fields.text("command")?.unwrap_or_default(),
        args: fields.texts("args")?.unwrap_or_default(),
        env: fields
            .read("env", "an object of texts with names of variables as keys", variables)?
            .unwrap_or_default(),
        inherit_env: fields
            .read("inherit_env", "true, false or a list of names", inherit)?
            .unwrap_or_default(),
        cwd: fields.text("cwd")?.map(PathBuf::from),
        startup_timeout: fields.duration("startup_timeout")?.unwrap_or(DEFAULT_STARTUP_TIMEOUT),
        call_timeout,
        sanitize: fields.flag("sanitize")?.unwrap_or(wider.sanitize),
        trust,
        unresolved: fields.choice("unresolved")?.unwrap_or(wider.unresolved),
        tools: tools(fields, &of_server, warnings)?,
        detection: of_server.detection,
        binary: fields.choice("binary")?.unwrap_or_default(),
        fresh_pii: fields.choice("fresh_pii")?.unwrap_or_default(),
        max_foreign_tokens_per_call: fields
            .integer("max_foreign_tokens_per_call")?
            .unwrap_or(budgets.foreign_tokens_per_call),
        max_foreign_tokens_per_minute: fields
            .integer("max_foreign_tokens_per_minute")?
            .unwrap_or(budgets.foreign_tokens_per_minute),
        max_fresh_values_per_call: fields
            .integer("max_fresh_values_per_call")?
            .unwrap_or(budgets.fresh_values_per_call),
        max_entries: fields.integer("max_entries")?.unwrap_or(budgets.entries),
    })
}

fn tools(
    fields: &Section<'_>,
    wider: &ToolConfig,
    warnings: &mut Vec<Warning>,
) -> Result<IndexMap<String, ToolConfig>, ConfigError> {
    let mut tools = IndexMap::new();
    let Some(section) = fields.named("tools")? else { return Ok(tools) };
    for (name, node) in section.entries() {
        let path = section.path_of(name);
        if name.is_empty() {
            return Err(expected(path, node.line, "named: a tool has a name"));
        }
        let section = Section::of(path, node, TOOL)?;
        let detection = detection::read_within(&section, &wider.detection, warnings)?;
        let call_timeout = section.duration("call_timeout")?.unwrap_or(wider.call_timeout);
        tools.insert(name.to_owned(), ToolConfig { detection, call_timeout });
    }
    Ok(tools)
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
