//! How much a server may get and bring: limits on what a hostile one can gather or flood.
//!
//! Invariant: a third party has less by default; what the file says counts as it stands.

use super::choices::Trust;

/// What a server has where the file says nothing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Defaults {
    pub(super) foreign_tokens_per_call: usize,
    pub(super) foreign_tokens_per_minute: usize,
    pub(super) fresh_values_per_call: usize,
    pub(super) entries: usize,
}

/// A server of the operator's own.
const OWN: Defaults = Defaults {
    foreign_tokens_per_call: 64,
    foreign_tokens_per_minute: 600,
    fresh_values_per_call: 50,
    entries: 200_000,
};
/// Somebody else's.
const THIRD_PARTY: Defaults =
    Defaults { foreign_tokens_per_call: 8, foreign_tokens_per_minute: 60, entries: 50_000, ..OWN };

pub(super) const fn defaults(trust: Trust) -> Defaults {
    match trust {
        Trust::Local | Trust::Trusted => OWN,
        Trust::ThirdParty => THIRD_PARTY,
    }
}
