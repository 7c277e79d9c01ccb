//! Ends of a session that the client does not choose.

use std::path::PathBuf;
use std::time::Duration;

use cloakgate_gateway::Gateway;
use cloakgate_gateway::config::{Config, Format};
use serde_json::json;

/// A server that writes to a file once its input is closed, which one that is killed cannot.
fn server(name: &str) -> (Config, PathBuf) {
    let file = std::env::temp_dir().join(format!("cloakgate-{}-{name}", std::process::id()));
    let _left_over = std::fs::remove_file(&file);
    let script = format!("cat > /dev/null; echo closed > '{}'", file.display());
    let config = json!({"upstreams": {"s": {"command": "/bin/sh", "args": ["-c", script]}}});
    (Config::parse(&config.to_string(), Format::Json).expect("a configuration").0, file)
}

async fn wait_closed(file: &PathBuf) {
    for _ in 0..200 {
        if file.exists() {
            let _used = std::fs::remove_file(file);
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server's input was not closed");
}

#[tokio::test]
async fn a_session_that_is_told_to_stop_closes_the_servers_inputs() {
    let (config, file) = server("told");
    let (_client, near) = tokio::io::duplex(64);
    let (reader, writer) = tokio::io::split(near);
    let gateway = Gateway::new(config).expect("random bytes");
    let stop = tokio::time::sleep(Duration::from_millis(300));
    gateway.serve_until(reader, writer, stop).await.expect("in order");
    wait_closed(&file).await;
}

#[tokio::test]
async fn a_session_that_is_dropped_closes_the_servers_inputs_while_the_runtime_lives() {
    let (config, file) = server("dropped");
    let (_client, near) = tokio::io::duplex(64);
    let (reader, writer) = tokio::io::split(near);
    let serving = cloakgate_gateway::serve(config, reader, writer);
    assert!(tokio::time::timeout(Duration::from_secs(1), serving).await.is_err(), "the client is there");
    wait_closed(&file).await;
}
