//! Where messages speak of tasks (revision 2025-11-25).
//!
//! In: a scanned message and what it is. Out: the places in it where the id of a task stands. Invariant: places go by
//! path, as in the policy table, and hold strings. Not here: what an id stands for, treatments.

use cloakgate_json::{Document, Kind, NodeId};

use crate::policy::Part;

/// The member of `_meta` that says which task a message belongs to.
const RELATED: &str = "io.modelcontextprotocol/related-task";
/// States that a task does not leave any more.
const TERMINAL: &[&str] = &["completed", "failed", "cancelled"];

/// Whether a task in this state has ended.
#[must_use]
pub fn is_terminal(status: &str) -> bool {
    TERMINAL.contains(&status)
}

/// The places of a message where the id of a task stands; `method` is that of the request for its answers.
#[must_use]
pub fn task_ids(document: &Document, bytes: &[u8], method: &str, part: Part) -> Vec<NodeId> {
    let at = |from: NodeId, path: &[&str]| {
        path.iter().try_fold(from, |node, name| document.member(bytes, node, name))
    };
    let body = match part {
        Part::Params | Part::Notification => "params",
        Part::Result => "result",
        Part::Error => return Vec::new(),
    };
    let Some(body) = at(NodeId::ROOT, &[body]) else { return Vec::new() };
    let mut places: Vec<NodeId> = at(body, &["_meta", RELATED, "taskId"]).into_iter().collect();
    match (method, part) {
        ("tasks/get" | "tasks/result" | "tasks/cancel", Part::Params)
        | ("notifications/tasks/status", Part::Notification)
        | ("tasks/get" | "tasks/cancel", Part::Result) => places.extend(at(body, &["taskId"])),
        ("tasks/list", Part::Result) => {
            let tasks = at(body, &["tasks"]).into_iter().flat_map(|tasks| document.children(tasks));
            places.extend(tasks.filter_map(|task| at(task, &["taskId"])));
        }
        (_, Part::Result) => places.extend(at(body, &["task", "taskId"])),
        _ => {}
    }
    places.retain(|node| document.kind(*node) == Kind::String);
    places
}

/// The task with which a request was answered, in place of its result.
#[must_use]
pub fn begun_task(document: &Document, bytes: &[u8], result: NodeId) -> Option<NodeId> {
    let id = document.member(bytes, document.member(bytes, result, "task")?, "taskId")?;
    (document.kind(id) == Kind::String).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::{Part, task_ids};

    #[test]
    fn ids_of_tasks_stand_where_the_protocol_has_them() {
        for (method, part, text, expected) in [
            (
                "tasks/get",
                Part::Params,
                r#"{"params":{"taskId":"a","x":{"taskId":"b"}}}"#,
                &["/params/taskId"][..],
            ),
            ("tasks/list", Part::Params, r#"{"params":{"taskId":"a"}}"#, &[]),
            (
                "tools/call",
                Part::Params,
                r#"{"params":{"taskId":"a","arguments":{"taskId":"b"},"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"c"}}}}"#,
                &["/params/_meta/io.modelcontextprotocol~1related-task/taskId"],
            ),
            (
                "tools/call",
                Part::Result,
                r#"{"result":{"task":{"taskId":"a"},"taskId":"b"}}"#,
                &["/result/task/taskId"],
            ),
            (
                "tasks/cancel",
                Part::Result,
                r#"{"result":{"taskId":"a","task":{"taskId":"b"}}}"#,
                &["/result/taskId"],
            ),
            (
                "tasks/list",
                Part::Result,
                r#"{"result":{"tasks":[{"taskId":"a"},{"taskId":7},"x",{"taskId":"b"}]}}"#,
                &["/result/tasks/0/taskId", "/result/tasks/3/taskId"],
            ),
            (
                "notifications/tasks/status",
                Part::Notification,
                r#"{"params":{"taskId":"a"}}"#,
                &["/params/taskId"],
            ),
            ("notifications/message", Part::Notification, r#"{"params":{"taskId":"a"}}"#, &[]),
            ("tasks/get", Part::Error, r#"{"error":{"data":{"taskId":"a"}}}"#, &[]),
        ] {
            let document = cloakgate_json::scan(text.as_bytes()).expect("valid JSON");
            let places = task_ids(&document, text.as_bytes(), method, part);
            let places: Vec<String> =
                places.into_iter().map(|node| document.pointer(text.as_bytes(), node)).collect();
            assert_eq!(places, expected, "{method}");
        }
    }
}
