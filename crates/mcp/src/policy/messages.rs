//! The table: each message and what its positions get.
//!
//! In and out: constants. Invariant: each row says in which revisions its messages exist; a position means the same
//! in every revision that has it, so one compiled table serves all of them. Not here: groups that several messages
//! share.

use cloakgate_cloak::Treatment;

use super::asks::{ELICITATION, ELICITED, INPUT_REQUESTS, ROOTS, SAMPLED, SAMPLING, TASK};
use super::blocks::{BLOCK, CONTENTS, META};
use super::fields::{
    Field, Row, amount, cloak, container, exact, flag, group, restore, shaped, uri, whole, word,
};
use super::lists::{PROMPTS, RESOURCES, TEMPLATES, TOOLS};
use super::shape::{CACHE_SCOPES, LEVELS, RESULT_TYPES, ROLES, Shape, VERSIONS_OF_JSON_RPC};
use super::{Direction, Part};
use crate::revision::Revision;

/// Fields that every message has.
pub(super) const fn envelope(part: Part, direction: Direction) -> &'static [Field] {
    match (part, direction) {
        (Part::Params | Part::Notification, Direction::Down) => CALL,
        (Part::Params | Part::Notification, Direction::Up) => CALL_UP,
        (Part::Result, Direction::Down) => RESULT,
        (Part::Result, Direction::Up) => RESULT_UP,
        (Part::Error, Direction::Down) => ERROR,
        (Part::Error, Direction::Up) => ERROR_UP,
    }
}

/// Ids towards the client are written by the gateway itself.
const CALL: &[Field] = &[
    container(""),
    word("jsonrpc", VERSIONS_OF_JSON_RPC),
    exact("id"),
    shaped("method", Shape::Method),
    container("params"),
    shaped("params/_meta/progressToken", Shape::Reference),
    group("params", META),
];

/// Towards an upstream tokens are read wherever no row says that a word of the protocol stands there.
const CALL_UP: &[Field] = &[exact("jsonrpc"), exact("id"), exact("method"), group("params", META_UP)];

const META_UP: &[Field] = &[
    exact("_meta/progressToken"),
    exact("_meta/traceparent"),
    exact("_meta/tracestate"),
    restore("_meta/*"),
];

const RESULT: &[Field] = &[
    container(""),
    word("jsonrpc", VERSIONS_OF_JSON_RPC),
    exact("id"),
    container("result"),
    word("result/resultType", RESULT_TYPES),
    group("result", META),
];

const RESULT_UP: &[Field] = &[exact("jsonrpc"), exact("id"), group("result", META_UP)];

const ERROR: &[Field] = &[
    container(""),
    word("jsonrpc", VERSIONS_OF_JSON_RPC),
    exact("id"),
    container("error"),
    amount("error/code"),
    cloak("error/message"),
    whole("error/data", Treatment::Cloak),
    container("error/data/supported"),
    shaped("error/data/supported/[]", Shape::Version),
    shaped("error/data/requested", Shape::Version),
];

const ERROR_UP: &[Field] =
    &[exact("jsonrpc"), exact("id"), exact("error/code"), restore("error/message"), restore("error/data")];

const INITIALIZE: &[Field] = &[
    shaped("result/protocolVersion", Shape::Version),
    whole("result/capabilities", Treatment::Cloak),
    whole("result/serverInfo", Treatment::Cloak),
    cloak("result/instructions"),
];

const DISCOVER: &[Field] = &[
    container("result/supportedVersions"),
    shaped("result/supportedVersions/[]", Shape::Version),
    whole("result/capabilities", Treatment::Cloak),
    cloak("result/instructions"),
    amount("result/ttlMs"),
    word("result/cacheScope", CACHE_SCOPES),
];

const CALL_RESULT: &[Field] = &[
    container("result/content"),
    group("result/content/[]", BLOCK),
    whole("result/structuredContent", Treatment::Cloak),
    flag("result/isError"),
    container("result/task"),
    group("result/task", TASK),
    group("", INPUT_REQUESTS),
];

const PROMPT_RESULT: &[Field] = &[
    cloak("result/description"),
    container("result/messages"),
    container("result/messages/[]"),
    word("result/messages/[]/role", ROLES),
    group("result/messages/[]/content", BLOCK),
    group("result/messages/[]/content/[]", BLOCK),
    group("", INPUT_REQUESTS),
];

const READ_RESULT: &[Field] = &[
    container("result/contents"),
    container("result/contents/[]"),
    group("result/contents/[]", CONTENTS),
    amount("result/ttlMs"),
    word("result/cacheScope", CACHE_SCOPES),
    group("", INPUT_REQUESTS),
];

const COMPLETE_RESULT: &[Field] = &[
    container("result/completion"),
    container("result/completion/values"),
    cloak("result/completion/values/[]"),
    amount("result/completion/total"),
    flag("result/completion/hasMore"),
];

/// The name of a logger is free text.
const LOG: &[Field] =
    &[word("params/level", LEVELS), cloak("params/logger"), whole("params/data", Treatment::Cloak)];

const PROGRESS: &[Field] = &[
    shaped("params/progressToken", Shape::Reference),
    amount("params/progress"),
    amount("params/total"),
    cloak("params/message"),
];

const PROGRESS_UP: &[Field] = &[
    exact("params/progressToken"),
    exact("params/progress"),
    exact("params/total"),
    restore("params/message"),
];

const ARGUMENTS: &[Field] = &[
    exact("params/name"),
    // Whatever kind of value it is: what is no object is refused or restored like one.
    restore("params/arguments"),
    whole("params/task", Treatment::Exact),
    exact("params/requestState"),
    restore("params/inputResponses"),
];

const COMPLETE: &[Field] = &[
    exact("params/ref/type"),
    exact("params/ref/name"),
    exact("params/ref/title"),
    // Towards the client it was a cloaked address or template, so it has to come back.
    restore("params/ref/uri"),
    exact("params/argument/name"),
    restore("params/argument/value"),
    restore("params/context"),
];

/// Nothing was cloaked when these are said, or they say nothing but their method, and go on as they came.
const SELF_CONTAINED: &[Field] =
    &[whole("params/*", Treatment::Exact), whole("params/_meta/*", Treatment::Exact)];

const TASK_LIST: &[Field] = &[
    container("result/tasks"),
    container("result/tasks/[]"),
    group("result/tasks/[]", TASK),
    cloak("result/nextCursor"),
];

/// A row of a message that exists in every revision.
const fn row(
    methods: &'static [&'static str],
    part: Part,
    direction: Direction,
    fields: &'static [Field],
) -> Row {
    Row { since: Revision::V2024_11_05, until: None, methods, part, direction, fields }
}

impl Row {
    /// The same for a message that a later revision brought.
    const fn since(self, since: Revision) -> Self {
        Self { since, ..self }
    }

    /// The same for a message that has ended.
    const fn until(self, until: Revision) -> Self {
        Self { until: Some(until), ..self }
    }

    /// The same for a message that ended with the handshake.
    const fn with_handshake(self) -> Self {
        self.until(Revision::NEWEST_WITH_HANDSHAKE)
    }
}

const REQUESTS: &[&str] = &[
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
];

const HANDSHAKE_REQUESTS: &[&str] =
    &["initialize", "ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"];

const TASK_REQUESTS: &[&str] = &["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"];

const CHANGED: &[&str] = &[
    "notifications/tools/list_changed",
    "notifications/prompts/list_changed",
    "notifications/resources/list_changed",
];

/// Every row, in no order that matters: positions of one message do not contradict each other.
pub(super) const ROWS: &[Row] = &[
    // Requests of the client.
    row(&["tools/call", "prompts/get"], Part::Params, Direction::Up, ARGUMENTS),
    row(
        &["resources/read"],
        Part::Params,
        Direction::Up,
        &[restore("params/uri"), exact("params/requestState"), restore("params/inputResponses")],
    ),
    row(
        &["resources/subscribe", "resources/unsubscribe"],
        Part::Params,
        Direction::Up,
        &[restore("params/uri")],
    )
    .with_handshake(),
    row(&["completion/complete"], Part::Params, Direction::Up, COMPLETE),
    row(
        &["tools/list", "prompts/list", "resources/list", "resources/templates/list"],
        Part::Params,
        Direction::Up,
        &[exact("params/cursor")],
    ),
    row(&["initialize"], Part::Params, Direction::Up, SELF_CONTAINED).with_handshake(),
    row(&["logging/setLevel"], Part::Params, Direction::Up, &[exact("params/level")]).with_handshake(),
    row(&["ping"], Part::Params, Direction::Up, &[]).with_handshake(),
    row(&["server/discover"], Part::Params, Direction::Up, &[]).since(Revision::V2026_07_28),
    row(&["subscriptions/listen"], Part::Params, Direction::Up, &[restore("params/notifications")])
        .since(Revision::V2026_07_28),
    row(TASK_REQUESTS, Part::Params, Direction::Up, &[exact("params/taskId"), exact("params/cursor")])
        .since(Revision::V2025_11_25)
        .with_handshake(),
    // Their results.
    row(&["initialize"], Part::Result, Direction::Down, INITIALIZE).with_handshake(),
    row(&["server/discover"], Part::Result, Direction::Down, DISCOVER).since(Revision::V2026_07_28),
    row(&["tools/list"], Part::Result, Direction::Down, TOOLS),
    row(&["prompts/list"], Part::Result, Direction::Down, PROMPTS),
    row(&["resources/list"], Part::Result, Direction::Down, RESOURCES),
    row(&["resources/templates/list"], Part::Result, Direction::Down, TEMPLATES),
    row(&["tools/call"], Part::Result, Direction::Down, CALL_RESULT),
    row(&["prompts/get"], Part::Result, Direction::Down, PROMPT_RESULT),
    row(&["resources/read"], Part::Result, Direction::Down, READ_RESULT),
    row(&["completion/complete"], Part::Result, Direction::Down, COMPLETE_RESULT),
    row(
        &["ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"],
        Part::Result,
        Direction::Down,
        &[],
    )
    .with_handshake(),
    row(&["subscriptions/listen"], Part::Result, Direction::Down, &[]).since(Revision::V2026_07_28),
    row(&["tasks/get", "tasks/cancel"], Part::Result, Direction::Down, &[group("result", TASK)])
        .since(Revision::V2025_11_25)
        .with_handshake(),
    row(&["tasks/list"], Part::Result, Direction::Down, TASK_LIST)
        .since(Revision::V2025_11_25)
        .with_handshake(),
    // Whatever the task was to find. The gateway goes by the rules of the request that began it.
    row(&["tasks/result"], Part::Result, Direction::Down, &[whole("result/*", Treatment::Cloak)])
        .since(Revision::V2025_11_25)
        .with_handshake(),
    // Their failures.
    row(REQUESTS, Part::Error, Direction::Down, &[]),
    row(HANDSHAKE_REQUESTS, Part::Error, Direction::Down, &[]).with_handshake(),
    row(TASK_REQUESTS, Part::Error, Direction::Down, &[]).since(Revision::V2025_11_25).with_handshake(),
    row(&["server/discover", "subscriptions/listen"], Part::Error, Direction::Down, &[])
        .since(Revision::V2026_07_28),
    // Requests of servers, and what the client answers.
    row(&["sampling/createMessage"], Part::Params, Direction::Down, &[group("params", SAMPLING)])
        .with_handshake(),
    row(&["roots/list", "ping"], Part::Params, Direction::Down, &[]).with_handshake(),
    row(&["elicitation/create"], Part::Params, Direction::Down, &[group("params", ELICITATION)])
        .since(Revision::V2025_06_18)
        .with_handshake(),
    row(&["sampling/createMessage"], Part::Result, Direction::Up, SAMPLED).with_handshake(),
    row(&["roots/list"], Part::Result, Direction::Up, ROOTS).with_handshake(),
    row(&["elicitation/create"], Part::Result, Direction::Up, ELICITED)
        .since(Revision::V2025_06_18)
        .with_handshake(),
    row(&["sampling/createMessage", "roots/list"], Part::Error, Direction::Up, &[]).with_handshake(),
    row(&["elicitation/create"], Part::Error, Direction::Up, &[])
        .since(Revision::V2025_06_18)
        .with_handshake(),
    row(
        &["tasks/get", "tasks/result", "tasks/cancel"],
        Part::Params,
        Direction::Down,
        &[shaped("params/taskId", Shape::Reference)],
    )
    .since(Revision::V2025_11_25)
    .with_handshake(),
    row(&["tasks/list"], Part::Params, Direction::Down, &[cloak("params/cursor")])
        .since(Revision::V2025_11_25)
        .with_handshake(),
    row(TASK_REQUESTS, Part::Result, Direction::Up, &[restore("result/*")])
        .since(Revision::V2025_11_25)
        .with_handshake(),
    row(TASK_REQUESTS, Part::Error, Direction::Up, &[]).since(Revision::V2025_11_25).with_handshake(),
    // What servers say on their own.
    row(&["notifications/message"], Part::Notification, Direction::Down, LOG),
    row(&["notifications/progress"], Part::Notification, Direction::Down, PROGRESS),
    row(
        &["notifications/cancelled"],
        Part::Notification,
        Direction::Down,
        &[shaped("params/requestId", Shape::Reference), cloak("params/reason")],
    ),
    row(&["notifications/resources/updated"], Part::Notification, Direction::Down, &[uri("params/uri")]),
    row(CHANGED, Part::Notification, Direction::Down, &[]),
    row(
        &["notifications/elicitation/complete"],
        Part::Notification,
        Direction::Down,
        &[shaped("params/elicitationId", Shape::Reference)],
    )
    .since(Revision::V2025_11_25)
    .with_handshake(),
    row(&["notifications/tasks/status"], Part::Notification, Direction::Down, &[group("params", TASK)])
        .since(Revision::V2025_11_25)
        .with_handshake(),
    row(
        &["notifications/subscriptions/acknowledged"],
        Part::Notification,
        Direction::Down,
        &[
            container("params/notifications"),
            flag("params/notifications/toolsListChanged"),
            flag("params/notifications/promptsListChanged"),
            flag("params/notifications/resourcesListChanged"),
            container("params/notifications/resourceSubscriptions"),
            uri("params/notifications/resourceSubscriptions/[]"),
        ],
    )
    .since(Revision::V2026_07_28),
    // What the client says on its own.
    row(
        &["notifications/initialized", "notifications/roots/list_changed"],
        Part::Notification,
        Direction::Up,
        SELF_CONTAINED,
    )
    .with_handshake(),
    row(
        &["notifications/cancelled"],
        Part::Notification,
        Direction::Up,
        &[exact("params/requestId"), restore("params/reason")],
    ),
    row(&["notifications/progress"], Part::Notification, Direction::Up, PROGRESS_UP).with_handshake(),
    row(&["notifications/tasks/status"], Part::Notification, Direction::Up, &[restore("params/*")])
        .since(Revision::V2025_11_25)
        .with_handshake(),
];
