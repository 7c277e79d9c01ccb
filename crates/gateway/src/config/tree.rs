//! One tree for both file formats, with the line of each value.
//!
//! In: JSON or TOML text. Out: nodes. Invariant: a table holds each key once; dates of TOML are kept as such and
//! fit no key. Not here: what the keys mean.

use std::path::Path;

use cloakgate_json::{Document, Kind, NodeId, ScanError};
use cloakgate_vocab::Span;
use indexmap::IndexMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{ConfigError, KeyProblem, Place};

/// How the text is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// JSON, as the reference gateway has it.
    Json,
    /// TOML.
    Toml,
}

impl Format {
    /// TOML where the name ends with `.toml`, JSON otherwise.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let is_toml = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
        if is_toml { Self::Toml } else { Self::Json }
    }
}

/// A value and where it stands.
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) value: Value,
}

pub(super) enum Value {
    Bool(bool),
    /// As it was written, in a form that Rust parses.
    Number(String),
    Text(String),
    List(Vec<Node>),
    Table(IndexMap<String, Node>),
    /// `null`, or a date: fits no key.
    Other,
}

pub(super) fn parse(text: &str, format: Format) -> Result<Node, ConfigError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::of(text);
    match format {
        Format::Json => parse_json(text, &lines),
        Format::Toml => parse_toml(text, &lines),
    }
}

fn parse_json(text: &str, lines: &Lines) -> Result<Node, ConfigError> {
    let bytes = text.as_bytes();
    let document = cloakgate_json::scan(bytes).map_err(|error| {
        let line = match error {
            ScanError::Utf8 { at } | ScanError::Syntax { at, .. } | ScanError::TooDeep { at } => lines.at(at),
            _ => lines.at(text.len()),
        };
        ConfigError::Syntax { place: Place { file: None, line: Some(line) }, message: error.to_string() }
    })?;
    let json = Json { document: &document, bytes, lines };
    if let Some(duplicate) = document.duplicates().first() {
        return Err(json.twice(duplicate.again));
    }
    Ok(json.node(NodeId::ROOT))
}

struct Json<'a> {
    document: &'a Document,
    bytes: &'a [u8],
    lines: &'a Lines,
}

impl Json<'_> {
    /// Recursion is bounded by the scanner's depth limit.
    fn node(&self, id: NodeId) -> Node {
        let span = self.document.span(id);
        let value = match self.document.kind(id) {
            Kind::True => Value::Bool(true),
            Kind::False => Value::Bool(false),
            Kind::Null => Value::Other,
            Kind::Number => {
                let raw = self.bytes.get(span.range()).unwrap_or_default();
                Value::Number(String::from_utf8_lossy(raw).into_owned())
            }
            Kind::String => Value::Text(self.document.text(self.bytes, id).unwrap_or_default().into_owned()),
            Kind::Array => Value::List(self.document.children(id).map(|child| self.node(child)).collect()),
            Kind::Object => Value::Table(
                self.document
                    .children(id)
                    .map(|child| {
                        (
                            self.document.key(self.bytes, child).unwrap_or_default().into_owned(),
                            self.node(child),
                        )
                    })
                    .collect(),
            ),
        };
        Node { line: self.lines.at(span.start()), value }
    }

    fn twice(&self, again: NodeId) -> ConfigError {
        let mut keys = Vec::new();
        let mut at = Some(again);
        while let Some(id) = at {
            keys.extend(self.document.key(self.bytes, id));
            at = self.document.parent(id);
        }
        keys.reverse();
        let path = keys.join(".");
        let start = self.document.key_span(again).map_or(0, Span::start);
        ConfigError::key(path, self.lines.at(start), KeyProblem::Twice)
    }
}

fn parse_toml(text: &str, lines: &Lines) -> Result<Node, ConfigError> {
    let table = DeTable::parse(text).map_err(|error| {
        // The parser's own rendering quotes the line, which may hold a credential.
        let line = error.span().map(|span| lines.at(span.start));
        ConfigError::Syntax { place: Place { file: None, line }, message: error.message().to_owned() }
    })?;
    let line = lines.at(table.span().start);
    Ok(Node { line, value: toml_table(table.into_inner(), lines) })
}

fn toml_table(table: DeTable<'_>, lines: &Lines) -> Value {
    Value::Table(
        table
            .into_iter()
            .map(|(key, value)| (key.into_inner().into_owned(), toml_node(value, lines)))
            .collect(),
    )
}

fn toml_node(node: Spanned<DeValue<'_>>, lines: &Lines) -> Node {
    let line = lines.at(node.span().start);
    let value = match node.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) if integer.radix() == 10 => Value::Number(integer.as_str().to_owned()),
        DeValue::Float(float) => Value::Number(float.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Bool(flag),
        DeValue::Array(array) => Value::List(array.into_iter().map(|item| toml_node(item, lines)).collect()),
        DeValue::Table(table) => toml_table(table, lines),
        DeValue::Integer(_) | DeValue::Datetime(_) => Value::Other,
    };
    Node { line, value }
}

/// Offsets to lines.
struct Lines(Vec<usize>); // offset of each line end, ascending

impl Lines {
    fn of(text: &str) -> Self {
        Self(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(offset, _)| offset).collect())
    }

    /// The line, from 1, that holds the byte at `offset`.
    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|end| *end < offset) + 1
    }
}
