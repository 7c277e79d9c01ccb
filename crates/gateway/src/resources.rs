//! Requests whose server is told by an address.
//!
//! In: `resources/read`, `subscribe`, `unsubscribe`, and completion of a template. Out: the server's answer. Invariant: an
//! address goes to the server that listed it, else to one whose template fits, else to the only one that has
//! resources; where several could be meant, the first in the configuration. An address is looked up as the client
//! wrote it and as it is after restoring: clients respell addresses. Not here: lists.

use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, Restored};
use cloakgate_json::NodeId;
use cloakgate_mcp::Part;
use cloakgate_mcp::errors::Code;

use crate::failure::Failure;
use crate::fan_out;
use crate::listing;
use crate::passage::Passage;
use crate::request::{forward, unknown_method};
use crate::session::{Call, Session};
use crate::upstream::{Upstream, Upstreams};

/// Carries out a request whose address stands at `path` of the parameters.
pub(crate) async fn call(
    session: &Arc<Session>,
    call: &mut Call,
    path: &[&str],
) -> Result<Cloaked<Bytes>, Failure> {
    let (node, uri) = call.text_param(path)?;
    let upstream = route(session, call, node, &uri).await?;
    let (id, request) = restored(session, call, &upstream).await?;
    let answer = forward(session, call, &upstream, (id, request), None).await?;
    if answer.worked {
        match call.method.as_str() {
            "resources/subscribe" => upstream.subscriptions.add(uri, call.message.clone()),
            "resources/unsubscribe" => upstream.subscriptions.remove(&uri),
            _ => {}
        }
    }
    Ok(answer.message)
}

/// The server that the request is for.
async fn route(
    session: &Arc<Session>,
    call: &Call,
    node: NodeId,
    uri: &str,
) -> Result<Arc<Upstream>, Failure> {
    let providers = session.able(|upstream| upstream.can().resources.is_some());
    if let [only] = providers.as_slice() {
        return Ok(Arc::clone(only));
    }
    if providers.is_empty() {
        // A server may complete without having resources, and the client may know that.
        let any = session.able(|_| true);
        return any.first().filter(|_| any.len() == 1).cloned().ok_or_else(unknown_method);
    }
    if let Some(owner) = providers.iter().find(|upstream| upstream.uris.lists(uri)) {
        return Ok(Arc::clone(owner));
    }
    let candidates = candidates(session, call, &providers, node, uri).await;
    if let Some(owner) = best(&candidates) {
        return Ok(owner);
    }
    list_missing(session, &providers).await;
    best(&candidates).ok_or_else(|| {
        let refusal = candidates.into_iter().find_map(|(_, address)| address.err());
        refusal.unwrap_or_else(|| {
            let names = fan_out::names(&providers);
            Failure::new(Code::ResourceNotFound, format!("none of {names} has listed this address"))
        })
    })
}

/// A server, and the address as it would be restored for it.
type Candidate = (Arc<Upstream>, Result<String, Failure>);

/// The address for each server: what a token stands for may depend on who asks.
async fn candidates(
    session: &Session,
    call: &Call,
    providers: &Upstreams,
    node: NodeId,
    uri: &str,
) -> Vec<Candidate> {
    let mut candidates = Vec::with_capacity(providers.len());
    let mut plain = false;
    for upstream in providers {
        let address = if plain { Ok(uri.to_owned()) } else { address(session, call, upstream, node).await };
        // Without a token in it the address is the same for all.
        plain = plain || (upstream.terms.sanitize && address.as_ref().is_ok_and(|address| address == uri));
        candidates.push((Arc::clone(upstream), address));
    }
    candidates
}

async fn address(
    session: &Session,
    call: &Call,
    upstream: &Upstream,
    node: NodeId,
) -> Result<String, Failure> {
    let passage = Passage::of(&call.method, Part::Params);
    let restored = session.hub.cloaker.up(upstream, call.message.clone(), passage).await?;
    let unreadable = || Failure::new(Code::InvalidParams, "the address cannot be restored");
    let document = cloakgate_json::scan(restored.bytes()).map_err(|_| unreadable())?;
    // Restoring replaces text inside strings, so values keep their places.
    document.text(restored.bytes(), node).map(std::borrow::Cow::into_owned).ok_or_else(unreadable)
}

/// The server that listed its form of the address, else the one whose template fits it most exactly.
fn best(candidates: &[Candidate]) -> Option<Arc<Upstream>> {
    let known =
        || candidates.iter().filter_map(|(upstream, address)| Some((upstream, address.as_ref().ok()?)));
    if let Some((owner, _)) = known().find(|(upstream, address)| upstream.uris.lists(address)) {
        return Some(Arc::clone(owner));
    }
    let mut best: Option<(usize, &Arc<Upstream>)> = None;
    for (upstream, address) in known() {
        if let Some(fit) = upstream.uris.fits(address)
            && best.is_none_or(|(other, _)| fit > other)
        {
            best = Some((fit, upstream));
        }
    }
    best.map(|(_, upstream)| Arc::clone(upstream))
}

/// Walks the lists of servers that were not asked yet.
async fn list_missing(session: &Arc<Session>, providers: &Upstreams) {
    let missing: Upstreams =
        providers.iter().filter(|upstream| !upstream.uris.is_listed()).cloned().collect();
    fan_out::each(missing, |upstream| {
        let session = Arc::clone(session);
        async move { listing::index_uris(&session, &upstream).await }
    })
    .await;
}

/// The request as its server gets it.
async fn restored(
    session: &Session,
    call: &Call,
    upstream: &Upstream,
) -> Result<(u64, Restored<Bytes>), Failure> {
    let id = upstream.take_id();
    let passage = Passage::of(&call.method, Part::Params).with_edits(call.numbered(id));
    Ok((id, session.hub.cloaker.up(upstream, call.message.clone(), passage).await?))
}
