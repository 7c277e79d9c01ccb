//! The one place where messages of servers become fit for the client, and messages of the client for servers.
//!
//! In: a message, its upstream, what it is. Out: bytes that may leave. Invariant: with cloaking on, everything goes
//! through the pipeline under the treatments of the policy; with cloaking off, only edits of ids and names are made.
//! Ids of tasks are replaced by the names that the other side knows them by, wherever a message has them.
//! A message with a key twice goes to no server that is cloaked: scanner and server could read different ones.
//! Not here: what is found and how it is replaced.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use cloakgate_cloak::{Cloaked, ExactReason, Restored, ToolSchema, Treatment};
use cloakgate_json::{Document, Edit, NodeId};
use cloakgate_mcp::errors::{self, Code};
use cloakgate_mcp::{Direction, Part, task_ids, treatments};

use crate::failure::Failure;
use crate::message::Message;
use crate::pipeline::{Down, Pipeline, Up};
use crate::tasks::Tasks;
use crate::upstream::Upstream;

/// Messages with more values are walked off the reactor.
const WALKED_IN_PLACE: usize = 4096;

/// What a message is, and what changes in it whatever is found.
#[derive(Debug)]
pub(crate) struct Passage<'a> {
    method: &'a str,
    part: Part,
    edits: Vec<Edit>,
    written: Vec<Range<usize>>, // nodes that the edits replace or that leave no trace, by index
    schema: Option<(NodeId, Arc<ToolSchema>)>,
    tool: Option<Arc<str>>,
    reader: Reader,
}

/// Who reads a message that leaves towards the client.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) enum Reader {
    #[default]
    Model,
    Person,
}

impl<'a> Passage<'a> {
    /// A message in which nothing changes but what is found.
    pub(crate) fn of(method: &'a str, part: Part) -> Self {
        Self {
            method,
            part,
            edits: Vec::new(),
            written: Vec::new(),
            schema: None,
            tool: None,
            reader: Reader::Model,
        }
    }

    /// The same with edits of ids and names.
    pub(crate) fn with_edits(mut self, edits: impl IntoIterator<Item = Edit>) -> Self {
        self.edits.extend(edits);
        self.edits.sort_by_key(|edit| edit.span);
        self
    }

    /// The same for a message of which these values, and all in them, do not leave: they are not read.
    pub(crate) fn leaving_out(mut self, message: &Message, nodes: impl IntoIterator<Item = NodeId>) -> Self {
        let inside = |node: NodeId| node.index()..message.document.subtree_end(node).index();
        self.written.extend(nodes.into_iter().map(inside));
        self
    }

    /// The same with other names for the tasks that the message speaks of.
    fn naming_tasks(self, message: &Message, name: impl Fn(&str) -> Option<String>) -> Self {
        let places = task_ids(&message.document, &message.bytes, self.method, self.part);
        let named = places.into_iter().filter_map(|node| Some((node, name(&message.text(node)?)?)));
        let named: Vec<_> = named.collect();
        let edits: Vec<_> =
            named.iter().map(|(node, name)| message.replaced(*node, errors::quoted(name))).collect();
        self.with_edits(edits).leaving_out(message, named.into_iter().map(|(node, _)| node))
    }

    /// Takes what the gateway writes itself, and what does not leave, out of reading.
    fn exempt(&self, treatments: &mut [Treatment]) {
        for range in &self.written {
            if let Some(nodes) = treatments.get_mut(range.clone()) {
                nodes.fill(Treatment::Exact);
            }
        }
    }

    /// The same for a message that the client shows to this reader.
    pub(crate) fn read_by(mut self, reader: Reader) -> Self {
        self.reader = reader;
        self
    }

    /// The same for an answer of a tool, by the server's name for it.
    pub(crate) fn of_tool(mut self, tool: Option<&str>) -> Self {
        self.tool = tool.map(Arc::from);
        self
    }

    /// The same for a message whose value at the node obeys a tool's schema.
    pub(crate) fn with_schema(mut self, schema: Option<(NodeId, Arc<ToolSchema>)>) -> Self {
        self.schema = schema;
        self
    }
}

/// Makes messages fit to leave. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Cloaker {
    pipeline: Pipeline,
    tasks: Arc<Tasks>,
}

impl std::fmt::Debug for Cloaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Cloaker(..)")
    }
}

impl Cloaker {
    pub(crate) fn new(pipeline: Pipeline, tasks: Arc<Tasks>) -> Self {
        Self { pipeline, tasks }
    }

    /// A message of `upstream` for the client.
    pub(crate) async fn down(
        &self,
        upstream: &Upstream,
        message: Message,
        passage: Passage<'_>,
    ) -> Result<Cloaked<Bytes>, Failure> {
        let passage = passage.naming_tasks(&message, |id| self.tasks.for_client(upstream, id));
        let Message { bytes, document, .. } = message;
        if !upstream.terms.sanitize {
            return Cloaked::exact(&bytes, passage.edits, ExactReason::Off).map_err(|_| unfit());
        }
        if passage.reader == Reader::Person {
            return Cloaked::exact(&bytes, passage.edits, ExactReason::Person).map_err(|_| unfit());
        }
        let walk = (passage.method, passage.part, Direction::Down);
        let (document, mut treatments) = walked(document, &bytes, walk).await?;
        passage.exempt(&mut treatments);
        let down = Down {
            upstream: upstream.name().clone(),
            message: (passage.method.to_owned(), passage.part),
            tool: passage.tool,
            treatments,
            structured: passage.schema,
            edits: passage.edits,
        };
        Ok(self.pipeline.cloak(bytes, document, down).await?)
    }

    /// A message of the client for `upstream`.
    pub(crate) async fn up(
        &self,
        upstream: &Upstream,
        message: Message,
        passage: Passage<'_>,
    ) -> Result<Restored<Bytes>, Failure> {
        let passage = passage.naming_tasks(&message, |id| self.tasks.for_server(upstream, id));
        let Message { bytes, document, .. } = message;
        if !upstream.terms.sanitize {
            return Restored::exact(&bytes, passage.edits, ExactReason::Off).map_err(|_| unfit());
        }
        if !document.duplicates().is_empty() {
            return Err(duplicate_key());
        }
        let walk = (passage.method, passage.part, Direction::Up);
        let (document, mut treatments) = walked(document, &bytes, walk).await?;
        if !cloakgate_mcp::is_known_method(passage.method) && passage.part == Part::Params {
            // No row says where tokens may stand, so they may anywhere in the parameters.
            let params = document.member(&bytes, NodeId::ROOT, "params");
            let inside = params.map_or(0..0, |node| node.index()..document.subtree_end(node).index());
            treatments
                .iter_mut()
                .take(inside.end)
                .skip(inside.start)
                .for_each(|one| *one = Treatment::Restore);
        }
        passage.exempt(&mut treatments);
        let up = Up {
            upstream: upstream.name().clone(),
            treatments,
            arguments: passage.schema,
            edits: passage.edits,
        };
        Ok(self.pipeline.restore(bytes, document, up).await?)
    }
}

/// The treatment of each value, found off the reactor where there are many.
async fn walked(
    document: Document,
    bytes: &Bytes,
    (method, part, direction): (&str, Part, Direction),
) -> Result<(Document, Vec<Treatment>), Failure> {
    if document.len() <= WALKED_IN_PLACE {
        let treatments = treatments(&document, bytes, method, part, direction);
        return Ok((document, treatments));
    }
    let (bytes, method) = (bytes.clone(), method.to_owned());
    let walk = tokio::task::spawn_blocking(move || {
        let treatments = treatments(&document, &bytes, &method, part, direction);
        (document, treatments)
    });
    walk.await.map_err(|_| unfit())
}

/// A request that has a key twice.
pub(crate) fn duplicate_key() -> Failure {
    Failure::new(Code::InvalidRequest, "a request may not have a key twice in one object")
}

/// Edits that do not fit: a fault of ours, and nothing may leave then.
fn unfit() -> Failure {
    Failure::new(Code::Internal, "the message could not be put together; nothing was passed on")
}
