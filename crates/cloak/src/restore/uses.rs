//! Finds the tokens of a message and what surrounds each.

use std::cell::OnceCell;
use std::collections::HashMap;

use bytes::Bytes;
use cloakgate_detect::{FieldKind, Records};
use cloakgate_json::{Decoded, Document, Kind, NodeId};
use cloakgate_vocab::{Span, TokenId};

use crate::error::CloakError;
use crate::interpreted::{Interpreter, Quotes, interpreter};
use crate::keys::SessionKeys;
use crate::place::{Context, Place};
use crate::plan::path_below;
use crate::reader::Verdict;
use crate::restore::{StandIn, tokens};
use crate::schema::{ToolSchema, Types};
use crate::stand_in::{self, Shapes};
use crate::treatment::Treatment;

/// A message on its way to an upstream.
#[derive(Clone, Copy)]
pub struct RestoreRequest<'a> {
    /// The message as it came.
    pub original: &'a Bytes,
    /// Its structure.
    pub document: &'a Document,
    /// One treatment a node.
    pub treatments: &'a [Treatment],
    /// Keys of the session.
    pub keys: &'a SessionKeys,
    /// The arguments of a tool call and the schemas of the tool.
    pub arguments: Option<(NodeId, &'a ToolSchema)>,
}

/// The tokens of a message.
#[derive(Clone, Debug)]
pub struct Reads {
    pub(super) original: Bytes,
    pub(super) uses: Vec<Use>,
    pub(super) failing: Vec<TokenId>,
    ids: Vec<TokenId>,
}

impl Reads {
    /// The tokens to resolve, each once.
    #[must_use]
    pub fn ids(&self) -> &[TokenId] {
        &self.ids
    }
}

/// One token in the message.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// Bytes of the message that the token takes, its string's quotes not included.
    pub(super) raw: Span,
    /// The whole JSON string with its quotes, where the token is all of it.
    pub(super) leaf: Option<Span>,
    /// The token is all of its innermost text.
    pub(super) whole: bool,
    pub(super) place: Place,
    /// Index into the ids.
    pub(super) id: usize,
    /// The value of the message that it stands in, or in whose key.
    pub(super) node: NodeId,
    /// It stands in a key, of the message or of JSON in a string.
    pub(super) key: bool,
    /// What reads the argument that the token stands in, and that argument's key.
    pub(super) interpreter: Option<(Interpreter, String)>,
    pub(super) quotes: Quotes,
    /// How it is known, where it is no token.
    pub(super) stand_in: Option<StandIn>,
    /// It is written as a JSON number.
    pub(super) number: bool,
    /// Types that the schema allows here.
    pub(super) types: Option<Types>,
    /// Nearest key, for error texts.
    pub(super) argument: String,
}

/// Reads all tokens of the nodes that are to be restored.
///
/// # Errors
/// When the treatments do not fit the document.
pub fn read(request: &RestoreRequest<'_>) -> Result<Reads, CloakError> {
    let document = request.document;
    if request.treatments.len() != document.len() {
        return Err(CloakError::Treatments { nodes: document.len(), treatments: request.treatments.len() });
    }
    let mut reader = MessageReader {
        request,
        index: HashMap::new(),
        records: OnceCell::new(),
        reads: Reads {
            original: request.original.clone(),
            uses: Vec::new(),
            failing: Vec::new(),
            ids: Vec::new(),
        },
    };
    for (node, treatment) in document.nodes().zip(request.treatments) {
        if *treatment != Treatment::Restore {
            continue;
        }
        if let Some(span) = document.key_span(node) {
            reader.string(node, span, FieldKind::Key);
        }
        match document.kind(node) {
            Kind::String => reader.string(node, document.span(node), FieldKind::Text),
            Kind::Number => reader.number(node),
            _ => {}
        }
    }
    Ok(reader.reads)
}

struct MessageReader<'a> {
    request: &'a RestoreRequest<'a>,
    index: HashMap<TokenId, usize>,
    /// The keys of the values, read when a value needs them.
    records: OnceCell<Records<'a>>,
    reads: Reads,
}

impl<'a> MessageReader<'a> {
    /// Reads one string or key; `span` includes its quotes.
    fn string(&mut self, node: NodeId, span: Span, kind: FieldKind) {
        let request = self.request;
        let start = span.start() + 1;
        let inside = span.end().checked_sub(1).and_then(|end| request.original.get(start..end));
        let Some(raw) = inside.and_then(|raw| std::str::from_utf8(raw).ok()) else { return };
        let decoded = Decoded::new(raw);
        let (shapes, key) = self.whole(node, kind, decoded.text());
        let found = tokens(decoded.text(), kind, request.keys, (shapes, key.as_deref()));
        if found.is_empty() {
            return;
        }
        let (argument, interpreted_by) = self.surroundings(node);
        let types = if kind == FieldKind::Text { self.input_types(node) } else { None };
        for token in found {
            if token.verdict == Verdict::Failing {
                self.reads.failing.push(token.id);
                continue;
            }
            let inner = token.key.as_deref().and_then(|key| Some((interpreter(key)?, key.to_owned())));
            let id = self.id(token.id);
            self.reads.uses.push(Use {
                raw: decoded.raw_span(token.in_string).shifted(start),
                leaf: (token.whole && token.place.depth == 0 && kind == FieldKind::Text).then_some(span),
                whole: token.whole,
                place: token.place,
                id,
                node,
                key: kind == FieldKind::Key || token.kind == FieldKind::Key,
                interpreter: inner.max(interpreted_by.clone()),
                quotes: token.quotes,
                stand_in: token.stand_in,
                number: token.kind == FieldKind::Number,
                types,
                argument: argument.clone(),
            });
        }
    }

    /// Where a string may be a stand-in as a whole: what the schema says of it, and its key.
    fn whole(&self, node: NodeId, kind: FieldKind, text: &str) -> (Shapes, Option<String>) {
        if kind == FieldKind::Key || !stand_in::may_be(text) {
            return (Shapes::ByKey, None);
        }
        let request = self.request;
        let constrains = request.arguments.is_some_and(|(root, schema)| {
            schema.constrains_input()
                && path_below(request.document, request.original, root, node)
                    .is_some_and(|path| schema.input_constrains(&path))
        });
        (if constrains { Shapes::Read } else { Shapes::ByKey }, self.key(node, text))
    }

    /// The key that says what a value is, as cloaking reads it; `None` for a value that no key could decide.
    fn key(&self, node: NodeId, text: &str) -> Option<String> {
        if !stand_in::is_mostly_digits(text) {
            return None;
        }
        let request = self.request;
        let records = self.records.get_or_init(|| Records::of(request.document, request.original));
        records.key(node).map(str::to_owned)
    }

    /// Reads one number: digits that stand for a value, where the schema wants a number or the key is that of an identifier.
    fn number(&mut self, node: NodeId) {
        let request = self.request;
        let span = request.document.span(node);
        let digits = request.original.get(span.range()).and_then(|raw| std::str::from_utf8(raw).ok());
        let Some(digits) = digits.filter(|digits| stand_in::may_be(digits)) else { return };
        let types = self.input_types(node);
        let wanted = types.is_some_and(|types| (types.integer || types.number) && !types.string);
        let key = self.key(node, digits);
        let shapes = if wanted { Shapes::Read } else { Shapes::ByKey };
        let Some(found) = stand_in::read_whole(digits, request.keys, (shapes, key.as_deref())) else {
            return;
        };
        let id = self.id(found.id);
        self.reads.uses.push(Use {
            raw: span,
            leaf: Some(span),
            whole: true,
            place: Place { depth: 0, context: Context::Number },
            id,
            node,
            key: false,
            interpreter: None,
            quotes: Quotes::default(),
            stand_in: Some(StandIn { shape: Some(digits.to_owned()) }),
            number: true,
            types,
            argument: self.surroundings(node).0,
        });
    }

    /// Types that the input schema allows.
    fn input_types(&self, node: NodeId) -> Option<Types> {
        let request = self.request;
        let (root, schema) = request.arguments?;
        schema.input_types(&path_below(request.document, request.original, root, node)?)
    }

    fn id(&mut self, id: TokenId) -> usize {
        let next = self.reads.ids.len();
        let index = *self.index.entry(id).or_insert(next);
        if index == next {
            self.reads.ids.push(id);
        }
        index
    }

    /// The nearest key above a node, and the strictest interpreter that any key up to the arguments names.
    fn surroundings(&self, node: NodeId) -> (String, Option<(Interpreter, String)>) {
        let request = self.request;
        let Some((root, _)) = request.arguments else { return (String::new(), None) };
        let mut nearest = None;
        let mut strictest = None;
        let mut at = node;
        while at != root {
            if let Some(key) = request.document.key(request.original, at) {
                strictest = strictest.max(interpreter(&key).map(|reader| (reader, key.to_string())));
                nearest.get_or_insert_with(|| key.to_string());
            }
            match request.document.parent(at) {
                Some(parent) => at = parent,
                None => return (String::new(), None),
            }
        }
        (nearest.unwrap_or_default(), strictest)
    }
}
