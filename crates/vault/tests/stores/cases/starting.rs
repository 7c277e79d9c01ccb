use cloakgate_vault::{Database, Regions, Sessions, StoreError};
use uuid::Uuid;

use super::sessions::{at, new};
use crate::world::{World, holds};

pub(crate) async fn a_newer_schema_is_refused_by_name(world: &World) {
    let config = world.config("eu");
    Database::open(&config).await.unwrap().close().await;
    world.tamper(&config, "INSERT INTO schema_steps (step, applied_at) VALUES (4711, 0)").await;
    let error = Database::open(&config).await.unwrap_err();
    assert!(matches!(error, StoreError::NewerSchema { found: 4711, .. }), "{error:?}");
    assert!(error.to_string().contains("4711"));
}

pub(crate) async fn many_that_start_at_once_are_safe(world: &World) {
    let config = world.config("eu");
    let all: Vec<_> = (0..6)
        .map(|_| {
            let config = config.clone();
            tokio::spawn(async move { Database::open(&config).await })
        })
        .collect();
    let mut databases = Vec::new();
    for one in all {
        databases.push(one.await.unwrap().unwrap());
    }
    let (id, tenant) = (Uuid::new_v4(), Uuid::new_v4());
    Sessions::new(databases[0].clone()).create(new(id, tenant, b"x", &[]), at(1)).await.unwrap();
    for database in databases {
        let key = database.lookup_key(tenant).await.unwrap();
        assert!(Sessions::new(database.clone()).load(id, tenant, at(1)).await.unwrap().is_some());
        assert_eq!(key.hash("x"), database.lookup_key(tenant).await.unwrap().hash("x"));
        database.close().await;
    }
}

pub(crate) async fn what_one_creates_the_other_loads(world: &World) {
    let config = world.config("eu");
    let (one, two) = (Database::open(&config).await.unwrap(), Database::open(&config).await.unwrap());
    let tenant = Uuid::new_v4();
    let (creating, loading) = (Sessions::new(one.clone()), Sessions::new(two.clone()));
    for number in 0..50 {
        let id = Uuid::from_u128(number);
        creating.create(new(id, tenant, &number.to_be_bytes(), &[]), at(1)).await.unwrap();
        let stored = loading.load(id, tenant, at(1)).await.unwrap().unwrap();
        assert_eq!(stored.state.as_slice(), number.to_be_bytes());
    }
    let hash = one.lookup_key(tenant).await.unwrap().hash("x");
    assert_eq!(two.lookup_key(tenant).await.unwrap().hash("x"), hash);
    one.close().await;
    two.close().await;
}

pub(crate) async fn a_database_of_another_region_is_refused(world: &World) {
    let mut config = world.config("de");
    Database::open(&config).await.unwrap().close().await;
    config.region = "fr".parse().unwrap();
    let error = Database::open(&config).await.unwrap_err();
    assert!(matches!(error, StoreError::WrongRegion { .. }), "{error:?}");
    assert!(error.to_string().contains("`de`"));
}

pub(crate) async fn nothing_of_one_region_reaches_another(world: &World) {
    let configs = ["home", "de", "fr"].map(|name| world.config(name));
    let regions = Regions::open(&configs[0]).await.unwrap();
    regions.activate(&configs[1]).await.unwrap();
    regions.activate(&configs[2]).await.unwrap();
    let (tenant, german) = (Uuid::new_v4(), Uuid::new_v4());
    regions.catalog().insert("environment", tenant, Uuid::nil(), "{}").await.unwrap();
    let de = "de".parse().unwrap();
    let database = regions.database(&de).unwrap();
    let value = "erika.mustermann@example.org";
    let hash = database.lookup_key(tenant).await.unwrap().hash(value);
    let sessions = regions.sessions(&de).unwrap();
    sessions.create(new(german, tenant, value.as_bytes(), &[hash]), at(1)).await.unwrap();
    assert!(sessions.load(german, tenant, at(1)).await.unwrap().is_some());
    let fr = regions.sessions(&"fr".parse().unwrap()).unwrap();
    assert_eq!(fr.load(german, tenant, at(1)).await.unwrap(), None);
    assert!(fr.find_by_value(tenant, hash).await.unwrap().is_empty());
    assert!(matches!(regions.sessions(&"it".parse().unwrap()), Err(StoreError::UnknownRegion(_))));
    let bytes = configs.each_ref().map(|config| world.bytes(config));
    assert!(holds(&bytes[1], german.as_bytes()), "the search works");
    assert!(!holds(&bytes[1], value.as_bytes()));
    for (bytes, name) in [(&bytes[0], "home"), (&bytes[2], "fr")] {
        for planted in [german.as_bytes().as_slice(), value.as_bytes(), german.to_string().as_bytes()] {
            assert!(!holds(bytes, planted), "{name}");
        }
    }
    assert!(!holds(&bytes[2], tenant.as_bytes()), "not even the tenant, who has nothing there");
    regions.close().await;
}

pub(crate) async fn what_is_closed_says_so(world: &World) {
    let database = world.database().await;
    let sessions = Sessions::new(database.clone());
    database.close().await;
    let created = sessions.create(new(Uuid::new_v4(), Uuid::nil(), b"", &[]), at(1)).await;
    assert!(matches!(created, Err(StoreError::Closed)), "{created:?}");
    assert!(matches!(sessions.load(Uuid::nil(), Uuid::nil(), at(1)).await, Err(StoreError::Closed)));
}
