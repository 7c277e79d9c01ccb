//! How much a door lets in, and from where.

use std::time::Duration;

use super::gate::Gate;

/// Longest body in bytes when no setting says otherwise: what both official SDKs take.
pub const MAX_BODY_BYTES: usize = 4 << 20;
/// How long a body may take to come when no setting says otherwise.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long an endpoint may take to answer one message when no setting says otherwise.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);
/// Requests under way at once when no setting says otherwise; further ones are asked to come again.
pub const MAX_CONCURRENT: usize = 256;
/// Most messages in one array.
pub const MAX_BATCH_MESSAGES: usize = 100;
/// Seconds after which whoever found the door busy may come again.
pub const RETRY_AFTER_S: u64 = 1;

/// Rules of a door.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Hosts and origins that may call.
    pub gate: Gate,
    /// Longest body in bytes.
    pub max_body_bytes: usize,
    /// How long a body may take to come.
    pub body_timeout: Duration,
    /// How long one message may take to be answered.
    pub answer_timeout: Duration,
    /// Requests under way at once.
    pub max_concurrent: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gate: Gate::default(),
            max_body_bytes: MAX_BODY_BYTES,
            body_timeout: BODY_TIMEOUT,
            answer_timeout: ANSWER_TIMEOUT,
            max_concurrent: MAX_CONCURRENT,
        }
    }
}
