//! `logging/setLevel`, which goes to every server that logs.
//!
//! In: the request. Out: one answer for all. Invariant: it succeeds if it did anywhere. Not here: log messages.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, ExactReason, Restored};
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, Outcome};

use crate::failure::Failure;
use crate::fan_out;
use crate::request::unknown_method;
use crate::session::{Call, Session};
use crate::upstream::GivingUp;

/// Sets the level everywhere.
pub(crate) async fn set(session: &Arc<Session>, call: &Call) -> Result<Cloaked<Bytes>, Failure> {
    call.text_param(&["level"])?;
    let loggers = session.able(|upstream| upstream.can().logging);
    if loggers.is_empty() {
        return Err(unknown_method());
    }
    let limit = session.settings.request_timeout;
    let outcomes = fan_out::each(loggers, |upstream| {
        let id = upstream.take_id();
        let edit = call.message.replaced(call.id_node, id.to_string());
        // The level is a word of the protocol, and the whole of what the request says.
        let request = Restored::exact(&call.message.bytes, vec![edit], ExactReason::Contract);
        async move {
            let Ok(request) = request else { return false };
            let reply = upstream.call(id, request, limit, GivingUp::CallOff).await;
            let outcome = reply.map(|reply| match reply.message.envelope {
                Envelope::Response(response) => matches!(response.outcome, Outcome::Result(_)),
                _ => false,
            });
            outcome.unwrap_or(false)
        }
    });
    let outcomes = outcomes.await;
    let failed = outcomes.iter().filter(|(_, outcome)| *outcome != Some(true)).map(|(upstream, _)| upstream);
    let failed: Vec<_> = failed.collect();
    if failed.len() == outcomes.len() {
        let names = fan_out::names(failed);
        return Err(Failure::new(Code::Internal, format!("the level could not be set on {names}")));
    }
    for upstream in failed {
        tracing::warn!(upstream.name = %upstream.name(), "the log level could not be set");
    }
    Ok(Cloaked::authored(errors::empty_result(&call.id)))
}
