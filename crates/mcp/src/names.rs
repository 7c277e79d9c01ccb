//! Names of many servers in one list: `upstream__tool`.
//!
//! In: an upstream's name and the name that it gave a tool or prompt. Out: the name that clients see, and the way
//! back. Invariant: a published name has at most the budget's bytes, all of `[A-Za-z0-9_-]`, and depends on nothing
//! but its inputs, so it is the same after a restart. Not here: URIs; those are not prefixed.

use std::collections::HashMap;

use cloakgate_vocab::UpstreamName;

/// Between the upstream's name and the rest. Upstream names hold no `_`, so the first one is it.
pub const SEPARATOR: &str = "__";

/// Longest published name in bytes by default. Clients add a prefix of their own to it and models take 64 in all.
pub const DEFAULT_NAME_BUDGET: usize = 44;

/// Characters of the hash that tells shortened names apart: 30 bits.
const HASH_CHARACTERS: usize = 6;

/// Splits a published name at the first separator; `None` when there is none.
#[must_use]
pub fn split(published: &str) -> Option<(&str, &str)> {
    published.split_once(SEPARATOR)
}

/// The name that clients see. Where the plain form is too long or holds other characters, the name is cut and
/// mapped, and a hash of the whole of it follows. A budget that leaves no room for the hash is exceeded.
#[must_use]
pub fn publish(upstream: &UpstreamName, name: &str, budget: usize) -> String {
    let plain = format!("{upstream}{SEPARATOR}{name}");
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if plain.len() <= budget && !name.is_empty() && name.chars().all(allowed) {
        return plain;
    }
    let fixed = upstream.as_str().len() + SEPARATOR.len() + 1 + HASH_CHARACTERS;
    let room = budget.saturating_sub(fixed);
    let kept: String = name.chars().map(|c| if allowed(c) { c } else { '_' }).take(room).collect();
    format!("{upstream}{SEPARATOR}{kept}_{}", hash(name))
}

/// Whether `published` may be a shortened name, so that only a list shows what it stands for.
#[must_use]
pub fn may_be_shortened(published: &str) -> bool {
    let hash = published.rsplit_once('_').map(|(_, hash)| hash);
    hash.is_some_and(|hash| {
        hash.len() == HASH_CHARACTERS && hash.bytes().all(|byte| ALPHABET.contains(&byte))
    })
}

/// Base32 without letters that look like digits.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// FNV-1a over the name, in base32.
fn hash(name: &str) -> String {
    let fold = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut state = name.bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    // The low bits of FNV depend on few bits of the last bytes; the high half is folded in.
    state ^= state >> 32;
    let mut text = String::with_capacity(HASH_CHARACTERS);
    for _ in 0..HASH_CHARACTERS {
        let character = ALPHABET.get((state % 32) as usize).copied().unwrap_or(b'0');
        text.push(char::from(character));
        state /= 32;
    }
    text
}

/// The way back from published names of one upstream, for those that were cut or mapped.
#[derive(Clone, Debug, Default)]
pub struct NameMap {
    originals: HashMap<String, String>,
}

impl NameMap {
    /// Publishes `name` and remembers the way back where the published form does not show it.
    pub fn insert(&mut self, upstream: &UpstreamName, name: &str, budget: usize) -> String {
        let published = publish(upstream, name, budget);
        if split(&published).is_none_or(|(_, rest)| rest != name) {
            // First come, first served: two names with one hash would be two lines in the client's list.
            self.originals.entry(published.clone()).or_insert_with(|| name.to_owned());
        }
        published
    }

    /// What the upstream calls `published`. A name that was never cut is read off itself.
    #[must_use]
    pub fn original<'a>(&'a self, published: &'a str) -> Option<&'a str> {
        match self.originals.get(published) {
            Some(original) => Some(original),
            None => split(published).map(|(_, name)| name),
        }
    }

    /// How many names were cut or mapped.
    #[must_use]
    pub fn renamed(&self) -> usize {
        self.originals.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_NAME_BUDGET, NameMap, may_be_shortened, publish, split};

    #[test]
    fn plain_names_are_prefixed_and_nothing_else() {
        let upstream = "fs".parse().expect("a name");
        assert_eq!(publish(&upstream, "read_text_file", DEFAULT_NAME_BUDGET), "fs__read_text_file");
        assert_eq!(publish(&upstream, "read__all", DEFAULT_NAME_BUDGET), "fs__read__all");
        assert_eq!(split("fs__read__all"), Some(("fs", "read__all")));
        assert_eq!(split("fs_read"), None);
    }

    #[test]
    fn long_and_foreign_names_are_cut_to_the_budget_and_come_back() {
        let upstream = "fs".parse().expect("a name");
        let long = "a".repeat(80);
        let longer = "a".repeat(81);
        let mut map = NameMap::default();
        for (name, budget) in [
            (long.as_str(), DEFAULT_NAME_BUDGET),
            (longer.as_str(), DEFAULT_NAME_BUDGET),
            ("read.text/file", DEFAULT_NAME_BUDGET),
            ("lesen_ä", DEFAULT_NAME_BUDGET),
            ("", DEFAULT_NAME_BUDGET),
        ] {
            let published = map.insert(&upstream, name, budget);
            assert!(published.len() <= budget, "{published}");
            assert!(
                published.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-'),
                "{published}"
            );
            assert_eq!(published, publish(&upstream, name, budget));
            assert_eq!(map.original(&published), Some(name));
            assert!(may_be_shortened(&published), "{published}");
        }
        assert!(!may_be_shortened("fs__read_text_file"));
        assert_eq!(map.renamed(), 5);
        assert_eq!(map.original("fs__plain"), Some("plain"));
    }

    #[test]
    fn the_hash_is_the_same_in_every_release() {
        let upstream = "fs".parse().expect("a name");
        assert_eq!(publish(&upstream, "read.text", 44), "fs__read_text_ft0t3s");
    }
}
