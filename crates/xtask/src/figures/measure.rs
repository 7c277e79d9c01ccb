//! The measurements.
//!
//! Invariant: every loop is bounded in count; processes end with the measurement.

use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::json;

use super::subject::{Route, Subject, prose, ticket};
use crate::client::Client;

/// Calls of one turn before the other route has its own.
const TURN: usize = 100;
/// Calls before anything counts.
const WARM_UP: usize = 300;
/// The same where each call has a text of its own.
const NEW_WARM_UP: usize = 20;
/// Calls on their way at once.
const WINDOW: usize = 64;
/// Bytes of the text that keeps the gateway busy.
const LARGE: usize = 1 << 20;

/// Times of single calls, in milliseconds.
pub(super) struct Latencies(Vec<f64>);

impl Latencies {
    pub(super) fn new(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    /// Both measurements as one.
    pub(super) fn and(self, other: Self) -> Self {
        Self::new([self.0, other.0].concat())
    }

    pub(super) fn p50(&self) -> f64 {
        self.at(50)
    }

    pub(super) fn p99(&self) -> f64 {
        self.at(99)
    }

    fn worst(&self) -> f64 {
        self.at(100)
    }

    fn at(&self, percent: usize) -> f64 {
        let last = self.0.len().saturating_sub(1);
        self.0.get(last * percent / 100).copied().unwrap_or(f64::NAN)
    }
}

/// One call after the other, straight and through the gateway by turns.
pub(super) fn latencies(subject: &Subject, calls: usize) -> anyhow::Result<(Latencies, Latencies)> {
    let mut straight = subject.open(Route::Straight)?;
    let mut gateway = subject.open(Route::Gateway)?;
    let (mut straight_times, mut gateway_times) = (Vec::new(), Vec::new());
    turn(&mut straight, &subject.call(Route::Straight, 1), WARM_UP)?;
    turn(&mut gateway, &subject.call(Route::Gateway, 1), WARM_UP)?;
    for _ in 0..calls.div_ceil(TURN) {
        straight_times.extend(turn(&mut straight, &subject.call(Route::Straight, 1), TURN)?);
        gateway_times.extend(turn(&mut gateway, &subject.call(Route::Gateway, 1), TURN)?);
    }
    straight.finish()?;
    gateway.finish()?;
    Ok((Latencies::new(straight_times), Latencies::new(gateway_times)))
}

/// Times of calls with texts of a kilobyte through the gateway, each text new to it.
pub(super) fn new_texts(subject: &Subject, calls: usize) -> anyhow::Result<Latencies> {
    let mut client = subject.open(Route::Gateway)?;
    let mut times = Vec::new();
    for seed in 0..calls + NEW_WARM_UP {
        let call = subject.call_with(Route::Gateway, 1, &json!({"text": prose(1024, seed)}));
        times.extend(turn(&mut client, &call, 1)?);
    }
    client.finish()?;
    Ok(Latencies::new(times.split_off(NEW_WARM_UP)))
}

fn turn(client: &mut Client, call: &str, calls: usize) -> anyhow::Result<Vec<f64>> {
    let mut times = Vec::with_capacity(calls);
    for _ in 0..calls {
        let started = Instant::now();
        client.send_raw(call)?;
        let answer = client.next_line()?;
        times.push(milliseconds(started.elapsed()));
        anyhow::ensure!(answer.contains("\"result\""), "a call was answered with an error: {answer}");
    }
    Ok(times)
}

/// Many calls on their way at once.
pub(super) struct Throughput {
    /// Calls a second.
    pub(super) rate: f64,
    /// Milliseconds of processor time that the process spent on one call, which a busy machine does not change
    /// much; `None` where the system does not tell.
    pub(super) processor: Option<f64>,
}

/// Calls with many on their way at once.
pub(super) fn throughput(subject: &Subject, route: Route, calls: usize) -> anyhow::Result<Throughput> {
    let mut client = subject.open(route)?;
    turn(&mut client, &subject.call(route, 1), WARM_UP)?;
    let before = processor_seconds(client.process_id());
    let batch: String = (0..WINDOW / 2).map(|id| subject.call(route, id)).collect();
    let half = WINDOW / 2;
    let started = Instant::now();
    client.send_raw(&batch)?;
    for _ in 0..calls.div_ceil(half) {
        client.send_raw(&batch)?;
        for _ in 0..half {
            client.next_line()?;
        }
    }
    for _ in 0..half {
        client.next_line()?;
    }
    let elapsed = started.elapsed();
    let after = processor_seconds(client.process_id());
    client.finish()?;
    let count = as_float((calls.div_ceil(half) + 1) * half);
    let processor = before.zip(after).map(|(before, after)| (after - before) * 1000.0 / count);
    Ok(Throughput { rate: count / elapsed.as_secs_f64(), processor })
}

/// User and system time of a process so far.
pub(super) fn processor_seconds(process: u32) -> Option<f64> {
    /// The kernel reports to user space in hundredths, whatever it counts in itself.
    const TICKS: f64 = 100.0;
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field is the program's name in brackets, which may hold blanks; times are fields 14 and 15.
    let (_, fields) = status.rsplit_once(") ")?;
    let times = fields.split(' ').skip(11).take(2).map(str::parse::<f64>);
    Some(times.sum::<Result<f64, _>>().ok()? / TICKS)
}

/// A megabyte of tickets.
pub(super) fn large_tickets() -> String {
    ticket().chars().cycle().take(LARGE).collect()
}

/// A megabyte of sentences.
pub(super) fn large_prose() -> String {
    prose(LARGE, 0)
}

/// Median and worst time of `ping` while an answer of a megabyte is cloaked.
pub(super) fn ping_under_load(subject: &Subject, text: &str, rounds: usize) -> anyhow::Result<(f64, f64)> {
    let mut client = subject.open(Route::Gateway)?;
    let call = subject.call_with(Route::Gateway, 0, &json!({ "text": text }));
    let ping = "{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}\n";
    let mut times = Vec::new();
    for _ in 0..rounds {
        client.send_raw(&call)?;
        let mut answered = false;
        while !answered {
            let started = Instant::now();
            client.send_raw(ping)?;
            // The large answer may come first; the ping's own is waited for in any case.
            while !client.next_line()?.contains("\"ping\"") {
                answered = true;
            }
            times.push(milliseconds(started.elapsed()));
            std::thread::sleep(Duration::from_micros(200));
        }
    }
    client.finish()?;
    let times = Latencies::new(times);
    Ok((times.p50(), times.worst()))
}

/// Median time from starting the gateway to its answer to a `ping`, which no server has a part in.
pub(super) fn first_answer(subject: &Subject, rounds: usize) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for _ in 0..rounds.max(1) {
        let started = Instant::now();
        let mut client = subject.start(Route::Gateway)?;
        client.ask(&json!(1), "ping", &json!({}))?;
        times.push(milliseconds(started.elapsed()));
        client.finish()?;
    }
    Ok(Latencies::new(times).p50())
}

/// Resident megabytes of the gateway after the handshake and after many calls; `None` where the system does not
/// tell.
pub(super) fn memory(subject: &Subject, calls: usize) -> anyhow::Result<Option<(f64, f64)>> {
    let mut client = subject.open(Route::Gateway)?;
    let Some(idle) = resident(client.process_id())? else { return Ok(None) };
    turn(&mut client, &subject.call(Route::Gateway, 1), calls)?;
    let busy = resident(client.process_id())?;
    client.finish()?;
    Ok(busy.map(|busy| (idle, busy)))
}

fn resident(process: u32) -> anyhow::Result<Option<f64>> {
    let Ok(status) = std::fs::read_to_string(format!("/proc/{process}/status")) else { return Ok(None) };
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no resident memory")?;
    let kilobytes: f64 = line.trim().trim_end_matches("kB").trim().parse().context("no number")?;
    Ok(Some(kilobytes / 1024.0))
}

pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

pub(super) fn as_float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
