//! Takes a batch of wants into an open session.
//!
//! In: wants, and a session that is locked. Out: their ids, and the known values that the asker has not seen. What is there
//! already is read first, in one statement a kind; what is new is then decided in memory and written, again in one
//! statement a kind. Invariant: a batch that does not fit is refused before anything of it is written.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::sync::Arc;

use cloakgate_cloak::{Form, Interned, KnownValue, Source, VaultError, Version, Wanted};
use cloakgate_vocab::{Category, SessionId, Spelling, TokenId, UpstreamName};
use uuid::Uuid;

use super::{Opened, ROWS, category_of, entry, entry_place, open_entry};
use crate::data_keys::Owner;
use crate::error::StoreError;
use crate::link::{Link, Row, Value, places, values};
use crate::memory::Limits;
use crate::numbers::NumberError;
use crate::seal::{Place, SealingKey};

type Hash = [u8; 16];

/// Wants of one session.
pub(super) struct Batch {
    pub(super) session: SessionId,
    pub(super) owner: Owner,
    /// Among what numbers are unique.
    pub(super) scope: Uuid,
    pub(super) limits: Arc<Limits>,
    pub(super) since: Version,
    pub(super) wanted: Vec<Wanted>,
}

/// What of the session the batch touches.
#[derive(Default)]
struct Touched {
    identities: HashMap<Hash, Identity>,
    entries: HashMap<Hash, Spelled>,
    known: HashMap<Hash, Option<KnownValue>>,
    /// Hashes of what is new, in the order of the wants.
    new_identities: Vec<Hash>,
    new_known: Vec<Hash>,
    brought: HashMap<UpstreamName, usize>,
}

struct Identity {
    category: Category,
    /// Not given yet where the identity is new.
    number: u32,
    spellings: u32,
    is_changed: bool,
}

struct Spelled {
    identity: Hash,
    spelling: u32,
    form: Form,
    provenance: Vec<Source>,
    is_changed: bool,
}

/// Hashes of one want.
struct Hashes {
    identity: Hash,
    form: Hash,
    known: Option<Hash>,
}

impl Batch {
    /// `Err` inside: the batch does not fit, and nothing was written.
    pub(super) async fn take_in(
        self,
        link: &mut Link,
        mut opened: Opened,
    ) -> Result<Result<Interned, VaultError>, StoreError> {
        let look = opened.key.derive("look-up");
        let hashes: Vec<Hashes> = self.wanted.iter().map(|want| hashes_of(&look, want)).collect();
        let mut touched = self.read(link, &opened.key, &hashes).await?;
        if let Err(full) = self.decide(&hashes, &mut touched, &mut opened) {
            return Ok(Err(full));
        }
        if let Err(exhausted) = self.number(link, &mut touched).await? {
            return Ok(Err(exhausted));
        }
        self.write(link, &touched, &mut opened).await?;
        let ids = hashes.iter().map(|hash| touched.id(hash.form)).collect::<Option<_>>();
        let ids = ids.ok_or(StoreError::Damaged { what: "session of a gateway", id: self.owner.id })?;
        let known = self.known_since(link, &opened).await?;
        Ok(Ok(Interned { ids, known, version: Version(opened.known) }))
    }

    async fn read(
        &self,
        link: &mut Link,
        key: &SealingKey,
        hashes: &[Hashes],
    ) -> Result<Touched, StoreError> {
        let mut touched = Touched::default();
        let sql = "SELECT category, number, spellings, hash FROM token_identities";
        for row in self.rows(link, sql, hashes.iter().map(|hash| hash.identity)).await? {
            let identity = Identity {
                category: category_of(&row.text(0)?)?,
                number: small(&row, 1)?,
                spellings: small(&row, 2)?,
                is_changed: false,
            };
            touched.identities.insert(row.array(3)?, identity);
        }
        let wanted: HashMap<Hash, Hash> = hashes.iter().map(|hash| (hash.form, hash.identity)).collect();
        let sql = "SELECT category, number, spelling, hash, sealed FROM token_entries";
        for row in self.rows(link, sql, hashes.iter().map(|hash| hash.form)).await? {
            let id = TokenId {
                category: category_of(&row.text(0)?)?,
                number: small(&row, 1)?,
                spelling: Spelling::new(small(&row, 2)?),
            };
            let hash: Hash = row.array(3)?;
            let stored = open_entry(key, self.owner, id, &row.bytes(4)?)?;
            let identity = wanted.get(&hash).copied().unwrap_or_default();
            let spelling = id.spelling.index();
            let (form, provenance) = (stored.form, stored.provenance);
            let spelled = Spelled { identity, spelling, form, provenance, is_changed: false };
            touched.entries.insert(hash, spelled);
        }
        let sql = "SELECT hash FROM token_known";
        for row in self.rows(link, sql, hashes.iter().filter_map(|hash| hash.known)).await? {
            touched.known.insert(row.array(0)?, None);
        }
        if !self.limits.upstreams.is_empty() {
            let sql = "SELECT upstream, entries FROM token_sources WHERE session = $1";
            for row in link.rows(sql, values![self.owner.id]).await? {
                let upstream = row.text(0)?.parse().map_err(|_| StoreError::Malformed { column: 0 })?;
                touched.brought.insert(upstream, usize::try_from(row.count(1)?).unwrap_or(usize::MAX));
            }
        }
        Ok(touched)
    }

    /// Rows of this session that have one of these hashes.
    async fn rows(
        &self,
        link: &mut Link,
        select: &str,
        hashes: impl Iterator<Item = Hash>,
    ) -> Result<Vec<Row>, StoreError> {
        let mut hashes: Vec<Hash> = hashes.collect();
        hashes.sort_unstable();
        hashes.dedup();
        let mut rows = Vec::new();
        for hashes in hashes.chunks(ROWS) {
            let places = places(2, hashes.len(), 1);
            let mut values = values![self.owner.id];
            values.extend(hashes.iter().map(|hash| Value::from(*hash)));
            rows.extend(
                link.rows(format!("{select} WHERE session = $1 AND hash IN ({places})"), values).await?,
            );
        }
        Ok(rows)
    }

    /// What each want becomes; numbers are still missing.
    fn decide(
        &self,
        hashes: &[Hashes],
        touched: &mut Touched,
        opened: &mut Opened,
    ) -> Result<(), VaultError> {
        for (want, hash) in self.wanted.iter().zip(hashes) {
            if !touched.entries.contains_key(&hash.form) {
                self.check_room(&want.source, touched, opened.entries)?;
                self.add_entry(want, hash, touched);
                opened.entries += 1;
            }
            if let Some(entry) = touched.entries.get_mut(&hash.form)
                && !entry.provenance.contains(&want.source)
            {
                entry.provenance.push(want.source.clone());
                entry.is_changed = true;
            }
            if let (Some(value), Some(hash)) = (&want.known, hash.known)
                && let Slot::Vacant(slot) = touched.known.entry(hash)
            {
                slot.insert(Some(value.clone()));
                touched.new_known.push(hash);
            }
        }
        Ok(())
    }

    fn add_entry(&self, want: &Wanted, hash: &Hashes, touched: &mut Touched) {
        let identity = touched.identities.entry(hash.identity).or_insert_with(|| {
            touched.new_identities.push(hash.identity);
            Identity { category: want.category, number: 0, spellings: 0, is_changed: true }
        });
        let spelling = identity.spellings;
        // There are at most as many spellings as entries, which the limits bound.
        identity.spellings = identity.spellings.saturating_add(1);
        identity.is_changed = true;
        let (form, provenance) = (want.form.clone(), Vec::new());
        let spelled = Spelled { identity: hash.identity, spelling, form, provenance, is_changed: true };
        touched.entries.insert(hash.form, spelled);
        if let Source::Upstream(upstream) = &want.source {
            *touched.brought.entry(upstream.clone()).or_default() += 1;
        }
    }

    fn check_room(&self, source: &Source, touched: &Touched, entries: usize) -> Result<(), VaultError> {
        if entries >= self.limits.session {
            return Err(VaultError::Full { session: self.session.clone(), max: self.limits.session });
        }
        if let Source::Upstream(upstream) = source
            && let Some(max) = self.limits.upstreams.get(upstream)
            && touched.brought.get(upstream).is_some_and(|brought| brought >= max)
        {
            return Err(VaultError::UpstreamFull { upstream: upstream.clone(), max: *max });
        }
        Ok(())
    }

    /// Gives numbers to the new identities: one statement for all of them.
    async fn number(
        &self,
        link: &mut Link,
        touched: &mut Touched,
    ) -> Result<Result<(), VaultError>, StoreError> {
        let mut counts: HashMap<Category, u32> = HashMap::new();
        for identity in touched.new_identities.iter().filter_map(|hash| touched.identities.get(hash)) {
            *counts.entry(identity.category).or_default() += 1;
        }
        if counts.is_empty() {
            return Ok(Ok(()));
        }
        let sql = format!(
            "INSERT INTO token_numbers (scope, category, next) VALUES {} \
             ON CONFLICT (scope, category) DO UPDATE SET next = token_numbers.next + excluded.next \
             RETURNING category, next",
            places(1, counts.len(), 3)
        );
        // In the same order everywhere, so that two batches do not wait for each other.
        let mut ordered: Vec<_> = counts.iter().map(|(category, count)| (category.name(), *count)).collect();
        ordered.sort_unstable();
        let values =
            ordered.into_iter().flat_map(|(name, count)| values![self.scope, name, i64::from(count)]);
        let mut next: HashMap<Category, u32> = HashMap::new();
        for row in link.rows(sql, values.collect()).await? {
            let category = category_of(&row.text(0)?)?;
            let count = counts.get(&category).copied().unwrap_or_default();
            let Ok(end) = u32::try_from(row.number(1)?) else {
                return Ok(Err(VaultError::Store(Box::new(NumberError::Exhausted(category)))));
            };
            next.insert(category, end.saturating_sub(count));
        }
        for hash in &touched.new_identities {
            if let Some(identity) = touched.identities.get_mut(hash)
                && let Some(next) = next.get_mut(&identity.category)
            {
                identity.number = *next;
                *next += 1;
            }
        }
        Ok(Ok(()))
    }

    async fn write(&self, link: &mut Link, touched: &Touched, opened: &mut Opened) -> Result<(), StoreError> {
        let session = self.owner.id;
        let changed = touched.identities.iter().filter(|(_, identity)| identity.is_changed);
        let rows = changed.map(|(hash, identity)| {
            let (number, spellings) = (i64::from(identity.number), i64::from(identity.spellings));
            values![session, *hash, identity.category.name(), number, spellings]
        });
        let end = "ON CONFLICT (session, hash) DO UPDATE SET spellings = excluded.spellings";
        let into = "token_identities (session, hash, category, number, spellings)";
        insert_all(link, (into, end), rows.collect()).await?;

        let mut rows = Vec::new();
        for (hash, entry) in touched.entries.iter().filter(|(_, entry)| entry.is_changed) {
            let Some(id) = touched.id(*hash) else { continue };
            let bytes = entry::write(&entry.form, &entry.provenance);
            let sealed = opened.key.seal(&bytes, &entry_place(self.owner, id))?;
            let mut row = values![session, *hash];
            row.extend(super::token_values(id));
            row.push(Value::from(sealed));
            rows.push(row);
        }
        let end = "ON CONFLICT (session, hash) DO UPDATE SET sealed = excluded.sealed";
        let into = "token_entries (session, hash, category, number, spelling, sealed)";
        insert_all(link, (into, end), rows).await?;

        let mut rows = Vec::new();
        for hash in &touched.new_known {
            let Some(Some(value)) = touched.known.get(hash) else { continue };
            opened.known += 1;
            let sealed = opened.key.seal(&value.to_bytes(), &known_place(self.owner, opened.known))?;
            rows.push(values![session, number(opened.known)?, *hash, sealed]);
        }
        insert_all(link, ("token_known (session, version, hash, sealed)", ""), rows).await?;

        if !self.limits.upstreams.is_empty() {
            let rows = touched.brought.iter().map(|(upstream, entries)| {
                values![session, upstream.as_str(), i64::try_from(*entries).unwrap_or(i64::MAX)]
            });
            let end = "ON CONFLICT (session, upstream) DO UPDATE SET entries = excluded.entries";
            insert_all(link, ("token_sources (session, upstream, entries)", end), rows.collect()).await?;
        }
        let sql = "UPDATE token_sessions SET entries = $1, known = $2 WHERE id = $3";
        let entries = i64::try_from(opened.entries).unwrap_or(i64::MAX);
        link.execute(sql, values![entries, number(opened.known)?, session]).await.map(drop)
    }

    async fn known_since(&self, link: &mut Link, opened: &Opened) -> Result<Vec<KnownValue>, StoreError> {
        if self.since.0 >= opened.known {
            return Ok(Vec::new());
        }
        let sql =
            "SELECT version, sealed FROM token_known WHERE session = $1 AND version > $2 ORDER BY version";
        let rows = link.rows(sql, values![self.owner.id, number(self.since.0)?]).await?;
        let damaged = || StoreError::Damaged { what: "a known value of session", id: self.owner.id };
        rows.iter()
            .map(|row| {
                let place = known_place(self.owner, row.count(0)?);
                let bytes = opened.key.open(&row.bytes(1)?, &place).map_err(|_| damaged())?;
                KnownValue::from_bytes(&bytes).ok_or_else(damaged)
            })
            .collect()
    }
}

impl Touched {
    fn id(&self, form: Hash) -> Option<TokenId> {
        let entry = self.entries.get(&form)?;
        let Identity { category, number, .. } = *self.identities.get(&entry.identity)?;
        Some(TokenId { category, number, spelling: Spelling::new(entry.spelling) })
    }
}

async fn insert_all(
    link: &mut Link,
    (into, end): (&str, &str),
    rows: Vec<Vec<Value>>,
) -> Result<(), StoreError> {
    let columns = rows.first().map_or(0, Vec::len);
    for rows in rows.chunks(ROWS) {
        let sql = format!("INSERT INTO {into} VALUES {} {end}", places(1, rows.len(), columns));
        link.execute(sql, rows.iter().flatten().cloned().collect()).await?;
    }
    Ok(())
}

fn hashes_of(look: &SealingKey, want: &Wanted) -> Hashes {
    // Hashed under a key, so that nothing is told of the value.
    let identity =
        look.hash(&[b"identity", want.category.name().as_bytes(), want.identity.expose().as_bytes()]);
    let form = entry::write(&want.form, &[]);
    let known = want.known.as_ref().map(|value| look.hash(&[b"known", &value.to_bytes()]));
    Hashes { identity, form: look.hash(&[b"form", &identity, &form]), known }
}

fn known_place(owner: Owner, version: u64) -> Place {
    Place::new("known value").with(owner.id.as_bytes()).number(version)
}

fn small(row: &Row, column: usize) -> Result<u32, StoreError> {
    u32::try_from(row.number(column)?).map_err(|_| StoreError::Malformed { column })
}

fn number(count: u64) -> Result<i64, StoreError> {
    i64::try_from(count).map_err(|_| StoreError::Malformed { column: 0 })
}
