//! Items of lists.
//!
//! In and out: constants. Invariant: tools and prompts are contracts and leave as they came; resources are data and
//! are cloaked. Not here: merging lists of several servers.

use cloakgate_cloak::Treatment;

use super::blocks::{DESCRIPTION, META};
use super::fields::{Field, exact, group, uri, whole};

/// What every list has beside its items.
const PAGE: &[Field] =
    &[exact("nextCursor"), exact("resultType"), exact("ttlMs"), exact("cacheScope"), group("", META)];

/// A list of tools.
pub(super) const TOOLS: &[Field] = &[whole("result/tools", Treatment::Exact), group("result", PAGE)];

/// A list of prompts.
pub(super) const PROMPTS: &[Field] = &[whole("result/prompts", Treatment::Exact), group("result", PAGE)];

/// A list of resources.
pub(super) const RESOURCES: &[Field] = &[
    exact("result/resources"),
    exact("result/resources/[]"),
    uri("result/resources/[]/uri"),
    group("result/resources/[]", DESCRIPTION),
    group("result", PAGE),
];

/// A list of resource templates.
pub(super) const TEMPLATES: &[Field] = &[
    exact("result/resourceTemplates"),
    exact("result/resourceTemplates/[]"),
    uri("result/resourceTemplates/[]/uriTemplate"),
    group("result/resourceTemplates/[]", DESCRIPTION),
    group("result", PAGE),
];
