//! Every wrong head and body with its answer, over a real socket.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test ends by them")]

use std::net::SocketAddr;
use std::time::Duration;

use cloakgate_mcp::Revision;
use cloakgate_wire::http::{About, Answer, Call, Endpoint, Gate, Head, Refusal, Settings, router};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

const ABOUT: About = About {
    name: "test",
    title: "Test",
    version: "1",
    instructions: "say \"hello\"",
    capabilities: r#"{"tools":{}}"#,
};

/// Answers with what it was asked, waits when it is told to, and knows one key.
struct Echo {
    arrived: std::sync::Arc<Notify>,
}

impl Endpoint for Echo {
    type Caller = ();

    async fn admit(&self, head: Head<'_>) -> Result<(), Refusal> {
        assert!(head.path.starts_with("/mcp"));
        match head.headers.get("x-key").map(http::HeaderValue::as_bytes) {
            Some(b"good") => Ok(()),
            Some(b"often") => Err(Refusal::TooMany { retry_after_s: 7 }),
            Some(b"challenge") => {
                Err(Refusal::Unauthorized { challenge: "Bearer realm=\"x\"".to_owned(), text: "no token" })
            }
            _ => Err(Refusal::Forbidden("wrong key")),
        }
    }

    fn about(&self) -> &About {
        &ABOUT
    }

    async fn answer(&self, (): &(), call: Call) -> Answer {
        match call.method.as_str() {
            "wait" => {
                self.arrived.notify_one();
                std::future::pending().await
            }
            "fail" => Answer::Failed,
            "bad" => Answer::InvalidParams("no good"),
            "tools/list" => Answer::Result(format!(r#""tools":[],"revision":"{}""#, call.revision)),
            "tools/call" => Answer::Result(r#""content":[]"#.to_owned()),
            "nothing" => Answer::Result(String::new()),
            _ => Answer::UnknownMethod,
        }
    }
}

struct Door {
    address: SocketAddr,
    arrived: std::sync::Arc<Notify>,
}

/// A response, as far as the tests look at it.
struct Response {
    status: u16,
    head: String,
    body: String,
}

impl Response {
    fn has(&self, line: &str) -> bool {
        self.head.lines().any(|found| found.eq_ignore_ascii_case(line))
    }
}

async fn open(settings: Settings) -> Door {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let arrived = std::sync::Arc::new(Notify::new());
    let echo = Echo { arrived: std::sync::Arc::clone(&arrived) };
    let router = router(&["/mcp", "/mcp/{server}"], echo, settings);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Door { address, arrived }
}

async fn standard() -> Door {
    open(Settings {
        gate: Gate::new([], ["https://app.example.org"]).expect("names"),
        max_body_bytes: 4096,
        body_timeout: Duration::from_millis(300),
        ..Settings::default()
    })
    .await
}

impl Door {
    async fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("connected");
        stream.write_all(bytes).await.expect("written");
        stream
    }

    async fn raw(&self, bytes: &[u8]) -> Response {
        receive(self.send(bytes).await).await
    }

    async fn post(&self, headers: &str, body: &[u8]) -> Response {
        self.raw(&request("POST", headers, body)).await
    }
}

fn request(method: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "{method} /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{}\r\n",
        headers.trim_start().replace('\n', "\r\n").replace("    ", ""),
    );
    [head.as_bytes(), body].concat()
}

async fn receive(mut stream: TcpStream) -> Response {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.expect("read");
    let text = String::from_utf8(bytes).expect("text");
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Response { status, head: head.to_owned(), body: body.to_owned() }
}

const GOOD: &str = "Host: 127.0.0.1\nX-Key: good\nContent-Type: application/json\n";
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

#[tokio::test]
async fn wrong_heads_are_answered_with_status_and_error_before_the_body() {
    let door = standard().await;
    let without_host = GOOD.replace("Host: 127.0.0.1\n", "");
    let with = |line: &str| format!("{GOOD}{line}\n");
    let instead = |line: &str, other: &str| GOOD.replace(line, other);
    for (name, headers, status, header) in [
        ("no host", without_host.clone(), 403, ""),
        ("a rebound name", instead("127.0.0.1", "evil.example.org"), 403, ""),
        ("a stranger's page", with("Origin: https://evil.example.org"), 403, ""),
        ("no page in particular", with("Origin: null"), 403, ""),
        ("no key", instead("X-Key: good\n", ""), 403, ""),
        ("a wrong key", instead("good", "bad"), 403, ""),
        ("a challenge", instead("good", "challenge"), 401, "www-authenticate: Bearer realm=\"x\""),
        ("too often", instead("good", "often"), 429, "retry-after: 7"),
        ("no content type", instead("Content-Type: application/json\n", ""), 415, ""),
        ("a form", instead("application/json", "text/plain"), 415, ""),
        ("another charset", instead("json", "json; charset=utf-16"), 415, ""),
        ("compressed", with("Content-Encoding: gzip"), 415, ""),
        ("other answers", with("Accept: text/html"), 406, ""),
    ] {
        // The body never comes: whoever waited for it would not answer.
        let mut bytes = request("POST", &headers, LIST.as_bytes());
        bytes.truncate(bytes.len() - LIST.len());
        let response = door.raw(&bytes).await;
        assert_eq!(response.status, status, "{name}: {}", response.head);
        assert!(header.is_empty() || response.has(header), "{name}: {}", response.head);
        assert!(response.has("content-type: application/json"), "{name}: {}", response.head);
        let body: serde_json::Value = serde_json::from_str(&response.body).expect(name);
        assert_eq!(
            (&body["id"], &body["error"]["code"]),
            (&serde_json::Value::Null, &(-32000).into()),
            "{name}"
        );
    }
    for method in ["GET", "DELETE", "PUT", "HEAD", "OPTIONS"] {
        let response = door.raw(&request(method, GOOD, b"")).await;
        assert_eq!(response.status, 405, "{method}");
        assert!(response.has("allow: POST"), "{method}: {}", response.head);
    }
}

#[tokio::test]
async fn pages_of_shared_origins_may_call() {
    let door = standard().await;
    let headers = "Host: 127.0.0.1\nOrigin: https://app.example.org\nAccess-Control-Request-Headers: x-key\n";
    let asked = door.raw(&request("OPTIONS", headers, b"")).await;
    assert_eq!(asked.status, 204, "{}", asked.head);
    for line in [
        "access-control-allow-origin: https://app.example.org",
        "access-control-allow-headers: x-key",
        "access-control-allow-methods: POST",
    ] {
        assert!(asked.has(line), "{line}: {}", asked.head);
    }
    let called = door.post(&format!("{GOOD}Origin: https://app.example.org\n"), LIST.as_bytes()).await;
    assert_eq!(called.status, 200);
    assert!(called.has("access-control-allow-origin: https://app.example.org"), "{}", called.head);
    let own = door.post(&format!("{GOOD}Origin: http://localhost:6274\n"), LIST.as_bytes()).await;
    assert_eq!(own.status, 200);
    assert!(!own.head.contains("access-control-allow-origin"), "{}", own.head);
}

#[tokio::test]
async fn bodies_are_bounded_in_length_and_time() {
    let door = standard().await;
    let long = vec![b' '; 4097];
    let said = door.post(GOOD, &long).await;
    assert_eq!(said.status, 413);
    assert!(said.body.contains("4096"), "{}", said.body);

    // Nothing says beforehand how long this one is.
    let head =
        format!("POST /mcp HTTP/1.1\r\n{}Transfer-Encoding: chunked\r\n\r\n", GOOD.replace('\n', "\r\n"));
    let chunk = format!("800\r\n{}\r\n", " ".repeat(0x800));
    let mut stream = door.send(format!("{head}{chunk}{chunk}1\r\n \r\n").as_bytes()).await;
    let mut start = [0; 12];
    stream.read_exact(&mut start).await.expect("an answer before the end");
    assert_eq!(&start, b"HTTP/1.1 413");

    let fits = door.post(GOOD, format!("{LIST}{}", " ".repeat(4096 - LIST.len())).as_bytes()).await;
    assert_eq!(fits.status, 200);

    let mut slow = request("POST", GOOD, LIST.as_bytes());
    slow.truncate(slow.len() - 1);
    assert_eq!(door.raw(&slow).await.status, 408);
}

#[tokio::test]
async fn wrong_messages_are_answered_with_a_code_and_the_id_where_it_is_certain() {
    let door = standard().await;
    let deep = format!("{}{}", "[".repeat(600), "]".repeat(600));
    let long_id = format!(r#"{{"jsonrpc":"2.0","id":"{}","method":"a"}}"#, "1".repeat(1100));
    for (name, body, status, code, id) in [
        ("nothing", &b""[..], 400, -32700, "null"),
        ("no utf-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", 400, -32700, "null"),
        ("a byte order mark", b"\xef\xbb\xbf{}", 400, -32700, "null"),
        ("cut", br#"{"jsonrpc":"2.0","id":1,"method":"a""#, 400, -32700, "null"),
        ("two", br#"{"jsonrpc":"2.0","id":1,"method":"a"} {}"#, 400, -32700, "null"),
        ("too deep", deep.as_bytes(), 400, -32700, "null"),
        ("a number", b"1", 400, -32600, "null"),
        ("an empty array", b"[]", 400, -32600, "null"),
        ("no version", br#"{"id":1,"method":"a"}"#, 400, -32600, "1"),
        ("an older version", br#"{"jsonrpc":"1.0","id":"x","method":"a"}"#, 400, -32600, r#""x""#),
        ("no method", br#"{"jsonrpc":"2.0","id":1}"#, 400, -32600, "1"),
        ("a method that is none", br#"{"jsonrpc":"2.0","id":1,"method":{}}"#, 400, -32600, "1"),
        ("params in an array", br#"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#, 400, -32600, "1"),
        ("the id null", br#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, 400, -32600, "null"),
        ("an id that is none", br#"{"jsonrpc":"2.0","id":[],"method":"a"}"#, 400, -32600, "null"),
        ("a long id", long_id.as_bytes(), 400, -32600, "null"),
        ("a key twice", br#"{"jsonrpc":"2.0","id":1,"method":"a","\u006dethod":"b"}"#, 400, -32600, "1"),
        (
            "a key twice inside",
            br#"{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":{"y":1,"y":2}}}"#,
            400,
            -32602,
            "1",
        ),
        ("an unknown method", br#"{"jsonrpc":"2.0","id":7e0,"method":"a"}"#, 200, -32601, "7e0"),
        ("wrong params", br#"{"jsonrpc":"2.0","id":"\u0061","method":"bad"}"#, 200, -32602, r#""\u0061""#),
        ("a failure", br#"{"jsonrpc":"2.0","id":1.50,"method":"fail"}"#, 200, -32603, "1.50"),
    ] {
        let response = door.post(GOOD, body).await;
        assert_eq!(response.status, status, "{name}: {}", response.body);
        let expected = format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"#);
        assert!(response.body.starts_with(&expected), "{name}: {}", response.body);
    }
}

#[tokio::test]
async fn arrays_are_of_one_revision_and_bounded() {
    let door = open(Settings::default()).await;
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let answer = r#"{"jsonrpc":"2.0","id":3,"result":{}}"#;
    let other = r#"{"jsonrpc":"2.0","id":"b","method":"nothing"}"#;
    let mixed = door.post(GOOD, format!("[{LIST}, {note}, {answer}, {other}, 5]").as_bytes()).await;
    assert_eq!(mixed.status, 200);
    assert_eq!(
        mixed.body,
        concat!(
            r#"[{"jsonrpc":"2.0","id":1,"result":{"tools":[],"revision":"2025-03-26"}},"#,
            r#"{"jsonrpc":"2.0","id":"b","result":{}},"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message must be an object"}}]"#
        )
    );
    let silent = door.post(GOOD, format!("[{note},{answer}]").as_bytes()).await;
    assert_eq!((silent.status, silent.body.as_str()), (202, ""));

    let initialize = r#"[{"jsonrpc":"2.0","id":1,"method":"initialize"}]"#;
    assert!(door.post(GOOD, initialize.as_bytes()).await.body.contains("-32600"));
    for (headers, count, status) in [
        ("", 100, 200),
        ("", 101, 400),
        ("Mcp-Protocol-Version: 2025-03-26\n", 1, 200),
        ("Mcp-Protocol-Version: 2025-06-18\n", 1, 400),
    ] {
        let body = format!("[{}]", vec![LIST; count].join(","));
        let response = door.post(&format!("{GOOD}{headers}"), body.as_bytes()).await;
        assert_eq!(response.status, status, "{headers}{count}");
    }
}

#[tokio::test]
async fn each_revision_is_spoken_as_it_wants() {
    let door = standard().await;
    let hello = |version: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":"1","method":"initialize","params":{{"protocolVersion":"{version}","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        )
    };
    for (asked, agreed) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let response = door.post(GOOD, hello(asked).as_bytes()).await;
        assert_eq!(response.status, 200);
        let expected = format!(
            r#"{{"jsonrpc":"2.0","id":"1","result":{{"protocolVersion":"{agreed}","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"test","#
        );
        assert!(response.body.starts_with(&expected), "{asked}: {}", response.body);
        assert!(!response.head.to_ascii_lowercase().contains("mcp-session-id"));
        let list = door
            .post(&format!("{GOOD}Mcp-Session-Id: any\nMCP-Protocol-Version: {agreed}\n"), LIST.as_bytes())
            .await;
        assert!(list.body.contains(&format!(r#""revision":"{agreed}""#)), "{}", list.body);
    }
    let ping = door.post(GOOD, br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).await;
    assert_eq!(ping.body, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);

    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let modern = |method: &str, more: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{{more}{meta}}}}}"#)
    };
    let version = "MCP-Protocol-Version: 2026-07-28\n";
    for (name, headers, body, status, part) in [
        (
            "discover",
            "Mcp-Method: server/discover\n",
            modern("server/discover", ""),
            200,
            r#""supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]"#,
        ),
        (
            "list",
            "Mcp-Method: tools/list\n",
            modern("tools/list", ""),
            200,
            r#""result":{"resultType":"complete","tools""#,
        ),
        (
            "no members",
            "Mcp-Method: nothing\n",
            modern("nothing", ""),
            200,
            r#""result":{"resultType":"complete"}"#,
        ),
        (
            "call",
            "Mcp-Method: tools/call\nMcp-Name: x\n",
            modern("tools/call", r#""name":"x","#),
            200,
            "content",
        ),
        (
            "another name",
            "Mcp-Method: tools/call\nMcp-Name: y\n",
            modern("tools/call", r#""name":"x","#),
            400,
            "-32020",
        ),
        ("no method header", "", modern("tools/list", ""), 400, "-32020"),
        ("no meta", "Mcp-Method: tools/list\n", LIST.to_owned(), 400, "-32602"),
        ("no ping", "Mcp-Method: ping\n", modern("ping", ""), 404, "-32601"),
        ("no handshake", "Mcp-Method: initialize\n", modern("initialize", ""), 404, "-32601"),
        ("unknown method", "Mcp-Method: a\n", modern("a", ""), 404, "-32601"),
        ("an answer", "", r#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_owned(), 400, "-32600"),
        ("a notification", "", r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#.to_owned(), 202, ""),
    ] {
        let response = door.post(&format!("{GOOD}{version}{headers}"), body.as_bytes()).await;
        assert_eq!(response.status, status, "{name}: {}", response.body);
        assert!(response.body.contains(part), "{name}: {}", response.body);
    }
    let unknown = modern("tools/list", "").replace("2026-07-28", "1900-01-01");
    let response = door.post(&format!("{GOOD}MCP-Protocol-Version: 1900-01-01\n"), unknown.as_bytes()).await;
    assert_eq!(response.status, 400);
    assert!(
        response.body.contains(r#""requested":"1900-01-01""#) && response.body.contains("-32022"),
        "{}",
        response.body
    );
    // What is no version may be anything, and is not repeated.
    for anything in ["person@example.org", "2026-07-28 2026-07-28 2026-07-28 2026"] {
        let body = modern("tools/list", "").replace("2026-07-28", anything);
        let headers = format!("{GOOD}MCP-Protocol-Version: {anything}\n");
        let response = door.post(&headers, body.as_bytes()).await;
        assert_eq!(response.status, 400);
        assert!(!response.body.contains(anything), "{}", response.body);
    }
    assert_eq!(Revision::ALL.len(), 5, "a new revision is served or not on purpose");
}

#[tokio::test]
async fn answers_are_events_where_only_events_are_taken() {
    let door = standard().await;
    let response = door.post(&format!("{GOOD}Accept: text/event-stream\n"), LIST.as_bytes()).await;
    assert_eq!(response.status, 200);
    for line in ["content-type: text/event-stream", "cache-control: no-store", "x-accel-buffering: no"] {
        assert!(response.has(line), "{line}: {}", response.head);
    }
    let event =
        response.body.strip_prefix("event: message\ndata: ").and_then(|rest| rest.strip_suffix("\n\n"));
    let message: serde_json::Value = serde_json::from_str(event.expect("one event")).expect("JSON");
    assert_eq!(message["result"]["revision"], "2025-03-26");
    let wrong = door.post(&format!("{GOOD}Accept: text/event-stream\n"), b"{").await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.has("content-type: application/json"), "{}", wrong.head);
}

#[tokio::test]
async fn a_full_door_says_when_to_come_again_and_opens_when_a_client_leaves() {
    let door = open(Settings { max_concurrent: 1, ..Settings::default() }).await;
    let waiting = door.send(&request("POST", GOOD, br#"{"jsonrpc":"2.0","id":1,"method":"wait"}"#)).await;
    door.arrived.notified().await;
    let full = door.post(GOOD, LIST.as_bytes()).await;
    assert_eq!(full.status, 503);
    assert!(full.has("retry-after: 1"), "{}", full.head);
    drop(waiting);
    while door.post(GOOD, LIST.as_bytes()).await.status == 503 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn what_takes_too_long_is_a_failure() {
    let door = open(Settings { answer_timeout: Duration::from_millis(50), ..Settings::default() }).await;
    let response = door.post(GOOD, br#"{"jsonrpc":"2.0","id":"w","method":"wait"}"#).await;
    assert_eq!(response.status, 200);
    assert_eq!(
        response.body,
        r#"{"jsonrpc":"2.0","id":"w","error":{"code":-32603,"message":"Internal error"}}"#
    );
}
