//! Speed of the tagger: sentences, fields and code, 50 KB each.
//!
//! `cargo bench -p cloakgate-names --bench tagger`

use std::hint::black_box;

use cloakgate_names::Tagger;
use criterion::{Criterion, Throughput};

const TEXT_BYTES: usize = 50_000;
const SENTENCES: &str = "The river had been rising since the morning, and nobody in the valley expected it to stop soon. \
    Henrike Vossberg, who runs the mill, asked Tomasz in Gdynia for two more pumps and forty sacks of sand.\n";
const FIELDS: &str =
    "id: 40817\nassignee: Marisol Ibarra\nstatus: open\ncity: Valencia\ntitle: Replace the second pump\n";

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let Ok(tagger) = Tagger::load() else { return };
    let mut group = criterion.benchmark_group("tagger");
    for (name, text) in
        [("sentences", SENTENCES), ("fields", FIELDS), ("code", include_str!("../src/tagger.rs"))]
    {
        let text = text.repeat(TEXT_BYTES / text.len() + 1);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(|| tagger.read(black_box(&text))));
    }
    group.finish();
    criterion.final_summary();
}
