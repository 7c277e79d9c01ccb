//! What a server has listed: names with their schemas, addresses of resources.
//!
//! In: pages of lists. Out: which server a name or address belongs to, and what the server calls it. Invariant: sizes
//! are bounded; names that a client still holds stay routable when a list changes. Not here: asking for lists.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cloakgate_cloak::ToolSchema;
use cloakgate_mcp::NameMap;
use tokio::sync::OnceCell;

use crate::uri_template::UriTemplate;

/// Addresses of one server that are remembered. Those beyond it are found by template or by asking.
const MAX_URIS: usize = 100_000;
/// Templates of one server that are remembered.
const MAX_TEMPLATES: usize = 1_000;

/// Tools or prompts of one server.
#[derive(Debug, Default)]
pub(crate) struct NameIndex {
    pub(crate) names: NameMap,
    pub(crate) schemas: HashMap<String, Arc<ToolSchema>>,
}

/// The newest index of one kind, or none yet. Whoever needs one and finds none asks; others wait for that answer.
#[derive(Debug, Default)]
pub(crate) struct NameCache {
    current: Mutex<Current>,
}

#[derive(Debug, Default)]
struct Current {
    epoch: Epoch,
    index: Arc<OnceCell<Arc<NameIndex>>>,
}

/// The time between two changes of a list.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Epoch(u64);

impl NameCache {
    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time that it is now; to be looked at before a list is asked for.
    pub(crate) fn epoch(&self) -> Epoch {
        self.lock().epoch
    }

    /// Puts a fresh index in place, unless the list has changed since it was asked for.
    pub(crate) fn set(&self, index: NameIndex, asked: Epoch) {
        let mut current = self.lock();
        if current.epoch == asked {
            current.index = Arc::new(OnceCell::new_with(Some(Arc::new(index))));
        }
    }

    /// The list has changed: the next who needs it asks again.
    pub(crate) fn forget(&self) {
        let mut current = self.lock();
        current.epoch.0 += 1;
        current.index = Arc::default();
    }

    /// The index, asked for with `ask` if there is none.
    pub(crate) async fn get_or_ask(&self, ask: impl Future<Output = NameIndex>) -> Arc<NameIndex> {
        let cell = Arc::clone(&self.lock().index);
        Arc::clone(cell.get_or_init(|| async { Arc::new(ask.await) }).await)
    }
}

/// Resources of one server.
#[derive(Debug, Default)]
pub(crate) struct UriIndex {
    uris: Mutex<Uris>,
}

#[derive(Debug, Default)]
struct Uris {
    listed: bool,
    exact: HashSet<String>,
    templates: Vec<UriTemplate>,
}

impl UriIndex {
    fn lock(&self) -> MutexGuard<'_, Uris> {
        self.uris.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers an address, as the server wrote it or as the client got it.
    pub(crate) fn insert(&self, uri: &str) {
        let mut uris = self.lock();
        if uris.exact.len() < MAX_URIS && !uris.exact.contains(uri) {
            uris.exact.insert(uri.to_owned());
        }
    }

    /// Remembers a template, which is an address of its own too: completion names it.
    pub(crate) fn insert_template(&self, template: &str) {
        self.insert(template);
        let mut uris = self.lock();
        if uris.templates.len() < MAX_TEMPLATES && !uris.templates.iter().any(|known| known.is(template)) {
            uris.templates.push(UriTemplate::new(template));
        }
    }

    /// Notes that the lists were walked.
    pub(crate) fn set_listed(&self) {
        self.lock().listed = true;
    }

    /// The lists have changed: who misses an address asks again. What is known stays, for clients hold it.
    pub(crate) fn list_again(&self) {
        self.lock().listed = false;
    }

    /// Whether the lists were walked since they last changed.
    pub(crate) fn is_listed(&self) -> bool {
        self.lock().listed
    }

    /// How many addresses both servers listed.
    pub(crate) fn shared_with(&self, other: &Self) -> usize {
        // Not under one lock with the other: two sessions of comparing could wait for each other.
        let own: Vec<String> = self.lock().exact.iter().cloned().collect();
        let other = other.lock();
        own.iter().filter(|uri| other.exact.contains(*uri)).count()
    }

    /// Whether the server listed this address.
    pub(crate) fn lists(&self, uri: &str) -> bool {
        self.lock().exact.contains(uri)
    }

    /// How exactly a template of the server fits the address: characters that are not variable. `None` if none fits.
    pub(crate) fn fits(&self, uri: &str) -> Option<usize> {
        self.lock().templates.iter().filter_map(|template| template.fits(uri)).max()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_TEMPLATES, MAX_URIS, NameCache, NameIndex, UriIndex};

    #[test]
    fn a_server_fills_no_more_than_its_share() {
        let index = UriIndex::default();
        for number in 0..=MAX_URIS {
            index.insert(&format!("x:{number}"));
        }
        assert!(index.lists("x:0"));
        assert!(!index.lists(&format!("x:{MAX_URIS}")));
        for number in 0..=MAX_TEMPLATES {
            index.insert_template(&format!("t{number}:{{a}}"));
        }
        assert!(index.fits("t0:1").is_some());
        assert!(index.fits(&format!("t{MAX_TEMPLATES}:1")).is_none());
    }

    #[test]
    fn what_was_listed_stays_routable_when_lists_change() {
        let index = UriIndex::default();
        index.insert("file:///a");
        index.set_listed();
        index.list_again();
        assert!(index.lists("file:///a") && !index.is_listed());
    }

    #[tokio::test]
    async fn an_index_is_asked_for_once_until_it_is_forgotten() {
        let cache = NameCache::default();
        let mut asked = 0;
        for forget in [false, false, true] {
            if forget {
                cache.forget();
            }
            cache
                .get_or_ask(async {
                    asked += 1;
                    NameIndex::default()
                })
                .await;
        }
        assert_eq!(asked, 2);
    }

    #[tokio::test]
    async fn an_index_of_an_earlier_list_is_not_put_in_place() {
        let cache = NameCache::default();
        let asked = cache.epoch();
        cache.forget();
        let mut index = NameIndex::default();
        index.names.insert(&"fs".parse().expect("a name"), "old.name", 44);
        cache.set(index, asked);
        let fresh = cache.get_or_ask(async { NameIndex::default() }).await;
        assert_eq!(fresh.names.renamed(), 0);
    }
}
