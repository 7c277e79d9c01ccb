//! Values that the model wrote out itself, instead of a token.
//!
//! In: a message towards an upstream. Out: what detectors find in its strings, tokens aside. Nothing is replaced:
//! whether such values may pass is the caller's rule. Not here: known values, since a model that repeats what a
//! tool was given has seen it; names in running text, since reading every call for them costs more than their number
//! tells.

use cloakgate_detect::{Engine, FieldKind, Records, canonical};
use cloakgate_json::{Decoded, Kind};
use cloakgate_vocab::{Category, Sensitive, Strength};

use super::uses::RestoreRequest;
use crate::data::Documents;
use crate::find::field;
use crate::keys::Fingerprint;
use crate::plan::is_guessable;
use crate::reader;
use crate::stand_in::{self, Shapes};
use crate::texts::{Outer, walk};
use crate::treatment::Treatment;

/// One value that the model wrote.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FreshValue {
    /// What it is.
    pub category: Category,
    /// What tells it from others in the session, where it is one of few possibilities.
    pub guessable: Option<Fingerprint>,
}

/// Finds the values in the strings that would be restored.
#[must_use]
pub fn fresh_values(request: &RestoreRequest<'_>, engine: &Engine) -> Vec<FreshValue> {
    let (document, bytes) = (request.document, request.original.as_ref());
    let records = Records::of(document, bytes);
    let documents = Documents::of(engine.fields(), (document, request.original), &records);
    let mut fresh = Vec::new();
    for (node, treatment) in document.nodes().zip(request.treatments) {
        if *treatment != Treatment::Restore || document.kind(node) != Kind::String {
            continue;
        }
        let span = document.span(node);
        let inside = span.end().checked_sub(1).and_then(|end| bytes.get(span.start() + 1..end));
        let Some(raw) = inside.and_then(|raw| std::str::from_utf8(raw).ok()) else { continue };
        let decoded = Decoded::new(raw);
        let (key, siblings) = (records.key(node), records.siblings(node));
        let within = documents.within(node);
        let outer = Outer { kind: FieldKind::Text, key, siblings, lossy: decoded.is_lossy(), within };
        walk(decoded.text(), outer, &mut |text| {
            let findings = engine.scan(&field(text));
            if findings.is_empty() {
                return;
            }
            if stand_in::read_whole(text.text, request.keys, (Shapes::ByKey, text.key)).is_some() {
                return;
            }
            let tokens = reader::read(text.text, request.keys);
            for finding in findings {
                let hull = finding.hull();
                if finding.strength == Strength::Known || tokens.iter().any(|token| token.span.overlaps(hull))
                {
                    continue;
                }
                // The value is looked at to be hashed with the session's key.
                let value = finding.decoded.as_ref().map(Sensitive::expose).or_else(|| hull.of(text.text));
                let form = canonical(finding.category, value.unwrap_or_default());
                fresh.push(FreshValue {
                    category: finding.category,
                    guessable: is_guessable(finding.category, &form)
                        .then(|| request.keys.fingerprint(finding.category, &form)),
                });
            }
        });
    }
    fresh
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use cloakgate_detect::{Engine, Settings};
    use cloakgate_vocab::{Category, Secret};

    use super::fresh_values;
    use crate::keys::SessionKeys;
    use crate::restore::RestoreRequest;
    use crate::treatment::Treatment;

    #[test]
    fn written_values_are_found_and_tokens_are_not() {
        let keys = SessionKeys::derive(&Secret::new([4; 32]));
        let message = br#"{"content":"mail marie.dubois@example.eu and [EMAIL_0_k7q]","dob":"1984-03-12","n":"{\"pin\":\"x\",\"email\":\"a.b@example.org\"}"}"#;
        let original = Bytes::from_static(message);
        let document = cloakgate_json::scan(&original).unwrap();
        let found = fresh_values(
            &RestoreRequest {
                original: &original,
                document: &document,
                treatments: &vec![Treatment::Restore; document.len()],
                keys: &keys,
                arguments: None,
            },
            &Engine::new(Settings::default()),
        );
        let kinds: Vec<_> = found.iter().map(|value| (value.category, value.guessable.is_some())).collect();
        assert_eq!(
            kinds,
            [(Category::Email, false), (Category::DateOfBirth, true), (Category::Email, false)]
        );
    }
}
