//! Sessions from texts with marks: `«original|shown»` for a word that stands for several values, `«original|!shown»`
//! for what is unique, `«original|@shown»` for a whole name, whose parts are made known with it.

use cloakgate_vocab::Span;

use crate::text::session::{Kind, NewEntry, Replaced};
use crate::text::{Field, TextSession, canonical};

/// The session, and the cloaked text.
pub(crate) fn session(marked: &str) -> (TextSession, String) {
    let mut session = TextSession::new([3; 32]);
    let (mut text, mut replaced) = (String::new(), Vec::new());
    for (number, part) in marked.split(['«', '»']).enumerate() {
        let Some((original, shown)) = part.split_once('|').filter(|_| number % 2 == 1) else {
            text.push_str(part);
            continue;
        };
        let bare = shown.trim_start_matches(['!', '@']);
        let field = if shown.starts_with('@') { Field::Name } else { Field::Custom };
        if shown.starts_with('@') {
            add(&mut session, Kind::PERSON, original, bare);
            let parts = original.split(' ').zip(bare.split(' ')).zip([Kind::GIVEN, Kind::FAMILY]);
            parts.for_each(|((original, shown), kind)| add(&mut session, kind, original, shown));
        } else if shown.starts_with('!') {
            add(&mut session, Kind::of("VALUE"), original, bare);
        }
        let at = Span::sized(text.len(), bare.len());
        text.push_str(bare);
        replaced.push(Replaced { at, original: original.to_owned(), field, unique: bare != shown });
    }
    session.record(&text, &replaced).unwrap();
    (session, text)
}

fn add(session: &mut TextSession, kind: Kind, original: &str, shown: &str) {
    let identity = canonical(original);
    let field = if kind.is_name() { Field::Name } else { Field::Custom };
    if session.entry(&kind, &identity).is_none() {
        session.add(NewEntry { kind, field, identity: &identity, shown, original, unique: true }).unwrap();
    }
}
