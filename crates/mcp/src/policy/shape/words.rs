//! Closed vocabularies of the protocol, of all revisions.
//!
//! In and out: constants. Invariant: a word that a later revision adds is missing here and so is inspected, which
//! changes it only if something is found in it. Not here: open vocabularies, such as names.

/// The version of the envelope.
pub(in crate::policy) const VERSIONS_OF_JSON_RPC: &[&str] = &["2.0"];

/// Types of content blocks and of references.
pub(in crate::policy) const TYPES: &[&str] = &[
    "text",
    "image",
    "audio",
    "resource",
    "resource_link",
    "tool_use",
    "tool_result",
    "ref/prompt",
    "ref/resource",
    "ref/tool",
];

/// Who speaks.
pub(in crate::policy) const ROLES: &[&str] = &["user", "assistant", "system", "tool"];

/// For whom a block is.
pub(in crate::policy) const AUDIENCES: &[&str] = &["user", "assistant"];

/// Severities of log messages.
pub(in crate::policy) const LEVELS: &[&str] =
    &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Backgrounds that an icon is drawn for.
pub(in crate::policy) const THEMES: &[&str] = &["light", "dark"];

/// Who may keep a result.
pub(in crate::policy) const CACHE_SCOPES: &[&str] = &["public", "private"];

/// What a result is.
pub(in crate::policy) const RESULT_TYPES: &[&str] = &["complete", "input_required", "task"];

/// States of a task.
pub(in crate::policy) const TASK_STATES: &[&str] =
    &["submitted", "working", "input_required", "completed", "failed", "cancelled", "unknown"];

/// Ways of asking a person.
pub(in crate::policy) const ELICITATION_MODES: &[&str] = &["form", "url"];

/// What a model is to see beside the messages.
pub(in crate::policy) const CONTEXTS: &[&str] = &["none", "thisServer", "allServers"];

/// Whether a model is to use tools.
pub(in crate::policy) const TOOL_CHOICES: &[&str] = &["auto", "none", "required", "any", "tool"];

/// Types of JSON Schema.
pub(in crate::policy) const SCHEMA_TYPES: &[&str] =
    &["object", "array", "string", "number", "integer", "boolean", "null"];

/// Formats of JSON Schema that a form may ask for, and its own address.
pub(in crate::policy) const SCHEMA_FORMATS: &[&str] = &[
    "email",
    "uri",
    "date",
    "date-time",
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2020-12/schema",
];
