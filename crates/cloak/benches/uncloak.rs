//! Restoring a text of 50 KB with 2,500 stand-ins, as it went and changed in every line, and one of 1 KB.
//!
//! `cargo bench -p cloakgate-cloak --bench uncloak`

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a bench over fixed tables"
)]

use std::fmt::Write as _;
use std::hint::black_box;

use cloakgate_cloak::Finder;
use cloakgate_cloak::text::{AgeOption, Mode, Profile, TextSession, Today, cloak, uncloak};
use cloakgate_detect::{Engine, KnownKey, Settings};
use criterion::{Criterion, Throughput};

const FIRST: [&str; 12] = [
    "Marie", "Jürgen", "Aoife", "Piotr", "Chloé", "Noor", "Tomás", "Ingrid", "Kofi", "Leila", "Walter",
    "Zofia",
];
const LAST: [&str; 11] = [
    "Dubois",
    "Weiß",
    "Byrne",
    "Nowak",
    "Martin",
    "Haddad",
    "Novák",
    "Okafor",
    "Lindqvist",
    "Moreau",
    "Brandt",
];

/// Rows of people, with a note, and what stands for them.
fn text(rows: usize) -> (String, TextSession) {
    let mut text = "name,age,email,phone,note\n".to_owned();
    for row in 0..rows {
        let (first, last) = (FIRST[row % FIRST.len()], LAST[(row / FIRST.len()) % LAST.len()]);
        let age = 19 + row * 7 % 60;
        let _ = writeln!(
            text,
            "{first} {last}son{row},{age},person{row}@example.org,+44 7700 900{:03},came in on day {}",
            row % 1000,
            row % 31
        );
    }
    let profile = Profile { age: AgeOption::Categories, ..Profile::default() };
    let engine = Engine::new(Settings { categories: profile.categories() });
    let finder = Finder::new(engine, KnownKey::new([7; 16]));
    let mut session = TextSession::new([7; 32]);
    let today = Today::new(2026, 12, 1).expect("a day");
    let cloaked = cloak(&text, &profile, &finder, &mut session, today).expect("it is cloaked");
    println!("{} bytes, {:?}", cloaked.text.len(), cloaked.counts);
    (cloaked.text, session)
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    for (size, rows) in [("1 KB", 12), ("50 KB", 625)] {
        let (cloaked, session) = text(rows);
        let changed: String = cloaked.lines().rev().map(|line| format!("* {line}, as said\n")).collect();
        let mut group = criterion.benchmark_group(size);
        group.throughput(Throughput::Bytes(cloaked.len() as u64));
        for (name, back, mode) in [
            ("unchanged", &cloaked, Mode::Strict),
            ("changed, strict", &changed, Mode::Strict),
            ("changed, lenient", &changed, Mode::Lenient),
        ] {
            let came = uncloak(back, &session, mode);
            println!("{size}, {name}: {} restored, {} left", came.restored, came.unresolved);
            group.bench_function(name, |bencher| bencher.iter(|| uncloak(black_box(back), &session, mode)));
        }
        let bytes = session.to_bytes();
        println!("{size}: a session of {} bytes", bytes.len());
        group.bench_function("session from bytes", |bencher| {
            bencher.iter(|| TextSession::from_bytes(black_box(&bytes)));
        });
        group.finish();
    }
    criterion.final_summary();
}
