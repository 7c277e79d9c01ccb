//! A gateway in a thread of its own, joined to a client by pipes, with the servers of a scene behind it.

use std::io::{PipeReader, PipeWriter, Read};
use std::thread::JoinHandle;

use cloakgate_gateway::GatewayError;
use cloakgate_gateway::config::{Config, Format};
use cloakgate_testkit::{Answer, Scene, ScriptedClient};
use serde_json::{Value, json};
use tokio::net::unix::pipe;

/// A running gateway and its client.
pub(crate) struct Running {
    pub(crate) client: ScriptedClient,
    gateway: JoinHandle<Result<(), GatewayError>>,
}

/// Starts a gateway for a scene; the client reads through `reader`.
pub(crate) fn start<R: Read + Send + 'static>(
    scene: &Scene,
    reader: impl FnOnce(PipeReader) -> R,
) -> Running {
    let (config, _) = Config::parse(&scene.config(), Format::Json).expect("a configuration");
    let (to_gateway, from_client) = pipes();
    let (to_client, from_gateway) = pipes();
    let gateway = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.expect("a runtime").block_on(async move {
            let reader = pipe::Receiver::from_owned_fd(from_client.into()).expect("a pipe");
            let writer = pipe::Sender::from_owned_fd(to_client.into()).expect("a pipe");
            cloakgate_gateway::serve(config, reader, writer).await
        })
    });
    Running { client: ScriptedClient::over(reader(from_gateway), to_gateway), gateway }
}

/// Starts a gateway for a scene and shakes hands as a client that can do everything.
pub(crate) fn serve_as(scene: &Scene, revision: &str) -> (Running, Answer) {
    let mut running = start(scene, |reader| reader);
    let client = json!({"name": "probe", "version": "1.0"});
    let params =
        json!({"protocolVersion": revision, "capabilities": client_capabilities(), "clientInfo": client});
    let answer = running.client.request("initialize", &params).expect("an answer");
    // A gateway that has no server to offer has left.
    let _left = running.client.notify("notifications/initialized", &json!({}));
    (running, answer)
}

/// What a client that can do everything declares.
pub(crate) fn client_capabilities() -> Value {
    let tasks = json!({"list": {}, "cancel": {}, "requests": {
        "sampling": {"createMessage": {}}, "elicitation": {"create": {}}}});
    json!({"sampling": {}, "elicitation": {}, "roots": {"listChanged": true}, "tasks": tasks})
}

fn pipes() -> (PipeWriter, PipeReader) {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    (writer, reader)
}

impl Running {
    /// Ends the session from the client's side; gives what the client received and how the gateway ended.
    pub(crate) fn end(self) -> (Vec<String>, Result<(), GatewayError>) {
        let (lines, _) = self.client.close().expect("the gateway leaves");
        let received =
            lines.into_iter().filter(|line| line.direction == cloakgate_testkit::LineDirection::Received);
        (received.map(|line| line.text).collect(), self.gateway.join().expect("no panic"))
    }
}
