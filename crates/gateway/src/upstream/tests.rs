//! A server's tasks over pipes in memory, with their limits hit.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use cloakgate_cloak::{Restored, SessionKeys};
use cloakgate_vault::MemoryVault;
use cloakgate_vocab::Secret;
use cloakgate_wire::{ClientWriter, Frame, FrameReader, UpstreamWriter};
use ring::rand::SystemRandom;
use tokio::io::{AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::{
    CallError, Connection, Down, Keeper, Link, Question, Stop, Terms, Upstream, WAITING, WAITING_NOTES,
    WAITING_REPLIES,
};
use crate::asks::MAX_ASKS;
use crate::hello::Hello;
use crate::hub::{Hub, Settings};
use crate::message::Message;
use crate::outbox::{Outgoing, outbox};
use crate::pipeline::Pipeline;
use crate::seal::Seal;
use crate::session::{Call, Target};

/// A server in the test's hands.
struct Far {
    hub: Arc<Hub>,
    upstream: Arc<Upstream>,
    link: Arc<Link>,
    keeper: Keeper,
    stop: Stop,
    says: WriteHalf<DuplexStream>,
    hears: FrameReader<ReadHalf<DuplexStream>>,
    outgoing: Outgoing,
    /// The far ends of later connections.
    next: mpsc::UnboundedReceiver<DuplexStream>,
}

const SOON: Duration = Duration::from_millis(100);
const LONG: Duration = Duration::from_secs(120);
const GREETING: &str = r#"{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}}}"#;

fn hub(pipeline: Pipeline) -> (Hub, Outgoing) {
    let (outbox, outgoing) = outbox();
    let settings = Settings {
        request_timeout: LONG,
        name_budget: 44,
        max_message_bytes: 1 << 20,
        allow_unknown_protocol_version: false,
        sanitize: false,
        person_text: crate::config::PersonText::Cloak,
        unknown_methods: crate::config::UnknownMethods::Refuse,
    };
    let seal = Seal::new(&SystemRandom::new()).expect("random bytes");
    (Hub::new(settings, pipeline, outbox, seal), outgoing)
}

async fn hello(settings: &Settings) -> Hello {
    let text = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{"roots":{}}}}"#;
    let message = Message::read(Bytes::from(text)).await.expect("a message");
    let (id_node, params) = match &message.envelope {
        cloakgate_mcp::Envelope::Request(request) => (request.id_node, request.params),
        other => panic!("{other:?}"),
    };
    let call = Call {
        message,
        id: cloakgate_mcp::RawId::own(1),
        id_node,
        method: "initialize".into(),
        params,
        tool: None,
        task: None,
        announcing: None,
        target: Target::default(),
        turn: None,
    };
    Hello::of(&call, settings).expect("a handshake")
}

/// A server that has shaken hands and was told so.
async fn far() -> Far {
    let pipeline = Pipeline::new(
        Arc::new(MemoryVault::default()),
        "test".parse().expect("a name"),
        SessionKeys::derive(&Secret::new([1; 32])),
        HashMap::new(),
    );
    let (hub, outgoing) = hub(pipeline);
    hub.set_hello(hello(&hub.settings).await);
    hub.set_initialized(Restored::authored(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#));
    let hub = Arc::new(hub);
    let terms = Terms { sanitize: false, ..Terms::of_test("far") };
    let upstream = Arc::new(Upstream::new(terms));
    let (ends, mut next) = mpsc::unbounded_channel();
    let connect = move || {
        let (near, far) = tokio::io::duplex(256);
        let _gone = ends.send(far);
        let (reader, writer) = tokio::io::split(near);
        let reader = FrameReader::new(reader, 1 << 20);
        Ok::<_, Infallible>(Connection { reader, writer: UpstreamWriter::new(writer), process: None })
    };
    let stop = Stop::default();
    let keeper = Keeper::start(Arc::clone(&upstream), Arc::clone(&hub), connect, &stop);
    let (hears, says) = greeted(next.recv().await.expect("a connection")).await;
    assert!(timeout(LONG, upstream.settled()).await.expect("in time"));
    let link = upstream.link().expect("it serves");
    Far { hub, upstream, link, keeper, stop, says, hears, outgoing, next }
}

/// Plays the server's part of the handshake.
async fn greeted(far: DuplexStream) -> (FrameReader<ReadHalf<DuplexStream>>, WriteHalf<DuplexStream>) {
    let (hears, mut says) = tokio::io::split(far);
    let mut hears = FrameReader::new(hears, 1 << 20);
    let request = hear(&mut hears).await;
    assert!(request.contains("initialize"), "{request}");
    let id = request.split("\"id\":").nth(1).and_then(|rest| rest.split(',').next()).expect("an id");
    say(&mut says, &format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{GREETING}}}")).await;
    assert!(hear(&mut hears).await.contains("notifications/initialized"));
    (hears, says)
}

async fn hear(hears: &mut FrameReader<ReadHalf<DuplexStream>>) -> String {
    match timeout(LONG, hears.next()).await.expect("in time").expect("the pipe is open") {
        Some(Frame::Message(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
        other => panic!("{other:?}"),
    }
}

async fn stop(far: (Stop, Keeper)) {
    far.0.send_replace(true);
    timeout(LONG, far.1.ended()).await.expect("in time");
}

fn question(id: u64, limit: Duration) -> Question {
    Question::new(id, request(id), limit)
}

fn request(id: u64) -> Restored<Bytes> {
    Restored::authored(format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#))
}

async fn say(far: &mut WriteHalf<DuplexStream>, text: &str) {
    far.write_all(format!("{text}\n").as_bytes()).await.expect("the pipe is open");
}

#[tokio::test]
async fn a_server_that_does_not_read_makes_its_callers_wait() {
    let mut far = far().await;
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
    stop((far.stop, far.keeper)).await;
}

#[tokio::test]
async fn a_call_in_a_full_queue_ends_at_its_deadline() {
    let far = far().await;
    while timeout(SOON, far.upstream.post(request(0))).await.is_ok() {}
    let id = far.upstream.take_id();
    let outcome = far.upstream.call(question(id, SOON)).await;
    assert_eq!(outcome.err(), Some(CallError::TimedOut));
}

#[tokio::test]
async fn a_server_that_asks_without_reading_is_ended() {
    let mut far = far().await;
    let id = far.upstream.take_id();
    let upstream = Arc::clone(&far.upstream);
    let call = tokio::spawn(async move { upstream.call(question(id, LONG)).await.err() });
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
    let mut far = far().await;
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
async fn an_answer_knows_how_much_was_said_before_it() {
    let mut far = far().await;
    let id = far.upstream.take_id();
    let upstream = Arc::clone(&far.upstream);
    let call = tokio::spawn(async move { upstream.call(question(id, LONG)).await });
    hear(&mut far.hears).await;
    for text in [
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{}}"#,
        "a banner",
        r#"{"jsonrpc":"2.0","id":"x","method":"roots/list"}"#,
        r#"{"jsonrpc":"2.0","id":"y","method":"sampling/createMessage"}"#,
        r#"{"jsonrpc":"2.0","id":77,"result":{}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":77,"progress":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#,
        &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#),
    ] {
        say(&mut far.says, text).await;
    }
    let reply = call.await.expect("no panic").expect("an answer");
    assert_eq!(reply.after, 3, "a notification, a request that is passed on, and what calls off nothing");
    timeout(LONG, far.upstream.caught_up(reply.after)).await.expect("in time");
    let refused = hear(&mut far.hears).await;
    assert!(refused.contains("-32601") && refused.contains("\"y\""), "{refused}");
}

#[tokio::test]
async fn the_end_of_a_session_closes_the_servers_input() {
    let mut far = far().await;
    far.upstream.post(request(1)).await.expect("open");
    let stopping = tokio::spawn(stop((far.stop, far.keeper)));
    assert!(matches!(far.hears.next().await, Ok(Some(Frame::Message(_)))), "what was queued still leaves");
    assert_eq!(far.hears.next().await.expect("open"), None);
    drop((far.says, far.hears));
    timeout(LONG, stopping).await.expect("in time").expect("no panic");
}

#[tokio::test]
async fn a_server_asks_no_more_than_it_may_and_its_end_calls_all_off() {
    let mut far = far().await;
    for number in 0..=MAX_ASKS {
        say(&mut far.says, &format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"roots/list"}}"#)).await;
    }
    let refused = hear(&mut far.hears).await;
    assert!(refused.contains("-32600") && refused.contains(&format!("\"id\":{MAX_ASKS}")), "{refused}");
    say(&mut far.says, r#"{"jsonrpc":"2.0","id":0,"method":"roots/list"}"#).await;
    assert!(hear(&mut far.hears).await.contains("-32600"), "an id that waits already");
    drop((far.says, far.hears));
    let (near, client) = tokio::io::duplex(1 << 20);
    let writing = tokio::spawn(far.outgoing.write_to(ClientWriter::new(near)));
    let mut client = FrameReader::new(client, 1 << 20);
    for part in ["roots/list", "notifications/cancelled"] {
        for number in 0..MAX_ASKS {
            let frame = timeout(LONG, client.next()).await.expect("in time").expect("open");
            let Some(Frame::Message(bytes)) = frame else { panic!("{frame:?}") };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(text.contains(part) && text.contains(&format!("\"cloakgate-{number}\"")), "{text}");
        }
    }
    writing.abort();
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stops_is_started_again_until_it_stops_too_often() {
    let mut far = far().await;
    let states = Arc::new(Mutex::new(Vec::new()));
    for stops in 1..=5 {
        let id = far.upstream.take_id();
        let upstream = Arc::clone(&far.upstream);
        let call = tokio::spawn(async move { upstream.call(question(id, LONG)).await.err() });
        hear(&mut far.hears).await;
        drop((far.says, far.hears));
        assert_eq!(call.await.expect("no panic"), Some(CallError::Stopped), "{stops}");
        let down = loop {
            match far.upstream.link() {
                Err(CallError::Down(down)) => break down,
                _ => tokio::task::yield_now().await,
            }
        };
        let outcome = far.upstream.call(question(far.upstream.take_id(), LONG)).await;
        assert!(matches!(outcome, Err(CallError::Down(_))), "at once, and by name");
        assert!(far.link.call(question(1000, LONG)).await.is_err(), "the old connection is of no use");
        states.lock().expect("no panic").push(down);
        let before = tokio::time::Instant::now();
        (far.hears, far.says) = greeted(far.next.recv().await.expect("it is started again")).await;
        let pause = before.elapsed();
        let least = if stops == 5 { 60_000 } else { 500 << (stops - 1) };
        assert!(pause >= Duration::from_millis(least - 1), "{stops}: {pause:?}");
        while far.upstream.link().is_err() {
            tokio::task::yield_now().await;
        }
    }
    assert!(far.hub.asks.next_deadline(&far.upstream).is_none());
    let states = states.lock().expect("no panic");
    assert!(states.iter().all(|down| matches!(down, Down::Stopped | Down::TooOften)), "{states:?}");
}
