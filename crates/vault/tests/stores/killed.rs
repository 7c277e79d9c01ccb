//! A process that is killed under load loses nothing that it acknowledged.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use cloakgate_vault::{Database, DatabaseConfig, Extended, Extension, KeySource, Moment, Sessions};
use uuid::Uuid;

use crate::cases::sessions::new;
use crate::world::World;

const ADDRESS: &str = "STORES_TEST_ADDRESS";
const KEYS: &str = "STORES_TEST_KEYS";
const TENANT: Uuid = Uuid::from_u128(7);
/// Sessions that the child acknowledges before it is killed.
const BEFORE: usize = 200;
/// Writers in the child.
const WRITERS: usize = 16;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_sessions_survive_kill_9_on_sqlite() {
    killed(&World::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_sessions_survive_kill_9_on_postgres() {
    killed(&World::postgres()).await;
}

async fn killed(world: &World) {
    let config = world.config("eu");
    let KeySource::File(keys) = &config.keys else { panic!("a key file") };
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "killed::child_that_writes_until_it_is_killed"])
        .env(ADDRESS, &config.address)
        .env(KEYS, keys)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut acknowledged = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        let Some((id, version)) = line.strip_prefix("stored ").and_then(|line| line.split_once(' ')) else {
            continue;
        };
        acknowledged.push((id.parse::<Uuid>().unwrap(), version.parse::<u64>().unwrap()));
        if acknowledged.len() == BEFORE {
            // `kill` sends SIGKILL; what was acknowledged meanwhile is still read.
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(acknowledged.len() >= BEFORE, "the child ended by itself after {}", acknowledged.len());
    let database = Database::open(&config).await.unwrap();
    let sessions = Sessions::new(database.clone());
    for (id, version) in acknowledged {
        let stored = sessions.load(id, TENANT, Moment::now()).await.unwrap();
        let stored = stored.unwrap_or_else(|| panic!("{id} is lost"));
        assert_eq!(stored.state.as_slice(), id.as_bytes());
        assert!(stored.meta.version >= version, "{id} fell back");
    }
    database.close().await;
}

/// Creates sessions and extends each, and says so line by line.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "it is started by the tests that kill it"]
async fn child_that_writes_until_it_is_killed() {
    let (Ok(address), Ok(keys)) = (std::env::var(ADDRESS), std::env::var(KEYS)) else { return };
    let keys = KeySource::File(keys.into());
    let config = DatabaseConfig { address, keys, region: "eu".parse().unwrap() };
    let sessions = Sessions::new(Database::open(&config).await.unwrap());
    let say = |id: Uuid, version: u64| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "stored {id} {version}").unwrap();
        out.flush().unwrap();
    };
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..WRITERS {
        let sessions = sessions.clone();
        writers.spawn(async move {
            loop {
                let (id, now) = (Uuid::new_v4(), Moment::now());
                sessions.create(new(id, TENANT, id.as_bytes(), &[]), now).await.unwrap();
                say(id, 1);
                let extension = Extension { from: 1, state: id.as_bytes(), values: &[] };
                let extended = sessions.extend(id, TENANT, extension, now).await.unwrap();
                assert_eq!(extended, Extended::To(2));
                say(id, 2);
            }
        });
    }
    writers.join_all().await;
}
