//! Items of lists.
//!
//! In and out: constants. Invariant: tools and prompts are contracts and leave as they came; resources are data and
//! are cloaked. Not here: merging lists of several servers.

use cloakgate_cloak::Treatment;

use super::blocks::{DESCRIPTION, META};
use super::fields::{Field, amount, cloak, container, group, uri, whole, word};
use super::shape::{CACHE_SCOPES, RESULT_TYPES};

/// What every list has beside its items. Cursors of servers never leave: the gateway writes its own.
const PAGE: &[Field] = &[
    cloak("nextCursor"),
    word("resultType", RESULT_TYPES),
    amount("ttlMs"),
    word("cacheScope", CACHE_SCOPES),
    group("", META),
];

/// A list of tools.
pub(super) const TOOLS: &[Field] = &[
    container("result/tools"),
    container("result/tools/[]"),
    whole("result/tools/[]/*", Treatment::Exact),
    group("result", PAGE),
];

/// A list of prompts.
pub(super) const PROMPTS: &[Field] = &[
    container("result/prompts"),
    container("result/prompts/[]"),
    whole("result/prompts/[]/*", Treatment::Exact),
    group("result", PAGE),
];

/// A list of resources.
pub(super) const RESOURCES: &[Field] = &[
    container("result/resources"),
    container("result/resources/[]"),
    uri("result/resources/[]/uri"),
    group("result/resources/[]", DESCRIPTION),
    group("result", PAGE),
];

/// A list of resource templates.
pub(super) const TEMPLATES: &[Field] = &[
    container("result/resourceTemplates"),
    container("result/resourceTemplates/[]"),
    uri("result/resourceTemplates/[]/uriTemplate"),
    group("result/resourceTemplates/[]", DESCRIPTION),
    group("result", PAGE),
];
