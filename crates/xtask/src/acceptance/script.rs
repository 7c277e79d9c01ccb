//! The session with the filesystem server, in plain values, and what the requests of every script are.
//!
//! In: the folder. Out: requests in order.
//! Invariant: the script never holds a token; the view of a client rewrites values to what it was shown.

use std::path::Path;

use serde_json::{Value, json};

use super::filters::Filter;
use super::world;

/// How an answer is compared with the server's own.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Answer {
    /// Comes from the server.
    Upstream,
    /// The gateway writes it: compared by its meaning, names without their prefix.
    Authored,
    /// The merged list of tools.
    Tools,
    /// None: it is a notification.
    Nothing,
}

/// One request.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The request's id, which stays the same when the script is run together with others.
    pub(super) id: Value,
    pub(super) name: String,
    /// Name of the server in the gateway's configuration.
    pub(super) server: &'static str,
    pub(super) method: &'static str,
    pub(super) params: Value,
    pub(super) answer: Answer,
    /// What differs from run to run and is not compared.
    pub(super) filter: Filter,
}

impl Step {
    /// What the gateway puts before this server's names.
    pub(super) fn prefix(&self) -> String {
        format!("{}__", self.server)
    }

    /// `steps` with ids from `first` on: numbers and strings by turns, as clients use both.
    pub(super) fn numbered(first: usize, mut steps: Vec<Self>) -> Vec<Self> {
        for (number, step) in (first..).zip(&mut steps) {
            step.id = if number.is_multiple_of(2) { json!(number) } else { json!(format!("step-{number}")) };
        }
        steps
    }
}

/// The parameters of the handshake of a client that can do so much.
pub(super) fn handshake(capabilities: &Value) -> Value {
    json!({
        "protocolVersion": "2025-06-18",
        "capabilities": capabilities,
        "clientInfo": {"name": "acceptance", "version": "1.0.0"},
    })
}

/// The session after the handshake.
pub(super) fn steps(root: &Path) -> Vec<Step> {
    let root = root.display().to_string();
    let mut steps = vec![
        plain("ping", "ping", Answer::Authored),
        tools_list("fs"),
        call("list_allowed_directories", json!({})),
    ];
    steps.extend(names(&root));
    steps.extend(reads(&root));
    steps.extend(failures(&root));
    steps.extend(writes(&root));
    steps.extend(edits(&root));
    steps.extend(last_look(&root));
    steps
}

/// File names, one of which holds an address.
fn names(root: &str) -> Vec<Step> {
    let path = json!({ "path": root });
    vec![
        call("list_directory", path.clone()),
        call("list_directory_with_sizes", path.clone()),
        call("directory_tree", path),
        call("search_files", json!({"path": root, "pattern": "**/letter*"})),
        Step { filter: Filter::FileTimes, ..call("get_file_info", json!({"path": letter(root)})) },
        call("read_text_file", json!({"path": letter(root)})),
    ]
}

fn letter(root: &str) -> String {
    format!("{root}/letter to {}.txt", world::EMAIL)
}

fn reads(root: &str) -> Vec<Step> {
    let path = |name: &str| json!({"path": format!("{root}/{name}")});
    vec![
        call("read_text_file", path("customers.json")),
        call("read_text_file", path("contacts.csv")),
        call("read_text_file", path("customer note.txt")),
        call("read_file", path("customer note.txt")),
        call("read_text_file", json!({"path": format!("{root}/customer note.txt"), "head": 3})),
        call("read_text_file", json!({"path": format!("{root}/customer note.txt"), "tail": 3})),
        // Known from the records above: here no key says that it is a name.
        call("read_text_file", path("minutes.txt")),
        call("read_text_file", path(world::KEY_FILE)),
        call("read_text_file", path("build.log")),
        call("read_media_file", path("pixel.png")),
        call(
            "read_multiple_files",
            json!({"paths": [format!("{root}/minutes.txt"), letter(root), format!("{root}/missing.txt")]}),
        ),
    ]
}

/// Errors hold what was asked for, and so leak as well as an answer does.
fn failures(root: &str) -> Vec<Step> {
    vec![
        call("read_text_file", json!({"path": format!("{root}/{}/none.txt", world::EMAIL)})),
        call("read_text_file", json!({"path": format!("/elsewhere/{}", world::EMAIL)})),
        call("read_text_file", json!({"path": 7})),
        call("no_such_tool", json!({})),
    ]
}

fn writes(root: &str) -> Vec<Step> {
    let write = |name: &str, content: String| {
        call("write_file", json!({"path": format!("{root}/{name}"), "content": content}))
    };
    vec![
        write(world::REPLY_FILE, world::reply()),
        write(world::EXPORT_FILE, world::export()),
        call("create_directory", json!({"path": format!("{root}/archive")})),
        write(&format!("archive/{}.md", world::EMAIL), "Nothing open.\n".to_owned()),
        call(
            "move_file",
            json!({
                "source": letter(root),
                "destination": format!("{root}/archive/letter to {}.txt", world::EMAIL),
            }),
        ),
    ]
}

fn edits(root: &str) -> Vec<Step> {
    let edit = |name: &str, old: &str, new: &str, dry: bool| {
        let edits = json!([{"oldText": old, "newText": new}]);
        call("edit_file", json!({"path": format!("{root}/{name}"), "edits": edits, "dryRun": dry}))
    };
    let note = "customer note.txt";
    vec![
        edit(note, world::EMAIL, "nobody", true),
        // The capitals stand first in the file: the wrong spelling would change the wrong line.
        edit(note, world::EMAIL, "the portal", false),
        edit(note, world::EMAIL_CAPITALS, world::PHONE, false),
        edit(note, "not in the file", "nor this", false),
        edit(world::KEY_FILE, world::key().trim_end(), world::KEY_REPLACED, false),
    ]
}

fn last_look(root: &str) -> Vec<Step> {
    let path = |name: &str| json!({"path": format!("{root}/{name}")});
    vec![
        call("read_text_file", path("customer note.txt")),
        call("read_text_file", path(world::REPLY_FILE)),
        call("read_text_file", path(world::EXPORT_FILE)),
        call("list_directory", path("archive")),
    ]
}

fn plain(name: &str, method: &'static str, answer: Answer) -> Step {
    Step { answer, ..request("fs", name, method, json!({})) }
}

fn call(tool: &str, arguments: impl Into<Value>) -> Step {
    tool_call("fs", tool, arguments.into())
}

/// A request that the server answers.
pub(super) fn request(server: &'static str, name: &str, method: &'static str, params: Value) -> Step {
    Step {
        id: Value::Null,
        name: name.to_owned(),
        server,
        method,
        params,
        answer: Answer::Upstream,
        filter: Filter::Nothing,
    }
}

/// A call of a tool.
pub(super) fn tool_call(server: &'static str, tool: &str, arguments: Value) -> Step {
    let params = [("name".to_owned(), json!(tool)), ("arguments".to_owned(), arguments)];
    let params = Value::Object(params.into_iter().collect());
    request(server, &format!("tools/call {tool}"), "tools/call", params)
}

/// The list of tools, which every script asks for.
pub(super) fn tools_list(server: &'static str) -> Step {
    Step { answer: Answer::Tools, ..request(server, "tools/list", "tools/list", json!({})) }
}
