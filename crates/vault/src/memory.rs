//! The vault of a gateway that keeps nothing: values live in this process and are wiped when it ends.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use cloakgate_cloak::{
    Entry, Form, Interned, KnownValue, Source, Vault, VaultError, VaultFuture, Version, Wanted,
};
use cloakgate_vocab::{Category, Sensitive, SessionId, Spelling, TokenId, UpstreamName};

use crate::numbers::{NumberError, NumberSource};

/// Values that one session may hold, all spellings counted.
pub const MAX_SESSION_ENTRIES: usize = 1_000_000;
/// Numbers that are reserved at once where a number source keeps them.
const NUMBER_BLOCK: u32 = 256;

/// How much the vault holds.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Values of one session, all spellings counted.
    pub session: usize,
    /// Values that one upstream may bring; an upstream that is not named has no limit of its own.
    pub upstreams: HashMap<UpstreamName, usize>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { session: MAX_SESSION_ENTRIES, upstreams: HashMap::new() }
    }
}

/// Keeps sessions in memory.
#[derive(Debug, Default)]
pub struct MemoryVault {
    sessions: Mutex<HashMap<SessionId, Session>>,
    limits: Limits,
    numbers: Option<Box<dyn NumberSource>>,
}

#[derive(Debug, Default)]
struct Session {
    numbers: HashMap<(Category, Sensitive), u32>,
    free_numbers: HashMap<Category, Range<u32>>,
    spellings: HashMap<(Category, u32), Spellings>,
    entries: usize,
    brought: HashMap<UpstreamName, usize>,
    /// In the order of admission; the version is its length.
    known: Vec<KnownValue>,
    known_set: HashSet<KnownValue>,
}

#[derive(Debug, Default)]
struct Spellings {
    index: HashMap<Form, u32>,
    entries: Vec<Entry>,
}

impl MemoryVault {
    /// A vault with these limits, whose numbers start at 0 with each session.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// The same, with numbers from a source that never repeats one.
    #[must_use]
    pub fn with_numbers(self, numbers: Box<dyn NumberSource>) -> Self {
        Self { numbers: Some(numbers), ..self }
    }

    fn with_session<T>(&self, session: &SessionId, work: impl FnOnce(&mut Session) -> T) -> T {
        // A panic while the lock is held cannot leave a session half-changed in a way that matters: the worst
        // is a number that nobody got.
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        work(sessions.entry(session.clone()).or_default())
    }
}

/// Where new values come in: limits and numbers of the vault.
struct Intake<'a> {
    session: &'a SessionId,
    limits: &'a Limits,
    numbers: Option<&'a dyn NumberSource>,
}

impl Session {
    fn intern(&mut self, wanted: Wanted, intake: &Intake<'_>) -> Result<TokenId, VaultError> {
        let Wanted { category, identity, form, source, known } = wanted;
        let identified = (category, identity);
        let number = match self.numbers.get(&identified) {
            Some(number) => *number,
            None => {
                self.check_room(&source, intake)?;
                let number = self.next_number(category, intake.numbers)?;
                self.numbers.insert(identified, number);
                number
            }
        };
        let spelling = match self.spellings.get(&(category, number)).and_then(|known| known.index.get(&form))
        {
            Some(spelling) => *spelling,
            None => self.new_spelling((category, number), form, &source, intake)?,
        };
        if let Some(entry) =
            self.spellings.get_mut(&(category, number)).and_then(|all| all.entries.get_mut(spelling as usize))
            && !entry.provenance.contains(&source)
        {
            entry.provenance.push(source);
        }
        if let Some(known) = known
            && self.known_set.insert(known.clone())
        {
            self.known.push(known);
        }
        Ok(TokenId { category, number, spelling: Spelling::new(spelling) })
    }

    fn new_spelling(
        &mut self,
        (category, number): (Category, u32),
        form: Form,
        source: &Source,
        intake: &Intake<'_>,
    ) -> Result<u32, VaultError> {
        self.check_room(source, intake)?;
        self.entries += 1;
        if let Source::Upstream(upstream) = source {
            *self.brought.entry(upstream.clone()).or_default() += 1;
        }
        let spellings = self.spellings.entry((category, number)).or_default();
        // There are at most as many spellings as entries, which `check_room` bounds.
        let spelling = u32::try_from(spellings.entries.len()).unwrap_or(u32::MAX);
        let id = TokenId { category, number, spelling: Spelling::new(spelling) };
        spellings.entries.push(Entry { id, form: form.clone(), provenance: Vec::new() });
        spellings.index.insert(form, spelling);
        Ok(spelling)
    }

    fn check_room(&self, source: &Source, intake: &Intake<'_>) -> Result<(), VaultError> {
        if self.entries >= intake.limits.session {
            return Err(VaultError::Full { session: intake.session.clone(), max: intake.limits.session });
        }
        if let Source::Upstream(upstream) = source
            && let Some(max) = intake.limits.upstreams.get(upstream)
            && self.brought.get(upstream).is_some_and(|brought| brought >= max)
        {
            return Err(VaultError::UpstreamFull { upstream: upstream.clone(), max: *max });
        }
        Ok(())
    }

    fn next_number(
        &mut self,
        category: Category,
        numbers: Option<&dyn NumberSource>,
    ) -> Result<u32, VaultError> {
        let all = if numbers.is_some() { 0..0 } else { 0..u32::MAX };
        let free = self.free_numbers.entry(category).or_insert(all);
        if free.start == free.end
            && let Some(numbers) = numbers
        {
            let reserved = numbers.reserve(category, NUMBER_BLOCK);
            *free = reserved.map_err(|error| VaultError::Store(Box::new(error)))?;
        }
        free.next().ok_or_else(|| VaultError::Store(Box::new(NumberError::Exhausted(category))))
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
        let intake = Intake { session, limits: &self.limits, numbers: self.numbers.as_deref() };
        let answer = self.with_session(session, |stored| {
            let ids =
                wanted.into_iter().map(|want| stored.intern(want, &intake)).collect::<Result<_, _>>()?;
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
    use super::{Category, Form, Limits, MemoryVault, Sensitive, SessionId, Source, Vault, Version, Wanted};
    use cloakgate_cloak::VaultError;

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
        let vault = MemoryVault::new(Limits { session: 1, ..Limits::default() });
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

    #[tokio::test]
    async fn an_upstream_at_its_limit_fails_alone() {
        let limits = Limits { upstreams: [("web".parse().unwrap(), 2)].into(), ..Limits::default() };
        let vault = MemoryVault::new(limits);
        let session: SessionId = "s".parse().unwrap();
        let want_from = |value: &str, name: &str| vec![want(value, value, upstream(name))];
        for value in ["a@x", "b@x", "b@x"] {
            vault.intern(&session, Version::default(), want_from(value, "web")).await.unwrap();
        }
        let over = vault.intern(&session, Version::default(), want_from("c@x", "web")).await;
        assert!(matches!(over, Err(VaultError::UpstreamFull { max: 2, .. })));
        vault.intern(&session, Version::default(), want_from("c@x", "fs")).await.unwrap();
        vault.intern(&session, Version::default(), want_from("c@x", "web")).await.unwrap();
    }
}
