//! Sessions a second on SQLite: created, each acknowledged when it is on the disk, and loaded again.
//!
//! Measured: 64 askers side by side, states of 2 KB, six values each. One iteration is one session.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up must end")]

use std::time::{Duration, Instant};

use cloakgate_vault::{
    Database, DatabaseConfig, KeySource, Lifetime, LookupKey, Moment, NewSession, Sessions,
};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use uuid::Uuid;

const ASKERS: u64 = 64;
const TENANT: Uuid = Uuid::from_u128(1);
const STATE: [u8; 2048] = [7; 2048];

/// What an asker does with the sessions that it makes.
#[derive(Clone, Copy)]
enum Asked {
    Create,
    CreateAndLoad,
}

async fn ask(sessions: Sessions, key: LookupKey, count: u64, asked: Asked) {
    for _ in 0..count {
        let (id, now) = (Uuid::now_v7(), Moment::now());
        let values: Vec<_> = (0..6).map(|at| key.hash(&format!("{id}{at}"))).collect();
        let new = NewSession {
            id,
            tenant: TENANT,
            server: TENANT,
            settings: TENANT,
            state: &STATE,
            values: &values,
            lifetime: Lifetime::Endless,
        };
        sessions.create(new, now).await.expect("creates");
        if matches!(asked, Asked::CreateAndLoad) {
            let stored = sessions.load(id, TENANT, now).await.expect("loads");
            assert!(stored.is_some_and(|stored| stored.state.len() == STATE.len()));
        }
    }
}

/// Time of so many sessions, shared among the askers.
fn run(runtime: &Runtime, database: &Database, sessions: u64, asked: Asked) -> Duration {
    runtime.block_on(async {
        let key = database.lookup_key(TENANT).await.expect("key");
        let start = Instant::now();
        let mut askers = JoinSet::new();
        for asker in 0..ASKERS {
            let count = sessions / ASKERS + u64::from(asker < sessions % ASKERS);
            askers.spawn(ask(Sessions::new(database.clone()), key.clone(), count, asked));
        }
        askers.join_all().await;
        start.elapsed()
    })
}

fn store(criterion: &mut Criterion) {
    let folder = std::env::temp_dir().join(format!("cloakgate-store-bench-{}", std::process::id()));
    let config = DatabaseConfig {
        address: folder.join("bench.db").display().to_string(),
        keys: KeySource::File(folder.join("master.key")),
        region: "eu".parse().expect("name"),
    };
    let runtime = Runtime::new().expect("runtime");
    let database = runtime.block_on(Database::open(&config)).expect("opens");
    let mut group = criterion.benchmark_group("sqlite");
    group.throughput(Throughput::Elements(1)).sample_size(10).measurement_time(Duration::from_secs(5));
    for (name, asked) in [("create", Asked::Create), ("create and load", Asked::CreateAndLoad)] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|sessions| run(&runtime, &database, sessions, asked));
        });
    }
    group.finish();
    runtime.block_on(database.close());
    std::fs::remove_dir_all(folder).ok();
}

criterion_group!(benches, store);
criterion_main!(benches);
