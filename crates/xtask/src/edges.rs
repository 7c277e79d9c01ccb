//! The stages of the data's way, and that dependencies point one way only.
//!
//! In: cargo's metadata. Out: the edges that the table does not allow.
//! Invariant: a row names only rows above itself (a test checks). Not here: dev-dependencies, which are free.

use crate::console;
use crate::workspace::{Metadata, Package, Workspace};

/// What a stage may use of this repository.
enum MayUse {
    /// Exactly these rows.
    Rows(&'static [&'static str]),
    /// Every row above.
    Above,
}

/// Whether a stage may wait and talk to the outside.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Outside {
    /// Plain functions.
    Never,
    /// Async and I/O.
    May,
}

struct Stage {
    name: &'static str,
    may_use: MayUse,
    outside: Outside,
}

const fn pure(name: &'static str, may_use: &'static [&'static str]) -> Stage {
    Stage { name, may_use: MayUse::Rows(may_use), outside: Outside::Never }
}

const fn outward(name: &'static str, may_use: MayUse) -> Stage {
    Stage { name, may_use, outside: Outside::May }
}

/// The table of `docs/ARCHITECTURE.md`, top row first.
const STAGES: &[Stage] = &[
    pure("vocab", &[]),
    pure("json", &["vocab"]),
    pure("detect", &["vocab", "json"]),
    pure("names", &["vocab", "detect"]),
    pure("cloak", &["vocab", "json", "detect"]),
    pure("mcp", &["vocab", "json", "cloak"]),
    pure("audit", &["vocab"]),
    // The port's signature holds `detect::KnownValue`.
    outward("vault", MayUse::Rows(&["vocab", "detect", "cloak", "audit"])),
    // The id of a line that is too long is looked for with `json::MemberFinder`.
    outward("wire", MayUse::Rows(&["vocab", "json", "cloak", "mcp"])),
    outward("gateway", MayUse::Above),
    outward("service", MayUse::Above),
    outward("cloakgate", MayUse::Above),
];

/// Packages that are no stage: they may use any stage, and no stage may use them outside of its tests.
const TOOLS: &[&str] = &["testkit", "xtask"];

/// Packages that bring in waiting or I/O; stages of plain functions keep off them.
const OUTSIDE_PACKAGES: &[&str] = &[
    "tokio",
    "async-trait",
    "futures",
    "futures-util",
    "hyper",
    "axum",
    "reqwest",
    "sqlx",
    "mio",
    "rusqlite",
];

/// Compares the repository with the table.
///
/// # Errors
/// When an edge is not allowed.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let problems = problems(&workspace.metadata()?);
    console::verdict(&problems)
}

fn problems(metadata: &Metadata) -> Vec<String> {
    metadata.members().flat_map(problems_of).collect()
}

fn problems_of(package: &Package) -> Vec<String> {
    let name = row_name(&package.name);
    let Some(position) = STAGES.iter().position(|stage| stage.name == name) else {
        return if TOOLS.contains(&name) {
            Vec::new()
        } else {
            vec![format!("{name} has no row in the table")]
        };
    };
    let (above, from) = STAGES.split_at(position);
    let Some(stage) = from.first() else { return Vec::new() };
    let mut problems = Vec::new();
    for dependency in package.dependencies.iter().filter(|dependency| !dependency.is_dev()) {
        let target = row_name(&dependency.name);
        if dependency.path.is_some() {
            let allowed = match stage.may_use {
                MayUse::Rows(rows) => rows.contains(&target),
                MayUse::Above => above.iter().any(|other| other.name == target),
            };
            if !allowed {
                problems.push(format!("{name} may not use {target}"));
            }
        } else if stage.outside == Outside::Never && OUTSIDE_PACKAGES.contains(&dependency.name.as_str()) {
            problems.push(format!("{name} is a stage of plain functions and may not use {target}"));
        }
    }
    problems
}

fn row_name(package: &str) -> &str {
    package.strip_prefix("cloakgate-").unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::{MayUse, STAGES, problems_of};
    use crate::workspace::{Dependency, Package};

    fn package(name: &str, dependencies: &[(&str, Option<&str>, bool)]) -> Package {
        let dependencies = dependencies
            .iter()
            .map(|(name, kind, ours)| Dependency {
                name: (*name).to_owned(),
                kind: kind.map(str::to_owned),
                path: ours.then(|| "crates".into()),
            })
            .collect();
        let (id, name, version) = (String::new(), name.to_owned(), String::new());
        Package { id, name, version, license: None, source: None, dependencies }
    }

    #[test]
    fn a_row_names_only_rows_above() {
        for (position, stage) in STAGES.iter().enumerate() {
            let MayUse::Rows(rows) = stage.may_use else { continue };
            for row in rows {
                assert!(STAGES[..position].iter().any(|above| above.name == *row), "{} -> {row}", stage.name);
            }
        }
    }

    #[test]
    fn edges_outside_of_the_table_are_problems() {
        let cases = [
            ("downward", package("cloakgate-json", &[("cloakgate-vocab", None, true)]), 0),
            ("upward", package("cloakgate-json", &[("cloakgate-detect", None, true)]), 1),
            ("upward in tests", package("cloakgate-json", &[("cloakgate-detect", Some("dev"), true)]), 0),
            (
                "upward in a build script",
                package("cloakgate-json", &[("cloakgate-detect", Some("build"), true)]),
                1,
            ),
            ("itself", package("cloakgate-gateway", &[("cloakgate-gateway", None, true)]), 1),
            ("all above", package("cloakgate-gateway", &[("cloakgate-wire", None, true)]), 0),
            ("a tool", package("cloakgate", &[("cloakgate-testkit", None, true)]), 1),
            ("waiting in a plain stage", package("cloakgate-cloak", &[("tokio", None, false)]), 1),
            ("waiting in an outward stage", package("cloakgate-wire", &[("tokio", None, false)]), 0),
            ("no row", package("cloakgate-extra", &[]), 1),
            ("a tool may use all", package("xtask", &[("cloakgate-gateway", None, true)]), 0),
        ];
        for (name, package, expected) in cases {
            assert_eq!(problems_of(&package).len(), expected, "{name}");
        }
    }
}
