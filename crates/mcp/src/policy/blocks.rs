//! Content blocks and what they share: annotations, icons, metadata.
//!
//! In and out: constants. Invariant: `data` is binary only inside a block whose own `type` says image or audio, `blob`
//! only inside resource contents, and both only while they are base64. Not here: messages that hold blocks.

use cloakgate_cloak::Treatment;

use super::fields::{
    Field, amount, binary, cloak, container, flag, fraction, group, kinds, scan, shaped, uri, whole, word,
};
use super::shape::{AUDIENCES, LEVELS, Shape, THEMES, TYPES};

/// Metadata. The protocol's own keys are decisions of their own; what vendors write is unknown and so inspected.
pub(super) const META: &[Field] = &[
    container("_meta"),
    shaped("_meta/traceparent", Shape::TraceParent),
    shaped("_meta/tracestate", Shape::TraceState),
    word("_meta/io.modelcontextprotocol~1logLevel", LEVELS),
    shaped("_meta/io.modelcontextprotocol~1protocolVersion", Shape::Version),
    shaped("_meta/io.modelcontextprotocol~1subscriptionId", Shape::Reference),
    container("_meta/io.modelcontextprotocol~1related-task"),
    shaped("_meta/io.modelcontextprotocol~1related-task/taskId", Shape::Reference),
    whole("_meta/io.modelcontextprotocol~1*", Treatment::Cloak),
    whole("_meta/*", Treatment::Cloak),
];

/// For whom a block is, how much it matters, and since when.
pub(super) const ANNOTATIONS: &[Field] = &[
    container("annotations"),
    container("annotations/audience"),
    word("annotations/audience/[]", AUDIENCES),
    fraction("annotations/priority"),
    shaped("annotations/lastModified", Shape::Timestamp),
];

/// Pictures. Their addresses are signed or hold the picture itself, and so are not inspected while they look so.
pub(super) const ICONS: &[Field] = &[
    container("icons"),
    container("icons/[]"),
    scan("icons/[]/src", Shape::PictureUri),
    shaped("icons/[]/mimeType", Shape::MediaType),
    container("icons/[]/sizes"),
    shaped("icons/[]/sizes/[]", Shape::Sizes),
    word("icons/[]/theme", THEMES),
];

/// What a resource holds.
pub(super) const CONTENTS: &[Field] =
    &[uri("uri"), shaped("mimeType", Shape::MediaType), cloak("text"), binary("blob"), group("", META)];

/// What a listed or linked resource says about itself, its address aside.
pub(super) const DESCRIPTION: &[Field] = &[
    cloak("name"),
    cloak("title"),
    cloak("description"),
    shaped("mimeType", Shape::MediaType),
    amount("size"),
    group("", ANNOTATIONS),
    group("", ICONS),
    group("", META),
];

const COMMON: &[Field] = &[container(""), word("type", TYPES), group("", ANNOTATIONS), group("", META)];

const TEXT: &[Field] = &[cloak("text")];

const BINARY: &[Field] = &[binary("data"), shaped("mimeType", Shape::MediaType)];

const EMBEDDED: &[Field] = &[container("resource"), group("resource", CONTENTS)];

const LINK: &[Field] = &[uri("uri"), group("", DESCRIPTION)];

/// What a model asked a tool. Its ids are inspected like text: what is replaced in one is replaced in the other.
const TOOL_USE: &[Field] = &[cloak("id"), cloak("name"), whole("input", Treatment::Cloak)];

/// What a tool answered a model.
const TOOL_RESULT: &[Field] = &[
    cloak("toolUseId"),
    container("content"),
    group("content/[]", FLAT_BLOCK),
    whole("structuredContent", Treatment::Cloak),
    flag("isError"),
];

/// A block that holds no further ones.
const FLAT_BLOCK: &[Field] = &[kinds(
    "",
    COMMON,
    &[("text", TEXT), ("image", BINARY), ("audio", BINARY), ("resource", EMBEDDED), ("resource_link", LINK)],
)];

/// A content block by its type.
pub(super) const BLOCK: &[Field] = &[kinds(
    "",
    COMMON,
    &[
        ("text", TEXT),
        ("image", BINARY),
        ("audio", BINARY),
        ("resource", EMBEDDED),
        ("resource_link", LINK),
        ("tool_use", TOOL_USE),
        ("tool_result", TOOL_RESULT),
    ],
)];
