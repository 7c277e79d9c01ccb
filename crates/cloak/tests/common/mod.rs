//! A session in memory with everything that the pure stages need.
#![allow(dead_code, reason = "each test file uses a part")]
#![expect(
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a test that cannot be set up must end; tokens are ASCII"
)]

use std::cell::RefCell;
use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{
    CloakError, CloakRequest, Cloaked, Destination, Entry, Finished, Form, RestoreRequest, SessionKeys,
    Source, TokenScope, TokenStyle, ToolSchema, Treatment, Unresolved, Wanted, finish, plan, read, restore,
};
use cloakgate_detect::{Engine, KnownValues, NameReader, Reach, Settings};
use cloakgate_json::{NodeId, scan};
use cloakgate_vocab::{Category, Secret, Sensitive, Spelling, TokenId};

/// A stand-in for the vault: a list, searched.
pub(crate) struct Bench {
    keys: SessionKeys,
    engine: Engine,
    known: RefCell<KnownValues>,
    entries: RefCell<Vec<(Sensitive, Entry)>>,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with_root([7; 32])
    }

    pub(crate) fn with_root(root: [u8; 32]) -> Self {
        Self::with(root, TokenStyle::Checked)
    }

    pub(crate) fn plain() -> Self {
        Self::with([7; 32], TokenStyle::Plain)
    }

    /// With a reader of names.
    pub(crate) fn reading(names: Arc<dyn NameReader>) -> Self {
        let bench = Self::new();
        Self { engine: bench.engine.with_names(names), ..bench }
    }

    fn with(root: [u8; 32], style: TokenStyle) -> Self {
        let keys = SessionKeys::derive(&Secret::new(root)).in_style(style);
        let known = RefCell::new(KnownValues::new(*keys.known_key()));
        Self { keys, engine: Engine::new(Settings::default()), known, entries: RefCell::default() }
    }

    fn intern(&self, wanted: &Wanted) -> TokenId {
        let mut entries = self.entries.borrow_mut();
        let same_kind = |entry: &Entry| entry.id.category == wanted.category;
        let number = entries
            .iter()
            .find(|(identity, entry)| same_kind(entry) && *identity == wanted.identity)
            .map_or_else(
                || {
                    entries
                        .iter()
                        .filter(|(_, e)| same_kind(e))
                        .map(|(_, e)| e.id.number + 1)
                        .max()
                        .unwrap_or(0)
                },
                |(_, entry)| entry.id.number,
            );
        let spellings = entries.iter().filter(|(_, e)| same_kind(e) && e.id.number == number).count();
        let found = entries
            .iter_mut()
            .find(|(_, e)| same_kind(e) && e.id.number == number && e.form == wanted.form)
            .map(|(_, entry)| {
                entry.provenance.push(wanted.source.clone());
                entry.id
            });
        let id = found.unwrap_or_else(|| {
            let spelling = Spelling::new(u32::try_from(spellings).unwrap());
            let id = TokenId { category: wanted.category, number, spelling };
            let entry = Entry { id, form: wanted.form.clone(), provenance: vec![wanted.source.clone()] };
            entries.push((wanted.identity.clone(), entry));
            id
        });
        if let Some(known) = &wanted.known {
            self.known.borrow_mut().insert(known.clone());
        }
        id
    }

    /// Puts a value of any category into the session.
    pub(crate) fn issue(&self, category: Category, upstream: &str, value: &str) {
        self.intern(&Wanted {
            category,
            identity: Sensitive::new(value),
            form: Form { value: Sensitive::new(value), raw: None },
            source: Source::Upstream(upstream.parse().unwrap()),
            known: None,
        });
    }

    pub(crate) fn last_token(&self) -> String {
        self.issued().pop().unwrap()
    }

    /// All tokens as they are written, with brackets and without.
    pub(crate) fn issued(&self) -> Vec<String> {
        let ids: Vec<TokenId> = self.entries.borrow().iter().map(|(_, entry)| entry.id).collect();
        ids.iter().map(|id| self.written(*id)).collect()
    }

    /// The text of one token.
    fn written(&self, id: TokenId) -> String {
        cloakgate_cloak::token_text(id, &self.keys)
    }

    pub(crate) fn cloak(&self, upstream: &str, message: &str) -> Result<String, CloakError> {
        let original = Bytes::copy_from_slice(message.as_bytes());
        Ok(String::from_utf8(self.cloak_bytes(upstream, &original)?.bytes().to_vec()).unwrap())
    }

    pub(crate) fn cloak_bytes(&self, upstream: &str, original: &Bytes) -> Result<Cloaked<Bytes>, CloakError> {
        self.cloak_with(upstream, original, None)
    }

    pub(crate) fn cloak_structured(
        &self,
        upstream: &str,
        message: &str,
        schema: &str,
    ) -> Result<Cloaked<Bytes>, CloakError> {
        let schema = ToolSchema::parse(None, Some(schema.as_bytes()));
        self.cloak_with(upstream, &Bytes::copy_from_slice(message.as_bytes()), Some(&schema))
    }

    fn cloak_with(
        &self,
        upstream: &str,
        original: &Bytes,
        schema: Option<&ToolSchema>,
    ) -> Result<Cloaked<Bytes>, CloakError> {
        let document = scan(original).unwrap();
        let mut forced = Vec::new();
        loop {
            let treatments = vec![Treatment::Cloak; document.len()];
            let known = self.known.borrow().clone();
            let request = CloakRequest {
                original,
                document: &document,
                treatments: &treatments,
                keys: &self.keys,
                engine: &self.engine,
                known: &[&known],
                upstream: &upstream.parse().unwrap(),
                reach: &Reach::Everywhere,
                structured: schema.map(|schema| (NodeId::ROOT, schema)),
                redact: cloakgate_detect::CategorySet::none(),
                max_text_chars: None,
                written_by_model: &std::collections::HashSet::new(),
                forced: &forced,
            };
            let plan = plan(&request)?;
            let ids: Vec<TokenId> = plan.wanted().iter().map(|wanted| self.intern(wanted)).collect();
            match finish(&request, &plan, &ids, Vec::new())? {
                Finished::Sealed(cloaked) => return Ok(cloaked),
                Finished::Tripped(hits) => forced = hits,
            }
        }
    }

    pub(crate) fn restore(&self, upstream: &str, message: &str) -> Result<String, CloakError> {
        self.restore_with(upstream, message, None, Unresolved::Refuse)
    }

    pub(crate) fn restore_with(
        &self,
        upstream: &str,
        message: &str,
        schema: Option<&str>,
        unresolved: Unresolved,
    ) -> Result<String, CloakError> {
        let original = Bytes::copy_from_slice(message.as_bytes());
        let document = scan(&original).unwrap();
        let schema = ToolSchema::parse(schema.map(str::as_bytes), None);
        let reads = read(&RestoreRequest {
            original: &original,
            document: &document,
            treatments: &vec![Treatment::Restore; document.len()],
            keys: &self.keys,
            arguments: Some((NodeId::ROOT, &schema)),
        })?;
        let entries: Vec<Option<Entry>> = reads
            .ids()
            .iter()
            .map(|id| {
                self.entries
                    .borrow()
                    .iter()
                    .find(|(_, entry)| entry.id == *id)
                    .map(|(_, entry)| entry.clone())
            })
            .collect();
        let destination =
            Destination { upstream: upstream.parse().unwrap(), scope: TokenScope::Session, unresolved };
        let restored = restore(&reads, &entries, &destination, Vec::new())?;
        Ok(String::from_utf8(restored.bytes().to_vec()).unwrap())
    }
}

/// Tokens of a text by their written form, in order.
pub(crate) fn tokens_in(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for (start, _) in text.match_indices('[') {
        let Some(end) = text[start..].find(']') else { continue };
        let token = &text[start..=start + end];
        if token[1..].contains('[') {
            continue;
        }
        let name = token.trim_matches(['[', ']']);
        let mut parts = name.rsplitn(3, '_');
        let (check, number, category) = (parts.next(), parts.next(), parts.next());
        let shape = check
            .is_some_and(|check| check.len() == 3 && check.bytes().all(|b| b.is_ascii_alphanumeric()))
            && number.is_some_and(|number| {
                number.starts_with(|c: char| c.is_ascii_digit())
                    && number.bytes().all(|b| b.is_ascii_alphanumeric())
            })
            && category.is_some_and(|category| {
                !category.is_empty() && category.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
            });
        if shape {
            tokens.push(token.to_owned());
        }
    }
    tokens
}
