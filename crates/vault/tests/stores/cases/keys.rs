use cloakgate_vault::{
    Catalog, Database, DatabaseConfig, KeyError, KeySource, Sessions, StoreError, new_key_line,
};
use uuid::Uuid;

use super::sessions::{at, create_all, new};
use crate::world::{World, holds, write_private};

fn key_path(config: &DatabaseConfig) -> std::path::PathBuf {
    let KeySource::File(path) = &config.keys else { panic!("a key file") };
    path.clone()
}

async fn two_sessions(world: &World) -> (DatabaseConfig, Uuid, [Uuid; 2]) {
    let config = world.config("eu");
    let database = Database::open(&config).await.unwrap();
    let (tenant, ids) = (Uuid::new_v4(), [Uuid::new_v4(), Uuid::new_v4()]);
    for id in ids {
        Sessions::new(database.clone()).create(new(id, tenant, b"state", &[]), at(1)).await.unwrap();
    }
    database.close().await;
    (config, tenant, ids)
}

/// What loading a session says after `sql` was run behind the store's back.
async fn load_after(
    world: &World,
    sql: &str,
    (config, tenant, id): (&DatabaseConfig, Uuid, Uuid),
) -> StoreError {
    world.tamper(config, sql).await;
    let database = Database::open(config).await.unwrap();
    let loaded = Sessions::new(database.clone()).load(id, tenant, at(2)).await;
    database.close().await;
    loaded.unwrap_err()
}

pub(crate) async fn changed_rows_are_refused(world: &World) {
    let last_cut = |column: &str| {
        if world.is_sqlite() {
            format!("substr({column}, 1, length({column}) - 1)")
        } else {
            format!("substring({column} FROM 1 FOR length({column}) - 1)")
        }
    };
    let short = world.literal(b"\x01\x02");
    for (name, change) in [
        ("state cut off", format!("UPDATE sessions SET state = {}", last_cut("state"))),
        ("state of nothing", format!("UPDATE sessions SET state = {}", world.literal(b""))),
        ("key cut off", format!("UPDATE data_keys SET wrapped = {}", last_cut("wrapped"))),
        ("key of nothing", format!("UPDATE data_keys SET wrapped = {}", world.literal(b""))),
        ("short id of a master key", format!("UPDATE sessions SET server = {short}")),
        ("another version", "UPDATE sessions SET version = version + 1".to_owned()),
        ("a version below nothing", "UPDATE sessions SET version = -1".to_owned()),
    ] {
        let (config, tenant, ids) = two_sessions(world).await;
        let error = load_after(world, &change, (&config, tenant, ids[0])).await;
        assert!(
            matches!(error, StoreError::Damaged { .. } | StoreError::Malformed { .. }),
            "{name}: {error:?}"
        );
    }
}

pub(crate) async fn rows_of_other_sessions_are_refused(world: &World) {
    let (config, tenant, [one, two]) = two_sessions(world).await;
    let (one_sql, two_sql) = (world.literal(one.as_bytes()), world.literal(two.as_bytes()));
    let sql = format!(
        "UPDATE sessions SET state = (SELECT state FROM sessions WHERE id = {two_sql}) WHERE id = {one_sql}"
    );
    let error = load_after(world, &sql, (&config, tenant, one)).await;
    assert!(matches!(error, StoreError::Damaged { id, .. } if id == one), "state alone: {error:?}");
    let sql = format!(
        "UPDATE data_keys SET wrapped = (SELECT wrapped FROM data_keys WHERE id = {two_sql}) \
         WHERE id = {one_sql}"
    );
    let error = load_after(world, &sql, (&config, tenant, one)).await;
    assert!(matches!(error, StoreError::Damaged { id, .. } if id == one), "with its key: {error:?}");
    // Another tenant takes the session for its own.
    let thief = Uuid::new_v4();
    let thief_sql = world.literal(thief.as_bytes());
    let sql = format!("UPDATE sessions SET tenant = {thief_sql}; UPDATE data_keys SET tenant = {thief_sql}");
    let error = load_after(world, &sql, (&config, thief, two)).await;
    assert!(matches!(error, StoreError::Damaged { id, .. } if id == two), "tenant: {error:?}");
}

pub(crate) async fn a_wrong_master_key_is_refused_at_start(world: &World) {
    let (config, ..) = two_sessions(world).await;
    let path = key_path(&config);
    let right = std::fs::read(&path).unwrap();
    write_private(&path, new_key_line().unwrap().as_bytes());
    let error = Database::open(&config).await.unwrap_err();
    assert!(matches!(error, StoreError::Key(KeyError::Unknown { .. })), "{error:?}");
    std::fs::remove_file(&path).unwrap();
    let error = Database::open(&config).await.unwrap_err();
    assert!(matches!(error, StoreError::Key(KeyError::NoFile { .. })), "{error:?}");
    assert!(!path.exists(), "no key is made for a database that has one");
    write_private(&path, &right);
    Database::open(&config).await.unwrap().close().await;
    world.tamper(&config, &format!("UPDATE master_keys SET check_record = {}", world.literal(b"x"))).await;
    let error = Database::open(&config).await.unwrap_err();
    assert!(matches!(error, StoreError::Key(KeyError::Check(_))), "{error:?}");
}

pub(crate) async fn a_missing_key_is_made_for_an_empty_sqlite_file_only(world: &World) {
    let config = world.config("eu");
    std::fs::remove_file(key_path(&config)).unwrap();
    match Database::open(&config).await {
        Ok(database) => {
            assert!(world.is_sqlite());
            database.close().await;
        }
        Err(error) => {
            assert!(!world.is_sqlite());
            assert!(matches!(error, StoreError::Key(KeyError::NoFile { .. })));
        }
    }
    assert_eq!(key_path(&config).exists(), world.is_sqlite());
}

pub(crate) async fn rotation_keeps_everything_and_retires_the_old_key(world: &World) {
    let config = world.config("eu");
    let path = key_path(&config);
    let old_line = std::fs::read_to_string(&path).unwrap();
    let database = Database::open(&config).await.unwrap();
    let (tenant, hash) = (Uuid::new_v4(), database.lookup_key(Uuid::nil()).await.unwrap().hash("Alice"));
    let ids: Vec<Uuid> = (0..600).map(|_| Uuid::new_v4()).collect();
    let sessions = Sessions::new(database.clone());
    create_all(&sessions, tenant, &ids, &[hash]).await;
    let catalog = Catalog::open(database.clone()).await.unwrap();
    let document = catalog.insert("thing", Uuid::nil(), Uuid::nil(), "{}").await.unwrap();
    database.close().await;

    let new_line = new_key_line().unwrap();
    write_private(&path, format!("{old_line}{}", *new_line).as_bytes());
    let database = Database::open(&config).await.unwrap();
    let sessions = Sessions::new(database.clone());
    let serving = {
        let (sessions, ids) = (sessions.clone(), ids.clone());
        tokio::spawn(async move {
            for id in ids.into_iter().take(40) {
                assert!(sessions.load(id, tenant, at(2)).await.unwrap().is_some());
                sessions.create(new(Uuid::new_v4(), tenant, b"meanwhile", &[]), at(2)).await.unwrap();
            }
        })
    };
    let (all, mut told) = (database.to_rotate().await.unwrap(), Vec::new());
    let rotated = database.rotate(|so_far| told.push(so_far.rewrapped)).await.unwrap();
    serving.await.unwrap();
    // Sessions, the look-up key and the key of the catalog.
    assert_eq!((rotated.rewrapped, rotated.damaged, rotated.retired.len()), (602, 0, 1));
    assert_eq!((all, told), (602, vec![256, 512, 602]));
    assert_eq!(database.to_rotate().await.unwrap(), 0);
    assert_eq!(database.rotate(|_| ()).await.unwrap().rewrapped, 0, "nothing is left to do");
    database.close().await;

    write_private(&path, new_line.as_bytes());
    let database = Database::open(&config).await.unwrap();
    let sessions = Sessions::new(database.clone());
    for id in &ids {
        assert!(sessions.load(*id, tenant, at(3)).await.unwrap().is_some());
    }
    assert_eq!(database.lookup_key(Uuid::nil()).await.unwrap().hash("Alice"), hash);
    assert_eq!(sessions.find_by_value(tenant, hash).await.unwrap().len(), 600);
    let catalog = Catalog::open(database.clone()).await.unwrap();
    assert_eq!(catalog.get("thing", Uuid::nil()).await.unwrap(), Some(document));
    database.close().await;

    write_private(&path, old_line.as_bytes());
    let error = Database::open(&config).await.unwrap_err();
    assert!(matches!(error, StoreError::Key(KeyError::Unknown { .. })), "the old key alone: {error:?}");
}

pub(crate) async fn nothing_is_kept_in_clear(world: &World) {
    let config = world.config("eu");
    let database = Database::open(&config).await.unwrap();
    let (id, tenant) = (Uuid::new_v4(), Uuid::new_v4());
    let hash = database.lookup_key(tenant).await.unwrap().hash("marie.dubois@example.eu");
    let state = b"marie.dubois@example.eu lives in Lyon";
    Sessions::new(database.clone()).create(new(id, tenant, state, &[hash]), at(1)).await.unwrap();
    let catalog = Catalog::open(database.clone()).await.unwrap();
    catalog.insert("settings", id, tenant, r#"{"terms":["marie.dubois"]}"#).await.unwrap();
    let bytes = world.bytes(&config);
    assert!(holds(&bytes, id.as_bytes()), "the search works");
    for planted in ["marie", "Lyon", "terms"] {
        assert!(!holds(&bytes, planted.as_bytes()), "{planted}");
    }
    let key = std::fs::read_to_string(key_path(&config)).unwrap();
    assert!(!holds(&bytes, key.trim().as_bytes()));
    database.close().await;
}

pub(crate) async fn nothing_is_told_in_errors_and_debug(world: &World) {
    let (config, tenant, [one, _]) = two_sessions(world).await;
    let database = Database::open(&config).await.unwrap();
    let sessions = Sessions::new(database.clone());
    let planted = "marie.dubois@example.eu";
    let catalog = Catalog::open(database.clone()).await.unwrap();
    let document = catalog.insert("kind", one, tenant, planted).await.unwrap();
    let hash = database.lookup_key(tenant).await.unwrap().hash(planted);
    let twice = sessions.create(new(one, tenant, planted.as_bytes(), &[hash]), at(1)).await.unwrap_err();
    let again = catalog.insert("kind", one, tenant, planted).await.unwrap_err();
    let stored = sessions.load(one, tenant, at(1)).await.unwrap();
    let said = format!(
        "{twice} {twice:?} {again} {again:?} {document:?} {stored:?} {database:?} {sessions:?} {catalog:?} {hash:?} {config:?}"
    );
    assert!(!said.contains("marie") && !said.contains("state\""), "{said}");
    database.close().await;
}
