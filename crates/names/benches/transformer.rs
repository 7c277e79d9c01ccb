//! Characters that the transformer reads in a second: short `key: value` segments and prose, unread and known.
//!
//! The corpora are made here, of invented names; each unread run has a number of its own in its texts, so that nothing
//! of it is remembered.

use std::hint::black_box;

use cloakgate_names::Transformer;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Makes the texts of the run of that number.
type Maker = fn(usize) -> Vec<String>;

/// Fields of 40 records.
fn fields(run: usize) -> Vec<String> {
    let record = |number: usize| {
        [
            format!("assignee: Katharina Weber {run}-{number}"),
            format!("reporter: paolo conti {run}-{number}"),
            format!("title: Repair the gate {run}-{number} before winter"),
            format!("address: {number} Harbour Street {run}, Springfield"),
        ]
    };
    (0..40).flat_map(record).collect()
}

/// Four letters of some 1,200 characters.
fn prose(run: usize) -> Vec<String> {
    let letter = |number: usize| {
        let line = format!(
            "On the {number}th Katharina Weber wrote to Paolo Conti about invoice {run}: the pump that was \
             delivered to the mill near Springfield in spring had been returned, and nobody could say why. \
             He answered that Aino Virtanen of the workshop would look at it, and sent her regards. "
        );
        line.repeat(4)
    };
    (0..4).map(letter).collect()
}

fn read(c: &mut Criterion) {
    let Ok(transformer) = Transformer::load() else { return };
    let mut group = c.benchmark_group("transformer");
    group.sample_size(10);
    let corpora: [(&str, Maker); 2] = [("fields", fields), ("prose", prose)];
    for (name, make) in corpora {
        let characters: usize = make(1_000).iter().map(|text| text.chars().count()).sum();
        group.throughput(Throughput::Elements(characters as u64));
        let mut run = 1_000;
        group.bench_function(BenchmarkId::new("unread", name), |bench| {
            bench.iter(|| {
                run += 1;
                let texts = make(run);
                let texts: Vec<_> = texts.iter().map(String::as_str).collect();
                black_box(transformer.read(&texts).is_ok())
            });
        });
        let texts = make(1_000);
        let texts: Vec<_> = texts.iter().map(String::as_str).collect();
        group.bench_function(BenchmarkId::new("known", name), |bench| {
            bench.iter(|| black_box(transformer.read(black_box(&texts)).is_ok()));
        });
    }
    group.finish();
    c.bench_function("transformer/load", |bench| bench.iter(|| black_box(Transformer::load().is_ok())));
}

criterion_group!(benches, read);
criterion_main!(benches);
