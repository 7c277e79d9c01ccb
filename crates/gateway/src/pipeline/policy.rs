//! What one upstream may do, and what is looked for in its messages.
//!
//! In: the settings of an upstream and of its tools. Out: those that count for a message. Not here: reading them from
//! a file.

use std::collections::HashMap;
use std::sync::Arc;

use cloakgate_cloak::Destination;
use cloakgate_detect::{CategorySet, Engine};

use super::{Budget, Down};
use crate::config::Binary;

/// What one upstream may do.
#[derive(Clone, Debug)]
pub struct UpstreamPolicy {
    /// Its values are recognised elsewhere only when a second source brings them.
    pub third_party: bool,
    /// Who may have what.
    pub destination: Destination,
    /// How much it may have.
    pub budget: Budget,
    /// What is looked for in its messages.
    pub detectors: Detectors,
    /// The same for single tools.
    pub tools: HashMap<Arc<str>, Detectors>,
    /// What happens to content that cannot be read.
    pub binary: Binary,
}

impl UpstreamPolicy {
    /// What is looked for in a message.
    pub(super) fn detectors(&self, down: &Down) -> &Detectors {
        let tool = down.tool.as_ref().and_then(|tool| self.tools.get(tool));
        tool.unwrap_or(&self.detectors)
    }
}

/// What is looked for, and what is done with it.
#[derive(Clone, Debug)]
pub struct Detectors {
    /// Finds values.
    pub engine: Engine,
    /// Categories whose values are blacked out for good instead of getting a token.
    pub redact: CategorySet,
}

impl From<Engine> for Detectors {
    fn from(engine: Engine) -> Self {
        Self { engine, redact: CategorySet::none() }
    }
}
