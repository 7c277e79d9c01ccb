//! The gateway's port: the same cases on memory and on both databases, and what only a database can show.

use std::sync::Arc;

use cloakgate_cloak::{Context, Form, Place, RawForm, Source, Vault, VaultError, Version, Wanted};
use cloakgate_detect::{KnownKey, Reach, admit};
use cloakgate_vault::{Database, DatabaseVault, Limits, MemoryVault, Moment, Numbers};
use cloakgate_vocab::{Category, Sensitive, SessionId, TokenId};

use crate::world::{World, holds};

pub(crate) fn want(identity: &str, value: &str, source: Source) -> Wanted {
    Wanted {
        category: Category::Email,
        identity: Sensitive::new(identity),
        form: Form { value: Sensitive::new(value), raw: None },
        source,
        known: None,
    }
}

fn upstream(name: &str) -> Source {
    Source::Upstream(name.parse().unwrap())
}

fn session(name: &str) -> SessionId {
    name.parse().unwrap()
}

/// Makes empty vaults with given limits.
enum Maker<'a> {
    Memory,
    Database(&'a World),
}

impl Maker<'_> {
    async fn vault(&self, limits: Limits) -> Arc<dyn Vault> {
        match self {
            Self::Memory => Arc::new(MemoryVault::new(limits)),
            Self::Database(world) => {
                Arc::new(DatabaseVault::new(world.database().await, limits, Numbers::OfSession))
            }
        }
    }
}

async fn ids(vault: &dyn Vault, session: &SessionId, wants: Vec<Wanted>) -> Vec<TokenId> {
    vault.intern(session, Version::default(), wants).await.unwrap().ids
}

/// The cases that hold on every vault.
pub(crate) async fn every_vault_behaves_alike(world: &World) {
    behaves(&Maker::Database(world)).await;
}

#[tokio::test]
async fn every_case_of_the_port_holds_in_memory() {
    behaves(&Maker::Memory).await;
}

async fn behaves(maker: &Maker<'_>) {
    equal_wants_get_equal_ids(maker).await;
    forms_come_back_exactly(maker).await;
    sessions_do_not_see_each_other(maker).await;
    limits_hold(maker).await;
    known_values_are_told_once(maker).await;
    equal_wants_at_once_get_equal_ids(maker).await;
}

async fn equal_wants_get_equal_ids(maker: &Maker<'_>) {
    let vault = maker.vault(Limits::default()).await;
    let s = session("s");
    let wants = vec![
        want("a@x", "a@x", upstream("fs")),
        want("a@x", "A@x", upstream("fs")),
        want("b@x", "b@x", upstream("fs")),
        want("a@x", "a@x", upstream("db")),
    ];
    let first = ids(&*vault, &s, wants.clone()).await;
    assert_eq!(first[0], first[3]);
    assert_eq!((first[0].number, first[1].number, first[2].number), (0, 0, 1));
    assert_eq!((first[0].spelling.index(), first[1].spelling.index()), (0, 1));
    assert_eq!(ids(&*vault, &s, wants).await, first, "again");
    let mut other = want("c@x", "c@x", Source::Client);
    let mut person = want("a@x", "a@x", Source::Client);
    (other.category, person.category) = (Category::Email, Category::Person);
    let more = ids(&*vault, &s, vec![other, person, want("a@x", "a@X", Source::Client)]).await;
    assert_eq!((more[0].number, more[1].number), (2, 0), "each category has its numbers");
    assert_eq!((more[2].number, more[2].spelling.index()), (0, 2));

    let unknown = TokenId { number: 99, ..first[0] };
    let entries = vault.resolve(&s, vec![first[1], unknown, first[0]]).await.unwrap();
    assert!(entries[1].is_none());
    let (second, first) = (entries[0].as_ref().unwrap(), entries[2].as_ref().unwrap());
    assert_eq!(first.provenance, [upstream("fs"), upstream("db")]);
    assert_eq!(second.form.value.expose(), "A@x");
    assert_eq!(second.provenance, [upstream("fs")], "provenance is of the spelling");
    assert!(vault.resolve(&s, Vec::new()).await.unwrap().is_empty());
    assert!(vault.intern(&s, Version::default(), Vec::new()).await.unwrap().ids.is_empty());
}

async fn forms_come_back_exactly(maker: &Maker<'_>) {
    let vault = maker.vault(Limits::default()).await;
    let s = session("s");
    let home = Place { depth: 1, context: Context::CsvBare(b';') };
    let wants: Vec<Wanted> = [None, Some(None), Some(Some(home))]
        .into_iter()
        .map(|raw| {
            let mut want = want("o'brien", "O'Brien\n\u{1f600}", Source::Client);
            want.form.raw = raw.map(|home| RawForm { text: Sensitive::new("O&#39;Brien"), home });
            want
        })
        .collect();
    let got = ids(&*vault, &s, wants.clone()).await;
    for (entry, want) in vault.resolve(&s, got).await.unwrap().into_iter().zip(wants) {
        assert_eq!(entry.unwrap().form, want.form);
    }
}

async fn sessions_do_not_see_each_other(maker: &Maker<'_>) {
    let vault = maker.vault(Limits::default()).await;
    let got = ids(&*vault, &session("one"), vec![want("a@x", "a@x", Source::Client)]).await;
    assert!(vault.resolve(&session("two"), got.clone()).await.unwrap()[0].is_none());
    let other = ids(&*vault, &session("two"), vec![want("b@x", "b@x", Source::Client)]).await;
    assert_eq!(other, got, "each session has its numbers");
    let entry = vault.resolve(&session("two"), got).await.unwrap().remove(0).unwrap();
    assert_eq!(entry.form.value.expose(), "b@x");
}

async fn limits_hold(maker: &Maker<'_>) {
    let vault = maker.vault(Limits { session: 1, ..Limits::default() }).await;
    let s = session("s");
    let first = ids(&*vault, &s, vec![want("a@x", "a@x", Source::Client)]).await;
    let again = vault.intern(&s, Version::default(), vec![want("b@x", "b@x", Source::Client)]).await;
    assert!(matches!(again, Err(VaultError::Full { max: 1, .. })));
    assert_eq!(ids(&*vault, &s, vec![want("a@x", "a@x", Source::Client)]).await, first);

    let limits = Limits { upstreams: [("web".parse().unwrap(), 2)].into(), ..Limits::default() };
    let vault = maker.vault(limits).await;
    let wants = |value: &str, name: &str| vec![want(value, value, upstream(name))];
    for value in ["a@x", "b@x", "b@x"] {
        ids(&*vault, &s, wants(value, "web")).await;
    }
    let over = vault.intern(&s, Version::default(), wants("c@x", "web")).await;
    assert!(matches!(over, Err(VaultError::UpstreamFull { max: 2, .. })));
    ids(&*vault, &s, wants("c@x", "fs")).await;
    ids(&*vault, &s, wants("c@x", "web")).await;
}

async fn known_values_are_told_once(maker: &Maker<'_>) {
    let vault = maker.vault(Limits::default()).await;
    let (s, key) = (session("s"), KnownKey::new([1; 16]));
    let known = |value: &str| {
        let mut want = want(value, value, Source::Client);
        want.known = admit(&key, Category::Email, value, None, Reach::Everywhere);
        assert!(want.known.is_some());
        want
    };
    let wants = vec![known("ann@example.org"), known("bob@example.org"), known("ann@example.org")];
    let first = vault.intern(&s, Version::default(), wants.clone()).await.unwrap();
    let told: Vec<_> = wants[..2].iter().map(|want| want.known.clone().unwrap()).collect();
    assert_eq!((first.known, first.version), (told, Version(2)));
    let second = vault.intern(&s, first.version, wants).await.unwrap();
    assert!(second.known.is_empty());
    let third = vault.intern(&s, Version(1), vec![known("carol@example.org")]).await.unwrap();
    assert_eq!((third.known.len(), third.version), (2, Version(3)));
    let future = vault.intern(&s, Version(99), Vec::new()).await.unwrap();
    assert_eq!((future.known.len(), future.version), (0, Version(3)));
}

async fn equal_wants_at_once_get_equal_ids(maker: &Maker<'_>) {
    let vault = maker.vault(Limits::default()).await;
    all_agree(&[vault.clone(), vault]).await;
}

/// Many batches over the same values, in different orders, through these vaults in turn.
async fn all_agree(vaults: &[Arc<dyn Vault>]) {
    let s = session("s");
    let mut all = tokio::task::JoinSet::new();
    for batch in 0..12usize {
        let (vault, s) = (Arc::clone(&vaults[batch % vaults.len()]), s.clone());
        all.spawn(async move {
            let values: Vec<String> = (0..8).map(|at| format!("{}@x", (at * 5 + batch) % 10)).collect();
            let wants = values.iter().map(|value| want(value, value, Source::Client)).collect();
            values.into_iter().zip(ids(&*vault, &s, wants).await).collect::<Vec<_>>()
        });
    }
    let mut seen = std::collections::HashMap::new();
    for (value, id) in all.join_all().await.into_iter().flatten() {
        assert_eq!(*seen.entry(value.clone()).or_insert(id), id, "{value}");
    }
    let mut numbers: Vec<u32> = seen.values().map(|id| id.number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..10).collect::<Vec<_>>(), "none is left out, none is given twice");
    for (value, id) in seen {
        let entry = vaults[0].resolve(&s, vec![id]).await.unwrap().remove(0).unwrap();
        assert_eq!(entry.form.value.expose(), value);
    }
}

pub(crate) async fn two_processes_give_equal_ids(world: &World) {
    let config = world.config("eu");
    let mut vaults: Vec<Arc<dyn Vault>> = Vec::new();
    let mut databases = Vec::new();
    for _ in 0..2 {
        let database = Database::open(&config).await.unwrap();
        databases.push(database.clone());
        vaults.push(Arc::new(DatabaseVault::new(database, Limits::default(), Numbers::OfSession)));
    }
    all_agree(&vaults).await;
    for database in databases {
        database.close().await;
    }
}

pub(crate) async fn tokens_outlive_the_process_and_are_sealed(world: &World) {
    let config = world.config("eu");
    let (s, wants) = (session("s"), vec![want("marie@example.eu", "Marie@example.eu", upstream("crm"))]);
    let open = async || {
        let database = Database::open(&config).await.unwrap();
        (database.clone(), DatabaseVault::new(database, Limits::default(), Numbers::OfSession))
    };
    let (database, vault) = open().await;
    let got = ids(&vault, &s, wants.clone()).await;
    let root = vault.root(&s).await.unwrap();
    let bytes = world.bytes(&config);
    assert!(holds(&bytes, b"EMAIL"), "the search works");
    for planted in ["marie", "Marie", "crm"] {
        assert!(!holds(&bytes, planted.as_bytes()), "{planted}");
    }
    database.close().await;

    let (database, vault) = open().await;
    assert_eq!(ids(&vault, &s, wants.clone()).await, got);
    assert!(vault.root(&s).await.unwrap() == root);
    assert!(vault.root(&session("t")).await.unwrap() != root);
    let entry = vault.resolve(&s, got.clone()).await.unwrap().remove(0).unwrap();
    assert_eq!(entry.form.value.expose(), "Marie@example.eu");
    assert_eq!(vault.sweep(Moment::from_millis(0)).await.unwrap(), 0);
    assert!(vault.erase(&s).await.unwrap());
    assert!(vault.resolve(&s, got.clone()).await.unwrap()[0].is_none());
    let after = ids(&vault, &s, wants).await;
    assert_eq!(after[0].number, 1, "what was erased leaves its number unused");
    assert_eq!(vault.sweep(Moment::from_millis(i64::MAX)).await.unwrap(), 1);
    database.close().await;
}

pub(crate) async fn numbers_of_a_profile_are_given_once(world: &World) {
    let database = world.database().await;
    let numbers = Numbers::OfProfile("work".to_owned());
    let vault = DatabaseVault::new(database.clone(), Limits::default(), numbers);
    let wants = vec![want("a@x", "a@x", Source::Client)];
    let one = ids(&vault, &session("one"), wants.clone()).await;
    let two = ids(&vault, &session("two"), wants.clone()).await;
    assert_eq!((one[0].number, two[0].number), (0, 1));
    assert_eq!(ids(&vault, &session("one"), wants).await, one);
    database.close().await;
}

pub(crate) async fn changed_tokens_are_refused(world: &World) {
    let config = world.config("eu");
    let database = Database::open(&config).await.unwrap();
    let vault = DatabaseVault::new(database.clone(), Limits::default(), Numbers::OfSession);
    let s = session("s");
    let wants = ["a@x", "b@x"].map(|value| want(value, value, Source::Client)).to_vec();
    let got = ids(&vault, &s, wants.clone()).await;
    world
        .tamper(
            &config,
            "UPDATE token_entries SET sealed = (SELECT sealed FROM token_entries WHERE number = 1) \
             WHERE number = 0",
        )
        .await;
    let resolved = vault.resolve(&s, got).await;
    assert!(matches!(resolved, Err(VaultError::Store(_))));
    assert!(vault.intern(&s, Version::default(), wants).await.is_err());
    database.close().await;
}

pub(crate) async fn large_batches_come_back(world: &World) {
    let database = world.database().await;
    let vault = DatabaseVault::new(database.clone(), Limits::default(), Numbers::OfSession);
    let (s, values) = (session("s"), (0..2500).map(|at| format!("{at}@x")).collect::<Vec<_>>());
    let wants = values.iter().map(|value| want(value, value, Source::Client)).collect();
    let got = ids(&vault, &s, wants).await;
    let entries = vault.resolve(&s, got).await.unwrap();
    for (entry, value) in entries.into_iter().zip(&values) {
        assert_eq!(entry.unwrap().form.value.expose(), value);
    }
    database.close().await;
}
