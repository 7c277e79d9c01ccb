//! A client that loads a web server: connections that stay open, one request at a time on each.
//!
//! In: an address, the head of all requests, and what to send. Out: how many pairs of requests a second, and how long
//! they took. Invariant: bounded in count; speaks to loopback only. Not here: what the requests mean.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::measure::{Latencies, as_float, milliseconds};

/// How long an answer may take on a busy machine.
const ANSWER: Duration = Duration::from_secs(60);

/// One open connection.
pub(super) struct Connection {
    stream: BufReader<TcpStream>,
    head: String,
    request: Vec<u8>,
}

impl Connection {
    /// Connects; `headers` are lines with their ends.
    ///
    /// # Errors
    /// When nobody listens, or not on loopback.
    pub(super) fn open(address: SocketAddr, headers: &str) -> anyhow::Result<Self> {
        anyhow::ensure!(address.ip().is_loopback(), "{address} is not on loopback");
        let stream = TcpStream::connect(address).context("cannot connect")?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(ANSWER))?;
        let head = format!("Host: {address}\r\nContent-Type: application/json\r\n{headers}");
        Ok(Self { stream: BufReader::new(stream), head, request: Vec::new() })
    }

    /// Posts a body and returns the status with the body of the answer.
    ///
    /// # Errors
    /// When the connection ends or the answer is not HTTP with a length.
    pub(super) fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> anyhow::Result<(u16, Vec<u8>)> {
        self.request.clear();
        write!(
            self.request,
            "{method} {path} HTTP/1.1\r\n{}Content-Length: {}\r\n\r\n",
            self.head,
            body.len()
        )?;
        self.request.extend_from_slice(body);
        self.stream.get_mut().write_all(&self.request)?;
        let mut line = String::new();
        self.stream.read_line(&mut line)?;
        let status = line.split(' ').nth(1).and_then(|code| code.parse().ok()).context("no status")?;
        let mut length = 0;
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            let Some((name, value)) = line.split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().context("no length")?;
            }
        }
        let mut answer = vec![0; length];
        self.stream.read_exact(&mut answer)?;
        Ok((status, answer))
    }
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

/// Runs `pair` so often on each of the connections, all at once.
///
/// # Errors
/// The first that a pair had.
pub(super) fn run(
    connections: &mut [Connection],
    pairs: usize,
    pair: &(dyn Fn(&mut Connection, usize) -> anyhow::Result<()> + Sync),
) -> anyhow::Result<Load> {
    let started = Instant::now();
    let all: anyhow::Result<Vec<Vec<f64>>> = std::thread::scope(|scope| {
        let work = |connection, place: usize| {
            scope.spawn(move || -> anyhow::Result<Vec<f64>> {
                let connection: &mut Connection = connection;
                let mut times = Vec::with_capacity(pairs);
                for number in 0..pairs {
                    let started = Instant::now();
                    pair(connection, place * pairs + number)?;
                    times.push(milliseconds(started.elapsed()));
                }
                Ok(times)
            })
        };
        let threads: Vec<_> =
            connections.iter_mut().enumerate().map(|(place, connection)| work(connection, place)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| anyhow::anyhow!("a client panicked"))?)
            .collect()
    });
    let elapsed = started.elapsed().as_secs_f64();
    let times = all?.concat();
    Ok(Load { rate: as_float(times.len()) / elapsed, times: Latencies::new(times) })
}
