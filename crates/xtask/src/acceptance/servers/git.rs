//! The git server: history that holds values, and a commit that must hold one.
//!
//! Invariant: times are fixed by the environment, so that the hash of the commit made through the gateway is the
//! hash of the one made without: the same tree, author, time and message, to the byte.

use std::path::Path;

use serde_json::{Value, json};

use super::{Runtime, Server, differing, no_asks, text};
use crate::acceptance::script::{self, Step};
use crate::acceptance::world::{EMAIL, PERSON, PHONE, SECOND_EMAIL};
use crate::command;

const DATE: &str = "1764500000 +0000";

pub(super) const SERVER: Server = Server {
    name: "git",
    runtime: Runtime::Python { module: "mcp_server_git" },
    arguments: |folder| vec!["--repository".to_owned(), text(folder)],
    environment: |_| {
        variables().into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    },
    says: |planted| [EMAIL, PHONE, PERSON, SECOND_EMAIL].contains(&planted.text.as_str()),
    plant,
    steps,
    asks: no_asks,
    left,
};

fn variables() -> [(&'static str, &'static str); 4] {
    [
        ("GIT_AUTHOR_DATE", DATE),
        ("GIT_COMMITTER_DATE", DATE),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", if cfg!(windows) { "NUL" } else { "/dev/null" }),
    ]
}

fn first_message() -> String {
    format!("Reminders go to {EMAIL}")
}

fn second_message() -> String {
    format!("Call {PHONE} and write to {EMAIL}")
}

fn plant(folder: &Path) -> anyhow::Result<()> {
    let git = |arguments: &[&str]| command::run(folder, "git", arguments, &variables());
    git(&["init", "--quiet", "--initial-branch=main"])?;
    git(&["config", "user.name", PERSON])?;
    git(&["config", "user.email", SECOND_EMAIL])?;
    std::fs::write(folder.join("route.txt"), "north\n")?;
    git(&["add", "route.txt"])?;
    git(&["commit", "--quiet", "--message", &first_message()])?;
    Ok(std::fs::write(folder.join("route.txt"), "north\nsouth\n")?)
}

fn steps(folder: &Path) -> Vec<Step> {
    let path = text(folder);
    let call = |tool: &str, more: Value| {
        let mut arguments = json!({ "repo_path": path });
        if let (Some(all), Value::Object(more)) = (arguments.as_object_mut(), more) {
            all.extend(more);
        }
        script::tool_call("git", tool, arguments)
    };
    vec![
        script::tools_list("git"),
        call("git_log", json!({})),
        call("git_show", json!({"revision": "HEAD"})),
        call("git_status", json!({})),
        call("git_diff_unstaged", json!({})),
        call("git_add", json!({"files": ["route.txt"]})),
        // The client has not been shown the number, and has been shown the address.
        call("git_commit", json!({"message": second_message()})),
        call("git_log", json!({"max_count": 2})),
        call("git_show", json!({"revision": "HEAD"})),
        call("git_show", json!({ "revision": EMAIL })),
    ]
}

fn left(folder: &Path) -> anyhow::Result<Vec<String>> {
    let found = command::output(folder, "git", &["log", "--format=%an <%ae> %s"])?;
    let line = |message: &str| format!("{PERSON} <{SECOND_EMAIL}> {message}");
    let wanted = format!("{}\n{}\n", line(&second_message()), line(&first_message()));
    Ok(differing("the history", &wanted, &found))
}
