//! Asks several servers at once.
//!
//! In: upstreams and what to do with each. Out: what came of it, in the upstreams' order. Invariant: dropping the future
//! ends the work on all of them; a fault in the work on one leaves the others alone. Not here: deadlines.

use std::future::Future;
use std::sync::Arc;

use tokio::task::JoinSet;

use crate::upstream::{Upstream, Upstreams};

/// What came of one upstream; `None` for a fault in the work on it.
pub(crate) type Outcome<T> = (Arc<Upstream>, Option<T>);

/// Does `work` on each upstream at the same time.
pub(crate) async fn each<T, F>(upstreams: Upstreams, work: impl Fn(Arc<Upstream>) -> F) -> Vec<Outcome<T>>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for (place, upstream) in upstreams.iter().enumerate() {
        let work = work(Arc::clone(upstream));
        tasks.spawn(async move { (place, work.await) });
    }
    let mut outcomes: Vec<Outcome<T>> = upstreams.into_iter().map(|upstream| (upstream, None)).collect();
    while let Some(done) = tasks.join_next().await {
        if let Ok((place, outcome)) = done
            && let Some((_, slot)) = outcomes.get_mut(place)
        {
            *slot = Some(outcome);
        }
    }
    outcomes
}

/// Names of upstreams for a text: `fs`, `mail`.
pub(crate) fn names<'a>(upstreams: impl IntoIterator<Item = &'a Arc<Upstream>>) -> String {
    let names: Vec<String> = upstreams.into_iter().map(|upstream| format!("`{}`", upstream.name())).collect();
    names.join(", ")
}
