//! A server's tasks over pipes in memory, with their limits hit.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::{Restored, SessionKeys};
use cloakgate_detect::Engine;
use cloakgate_vault::MemoryVault;
use cloakgate_vocab::Secret;
use cloakgate_wire::{ClientWriter, Frame, FrameReader, UpstreamWriter};
use tokio::io::{AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::time::timeout;

use super::{
    Actor, CallError, Connection, Emitter, GivingUp, Terms, Upstream, WAITING, WAITING_NOTES,
    WAITING_REPLIES, start,
};
use crate::outbox::{Outgoing, outbox};
use crate::passage::Cloaker;
use crate::pipeline::Pipeline;

/// A server in the test's hands.
struct Far {
    upstream: Arc<Upstream>,
    actor: Actor,
    says: WriteHalf<DuplexStream>,
    hears: FrameReader<ReadHalf<DuplexStream>>,
    outgoing: Outgoing,
}

const SOON: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(20);

fn far() -> Far {
    let (near, far) = tokio::io::duplex(256);
    let (reader, writer) = tokio::io::split(near);
    let connection = Connection {
        reader: FrameReader::new(reader, 1 << 20),
        writer: UpstreamWriter::new(writer),
        process: None,
    };
    let terms = Terms {
        name: "far".parse().expect("a name"),
        sanitize: false,
        startup_timeout: LONG,
        call_timeout: LONG,
    };
    let pipeline = Pipeline::new(
        Engine::new(cloakgate_detect::Settings::default()),
        Arc::new(MemoryVault::default()),
        "test".parse().expect("a name"),
        SessionKeys::derive(&Secret::new([1; 32])),
        HashMap::new(),
    );
    let (outbox, outgoing) = outbox();
    let emitter = Emitter { cloaker: Cloaker::new(pipeline), outbox };
    let (upstream, actor) = start(terms, connection, emitter);
    let (hears, says) = tokio::io::split(far);
    Far { upstream, actor, says, hears: FrameReader::new(hears, 1 << 20), outgoing }
}

fn request(id: u64) -> Restored<Bytes> {
    Restored::authored(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#))
}

async fn say(far: &mut WriteHalf<DuplexStream>, text: &str) {
    far.write_all(format!("{text}\n").as_bytes()).await.expect("the pipe is open");
}

#[tokio::test]
async fn a_server_that_does_not_read_makes_its_callers_wait() {
    let mut far = far();
    let queued = async {
        let mut count = 0;
        while timeout(SOON, far.upstream.post(request(count))).await.is_ok() {
            count += 1;
        }
        count
    };
    let queued = queued.await;
    let limit = WAITING.messages as u64;
    assert!((limit..limit + 16).contains(&queued), "{queued} messages waited, beside those in the pipe");
    let reading = async { while let Ok(Some(_)) = far.hears.next().await {} };
    tokio::select! {
        () = reading => panic!("the pipe is open"),
        sent = timeout(LONG, far.upstream.post(request(0))) => sent.expect("in time").expect("open"),
    }
    far.actor.stop().await;
}

#[tokio::test]
async fn a_call_in_a_full_queue_ends_at_its_deadline() {
    let far = far();
    while timeout(SOON, far.upstream.post(request(0))).await.is_ok() {}
    let id = far.upstream.take_id();
    let outcome = far.upstream.call(id, request(id), SOON, GivingUp::CallOff).await;
    assert_eq!(outcome.err(), Some(CallError::TimedOut));
}

#[tokio::test]
async fn a_server_that_asks_without_reading_is_ended() {
    let mut far = far();
    let id = far.upstream.take_id();
    let (upstream, request) = (Arc::clone(&far.upstream), request(id));
    let call = tokio::spawn(async move { upstream.call(id, request, LONG, GivingUp::CallOff).await.err() });
    for number in 0..WAITING_REPLIES + 64 {
        let text = format!("{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"ping\"}}\n");
        // Once the gateway has turned away, nobody takes what is said.
        if !matches!(timeout(SOON, far.says.write_all(text.as_bytes())).await, Ok(Ok(()))) {
            break;
        }
    }
    assert_eq!(call.await.expect("no panic"), Some(CallError::Stopped));
}

#[tokio::test]
async fn notifications_that_cannot_leave_make_the_server_wait_and_none_is_lost() {
    let mut far = far();
    let note = |number: usize| {
        format!(
            "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{{\"data\":{number}}}}}"
        )
    };
    // Beside the notes' own queue there is the client's, and both have an end.
    let (mut said, most) = (0, WAITING_NOTES + 4096);
    while said < most && timeout(SOON, say(&mut far.says, &note(said))).await.is_ok() {
        said += 1;
    }
    assert!(said > WAITING_NOTES && said < most, "{said} were taken");
    let (near, client) = tokio::io::duplex(1 << 20);
    let writing = tokio::spawn(far.outgoing.write_to(ClientWriter::new(near)));
    let mut client = FrameReader::new(client, 1 << 20);
    for number in 0..said {
        let frame = timeout(LONG, client.next()).await.expect("in time").expect("open");
        assert_eq!(frame, Some(Frame::Message(note(number).into())));
    }
    writing.abort();
}

#[tokio::test]
async fn an_answer_knows_how_many_notifications_came_before_it() {
    let mut far = far();
    let id = far.upstream.take_id();
    let (upstream, request) = (Arc::clone(&far.upstream), request(id));
    let call = tokio::spawn(async move { upstream.call(id, request, LONG, GivingUp::CallOff).await });
    assert!(matches!(far.hears.next().await, Ok(Some(Frame::Message(_)))));
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#,
        "a banner",
        r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
        &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#),
    ] {
        say(&mut far.says, text).await;
    }
    let reply = call.await.expect("no panic").expect("an answer");
    assert_eq!(reply.after, 2);
    timeout(LONG, far.upstream.caught_up(reply.after)).await.expect("in time");
}

#[tokio::test]
async fn the_end_of_a_session_closes_the_servers_input() {
    let mut far = far();
    far.upstream.post(request(1)).await.expect("open");
    let stopping = tokio::spawn(far.actor.stop());
    assert!(matches!(far.hears.next().await, Ok(Some(Frame::Message(_)))), "what was queued still leaves");
    assert_eq!(far.hears.next().await.expect("open"), None);
    drop((far.says, far.hears));
    timeout(LONG, stopping).await.expect("in time").expect("no panic");
}
