//! The table: each message and what its positions get.
//!
//! In and out: constants. Invariant: a position means the same in every revision that has it, so one compiled table
//! serves all of them; the revisions say where a message exists. Not here: groups that several messages share.

use cloakgate_cloak::Treatment;

use super::blocks::{BLOCK, CONTENTS, META};
use super::fields::{Field, Row, cloak, exact, group, restore, uri, whole, word};
use super::lists::{PROMPTS, RESOURCES, TEMPLATES, TOOLS};
use super::{Direction, Part};
use crate::revision::Revision;

const FIRST: Revision = Revision::V2024_11_05;
const HANDSHAKE: Option<Revision> = Some(Revision::NEWEST_WITH_HANDSHAKE);

/// Fields that every message has.
pub(super) const fn envelope(part: Part, direction: Direction) -> &'static [Field] {
    const CALL: &[Field] = &[
        exact(""),
        exact("jsonrpc"),
        exact("id"),
        exact("method"),
        exact("params"),
        exact("params/_meta/progressToken"),
        group("params", META),
    ];
    const CALL_UP: &[Field] = &[
        exact(""),
        exact("jsonrpc"),
        exact("id"),
        exact("method"),
        exact("params"),
        whole("params/_meta", Treatment::Exact),
    ];
    const RESULT: &[Field] = &[
        exact(""),
        exact("jsonrpc"),
        exact("id"),
        exact("result"),
        word("result/resultType"),
        group("result", META),
    ];
    const ERROR: &[Field] = &[
        exact(""),
        exact("jsonrpc"),
        exact("id"),
        exact("error"),
        exact("error/code"),
        cloak("error/message"),
        whole("error/data", Treatment::Cloak),
        exact("error/data/supported"),
        word("error/data/supported/[]"),
        word("error/data/requested"),
    ];
    match (part, direction) {
        (Part::Params | Part::Notification, Direction::Down) => CALL,
        (Part::Params | Part::Notification, Direction::Up) => CALL_UP,
        (Part::Result, _) => RESULT,
        (Part::Error, _) => ERROR,
    }
}

/// A row of a message that exists in every revision.
const fn row(
    methods: &'static [&'static str],
    part: Part,
    direction: Direction,
    fields: &'static [Field],
) -> Row {
    Row { since: FIRST, until: None, methods, part, direction, fields }
}

/// A row of a message that ended with the handshake.
const fn legacy(
    methods: &'static [&'static str],
    part: Part,
    direction: Direction,
    fields: &'static [Field],
) -> Row {
    Row { since: FIRST, until: HANDSHAKE, methods, part, direction, fields }
}

const INITIALIZE: &[Field] = &[
    word("result/protocolVersion"),
    whole("result/capabilities", Treatment::Exact),
    whole("result/serverInfo", Treatment::Exact),
    cloak("result/instructions"),
];

const CALL_RESULT: &[Field] = &[
    exact("result/content"),
    group("result/content/[]", BLOCK),
    whole("result/structuredContent", Treatment::Cloak),
    exact("result/isError"),
];

const PROMPT_RESULT: &[Field] = &[
    cloak("result/description"),
    exact("result/messages"),
    exact("result/messages/[]"),
    word("result/messages/[]/role"),
    group("result/messages/[]/content", BLOCK),
    group("result/messages/[]/content/[]", BLOCK),
];

const READ_RESULT: &[Field] = &[
    exact("result/contents"),
    exact("result/contents/[]"),
    group("result/contents/[]", CONTENTS),
    exact("result/ttlMs"),
    word("result/cacheScope"),
];

const COMPLETE_RESULT: &[Field] = &[
    exact("result/completion"),
    exact("result/completion/values"),
    cloak("result/completion/values/[]"),
    exact("result/completion/total"),
    exact("result/completion/hasMore"),
];

const LOG: &[Field] = &[word("params/level"), word("params/logger"), whole("params/data", Treatment::Cloak)];

const PROGRESS: &[Field] = &[
    exact("params/progressToken"),
    exact("params/progress"),
    exact("params/total"),
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
    exact("params/arguments"),
    whole("params/arguments/*", Treatment::Restore),
    whole("params/task", Treatment::Exact),
    exact("params/requestState"),
];

const COMPLETE: &[Field] = &[
    exact("params/ref"),
    exact("params/ref/type"),
    exact("params/ref/name"),
    exact("params/ref/title"),
    // Towards the client it was a cloaked address or template, so it has to come back.
    restore("params/ref/uri"),
    exact("params/argument"),
    exact("params/argument/name"),
    restore("params/argument/value"),
    exact("params/context"),
    exact("params/context/arguments"),
    whole("params/context/arguments/*", Treatment::Restore),
];

const CLIENT_INFO: &[Field] = &[
    exact("params/protocolVersion"),
    whole("params/capabilities", Treatment::Exact),
    whole("params/clientInfo", Treatment::Exact),
];

/// Requests whose failure is worded by a server.
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
        &[restore("params/uri"), exact("params/requestState")],
    ),
    legacy(
        &["resources/subscribe", "resources/unsubscribe"],
        Part::Params,
        Direction::Up,
        &[restore("params/uri")],
    ),
    row(&["completion/complete"], Part::Params, Direction::Up, COMPLETE),
    row(
        &["tools/list", "prompts/list", "resources/list", "resources/templates/list"],
        Part::Params,
        Direction::Up,
        &[exact("params/cursor")],
    ),
    legacy(&["initialize"], Part::Params, Direction::Up, CLIENT_INFO),
    legacy(&["logging/setLevel"], Part::Params, Direction::Up, &[exact("params/level")]),
    legacy(&["ping"], Part::Params, Direction::Up, &[]),
    // Their results.
    legacy(&["initialize"], Part::Result, Direction::Down, INITIALIZE),
    row(&["tools/list"], Part::Result, Direction::Down, TOOLS),
    row(&["prompts/list"], Part::Result, Direction::Down, PROMPTS),
    row(&["resources/list"], Part::Result, Direction::Down, RESOURCES),
    row(&["resources/templates/list"], Part::Result, Direction::Down, TEMPLATES),
    row(&["tools/call"], Part::Result, Direction::Down, CALL_RESULT),
    row(&["prompts/get"], Part::Result, Direction::Down, PROMPT_RESULT),
    row(&["resources/read"], Part::Result, Direction::Down, READ_RESULT),
    row(&["completion/complete"], Part::Result, Direction::Down, COMPLETE_RESULT),
    legacy(
        &["ping", "resources/subscribe", "resources/unsubscribe", "logging/setLevel"],
        Part::Result,
        Direction::Down,
        &[],
    ),
    // Their failures.
    row(REQUESTS, Part::Error, Direction::Down, &[]),
    legacy(HANDSHAKE_REQUESTS, Part::Error, Direction::Down, &[]),
    // What servers say on their own.
    row(&["notifications/message"], Part::Notification, Direction::Down, LOG),
    row(&["notifications/progress"], Part::Notification, Direction::Down, PROGRESS),
    row(
        &["notifications/cancelled"],
        Part::Notification,
        Direction::Down,
        &[exact("params/requestId"), cloak("params/reason")],
    ),
    row(&["notifications/resources/updated"], Part::Notification, Direction::Down, &[uri("params/uri")]),
    row(CHANGED, Part::Notification, Direction::Down, &[]),
    // What the client says on its own.
    legacy(
        &["notifications/initialized", "notifications/roots/list_changed"],
        Part::Notification,
        Direction::Up,
        &[],
    ),
    row(
        &["notifications/cancelled"],
        Part::Notification,
        Direction::Up,
        &[exact("params/requestId"), restore("params/reason")],
    ),
    row(&["notifications/progress"], Part::Notification, Direction::Up, PROGRESS_UP),
];
