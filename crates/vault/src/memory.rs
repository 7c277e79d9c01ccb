//! The vault of a gateway that keeps nothing: values live in this process and are wiped when it ends.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

use cloakgate_cloak::{Entry, Form, Interned, KnownValue, Vault, VaultError, VaultFuture, Version, Wanted};
use cloakgate_vocab::{Category, Sensitive, SessionId, Spelling, TokenId};

/// Values that one session may hold, all spellings counted.
pub const MAX_SESSION_ENTRIES: usize = 1_000_000;

/// Keeps sessions in memory.
#[derive(Debug)]
pub struct MemoryVault {
    sessions: Mutex<HashMap<SessionId, Session>>,
    max_entries: usize,
}

#[derive(Debug, Default)]
struct Session {
    numbers: HashMap<(Category, Sensitive), u32>,
    next_number: HashMap<Category, u32>,
    spellings: HashMap<(Category, u32), Spellings>,
    entries: usize,
    /// In the order of admission; the version is its length.
    known: Vec<KnownValue>,
    known_set: HashSet<KnownValue>,
}

#[derive(Debug, Default)]
struct Spellings {
    index: HashMap<Form, u32>,
    entries: Vec<Entry>,
}

impl Default for MemoryVault {
    fn default() -> Self {
        Self::with_limit(MAX_SESSION_ENTRIES)
    }
}

impl MemoryVault {
    /// A vault whose sessions hold at most `max_entries` values each.
    #[must_use]
    pub fn with_limit(max_entries: usize) -> Self {
        Self { sessions: Mutex::new(HashMap::new()), max_entries }
    }

    fn with_session<T>(&self, session: &SessionId, work: impl FnOnce(&mut Session) -> T) -> T {
        // A panic while the lock is held cannot leave a session half-changed in a way that matters: the worst
        // is a number that nobody got.
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        work(sessions.entry(session.clone()).or_default())
    }
}

impl Session {
    fn intern(&mut self, wanted: Wanted, max: usize) -> Option<TokenId> {
        let Wanted { category, identity, form, source, known } = wanted;
        let number = match self.numbers.get(&(category, identity.clone())) {
            Some(number) => *number,
            None if self.entries >= max => return None,
            None => {
                let next = self.next_number.entry(category).or_default();
                let number = *next;
                *next = next.checked_add(1)?;
                self.numbers.insert((category, identity), number);
                number
            }
        };
        let spellings = self.spellings.entry((category, number)).or_default();
        let spelling = match spellings.index.get(&form) {
            Some(spelling) => *spelling,
            None if self.entries >= max => return None,
            None => {
                let spelling = u32::try_from(spellings.entries.len()).ok()?;
                let id = TokenId { category, number, spelling: Spelling::new(spelling) };
                spellings.entries.push(Entry { id, form: form.clone(), provenance: Vec::new() });
                spellings.index.insert(form, spelling);
                self.entries += 1;
                spelling
            }
        };
        if let Some(entry) = spellings.entries.get_mut(spelling as usize)
            && !entry.provenance.contains(&source)
        {
            entry.provenance.push(source);
        }
        if let Some(known) = known
            && self.known_set.insert(known.clone())
        {
            self.known.push(known);
        }
        Some(TokenId { category, number, spelling: Spelling::new(spelling) })
    }

    fn resolve(&self, id: TokenId) -> Option<Entry> {
        self.spellings.get(&(id.category, id.number))?.entries.get(id.spelling.index() as usize).cloned()
    }
}

impl Vault for MemoryVault {
    fn intern<'a>(
        &'a self,
        session: &'a SessionId,
        since: Version,
        wanted: Vec<Wanted>,
    ) -> VaultFuture<'a, Interned> {
        let answer =
            self.with_session(session, |stored| {
                let mut ids = Vec::with_capacity(wanted.len());
                for want in wanted {
                    ids.push(stored.intern(want, self.max_entries).ok_or_else(|| VaultError::Full {
                        session: session.clone(),
                        max: self.max_entries,
                    })?);
                }
                let seen = usize::try_from(since.0).unwrap_or(usize::MAX);
                let known = stored.known.get(seen..).unwrap_or_default().to_vec();
                Ok(Interned { ids, known, version: Version(stored.known.len() as u64) })
            });
        Box::pin(std::future::ready(answer))
    }

    fn resolve<'a>(
        &'a self,
        session: &'a SessionId,
        ids: Vec<TokenId>,
    ) -> VaultFuture<'a, Vec<Option<Entry>>> {
        let entries =
            self.with_session(session, |stored| ids.into_iter().map(|id| stored.resolve(id)).collect());
        Box::pin(std::future::ready(Ok(entries)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Category, Form, MemoryVault, Sensitive, SessionId, Vault, Version, Wanted};
    use cloakgate_cloak::{Source, VaultError};

    fn want(identity: &str, value: &str, source: Source) -> Wanted {
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

    #[tokio::test]
    async fn equal_wants_get_equal_ids_and_spellings_share_a_number() {
        let vault = MemoryVault::default();
        let session: SessionId = "s".parse().unwrap();
        let wants = vec![
            want("a@x", "a@x", upstream("fs")),
            want("a@x", "A@x", upstream("fs")),
            want("b@x", "b@x", upstream("fs")),
            want("a@x", "a@x", upstream("db")),
        ];
        let ids = vault.intern(&session, Version::default(), wants).await.unwrap().ids;
        assert_eq!(ids[0], ids[3]);
        assert_eq!((ids[0].number, ids[1].number, ids[2].number), (0, 0, 1));
        assert_eq!(ids[1].spelling.index(), 1);

        let entries = vault.resolve(&session, vec![ids[0], ids[1]]).await.unwrap();
        let first = entries[0].as_ref().unwrap();
        assert_eq!(first.provenance, [upstream("fs"), upstream("db")]);
        let second = entries[1].as_ref().unwrap();
        assert_eq!(second.form.value.expose(), "A@x");
        assert_eq!(second.provenance, [upstream("fs")], "provenance is of the spelling, not of the identity");
    }

    #[tokio::test]
    async fn sessions_do_not_see_each_other() {
        let vault = MemoryVault::default();
        let (one, two): (SessionId, SessionId) = ("one".parse().unwrap(), "two".parse().unwrap());
        let ids = vault
            .intern(&one, Version::default(), vec![want("a@x", "a@x", Source::Client)])
            .await
            .unwrap()
            .ids;
        assert!(vault.resolve(&two, ids).await.unwrap()[0].is_none());
    }

    #[tokio::test]
    async fn a_full_session_says_so_and_keeps_what_it_has() {
        let vault = MemoryVault::with_limit(1);
        let session: SessionId = "s".parse().unwrap();
        let first = vault
            .intern(&session, Version::default(), vec![want("a@x", "a@x", Source::Client)])
            .await
            .unwrap();
        let again =
            vault.intern(&session, Version::default(), vec![want("b@x", "b@x", Source::Client)]).await;
        assert!(matches!(again, Err(VaultError::Full { max: 1, .. })));
        let same = vault
            .intern(&session, Version::default(), vec![want("a@x", "a@x", Source::Client)])
            .await
            .unwrap();
        assert_eq!(first.ids, same.ids);
    }
}
