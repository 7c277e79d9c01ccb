//! What we build with: licences, where packages come from, what is banned, one crypto provider.
//!
//! In: cargo's metadata and `licences.toml`. Out: problems; duplicate versions as a list, which is no failure.
//! Not here: the network.

mod expression;

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Deserialize;

use self::expression::is_satisfied;
use crate::console;
use crate::workspace::{Metadata, Package, Workspace};

/// The one registry, in the two ways cargo names it.
const REGISTRIES: &[&str] =
    &["registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Policy {
    allow: Vec<String>,
    crypto_provider: String,
    ban: BTreeMap<String, String>,
    ban_outside_tests: BTreeMap<String, String>,
}

/// Checks every package of the lock file against the policy and lists duplicate versions.
///
/// # Errors
/// When a package breaks the policy.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let file = workspace.path("crates/xtask/licences.toml");
    let text = std::fs::read_to_string(&file).context("cannot read licences.toml")?;
    let policy: Policy = toml::from_str(&text).context("cannot read licences.toml")?;
    let metadata = workspace.metadata()?;
    for (name, versions) in duplicates(&metadata) {
        console::line(format_args!("  note: {name} in {} versions: {}", versions.len(), versions.join(", ")));
    }
    console::verdict(&problems(&metadata, &policy))
}

fn problems(metadata: &Metadata, policy: &Policy) -> Vec<String> {
    let mut problems: Vec<String> =
        metadata.packages.iter().flat_map(|package| problems_of(package, policy)).collect();
    let providers = metadata.packages.iter().filter(|package| package.name == policy.crypto_provider).count();
    if providers != 1 {
        problems
            .push(format!("{} stands in the lock file {providers} times, not once", policy.crypto_provider));
    }
    problems
}

fn problems_of(package: &Package, policy: &Policy) -> Vec<String> {
    let mut problems = Vec::new();
    let name = format!("{} {}", package.name, package.version);
    match package.license.as_deref().map(|licence| (licence, is_satisfied(licence, &policy.allow))) {
        None => problems.push(format!("{name} names no licence")),
        Some((licence, None)) => problems.push(format!("{name}: cannot read the licence `{licence}`")),
        Some((licence, Some(false))) => problems.push(format!("{name}: licence `{licence}` is not allowed")),
        Some((_, Some(true))) => {}
    }
    if let Some(reason) = policy.ban.get(&package.name) {
        problems.push(format!("{name} is banned: {reason}"));
    }
    for used in package.dependencies.iter().filter(|used| !used.is_dev()) {
        if let Some(reason) = policy.ban_outside_tests.get(&used.name) {
            problems.push(format!("{name} uses {}, which only tests may: {reason}", used.name));
        }
    }
    if let Some(source) = package.source.as_deref()
        && !REGISTRIES.contains(&source)
    {
        problems.push(format!("{name} comes from elsewhere than the registry"));
    }
    problems
}

fn duplicates(metadata: &Metadata) -> Vec<(&str, Vec<&str>)> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in &metadata.packages {
        versions.entry(&package.name).or_default().push(&package.version);
    }
    versions.into_iter().filter(|(_, versions)| versions.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Policy, REGISTRIES, duplicates, problems};
    use crate::workspace::{Dependency, Metadata, Package};

    fn package(name: &str, version: &str, licence: Option<&str>, source: Option<&str>) -> Package {
        Package {
            id: format!("{name}@{version}"),
            name: name.to_owned(),
            version: version.to_owned(),
            license: licence.map(str::to_owned),
            source: source.map(str::to_owned),
            dependencies: Vec::new(),
        }
    }

    fn metadata(packages: Vec<Package>) -> Metadata {
        Metadata { packages, workspace_members: Vec::new(), target_directory: "target".into() }
    }

    fn policy() -> Policy {
        let ban = BTreeMap::from([("openssl".to_owned(), "a second crypto provider".to_owned())]);
        let ban_outside_tests = BTreeMap::from([("sdk".to_owned(), "for tests".to_owned())]);
        let allow = vec!["MIT".to_owned(), "ISC".to_owned()];
        Policy { allow, crypto_provider: "ring".to_owned(), ban, ban_outside_tests }
    }

    #[test]
    fn what_breaks_the_policy_is_a_problem() {
        let registry = REGISTRIES.first().copied();
        let ring = package("ring", "0.17.0", Some("MIT AND ISC"), registry);
        let user = |kind: Option<&str>| {
            let used = Dependency { name: "sdk".to_owned(), kind: kind.map(str::to_owned), path: None };
            Package { dependencies: vec![used], ..package("a", "1.0.0", Some("MIT"), None) }
        };
        let cases = [
            ("for tests", vec![ring.clone(), user(Some("dev"))], 0),
            ("for tests, elsewhere", vec![ring.clone(), user(None)], 1),
            ("fine", vec![ring.clone(), package("a", "1.0.0", Some("GPL-3.0 OR MIT"), registry)], 0),
            ("our own", vec![ring.clone(), package("a", "1.0.0", Some("MIT"), None)], 0),
            ("other licence", vec![ring.clone(), package("a", "1.0.0", Some("GPL-3.0"), registry)], 1),
            ("no licence", vec![ring.clone(), package("a", "1.0.0", None, registry)], 1),
            ("from a repository", vec![ring.clone(), package("a", "1.0.0", Some("MIT"), Some("git+x"))], 1),
            ("banned", vec![ring.clone(), package("openssl", "1.0.0", Some("MIT"), registry)], 1),
            ("provider twice", vec![ring.clone(), package("ring", "0.16.0", Some("ISC"), registry)], 1),
            ("no provider", vec![package("a", "1.0.0", Some("MIT"), registry)], 1),
        ];
        for (name, packages, expected) in cases {
            assert_eq!(problems(&metadata(packages), &policy()).len(), expected, "{name}");
        }
    }

    #[test]
    fn duplicates_are_found_by_name() {
        let metadata = metadata(vec![
            package("a", "1.0.0", None, None),
            package("b", "1.0.0", None, None),
            package("a", "2.0.0", None, None),
        ]);
        assert_eq!(duplicates(&metadata), vec![("a", vec!["1.0.0", "2.0.0"])]);
    }
}
