//! Hashes and choices that only the session's key explains.

use std::hash::Hasher;

use cloakgate_vocab::Secret;
use siphasher::sip::SipHasher24;

/// What a hash is of; two kinds of thing never hash alike.
#[derive(Clone, Copy)]
pub(crate) enum Domain {
    /// A whole text.
    Text = 1,
    /// A line.
    Line = 2,
    /// A kind with a canonical form.
    Identity = 3,
    /// An original, exactly.
    Value = 4,
    /// A stand-in, folded.
    Shown = 5,
    /// One word, folded.
    Word = 6,
    /// A choice.
    Choice = 7,
    /// A word that stands for several values.
    Label = 8,
}

/// A hasher under the session's key.
pub(crate) fn hasher(key: &Secret<32>, domain: Domain) -> SipHasher24 {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, rest @ ..] = key.expose();
    // Looked at to key the hash only: one half keys, the other is hashed first, so that all of it counts.
    let mut hasher =
        SipHasher24::new_with_key(&[*a, *b, *c, *d, *e, *f, *g, *h, *i, *j, *k, *l, *m, *n, *o, *p]);
    hasher.write(rest);
    hasher.write_u8(domain as u8);
    hasher
}

/// The hash of one string.
pub(crate) fn hash(key: &Secret<32>, domain: Domain, string: &str) -> u64 {
    let mut hasher = hasher(key, domain);
    hasher.write(string.as_bytes());
    hasher.finish()
}
