//! The conformance suite of the protocol, at the service.
//!
//! In: the installed suite, the service's address and key. Out: a check for each revision: all that its scenarios look at is
//! as it must be, but for what does not apply. Invariant: what does not apply is listed with its reason, and the list is
//! strict both ways: what is listed and never fails is a contradiction.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::Context;
use serde::Deserialize;

use super::findings::Check;

/// Revisions whose scenarios are run.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];
/// Statuses of the suite.
const FAILURE: &str = "FAILURE";
const SUCCESS: &str = "SUCCESS";

/// What the suite is run with.
pub(super) struct Suite<'a> {
    /// A node that it runs on.
    pub(super) node: &'a Path,
    /// Our script, which gives it the key.
    pub(super) script: &'a Path,
    /// Its main file.
    pub(super) main: &'a Path,
}

/// One thing that a scenario looked at.
#[derive(Clone, Debug, Deserialize)]
struct Looked {
    id: String,
    status: String,
    #[serde(rename = "errorMessage")]
    error: Option<String>,
}

/// Runs the suite in every revision.
///
/// # Errors
/// When it cannot be run or writes no results.
pub(super) fn run(suite: &Suite<'_>, (url, key): (&str, &str), folder: &Path) -> anyhow::Result<Vec<Check>> {
    let mut checks = Vec::new();
    let mut failed = BTreeSet::new();
    for revision in REVISIONS {
        let all = results(suite, (url, key), (revision, &folder.join(revision)))?;
        let succeeded = all.iter().filter(|looked| looked.status == SUCCESS).count();
        checks.push(check(format!("{revision}: {succeeded} checks succeed"), contradictions(&all)));
        failed.extend(all.into_iter().filter(|looked| looked.status == FAILURE).map(|looked| looked.id));
    }
    let unfounded = listed().filter(|id| !failed.contains(*id)).map(|id| format!("{id} does not fail"));
    checks.push(check("what is said not to apply fails".to_owned(), unfounded.collect()));
    Ok(checks)
}

fn check(claim: String, contradictions: Vec<String>) -> Check {
    Check { session: "suite", claim, contradictions }
}

/// Everything that all scenarios looked at.
fn results(
    suite: &Suite<'_>,
    (url, key): (&str, &str),
    (revision, folder): (&str, &Path),
) -> anyhow::Result<Vec<Looked>> {
    let output = Command::new(suite.node)
        .args([suite.script.as_os_str(), url.as_ref(), key.as_ref(), suite.main.as_os_str()])
        .args(["--suite", "all", "--spec-version", revision, "--output-dir"])
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .context("cannot start the conformance suite")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "the conformance suite failed: {}", messages.trim());
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).context("the conformance suite wrote no results")? {
        let text = std::fs::read(entry?.path().join("checks.json")).context("a scenario has no results")?;
        let looked: Vec<Looked> =
            serde_json::from_slice(&text).context("the results of a scenario cannot be read")?;
        all.extend(looked);
    }
    anyhow::ensure!(!all.is_empty(), "the conformance suite ran nothing: {}", messages.trim());
    Ok(all)
}

/// What fails and is not listed.
fn contradictions(all: &[Looked]) -> Vec<String> {
    let known: BTreeSet<&str> = listed().collect();
    let mut contradictions: Vec<String> = all
        .iter()
        .filter(|looked| looked.status == FAILURE && !known.contains(looked.id.as_str()))
        .map(|Looked { id, error, .. }| format!("{id}: {}", error.as_deref().unwrap_or("it fails")))
        .collect();
    if !all.iter().any(|looked| looked.status == SUCCESS) {
        contradictions.push("nothing succeeds".to_owned());
    }
    contradictions
}

fn listed() -> impl Iterator<Item = &'static str> {
    NOT_APPLICABLE.iter().flat_map(|(_, ids)| ids.iter().copied())
}

/// Why something does not apply, and what.
const NOT_APPLICABLE: &[(&str, &[&str])] = &[
    (
        "it calls tools of the suite's own sample server; here are `cloak` and `uncloak`",
        &[
            "json-schema-2020-12-tool-found",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-error",
            "tools-call-image",
            "tools-call-mixed-content",
            "tools-call-simple-text",
            "tools-call-with-progress",
            "sep-2575-missing-capability-http-400",
            "sep-2575-server-rejects-undeclared-capability",
        ],
    ),
    (
        "no tool asks the client for anything",
        &[
            "elicitation-sep1034-general",
            "elicitation-sep1330-general",
            "tools-call-elicitation",
            "tools-call-sampling",
            "sep-2322-elicitation-incomplete",
            "sep-2322-list-roots-incomplete",
            "sep-2322-multi-round-r1",
            "sep-2322-multiple-inputs-incomplete",
            "sep-2322-non-tool-incomplete",
            "sep-2322-reject-tampered-state",
            "sep-2322-request-state-incomplete",
            "sep-2322-respect-client-capabilities",
            "sep-2322-result-type-included",
            "sep-2322-sampling-incomplete",
            "sep-2575-http-server-no-independent-requests-on-stream",
        ],
    ),
    (
        "no argument of a tool is said in a header",
        &[
            "sep-2243-server-decode-base64",
            "sep-2243-server-no-xmcp-tool",
            "sep-2243-server-reject-invalid-param-chars",
            "sep-2243-server-reject-param-mismatch",
            "sep-2243-server-validate-param-match",
        ],
    ),
    (
        "the service has no log for clients",
        &["logging-set-level", "tools-call-with-logging", "sep-2575-server-no-log-without-loglevel"],
    ),
    (
        "the service has tools alone, and says so: no prompts, resources or completions",
        &[
            "completion-complete",
            "prompts-get-embedded-resource",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-with-image",
            "prompts-list",
            "resources-list",
            "resources-read-binary",
            "resources-read-text",
            "resources-subscribe",
            "resources-templates-read",
            "resources-unsubscribe",
            "sep-2549-prompts-list-caching-hints",
            "sep-2549-resources-list-caching-hints",
            "sep-2549-resources-templates-list-caching-hints",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_and_is_not_listed_is_told() {
        let looked = |id: &str, status: &str| Looked {
            id: id.to_owned(),
            status: status.to_owned(),
            error: Some("it is not so".to_owned()),
        };
        let good = [looked("ping", SUCCESS), looked("prompts-list", FAILURE), looked("polling", "WARNING")];
        assert!(contradictions(&good).is_empty());
        let bad = [looked("ping", FAILURE), looked("tools-list", SUCCESS)];
        assert_eq!(contradictions(&bad), ["ping: it is not so"]);
        assert_eq!(contradictions(&good[1..]), ["nothing succeeds"]);
        let mut ids: Vec<&str> = listed().collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), listed().count(), "nothing is listed twice");
    }
}
