use cloakgate_vault::{After, Catalog, Changed, Database, Precondition, StoreError};
use uuid::Uuid;

use crate::world::World;

async fn catalog(world: &World) -> (Database, Catalog) {
    let database = world.database().await;
    (database.clone(), Catalog::open(database).await.unwrap())
}

pub(crate) async fn documents_change_only_from_the_version_that_was_seen(world: &World) {
    let (database, catalog) = catalog(world).await;
    let (id, parent) = (Uuid::new_v4(), Uuid::new_v4());
    let made = catalog.insert("server", id, parent, r#"{"name":"a"}"#).await.unwrap();
    assert_eq!(catalog.get("server", id).await.unwrap(), Some(made));
    assert_eq!(catalog.get("settings", id).await.unwrap(), None, "another kind");
    let twice = catalog.insert("server", id, parent, "{}").await;
    assert!(matches!(twice, Err(StoreError::Exists { .. })));
    for (only, body, expected) in [
        (Precondition::Version(1), "b", Changed::Version(2)),
        (Precondition::Version(1), "c", Changed::Conflict),
        (Precondition::Any, "d", Changed::Version(3)),
    ] {
        assert_eq!(catalog.put("server", id, body, only).await.unwrap(), expected, "{body}");
    }
    let stored = catalog.get("server", id).await.unwrap().unwrap();
    assert_eq!((stored.body.as_str(), stored.version), ("d", 3));
    let missing = catalog.put("server", parent, "x", Precondition::Any).await.unwrap();
    assert_eq!(missing, Changed::Missing);
    for (only, expected) in [
        (Precondition::Version(2), Changed::Conflict),
        (Precondition::Version(3), Changed::Version(3)),
        (Precondition::Any, Changed::Missing),
    ] {
        assert_eq!(catalog.delete("server", id, only).await.unwrap(), expected);
    }
    // Those that take any version never lose to each other.
    catalog.insert("server", id, parent, "0").await.unwrap();
    let all: Vec<_> = (0..10)
        .map(|number| {
            let catalog = catalog.clone();
            tokio::spawn(async move {
                catalog.put("server", id, &number.to_string(), Precondition::Any).await.unwrap()
            })
        })
        .collect();
    for one in all {
        assert!(matches!(one.await.unwrap(), Changed::Version(_)));
    }
    assert_eq!(catalog.get("server", id).await.unwrap().unwrap().version, 11);
    database.close().await;
}

pub(crate) async fn documents_are_listed_under_their_parent(world: &World) {
    let (database, catalog) = catalog(world).await;
    let (one, two) = (Uuid::new_v4(), Uuid::new_v4());
    for number in 0..5u128 {
        catalog.insert("server", Uuid::from_u128(number), one, &number.to_string()).await.unwrap();
    }
    catalog.insert("server", Uuid::new_v4(), two, "other").await.unwrap();
    catalog.insert("token", Uuid::new_v4(), one, "other").await.unwrap();
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = catalog.list("server", one, after, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(After { created_at: last.created_at, id: last.id });
        seen.extend(page.into_iter().map(|document| document.body));
    }
    seen.sort();
    assert_eq!(seen, ["0", "1", "2", "3", "4"]);
    database.close().await;
}

pub(crate) async fn changed_documents_are_refused(world: &World) {
    let config = world.config("eu");
    let database = Database::open(&config).await.unwrap();
    let catalog = Catalog::open(database.clone()).await.unwrap();
    let (one, two) = (Uuid::new_v4(), Uuid::new_v4());
    catalog.insert("role", one, Uuid::nil(), "viewer").await.unwrap();
    catalog.insert("role", two, Uuid::nil(), "admin").await.unwrap();
    let (one_sql, two_sql) = (world.literal(one.as_bytes()), world.literal(two.as_bytes()));
    let sql = format!(
        "UPDATE documents SET body = (SELECT body FROM documents WHERE id = {two_sql}) WHERE id = {one_sql}"
    );
    world.tamper(&config, &sql).await;
    let read = catalog.get("role", one).await;
    assert!(matches!(read, Err(StoreError::Damaged { id, .. }) if id == one));
    database.close().await;
}

pub(crate) async fn counters_add_up(world: &World) {
    let (database, catalog) = catalog(world).await;
    let id = Uuid::new_v4();
    let all: Vec<_> = (0..20)
        .map(|_| {
            let catalog = catalog.clone();
            tokio::spawn(async move {
                catalog.count("usage", id, &[("texts", 1), ("bytes", 10), ("texts", 2)]).await.unwrap();
            })
        })
        .collect();
    for one in all {
        one.await.unwrap();
    }
    let counts = catalog.counts("usage", id).await.unwrap();
    assert_eq!(counts, [("bytes".to_owned(), 200), ("texts".to_owned(), 60)]);
    assert!(catalog.counts("usage", Uuid::new_v4()).await.unwrap().is_empty());
    database.close().await;
}
