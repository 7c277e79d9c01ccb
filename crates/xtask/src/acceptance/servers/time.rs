//! The time server: nothing personal in its answers, so nothing of them may change.

use std::path::Path;

use serde_json::{Value, json};

use super::{Runtime, Server, no_arguments, no_asks, no_environment, nothing_left, nothing_planted};
use crate::acceptance::filters::Filter;
use crate::acceptance::script::{self, Step};
use crate::acceptance::world::EMAIL;

pub(super) const SERVER: Server = Server {
    name: "time",
    runtime: Runtime::Python { module: "mcp_server_time" },
    arguments: no_arguments,
    environment: no_environment,
    says: |planted| planted.text == EMAIL,
    plant: nothing_planted,
    steps,
    asks: no_asks,
    left: nothing_left,
};

fn steps(_: &Path) -> Vec<Step> {
    vec![
        script::tools_list("time"),
        call("get_current_time", json!({"timezone": "Europe/Paris"})),
        call(
            "convert_time",
            json!({"source_timezone": "Europe/Paris", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
        ),
        // The error repeats what was asked for.
        call("get_current_time", json!({ "timezone": EMAIL })),
        call("get_current_time", json!({ "timezone": EMAIL })),
    ]
}

fn call(tool: &str, arguments: Value) -> Step {
    Step { filter: Filter::Clock, ..script::tool_call("time", tool, arguments) }
}
