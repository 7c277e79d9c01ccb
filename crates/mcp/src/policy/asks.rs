//! What servers ask of the client: a model's answer, a person's answer, the roots.
//!
//! In and out: constants. Invariant: what a model or a person will read is inspected, the structure of a form is not;
//! in the answers tokens become values wherever they stand, binary content aside.
//! Not here: which messages these are.

use cloakgate_cloak::Treatment;

use super::blocks::{BLOCK, META};
use super::fields::{
    Field, amount, cloak, container, exact, fraction, group, restore, scan, shaped, whole, word,
};
use super::shape::{
    CONTEXTS, ELICITATION_MODES, ROLES, SCHEMA_FORMATS, SCHEMA_TYPES, Shape, TASK_STATES, TOOL_CHOICES,
};

/// Parameters of `sampling/createMessage`.
pub(super) const SAMPLING: &[Field] = &[
    container("messages"),
    container("messages/[]"),
    word("messages/[]/role", ROLES),
    group("messages/[]/content", BLOCK),
    group("messages/[]/content/[]", BLOCK),
    group("messages/[]", META),
    cloak("systemPrompt"),
    container("modelPreferences"),
    container("modelPreferences/hints"),
    container("modelPreferences/hints/[]"),
    cloak("modelPreferences/hints/[]/name"),
    fraction("modelPreferences/costPriority"),
    fraction("modelPreferences/speedPriority"),
    fraction("modelPreferences/intelligencePriority"),
    amount("maxTokens"),
    amount("temperature"),
    container("stopSequences"),
    cloak("stopSequences/[]"),
    word("includeContext", CONTEXTS),
    whole("metadata", Treatment::Cloak),
    // Unlike the tools of a list these are no contract of ours: their names come back in `tool_use` and are restored.
    whole("tools", Treatment::Cloak),
    container("toolChoice"),
    word("toolChoice/mode", TOOL_CHOICES),
    container("task"),
    amount("task/ttl"),
];

/// What a form asks for at one place. Whatever a person reads, and names of properties, is inspected.
const PROPERTY: &[Field] = &[
    word("type", SCHEMA_TYPES),
    word("format", SCHEMA_FORMATS),
    amount("minLength"),
    amount("maxLength"),
    amount("minimum"),
    amount("maximum"),
    amount("minItems"),
    amount("maxItems"),
    container("items"),
    word("items/type", SCHEMA_TYPES),
    whole("items/*", Treatment::Cloak),
    whole("*", Treatment::Cloak),
];

/// Parameters of `elicitation/create`.
pub(super) const ELICITATION: &[Field] = &[
    word("mode", ELICITATION_MODES),
    cloak("message"),
    container("requestedSchema"),
    word("requestedSchema/$schema", SCHEMA_FORMATS),
    word("requestedSchema/type", SCHEMA_TYPES),
    container("requestedSchema/properties"),
    // The name of a property follows the treatment of what is under it.
    cloak("requestedSchema/properties/*"),
    group("requestedSchema/properties/*", PROPERTY),
    container("requestedSchema/required"),
    cloak("requestedSchema/required/[]"),
    whole("requestedSchema/*", Treatment::Cloak),
    // Signed: the person must come to the true one. One with a person's address in it is inspected.
    scan("url", Shape::WebUri),
    shaped("elicitationId", Shape::Reference),
    container("task"),
    amount("task/ttl"),
];

/// Answer of a model. Pictures and sound are not read: they are long, and no model writes tokens into them.
pub(super) const SAMPLED: &[Field] = &[
    restore("result/role"),
    restore("result/model"),
    restore("result/stopReason"),
    restore("result/content"),
    exact("result/content/data"),
    exact("result/content/[]/data"),
    restore("result/task"),
];

/// Answer of a person.
pub(super) const ELICITED: &[Field] =
    &[restore("result/action"), restore("result/content"), restore("result/task")];

/// Directories that a server may work in.
pub(super) const ROOTS: &[Field] = &[restore("result/roots")];

/// Towards the model: what a result of a stateless server asks before it is complete, by any of the three.
pub(super) const INPUT_REQUESTS: &[Field] = &[
    container("result/inputRequests"),
    // The name of a question follows the treatment of what is under it.
    cloak("result/inputRequests/*"),
    shaped("result/inputRequests/*/method", Shape::Method),
    container("result/inputRequests/*/params"),
    group("result/inputRequests/*/params", SAMPLING),
    group("result/inputRequests/*/params", ELICITATION),
    // Opaque, and a server may have written anything into it.
    cloak("result/requestState"),
];

/// How far a task is. Its id is written by the gateway; one that is not is inspected but for a short number or a UUID.
pub(super) const TASK: &[Field] = &[
    shaped("taskId", Shape::Reference),
    word("status", TASK_STATES),
    cloak("statusMessage"),
    shaped("createdAt", Shape::Timestamp),
    shaped("lastUpdatedAt", Shape::Timestamp),
    amount("ttl"),
    amount("pollInterval"),
];
