//! A client that keeps its connection and sees where an answer breaks off.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};

use serde_json::{Value, json};

use crate::process::PATIENCE;

/// A connection for requests one after the other.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// The body of an answer with this status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        if self.body.is_empty() { Value::Null } else { serde_json::from_str(&self.body).expect("JSON") }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Lost {
    /// The connection ended before the first byte of an answer.
    Before,
    /// The answer broke off.
    Within,
}

/// A text that was cloaked, as its client knows it.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) text: String,
    pub(crate) cloaked: String,
    pub(crate) id: String,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), host: address.to_string() })
    }

    /// Sends bytes as they are.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        // Whether they arrived is seen by the answer.
        self.stream.get_mut().write_all(bytes).ok();
    }

    /// The bytes of a request. A header of its own takes the place of `host`.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head.push_str(&format!("host: {}\r\n", self.host));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        [head.as_bytes(), body].concat()
    }

    /// Reads an answer.
    pub(crate) fn answer(&mut self) -> Result<Answer, Lost> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head).unwrap_or(0) == 0 {
                return Err(if head.is_empty() { Lost::Before } else { Lost::Within });
            }
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().expect("a length"))
        });
        assert!(length.is_some() || status == 204, "no length: {head}");
        let mut body = vec![0; length.unwrap_or(0)];
        self.stream.read_exact(&mut body).map_err(|_| Lost::Within)?;
        Ok(Answer { status, head, body: String::from_utf8(body).expect("text") })
    }

    pub(crate) fn ask(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer, Lost> {
        let request = self.request(method, path, headers, body);
        self.send(&request);
        self.answer()
    }

    /// The bytes of a call of a tool.
    pub(crate) fn tool_request(&self, key: &str, tool: &str, arguments: &Value) -> Vec<u8> {
        let params = json!({ "name": tool, "arguments": arguments });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        let headers = [
            ("content-type", "application/json"),
            ("accept", "application/json"),
            ("x-inc-agentcloak-api-key", key),
        ];
        self.request("POST", "/mcp", &headers, body.to_string().as_bytes())
    }

    pub(crate) fn tool(&mut self, key: &str, tool: &str, arguments: &Value) -> Result<Answer, Lost> {
        let request = self.tool_request(key, tool, arguments);
        self.send(&request);
        self.answer()
    }

    /// Cloaks a text, in the session of an id if there is one.
    pub(crate) fn cloak(&mut self, key: &str, text: &str, id: Option<&str>) -> Result<Acknowledged, Lost> {
        let answer = self.tool(key, "cloak", &json!({ "message": text, "id": id }))?;
        let (cloaked, id) = content(answer);
        Ok(Acknowledged { text: text.to_owned(), cloaked, id })
    }

    /// Uncloaks a text.
    pub(crate) fn uncloak(&mut self, key: &str, text: &Acknowledged) -> Result<String, Lost> {
        let answer = self.tool(key, "uncloak", &json!({ "message": text.cloaked, "id": text.id }))?;
        Ok(content(answer).0)
    }

    /// Holds that a text comes back as it was.
    #[track_caller]
    pub(crate) fn restores(&mut self, key: &str, text: &Acknowledged) {
        let restored = self.uncloak(key, text).expect("an answer");
        assert_eq!(restored, text.text, "of {}", text.cloaked);
    }
}

/// Text and id of an answer that has both.
#[track_caller]
pub(crate) fn content(answer: Answer) -> (String, String) {
    let answer = answer.expect(200);
    let content = &answer["result"]["structuredContent"];
    let text = |name: &str| content[name].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    (text("result"), text("id"))
}
