//! The port to whatever keeps the values: it hands out ids and gives entries back.
//!
//! Invariant: an entry never changes once it is made; provenance only grows. Not here: writing text, keys of
//! tokens, any store.

use std::future::Future;
use std::pin::Pin;

use cloakgate_detect::KnownValue;
use cloakgate_vocab::{Category, Sensitive, SessionId, TokenId, UpstreamName};

use crate::Place;

/// A future of the port; boxed so that stores can be chosen at start.
pub type VaultFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, VaultError>> + Send + 'a>>;

/// State of a session's known values: rises whenever one is added.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct Version(pub u64);

/// Who first brought a value into the session.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum Source {
    /// A server's message.
    Upstream(UpstreamName),
    /// The model or its user wrote it.
    Client,
}

/// One exact form of a value.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Form {
    /// The value as decoded by its view.
    pub value: Sensitive,
    /// The form in which it stood, kept only where encoding `value` for its place would not give it back.
    pub raw: Option<RawForm>,
}

/// A value's form in its place of origin.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct RawForm {
    /// The characters that stood there.
    pub text: Sensitive,
    /// Where it stood; `None` means that the raw form is restored everywhere.
    pub home: Option<Place>,
}

/// A value that wants a token.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Kind of value.
    pub category: Category,
    /// Canonical form: equal in one category means the same identity.
    pub identity: Sensitive,
    /// Its exact form here.
    pub form: Form,
    /// Who brought it.
    pub source: Source,
    /// How it is recognised from now on, where the admission rule allows.
    pub known: Option<KnownValue>,
}

/// The answer to a batch of wants.
#[derive(Clone, Debug)]
pub struct Interned {
    /// One id a want, in order.
    pub ids: Vec<TokenId>,
    /// Known values that the asker has not seen, its own included.
    pub known: Vec<KnownValue>,
    /// State after the batch.
    pub version: Version,
}

/// What a token stands for.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which token.
    pub id: TokenId,
    /// The exact form.
    pub form: Form,
    /// Who brought this spelling, in order of first sight.
    pub provenance: Vec<Source>,
}

impl Entry {
    /// True when this very spelling came from `upstream`, or the client wrote it.
    #[must_use]
    pub fn is_home(&self, upstream: &UpstreamName) -> bool {
        self.provenance.iter().any(|source| match source {
            Source::Upstream(name) => name == upstream,
            Source::Client => true,
        })
    }
}

/// Why the vault could not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VaultError {
    /// The session holds as many entries as it may.
    #[error("session {session} is full: it may hold {max} values")]
    Full {
        /// The session that is full.
        session: SessionId,
        /// The limit.
        max: usize,
    },
    /// One upstream has brought as many values as it may; the others go on.
    #[error("upstream `{upstream}` has brought {max} values, and may bring no more")]
    UpstreamFull {
        /// The upstream that is at its limit.
        upstream: UpstreamName,
        /// The limit.
        max: usize,
    },
    /// The store behind the port failed.
    #[error("the store failed")]
    Store(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The port. Each call is one batched round trip.
pub trait Vault: Send + Sync {
    /// Hands out ids for `wanted`, in order; equal wants get equal ids. Also returns the known values that are
    /// newer than `since`.
    fn intern<'a>(
        &'a self,
        session: &'a SessionId,
        since: Version,
        wanted: Vec<Wanted>,
    ) -> VaultFuture<'a, Interned>;

    /// Looks up `ids`; an id that the session never handed out gives `None` in its place.
    fn resolve<'a>(
        &'a self,
        session: &'a SessionId,
        ids: Vec<TokenId>,
    ) -> VaultFuture<'a, Vec<Option<Entry>>>;
}
