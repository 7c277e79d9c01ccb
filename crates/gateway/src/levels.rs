//! `logging/setLevel`, which goes to every server that logs.
//!
//! In: the request. Out: one answer for all. Invariant: it succeeds if it did anywhere; each server gets the request
//! restored for it, as any other. Not here: log messages.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::Cloaked;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Envelope, Outcome, Part};

use crate::failure::Failure;
use crate::fan_out;
use crate::hub::Hub;
use crate::message::Message;
use crate::passage::Passage;
use crate::request::unknown_method;
use crate::session::{Call, Session};
use crate::upstream::{Link, Question, Upstream};

const METHOD: &str = "logging/setLevel";

/// Sets the level everywhere.
pub(crate) async fn set(session: &Arc<Session>, call: &Call) -> Result<Cloaked<Bytes>, Failure> {
    call.text_param(&["level"])?;
    let loggers = session.able(|upstream| upstream.can().logging);
    if loggers.is_empty() {
        return Err(unknown_method());
    }
    session.hub.set_level(call.message.clone());
    let outcomes = fan_out::each(loggers, |upstream| {
        let (hub, message) = (Arc::clone(&session.hub), call.message.clone());
        async move {
            match upstream.link() {
                Ok(link) => set_on(&hub, &upstream, &link, &message).await,
                Err(_) => false,
            }
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

/// Sets the level of a server that was restarted.
pub(crate) async fn renew(hub: &Hub, upstream: &Upstream, link: &Link) {
    if let Some(message) = hub.level()
        && upstream.can().logging
        && !set_on(hub, upstream, link, &message).await
    {
        tracing::warn!(upstream.name = %upstream.name(), "the log level could not be set again");
    }
}

/// Sets the level of one server. True when it did.
async fn set_on(hub: &Hub, upstream: &Upstream, link: &Link, message: &Message) -> bool {
    let Envelope::Request(request) = &message.envelope else { return false };
    let id = upstream.take_id();
    let edit = message.replaced(request.id_node, id.to_string());
    let passage = Passage::of(METHOD, Part::Params).with_edits([edit]);
    let request = match hub.cloaker.up(upstream, message.clone(), passage).await {
        Ok(request) => request,
        Err(failure) => {
            tracing::warn!(upstream.name = %upstream.name(), %failure, "the log level may not be passed on");
            return false;
        }
    };
    let reply = link.call(Question::new(id, request, hub.settings.request_timeout)).await;
    reply.is_ok_and(|reply| match reply.message.envelope {
        Envelope::Response(response) => matches!(response.outcome, Outcome::Result(_)),
        _ => false,
    })
}
