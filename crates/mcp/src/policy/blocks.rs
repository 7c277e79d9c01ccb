//! Content blocks and what they share: annotations, icons, metadata.
//!
//! In and out: constants. Invariant: `data` is exact only inside a block whose own `type` says image or audio, and
//! `blob` only inside resource contents. Not here: messages that hold blocks.

use cloakgate_cloak::Treatment;

use super::fields::{Field, cloak, exact, group, kinds, scan, shaped, uri, whole, word};
use super::shape::Shape;

/// Keys of `_meta` that the protocol owns. Values of vendors are cloaked, since what they hold is unknown.
pub(super) const META: &[Field] = &[
    exact("_meta"),
    whole("_meta/io.modelcontextprotocol~1*", Treatment::Exact),
    exact("_meta/traceparent"),
    exact("_meta/tracestate"),
    whole("_meta/*", Treatment::Cloak),
];

/// For whom a block is, how much it matters, and since when.
pub(super) const ANNOTATIONS: &[Field] = &[
    exact("annotations"),
    exact("annotations/audience"),
    word("annotations/audience/[]"),
    exact("annotations/priority"),
    shaped("annotations/lastModified", Shape::Timestamp),
];

/// Pictures. Their addresses are signed or hold the picture itself, and so are not inspected.
pub(super) const ICONS: &[Field] = &[
    exact("icons"),
    exact("icons/[]"),
    scan("icons/[]/src"),
    shaped("icons/[]/mimeType", Shape::MediaType),
    exact("icons/[]/sizes"),
    word("icons/[]/sizes/[]"),
    word("icons/[]/theme"),
];

/// What a resource holds.
pub(super) const CONTENTS: &[Field] =
    &[uri("uri"), shaped("mimeType", Shape::MediaType), cloak("text"), scan("blob"), group("", META)];

/// What a listed or linked resource says about itself, its address aside.
pub(super) const DESCRIPTION: &[Field] = &[
    cloak("name"),
    cloak("title"),
    cloak("description"),
    shaped("mimeType", Shape::MediaType),
    exact("size"),
    group("", ANNOTATIONS),
    group("", ICONS),
    group("", META),
];

const COMMON: &[Field] = &[exact(""), word("type"), group("", ANNOTATIONS), group("", META)];

const TEXT: &[Field] = &[cloak("text")];

const BINARY: &[Field] = &[scan("data"), shaped("mimeType", Shape::MediaType)];

const EMBEDDED: &[Field] = &[exact("resource"), group("resource", CONTENTS)];

const LINK: &[Field] = &[uri("uri"), group("", DESCRIPTION)];

/// A content block by its type.
pub(super) const BLOCK: &[Field] = &[kinds(
    "",
    COMMON,
    &[("text", TEXT), ("image", BINARY), ("audio", BINARY), ("resource", EMBEDDED), ("resource_link", LINK)],
)];
