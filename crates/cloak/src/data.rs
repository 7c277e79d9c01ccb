//! Where in a message the documents begin that the operator's paths speak of.
//!
//! In: a scanned message. Out: for each of its values, how far the paths were followed. A document begins at a tool's
//! structured content or arguments, at the data of an error or of a log message, at the content of an answer to a
//! form; everything around those is the protocol's. JSON in a text is a document of its own, or goes on with the path
//! of its text (`texts`). Invariant: nothing is computed where no list names a path.

use cloakgate_detect::{Fields, PathState, Records, Steps, Within};
use cloakgate_json::{Document, Kind, NodeId};

/// Documents in messages: a member of the message, and the member of that.
const DOCUMENTS: &[(&str, &str)] = &[
    ("result", "structuredContent"),
    ("result", "content"), // an object in answers to forms; a list of blocks is no document
    ("params", "arguments"),
    ("params", "data"),
    ("error", "data"),
];

/// The documents of one message.
pub(crate) struct Documents<'a> {
    fields: Option<&'a Fields>,
    steps: Vec<Steps>,
}

impl<'a> Documents<'a> {
    pub(crate) fn of(
        fields: Option<&'a Fields>,
        (document, bytes): (&Document, &[u8]),
        records: &Records<'_>,
    ) -> Self {
        let mut steps = Vec::new();
        for (outer, inner) in fields.map_or(&[][..], |_| DOCUMENTS) {
            let member = |of, name| document.member(bytes, of, name);
            let root = member(NodeId::ROOT, outer).and_then(|outer| member(outer, inner));
            let blocks = |root: &NodeId| *inner == "content" && document.kind(*root) != Kind::Object;
            if let (Some(root), Some(fields)) = (root.filter(|root| !blocks(root)), fields) {
                steps.push(Within::no_document(fields).enter(document, (bytes, records), root));
            }
        }
        Self { fields, steps }
    }

    /// What is known of the place of a value.
    pub(crate) fn within(&self, node: NodeId) -> Option<Within<'_>> {
        self.fields.map(|fields| Within::no_document(fields).at(self.state(node)))
    }

    fn state(&self, node: NodeId) -> Option<&PathState> {
        self.steps.iter().find_map(|steps| steps.state(node))
    }
}
