//! Scanning 1 MB beside `serde_json`'s `IgnoredAny`, which keeps nothing, on two corpora: database rows with
//! many small strings, and one big text. UTF-8 and duplicate checks are inside the timing of `scan`;
//! `IgnoredAny` makes neither. Prints the ratio of both first: the goal is at most 3.
//!
//! `cargo bench -p cloakgate-json --bench scan`

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use cloakgate_json::{Decoded, MemberFinder, scan};
use criterion::{Criterion, Throughput};
use serde::de::IgnoredAny;

const CORPUS_BYTES: usize = 1 << 20;
const ROUNDS: usize = 300;

/// A tool result as a database server sends it: an array of rows.
fn rows() -> String {
    const FIRST: [&str; 8] = ["Marie", "Jürgen", "Aoife", "Piotr", "Chloé", "Noor", "Tomás", "Li"];
    const LAST: [&str; 8] = ["Dubois", "Weiß", "Byrne", "Nowak", "Martin", "Haddad", "Novák", "Chen"];
    const CITY: [&str; 4] = ["Lyon", "Köln", "Gdańsk", "Cork"];
    let mut json = String::from("[");
    let mut state = 0x2545_f491u32;
    let mut pick = |bound: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % bound
    };
    let mut id = 1000;
    while json.len() < CORPUS_BYTES {
        let (first, last) = (FIRST.get(pick(8)).unwrap_or(&""), LAST.get(pick(8)).unwrap_or(&""));
        let city = CITY.get(pick(4)).unwrap_or(&"");
        let separator = if id == 1000 { "" } else { "," };
        let _ = write!(
            json,
            r#"{separator}{{"id":{id},"first_name":"{first}","last_name":"{last}","email":"user{id}@example.org","phone":"+33 6 12 {:02} {:02}","city":"{city}","country":"FR","status":"active","balance":{}.50,"vip":false,"manager":null,"tags":["new","eu"]}}"#,
            pick(100),
            pick(100),
            pick(9000)
        );
        id += 1;
    }
    json.push(']');
    json
}

/// A file's text in one string: a line break every line, a quote now and then.
fn text() -> String {
    let mut json = String::from("\"");
    while json.len() < CORPUS_BYTES {
        json.push_str(r"The customer called again about the delivery to the café near the station.\n");
        json.push_str(r#"She said \"tomorrow at noon\" would do, and asked for a written confirmation.\n"#);
        json.push_str(r"Nothing else was agreed, the file stays open until the end of the month.\n");
    }
    json.push('"');
    json
}

fn ignored(json: &str) -> bool {
    serde_json::from_slice::<IgnoredAny>(black_box(json.as_bytes())).is_ok()
}

fn scanned(json: &str) -> bool {
    scan(black_box(json.as_bytes())).is_ok()
}

fn timed(work: impl Fn() -> bool) -> Duration {
    let start = Instant::now();
    assert!(black_box(work()), "the corpus is valid");
    start.elapsed()
}

/// Medians of both, taken in turns so that a slow moment of the machine hits both.
#[expect(clippy::print_stdout, reason = "a bench reports on standard output")]
fn print_ratio(name: &str, json: &str) {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(timed(|| scanned(json)));
        theirs.push(timed(|| ignored(json)));
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times.get(ROUNDS / 2).map_or(0.0, Duration::as_secs_f64) * 1e3
    };
    let (ours, theirs) = (median(&mut ours), median(&mut theirs));
    println!("{name}: scan {ours:.3} ms, IgnoredAny {theirs:.3} ms, ratio {:.2}", ours / theirs);
}

fn find_id(json: &str) -> Option<Vec<u8>> {
    let mut finder = MemberFinder::new("id");
    for piece in json.as_bytes().chunks(64 << 10) {
        finder.push(piece);
    }
    finder.finish()
}

fn main() {
    let rows = rows();
    let text = text();
    print_ratio("rows", &rows);
    print_ratio("text", &text);

    let mut criterion = Criterion::default().configure_from_args();
    for (name, json) in [("rows", &rows), ("text", &text)] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(json.len() as u64));
        group.bench_function("scan", |bench| bench.iter(|| scanned(json)));
        group.bench_function("ignored_any", |bench| bench.iter(|| ignored(json)));
        let enveloped = format!(r#"{{"result":{json},"id":7}}"#);
        group.bench_function("find_id", |bench| bench.iter(|| find_id(black_box(&enveloped))));
        group.finish();
    }
    let raw = text.trim_matches('"');
    let mut group = criterion.benchmark_group("decoded");
    group.throughput(Throughput::Bytes(raw.len() as u64));
    group.bench_function("text", |bench| bench.iter(|| Decoded::new(black_box(raw)).text().len()));
    group.finish();
    criterion.final_summary();
}
