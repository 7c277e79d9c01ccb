//! A client that loads a web server: connections that stay open, one request at a time on each.
//!
//! In: an address, the head of all requests, and what to send. Out: how many pairs of requests a second, and how long
//! they took. Invariant: bounded in count; speaks to loopback only. All connections share one thread and their buffers
//! stay, since what the client costs is taken from the server. Not here: what the requests mean.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::Context;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use super::measure::{Latencies, as_float, milliseconds};

/// How long an answer may take on a busy machine.
const ANSWER: Duration = Duration::from_secs(60);
/// Longest answer.
const MAX_ANSWER: usize = 1 << 20;
/// Bytes that are read at once at least.
const READ: usize = 16 << 10;

/// One open connection.
pub(super) struct Connection {
    stream: TcpStream,
    head: String,
    request: Vec<u8>,
    answer: Vec<u8>,
}

/// Open connections, and the thread that speaks on them.
pub(super) struct Connections {
    runtime: Runtime,
    open: Vec<Connection>,
}

impl Connections {
    /// Connects so often; `headers` are lines with their ends.
    ///
    /// # Errors
    /// When nobody listens, or not on loopback.
    pub(super) fn open(address: SocketAddr, path: &str, headers: &str, count: usize) -> anyhow::Result<Self> {
        anyhow::ensure!(address.ip().is_loopback(), "{address} is not on loopback");
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n{headers}Content-Length: "
        );
        let connect = || {
            let stream = runtime.block_on(TcpStream::connect(address)).context("cannot connect")?;
            stream.set_nodelay(true)?;
            Ok(Connection { stream, head: head.clone(), request: Vec::new(), answer: Vec::new() })
        };
        let open = (0..count).map(|_| connect()).collect::<anyhow::Result<_>>()?;
        Ok(Self { runtime, open })
    }

    /// Runs `pair` so often on each of the connections, all at once. It gets a number of its own each time.
    ///
    /// # Errors
    /// The first that a pair had.
    pub(super) fn run<P>(&mut self, pairs: usize, pair: &P) -> anyhow::Result<Load>
    where
        P: Pair,
    {
        let started = Instant::now();
        let mut times = Vec::with_capacity(pairs * self.open.len());
        self.runtime.block_on(async {
            let mut all = JoinSet::new();
            for (place, mut connection) in self.open.drain(..).enumerate() {
                let pair = pair.clone();
                all.spawn(async move {
                    let mut times = Vec::with_capacity(pairs);
                    for number in place * pairs..(place + 1) * pairs {
                        let started = Instant::now();
                        let running = pair.run(&mut connection, number);
                        tokio::time::timeout(ANSWER, running).await.context("no answer")??;
                        times.push(milliseconds(started.elapsed()));
                    }
                    anyhow::Ok((connection, times))
                });
            }
            while let Some(done) = all.join_next().await {
                let (connection, of_one) = done.context("a client panicked")??;
                self.open.push(connection);
                times.extend(of_one);
            }
            anyhow::Ok(())
        })?;
        let elapsed = started.elapsed().as_secs_f64();
        Ok(Load { rate: as_float(times.len()) / elapsed, times: Latencies::new(times) })
    }
}

/// Two requests, the second of which is made from the first one's answer.
pub(super) trait Pair: Clone + Send + 'static {
    /// Asks both and checks what comes back.
    fn run(
        &self,
        connection: &mut Connection,
        number: usize,
    ) -> impl Future<Output = anyhow::Result<()>> + Send;
}

impl Connection {
    /// Posts a body, which is given in parts, and returns the body of the answer.
    ///
    /// # Errors
    /// When the connection ends, or the answer is not HTTP with a length and the status 200.
    pub(super) async fn ask(&mut self, body: &[&str]) -> anyhow::Result<&str> {
        let length: usize = body.iter().map(|part| part.len()).sum();
        self.request.clear();
        self.request.extend_from_slice(self.head.as_bytes());
        self.request.extend_from_slice(length.to_string().as_bytes());
        self.request.extend_from_slice(b"\r\n\r\n");
        body.iter().for_each(|part| self.request.extend_from_slice(part.as_bytes()));
        self.stream.write_all(&self.request).await?;
        self.answer.clear();
        let mut body = None;
        loop {
            self.answer.reserve(READ);
            anyhow::ensure!(self.stream.read_buf(&mut self.answer).await? > 0, "the connection ended");
            if body.is_none() {
                body = body_of(&self.answer)?;
            }
            match &body {
                Some(body) if self.answer.len() >= body.end => break,
                _ => anyhow::ensure!(self.answer.len() <= MAX_ANSWER, "the answer has no end"),
            }
        }
        let body = body.and_then(|body| self.answer.get(body)).context("no answer")?;
        Ok(std::str::from_utf8(body)?)
    }
}

/// Where the body of an answer will be; `None` while its head is not whole.
fn body_of(answer: &[u8]) -> anyhow::Result<Option<std::ops::Range<usize>>> {
    let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(answer.get(..end).unwrap_or_default())?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).context("no status")?;
    anyhow::ensure!(status == "200", "a request was answered with {status}");
    let mut fields = lines.filter_map(|line| line.split_once(':'));
    let length = fields.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let (_, length) = length.context("no length")?;
    Ok(Some(end + 4..end + 4 + length.trim().parse::<usize>().context("no length")?))
}

/// What was measured.
pub(super) struct Load {
    /// Pairs a second, all connections together.
    pub(super) rate: f64,
    /// How long each pair took.
    pub(super) times: Latencies,
}

impl Load {
    /// Both measurements as one.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.rate = f64::midpoint(self.rate, other.rate);
        self.times = self.times.and(other.times);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::body_of;

    #[test]
    fn a_body_is_as_long_as_the_head_says() {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: x\r\nContent-Length: 5\r\n\r\n";
        assert_eq!(body_of(head.as_bytes()).unwrap(), Some(head.len()..head.len() + 5));
        assert_eq!(body_of(&head.as_bytes()[..20]).unwrap(), None);
        for wrong in ["HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"] {
            assert!(body_of(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
