//! Texts that are cloaked and uncloaked for servers.
//!
//! In: a server's context, texts, ids of sessions. Out: cloaked texts with the id that uncloaks them, and texts with
//! their values. Invariant: an id opens a session only for the server that it is bound to; an answer with an id is given
//! only when the session is stored for good; what fails gives no text at all. Values are never logged.
//! Not here: who calls, the forms of requests and answers.

mod error;
mod finders;
mod job;
mod kept;
mod pool;
mod turns;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use cloakgate_cloak::text::{self, Field, Mode, TextSession, Today, Uncloaked};
use cloakgate_names::Readers;
use cloakgate_vault::{
    Extended, Extension, Lifetime, LookupKey, Moment, NewSession, RegionName, Regions, Sessions, ValueHash,
};
use cloakgate_vocab::Sensitive;
use ring::rand::{SecureRandom, SystemRandom};
use uuid::{Builder, Uuid};
use zeroize::Zeroizing;

pub use error::TextsError;
pub use pool::Lost;

use self::finders::Finders;
use self::job::{Done, Job};
use self::kept::{Kept, Opened};
use self::pool::Pool;
use self::turns::Turns;
use crate::context::{ServerContext, SettingsInForce};

/// Longest message in bytes when no setting says otherwise; several of one call count together.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;
/// Most messages of one call.
pub const MAX_MESSAGES: usize = 10_000;
/// How often an extension is tried when other processes are first. Each time one of them is, and it is even odds who is
/// next, so that this many are never needed by chance.
const MAX_TRIES: u32 = 32;
/// Shorter texts are read where they came in, unless names are read in them: that takes less than a turn may.
const SHORT_BYTES: usize = 8 << 10;

/// Cloaks and uncloaks.
pub struct Texts {
    regions: Arc<Regions>,
    finders: Finders,
    kept: Kept,
    pool: Pool,
    turns: Turns,
    random: SystemRandom,
    max_message_bytes: usize,
}

/// Texts that were cloaked.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct CloakedTexts {
    /// One for each message, in their order.
    pub texts: Vec<String>,
    /// What uncloaks them.
    pub id: Uuid,
    /// How many values of each field were replaced.
    pub counts: BTreeMap<Field, u32>,
    /// When the session ends, if it does, unless it is used before.
    pub expires_at: Option<Moment>,
}

/// What a session is stored as.
struct Written {
    state: Zeroizing<Vec<u8>>,
    /// Hashes of the values that it did not have before, by which they are found when they are to be erased.
    hashes: Vec<ValueHash>,
}

/// A session that a caller may use.
struct Session {
    id: Uuid,
    opened: Arc<Opened>,
    expires_at: Option<Moment>,
}

impl Texts {
    /// Texts whose sessions are in these regions. Settings may ask for names only as these readers can find them.
    ///
    /// # Errors
    /// When the machine gives no randomness.
    pub fn new(regions: Arc<Regions>, readers: Readers) -> Result<Self, TextsError> {
        Ok(Self {
            regions,
            finders: Finders::new(readers).ok_or(TextsError::Randomness)?,
            kept: Kept::new(),
            pool: Pool::new(),
            turns: Turns::new(),
            random: SystemRandom::new(),
            max_message_bytes: MAX_MESSAGE_BYTES,
        })
    }

    /// The same, with messages of at most so many bytes.
    #[must_use]
    pub fn with_max_message_bytes(self, max_message_bytes: usize) -> Self {
        Self { max_message_bytes, ..self }
    }

    /// Cloaks messages by the settings of a server, in a new session or in that of an id.
    ///
    /// # Errors
    /// When the id opens nothing, the messages are too long, the settings refuse them, or anything fails.
    pub async fn cloak(
        &self,
        server: &ServerContext,
        messages: Vec<String>,
        id: Option<&str>,
    ) -> Result<CloakedTexts, TextsError> {
        let length = messages.iter().map(String::len).sum();
        self.check_length(length, messages.len())?;
        let settings = server.settings.as_ref().ok_or(TextsError::NoSettings)?;
        let finder = self.finders.of(settings)?;
        let job = Job::new(messages, Arc::clone(&settings.profile), finder, today()?);
        let sessions = self.sessions(server)?;
        match id {
            None => self.begin(server, settings, &sessions, job).await,
            Some(id) => self.extend(server, &sessions, job, id).await,
        }
    }

    /// Puts the values of a session that the key may see back into a text.
    ///
    /// # Errors
    /// When the id opens nothing, the text is too long, or anything fails.
    pub async fn uncloak(
        &self,
        server: &ServerContext,
        (message, id): (&str, &str),
        mode: Mode,
    ) -> Result<Uncloaked, TextsError> {
        self.check_length(message.len(), 1)?;
        let access = server.access;
        let opened = self.open(server, &self.sessions(server)?, id).await?.opened;
        if message.len() <= SHORT_BYTES && opened.bytes <= SHORT_BYTES {
            return Ok(text::uncloak_for(access, message, &opened.session, mode));
        }
        let message = Zeroizing::new(message.to_owned());
        Ok(self.pool.run(move || text::uncloak_for(access, &message, &opened.session, mode)).await?)
    }

    /// Wipes what is held in memory. To be called after sessions were erased.
    pub fn forget(&self) {
        self.kept.clear();
    }

    async fn begin(
        &self,
        server: &ServerContext,
        settings: &SettingsInForce,
        sessions: &Sessions,
        job: Job,
    ) -> Result<CloakedTexts, TextsError> {
        let mut key = [0; 32];
        self.random.fill(&mut key).map_err(|_| TextsError::Randomness)?;
        let now = Moment::now();
        let id = self.new_id(now)?;
        let done = self.work(job, TextSession::new(key)).await?;
        let written = self.written(server, &done.session, None).await?;
        let new = NewSession {
            id,
            tenant: server.tenant,
            server: server.server,
            settings: settings.id,
            state: &written.state,
            values: &written.hashes,
            lifetime: settings.lifetime.map_or(Lifetime::Endless, Lifetime::Sliding),
        };
        sessions.create(new, now).await?;
        self.kept.keep(id, Opened { version: 1, bytes: written.state.len(), session: done.session });
        let expires_at = settings.lifetime.map(|lifetime| now.after(lifetime));
        Ok(CloakedTexts { texts: done.texts, id, counts: done.counts, expires_at })
    }

    /// An id of version 7: 74 bits that nobody guesses, behind the moment, so that what is stored together lies together.
    fn new_id(&self, now: Moment) -> Result<Uuid, TextsError> {
        let mut random = [0; 10];
        self.random.fill(&mut random).map_err(|_| TextsError::Randomness)?;
        let millis = u64::try_from(now.millis()).map_err(|_| TextsError::Clock)?;
        Ok(Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
    }

    async fn extend(
        &self,
        server: &ServerContext,
        sessions: &Sessions,
        job: Job,
        id: &str,
    ) -> Result<CloakedTexts, TextsError> {
        let _turn = self.turns.take(session_id(id).ok_or(TextsError::UnknownSession)?).await?;
        for _ in 0..MAX_TRIES {
            let Session { id, opened, expires_at } = self.open(server, sessions, id).await?;
            let done = self.work(job.clone(), opened.session.clone()).await?;
            let written = self.written(server, &done.session, Some(&opened.session)).await?;
            let extension =
                Extension { from: opened.version, state: &written.state, values: &written.hashes };
            match sessions.extend(id, server.tenant, extension, Moment::now()).await? {
                Extended::To(version) => {
                    self.kept.keep(id, Opened { version, bytes: written.state.len(), session: done.session });
                    return Ok(CloakedTexts { texts: done.texts, id, counts: done.counts, expires_at });
                }
                Extended::Conflict => {}
                Extended::Gone => return Err(TextsError::UnknownSession),
            }
        }
        Err(TextsError::Contended)
    }

    /// The session of an id, if the server may use it.
    async fn open(
        &self,
        server: &ServerContext,
        sessions: &Sessions,
        id: &str,
    ) -> Result<Session, TextsError> {
        let id = session_id(id).ok_or(TextsError::UnknownSession)?;
        if let Some(opened) = self.kept.of(id) {
            let meta = sessions.look_up(id, server.tenant, Moment::now()).await?;
            let meta = meta.filter(|meta| meta.server == server.server).ok_or(TextsError::UnknownSession)?;
            if meta.version == opened.version {
                return Ok(Session { id, opened, expires_at: meta.expires_at });
            }
        }
        let stored = sessions.load(id, server.tenant, Moment::now()).await?;
        // Another server's session costs the same look-up as one that there is not.
        let stored = stored.filter(|stored| stored.meta.server == server.server);
        let stored = stored.ok_or(TextsError::UnknownSession)?;
        let (version, expires_at) = (stored.meta.version, stored.meta.expires_at);
        let bytes = stored.state.len();
        let session = if bytes <= SHORT_BYTES {
            TextSession::from_bytes(&stored.state)
        } else {
            self.pool.run(move || TextSession::from_bytes(&stored.state)).await?
        };
        let session = session.map_err(TextsError::Session)?;
        Ok(Session { id, opened: self.kept.keep(id, Opened { version, bytes, session }), expires_at })
    }

    /// Cloaks, here where that is soon done.
    async fn work(&self, job: Job, session: TextSession) -> Result<Done, TextsError> {
        if job.is_short(SHORT_BYTES) {
            return job.run(session);
        }
        self.pool.run(move || job.run(session)).await?
    }

    async fn written(
        &self,
        server: &ServerContext,
        session: &TextSession,
        before: Option<&TextSession>,
    ) -> Result<Written, TextsError> {
        let key = self.regions.database(&region(server)?)?.lookup_key(server.tenant).await?;
        let state = Zeroizing::new(session.to_bytes());
        Ok(Written { state, hashes: new_values(session, before, &key) })
    }

    fn sessions(&self, server: &ServerContext) -> Result<Sessions, TextsError> {
        Ok(self.regions.sessions(&region(server)?)?)
    }

    fn check_length(&self, bytes: usize, messages: usize) -> Result<(), TextsError> {
        if messages > MAX_MESSAGES {
            return Err(TextsError::TooMany { max: MAX_MESSAGES });
        }
        if bytes > self.max_message_bytes {
            return Err(TextsError::TooLong { max: self.max_message_bytes });
        }
        Ok(())
    }
}

/// Hashes of the values that a session did not have before.
fn new_values(session: &TextSession, before: Option<&TextSession>, key: &LookupKey) -> Vec<ValueHash> {
    let known: HashSet<&Sensitive> =
        before.into_iter().flat_map(TextSession::originals).map(|(_, value)| value).collect();
    let new = session.originals().map(|(_, value)| value).filter(|value| !known.contains(value));
    // Values are looked at to be found again by whoever asks for their erasure.
    let mut hashes: Vec<ValueHash> = new.map(|value| key.hash(value.expose())).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

fn region(server: &ServerContext) -> Result<RegionName, TextsError> {
    Ok(server.region.parse()?)
}

/// An id as it is written in answers, and in no other way.
fn session_id(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok().filter(|id| id.hyphenated().encode_lower(&mut Uuid::encode_buffer()) == text)
}

fn today() -> Result<Today, TextsError> {
    let date = jiff::tz::Offset::UTC.to_datetime(jiff::Timestamp::now()).date();
    let part = |number: i8| u8::try_from(number).ok();
    let year = u16::try_from(date.year()).ok();
    let today = year.zip(part(date.month())).zip(part(date.day()));
    today.and_then(|((year, month), day)| Today::new(year, month, day)).ok_or(TextsError::Clock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = "67e55044-10b1-426f-9247-bb680e5fe0c8";
        assert_eq!(session_id(id).map(|id| id.to_string()).as_deref(), Some(id));
        for other in
            ["", "abc-123-uuid", "67E55044-10B1-426F-9247-BB680E5FE0C8", "67e5504410b1426f9247bb680e5fe0c8"]
        {
            assert_eq!(session_id(other), None, "{other}");
        }
    }
}
