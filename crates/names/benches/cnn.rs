//! Speed of the small network: characters a second of prose, of many short segments, and of both with words that were
//! not seen before.
//!
//! `cargo bench -p cloakgate-names --bench cnn`

use std::fmt::Write as _;
use std::hint::black_box;

use cloakgate_names::Cnn;
use criterion::{Criterion, Throughput};

/// Repeatable choices.
struct Picker(u32);

impl Picker {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) as usize % bound
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.get(self.below(list.len())).copied().unwrap_or_default()
    }

    /// A word that hardly comes twice.
    fn word(&mut self) -> String {
        const SYLLABLES: [&str; 12] =
            ["ka", "ro", "min", "tel", "sa", "vor", "li", "den", "mu", "pri", "ost", "ga"];
        (0..2 + self.below(3)).map(|_| self.one(&SYLLABLES)).collect()
    }
}

const FIRST: [&str; 8] = ["Marie", "Jürgen", "Aoife", "Piotr", "Chloé", "Noor", "Tomás", "Li"];
const LAST: [&str; 8] = ["Dubois", "Weiß", "Byrne", "Nowak", "Martin", "Haddad", "Novák", "Chen"];

/// Sentences with names, of which so many in a hundred words are new.
fn prose(new: usize) -> String {
    const SENTENCES: [&str; 8] = [
        "The river had been rising since the morning, and nobody in the valley expected it to stop soon. ",
        "A careful reader will notice that the second chapter repeats what the first one only suggested. ",
        "Most of the work was done by hand: cutting, sorting, drying; the machines came fifty years later. ",
        "In 1987 the committee changed the rule again, which made the earlier report hard to understand. ",
        "They walked along the old wall until it ended, then turned left towards the market and the station. ",
        "It is not clear why the method works (see section 4.2), but the results have been stable for years. ",
        "Nobody's opinion mattered more than the harbour master's, and he wasn't going to change his mind. ",
        "The council of Oakhurst voted on Monday to sell the mill to Harrow & Lane Ltd. for $1.2 million. ",
    ];
    let mut picker = Picker(1);
    let mut text = String::new();
    while text.len() < 50_000 {
        for word in picker.one(&SENTENCES).split_inclusive(' ') {
            if picker.below(100) < new {
                let _ = write!(text, "{} ", picker.word());
            } else {
                text += word;
            }
        }
        let _ = write!(text, "{} {} agreed. ", picker.one(&FIRST), picker.one(&LAST));
    }
    text
}

/// Keys with values, cells, names alone.
fn segments() -> Vec<String> {
    let mut picker = Picker(2);
    let mut one = |number: usize| match number % 4 {
        0 => format!("full_name: {} {}", picker.one(&FIRST), picker.one(&LAST)),
        1 => format!("{} {}", picker.one(&FIRST), picker.one(&LAST)),
        2 => format!("status: {}", picker.one(&["open", "in progress", "closed", "waiting for customer"])),
        _ => format!("assigned to {} on 2024-03-{:02}", picker.one(&FIRST), 1 + picker.below(28)),
    };
    (0..1000).map(&mut one).collect()
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let Ok(cnn) = Cnn::load() else { return };
    let mut group = criterion.benchmark_group("cnn");
    group.sample_size(20);
    for (name, new) in [("prose", 0), ("prose with new words", 10)] {
        let text = prose(new);
        group.throughput(Throughput::Elements(text.chars().count() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| cnn.read(black_box(&text))));
    }
    let text = prose(0);
    let sentence = text.split_inclusive(". ").next().unwrap_or_default();
    group.throughput(Throughput::Elements(sentence.chars().count() as u64));
    group.bench_function("one sentence", |bencher| bencher.iter(|| cnn.read(black_box(sentence))));
    let segments = segments();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let characters: usize = segments.iter().map(|segment| segment.chars().count()).sum();
    group.throughput(Throughput::Elements(characters as u64));
    group.bench_function("1000 short segments", |bencher| {
        bencher.iter(|| cnn.read_many(black_box(&segments)));
    });
    group.finish();
    let mut group = criterion.benchmark_group("cnn load");
    group.sample_size(20);
    group.bench_function("load", |bencher| bencher.iter(Cnn::load));
    group.finish();
    criterion.final_summary();
}
