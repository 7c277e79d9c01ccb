use std::time::Duration;

use cloakgate_vault::{
    After, Database, Ended, Extended, Extension, Lifetime, Moment, NewEnd, NewSession, Sessions, StoreError,
    ValueHash,
};
use uuid::Uuid;

use crate::world::World;

pub(crate) const SERVER: Uuid = Uuid::from_u128(0x5e);
pub(crate) const SETTINGS: Uuid = Uuid::from_u128(0x5e77);

pub(crate) fn new<'a>(id: Uuid, tenant: Uuid, state: &'a [u8], values: &'a [ValueHash]) -> NewSession<'a> {
    NewSession { id, tenant, server: SERVER, settings: SETTINGS, state, values, lifetime: Lifetime::Endless }
}

pub(crate) fn at(millis: i64) -> Moment {
    Moment::from_millis(millis)
}

/// Creates sessions side by side, so that they share transactions or connections.
pub(crate) async fn create_all(sessions: &Sessions, tenant: Uuid, ids: &[Uuid], values: &[ValueHash]) {
    let mut all = tokio::task::JoinSet::new();
    for id in ids.iter().copied() {
        let (sessions, values) = (sessions.clone(), values.to_vec());
        all.spawn(async move { sessions.create(new(id, tenant, b"state", &values), at(1)).await.unwrap() });
    }
    all.join_all().await;
}

async fn sessions(world: &World) -> (Database, Sessions) {
    let database = world.database().await;
    (database.clone(), Sessions::new(database))
}

pub(crate) async fn what_was_created_is_loaded(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (id, tenant) = (Uuid::new_v4(), Uuid::new_v4());
    sessions.create(new(id, tenant, b"Alice Johnson", &[]), at(1000)).await.unwrap();
    let stored = sessions.load(id, tenant, at(2000)).await.unwrap().unwrap();
    assert_eq!(stored.state.as_slice(), b"Alice Johnson");
    assert_eq!((stored.meta.version, stored.meta.created_at), (1, at(1000)));
    assert_eq!((stored.meta.server, stored.meta.settings, stored.meta.expires_at), (SERVER, SETTINGS, None));
    let twice = sessions.create(new(id, tenant, b"other", &[]), at(1000)).await;
    assert!(matches!(twice, Err(StoreError::Exists { id: found, .. }) if found == id));
    assert_eq!(sessions.load(Uuid::new_v4(), tenant, at(2000)).await.unwrap(), None);
    assert!(sessions.erase(id, tenant).await.unwrap());
    assert!(!sessions.erase(id, tenant).await.unwrap());
    assert_eq!(sessions.load(id, tenant, at(2000)).await.unwrap(), None);
    database.close().await;
}

pub(crate) async fn of_two_extensions_from_one_version_one_succeeds(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (id, tenant) = (Uuid::new_v4(), Uuid::new_v4());
    sessions.create(new(id, tenant, b"one", &[]), at(1000)).await.unwrap();
    let tries = (0..8).map(|number: u8| {
        let sessions = sessions.clone();
        tokio::spawn(async move {
            let state = [number; 3];
            let extension = Extension { from: 1, state: &state, values: &[] };
            (number, sessions.extend(id, tenant, extension, at(1500)).await.unwrap())
        })
    });
    let mut won = Vec::new();
    for one in tries.collect::<Vec<_>>() {
        match one.await.unwrap() {
            (number, Extended::To(2)) => won.push(number),
            (_, other) => assert_eq!(other, Extended::Conflict),
        }
    }
    assert_eq!(won.len(), 1);
    let stored = sessions.load(id, tenant, at(2000)).await.unwrap().unwrap();
    assert_eq!((stored.state.as_slice(), stored.meta.version), ([won[0]; 3].as_slice(), 2));
    assert_eq!((stored.meta.created_at, stored.meta.updated_at), (at(1000), at(1500)));
    let gone = Extension { from: 1, state: b"", values: &[] };
    assert_eq!(sessions.extend(Uuid::new_v4(), tenant, gone, at(1)).await.unwrap(), Extended::Gone);
    database.close().await;
}

pub(crate) async fn many_that_are_looked_up_at_once_are_each_told_apart(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (tenant, other) = (Uuid::new_v4(), Uuid::new_v4());
    let ids: Vec<Uuid> = (0..200).map(|_| Uuid::new_v4()).collect();
    create_all(&sessions, tenant, &ids, &[]).await;
    let ending =
        NewSession { lifetime: Lifetime::Until(at(50)), ..new(Uuid::new_v4(), tenant, b"state", &[]) };
    sessions.create(ending, at(1)).await.unwrap();
    sessions.erase(ids[0], tenant).await.unwrap();
    let extension = Extension { from: 1, state: b"more", values: &[] };
    sessions.extend(ids[1], tenant, extension, at(2)).await.unwrap();
    let mut all = tokio::task::JoinSet::new();
    for (place, id) in ids.iter().copied().chain([ending.id]).enumerate() {
        let sessions = sessions.clone();
        all.spawn(async move {
            let owner = if place == 2 { other } else { tenant };
            (place, sessions.look_up(id, owner, at(100)).await.unwrap().map(|meta| (meta.id, meta.version)))
        });
    }
    for (place, found) in all.join_all().await {
        let expected = match place {
            0 | 2 | 200 => None,
            1 => Some((ids[1], 2)),
            _ => Some((ids[place], 1)),
        };
        assert_eq!(found, expected, "{place}");
    }
    database.close().await;
}

pub(crate) async fn tenants_do_not_see_each_other(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (id, tenant, other) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    let hash = database.lookup_key(tenant).await.unwrap().hash("Alice");
    assert_ne!(hash, database.lookup_key(other).await.unwrap().hash("Alice"));
    sessions.create(new(id, tenant, b"state", &[hash]), at(1)).await.unwrap();
    assert_eq!(sessions.load(id, other, at(2)).await.unwrap(), None);
    let extension = Extension { from: 1, state: b"stolen", values: &[] };
    assert_eq!(sessions.extend(id, other, extension, at(2)).await.unwrap(), Extended::Gone);
    assert!(!sessions.erase(id, other).await.unwrap());
    assert_eq!(sessions.erase_by_value(other, hash).await.unwrap(), 0);
    assert!(sessions.list(other, None, None, 10).await.unwrap().is_empty());
    assert!(sessions.load(id, tenant, at(2)).await.unwrap().is_some());
    database.close().await;
}

pub(crate) async fn lists_are_paged_newest_first(world: &World) {
    let (database, sessions) = sessions(world).await;
    let tenant = Uuid::new_v4();
    for number in 0..7u32 {
        let mut session = new(Uuid::from_u128(number.into()), tenant, b"", &[]);
        session.server = Uuid::from_u128((number % 2).into());
        // Three share a moment, so that the id decides.
        sessions.create(session, at(i64::from(number / 3))).await.unwrap();
    }
    let (mut after, mut seen) = (None, Vec::new());
    loop {
        let page = sessions.list(tenant, None, after, 3).await.unwrap();
        let Some(last) = page.last() else { break };
        after = Some(After { created_at: last.created_at, id: last.id });
        seen.extend(page.iter().map(|meta| meta.id.as_u128()));
    }
    assert_eq!(seen, [6, 5, 4, 3, 2, 1, 0]);
    let of_one = sessions.list(tenant, Some(Uuid::from_u128(1)), None, 10).await.unwrap();
    assert_eq!(of_one.iter().map(|meta| meta.id.as_u128()).collect::<Vec<_>>(), [5, 3, 1]);
    database.close().await;
}

pub(crate) async fn values_are_found_and_erased_by_their_hash(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (tenant, key) = (Uuid::new_v4(), database.lookup_key(Uuid::nil()).await.unwrap());
    let (alice, bob, carol) = (key.hash("Alice"), key.hash("Bob"), key.hash("Carol"));
    let ids: Vec<Uuid> = (1..=300).map(Uuid::from_u128).collect();
    create_all(&sessions, tenant, &ids, &[alice, bob, alice]).await;
    let apart = Uuid::from_u128(1000);
    sessions.create(new(apart, tenant, b"", &[bob]), at(1)).await.unwrap();
    let extension = Extension { from: 1, state: b"", values: &[carol, bob] };
    assert_eq!(sessions.extend(apart, tenant, extension, at(1)).await.unwrap(), Extended::To(2));
    assert_eq!(sessions.find_by_value(tenant, alice).await.unwrap(), ids);
    assert_eq!(sessions.find_by_value(tenant, carol).await.unwrap(), [apart]);
    assert_eq!(sessions.erase_by_value(tenant, alice).await.unwrap(), 300);
    assert_eq!(sessions.find_by_value(tenant, bob).await.unwrap(), [apart]);
    assert_eq!(sessions.load(ids[0], tenant, at(1)).await.unwrap(), None);
    assert!(sessions.load(apart, tenant, at(1)).await.unwrap().is_some());
    database.close().await;
}

pub(crate) async fn erasing_a_tenant_leaves_the_others(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (tenant, other) = (Uuid::new_v4(), Uuid::new_v4());
    let key = database.lookup_key(tenant).await.unwrap();
    let ids: Vec<Uuid> = (0..250).map(Uuid::from_u128).collect();
    create_all(&sessions, tenant, &ids, &[]).await;
    let kept = Uuid::new_v4();
    sessions.create(new(kept, other, b"kept", &[]), at(1)).await.unwrap();
    assert_eq!(sessions.erase_tenant(tenant).await.unwrap(), 250);
    assert!(sessions.list(tenant, None, None, 10).await.unwrap().is_empty());
    assert!(sessions.load(kept, other, at(1)).await.unwrap().is_some());
    assert_eq!(key.hash("x"), database.lookup_key(tenant).await.unwrap().hash("x"));
    database.close().await;
}

pub(crate) async fn a_session_ends_with_its_lifetime(world: &World) {
    let (database, sessions) = sessions(world).await;
    let tenant = Uuid::new_v4();
    let (ending, endless) = (Uuid::new_v4(), Uuid::new_v4());
    let mut session = new(ending, tenant, b"", &[]);
    session.lifetime = Lifetime::Until(at(1000));
    sessions.create(session, at(1)).await.unwrap();
    sessions.create(new(endless, tenant, b"", &[]), at(1)).await.unwrap();
    let stored = sessions.load(ending, tenant, at(999)).await.unwrap().unwrap();
    assert_eq!(stored.meta.expires_at, Some(at(1000)));
    assert_eq!(sessions.load(ending, tenant, at(1000)).await.unwrap(), None, "before it is swept");
    let extension = Extension { from: 1, state: b"", values: &[] };
    assert_eq!(sessions.extend(ending, tenant, extension, at(1000)).await.unwrap(), Extended::Gone);
    assert_eq!(sessions.sweep(at(999)).await.unwrap(), 0);
    assert_eq!(sessions.sweep(at(1000)).await.unwrap(), 1);
    assert_eq!(sessions.load(ending, tenant, at(1)).await.unwrap(), None, "swept");
    assert!(sessions.load(endless, tenant, at(i64::MAX)).await.unwrap().is_some());
    database.close().await;
}

pub(crate) async fn use_keeps_a_sliding_session_alive(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (id, tenant) = (Uuid::new_v4(), Uuid::new_v4());
    let mut session = new(id, tenant, b"", &[]);
    session.lifetime = Lifetime::Sliding(Duration::from_millis(1600));
    sessions.create(session, at(0)).await.unwrap();
    let end = async |now| {
        let stored = sessions.load(id, tenant, at(now)).await.unwrap();
        stored.map(|stored| stored.meta.expires_at.unwrap().millis())
    };
    assert_eq!(end(50).await, Some(1600), "too little to be written");
    assert_eq!(end(1500).await, Some(3100));
    let extension = Extension { from: 1, state: b"", values: &[] };
    assert_eq!(sessions.extend(id, tenant, extension, at(3000)).await.unwrap(), Extended::To(2));
    assert_eq!(end(3001).await, Some(4600));
    assert_eq!(end(4600).await, None);
    database.close().await;
}

pub(crate) async fn an_end_that_is_given_moves_no_more(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (id, tenant) = (Uuid::new_v4(), Uuid::new_v4());
    let lifetime = Lifetime::Sliding(Duration::from_millis(1000));
    sessions.create(NewSession { lifetime, ..new(id, tenant, b"state", &[]) }, at(0)).await.unwrap();
    let end = async |end, now| match sessions.end(id, tenant, end, at(now)).await.unwrap() {
        Ended::Changed(meta) => Ok(meta.expires_at),
        other => Err(other),
    };
    assert_eq!(end(NewEnd::Sooner(at(1001)), 1).await, Err(Ended::Later));
    assert_eq!(end(NewEnd::Sooner(at(1000)), 1).await, Ok(Some(at(1000))));
    assert_eq!(end(NewEnd::Sooner(at(900)), 1).await, Ok(Some(at(900))));
    let other = sessions.end(id, Uuid::new_v4(), NewEnd::Never, at(1)).await.unwrap();
    assert_eq!(other, Ended::Gone);
    // Neither a look, nor a load, nor an extension moves it.
    assert_eq!(sessions.look_up(id, tenant, at(800)).await.unwrap().unwrap().expires_at, Some(at(900)));
    let loaded = sessions.load(id, tenant, at(800)).await.unwrap().unwrap();
    assert_eq!(loaded.meta.expires_at, Some(at(900)));
    let extension = Extension { from: 1, state: b"more", values: &[] };
    assert_eq!(sessions.extend(id, tenant, extension, at(850)).await.unwrap(), Extended::To(2));
    assert_eq!(sessions.look_up(id, tenant, at(899)).await.unwrap().unwrap().expires_at, Some(at(900)));
    assert_eq!(end(NewEnd::At(at(5000)), 899).await, Ok(Some(at(5000))));
    assert_eq!(end(NewEnd::Never, 4999).await, Ok(None));
    assert_eq!(end(NewEnd::Sooner(at(6000)), 5999).await, Ok(Some(at(6000))));
    assert_eq!(end(NewEnd::Never, 6000).await, Err(Ended::Gone), "what has ended stays so");
    database.close().await;
}

pub(crate) async fn a_failed_write_takes_no_other_with_it(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (taken, tenant) = (Uuid::new_v4(), Uuid::new_v4());
    sessions.create(new(taken, tenant, b"first", &[]), at(1)).await.unwrap();
    let others: Vec<_> = (1000..1020).map(Uuid::from_u128).collect();
    create_all(&sessions, tenant, &others, &[]).await;
    // All at once, so that they share transactions: some fail, some are statements alone, and some are more than that.
    let tries: Vec<_> = (0..60u128)
        .map(|number| {
            let (sessions, others) = (sessions.clone(), others.clone());
            tokio::spawn(async move {
                if number % 3 == 2 {
                    let other = others[number as usize / 3];
                    let extension = Extension { from: 1, state: b"late", values: &[] };
                    return matches!(
                        sessions.extend(other, tenant, extension, at(1)).await,
                        Ok(Extended::To(2))
                    );
                }
                let id = if number % 3 == 0 { taken } else { Uuid::from_u128(number) };
                sessions.create(new(id, tenant, b"late", &[]), at(1)).await.is_ok()
            })
        })
        .collect();
    for (number, one) in tries.into_iter().enumerate() {
        assert_eq!(one.await.unwrap(), number % 3 != 0, "{number}");
    }
    assert_eq!(sessions.list(tenant, None, None, 1000).await.unwrap().len(), 41);
    for id in others.into_iter().chain((1..60).step_by(3).map(Uuid::from_u128)) {
        assert_eq!(sessions.load(id, tenant, at(1)).await.unwrap().unwrap().state.as_slice(), b"late");
    }
    let first = sessions.load(taken, tenant, at(1)).await.unwrap().unwrap();
    assert_eq!(first.state.as_slice(), b"first");
    database.close().await;
}

pub(crate) async fn states_of_all_sizes_come_back(world: &World) {
    let (database, sessions) = sessions(world).await;
    let tenant = Uuid::new_v4();
    for length in [0, 1, 1000, 5000, 3 << 20] {
        let (id, state) = (Uuid::new_v4(), vec![7u8; length]);
        sessions.create(new(id, tenant, &state, &[]), at(1)).await.unwrap();
        let stored = sessions.load(id, tenant, at(1)).await.unwrap().unwrap();
        assert_eq!(stored.state.len(), length);
        assert!(*stored.state == state, "{length}");
    }
    database.close().await;
}

pub(crate) async fn sessions_are_bound_to_another_server(world: &World) {
    let (database, sessions) = sessions(world).await;
    let (id, tenant, to) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    sessions.create(new(id, tenant, b"state", &[]), at(1)).await.unwrap();
    assert_eq!(sessions.rebind(Uuid::new_v4(), SERVER, to).await.unwrap(), 0, "other tenant");
    assert_eq!(sessions.rebind(tenant, SERVER, to).await.unwrap(), 1);
    assert_eq!(sessions.load(id, tenant, at(1)).await.unwrap().unwrap().meta.server, to);
    database.close().await;
}
