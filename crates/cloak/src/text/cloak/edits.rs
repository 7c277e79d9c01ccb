//! All edits of a text, and the one splice.
//!
//! In: replacements in innermost texts. Out: the cloaked text, and what stands where in it. Invariant: edits are in
//! order and apart; what they write is escaped for the layers of JSON that it stands in. Not here: what is replaced.

use cloakgate_detect::FieldKind;
use cloakgate_vocab::Span;

use crate::error::CloakError;
use crate::place::{Context, Place};
use crate::text::field::Field;
use crate::text::operators::Replacement;
use crate::text::session::Replaced;
use crate::texts::Text;

/// One edit.
#[derive(Debug)]
pub(super) struct Edit {
    /// Where in the whole text.
    at: Span,
    /// Where in its innermost text.
    pub(super) inner: Span,
    /// What is written, escaped.
    text: String,
    field: Field,
    unique: bool,
}

impl Edit {
    pub(super) fn new(inner: &Text<'_>, replacement: &Replacement, field: Field) -> Result<Self, CloakError> {
        let Replacement { span, text, unique } = replacement;
        let place = |depth| Place { depth, context: Context::Plain };
        let written = match inner.kind {
            // A string stands for a number, as nothing else could; its quotes belong to the layer above.
            FieldKind::Number => place(1)
                .encode(text)
                .and_then(|text| place(inner.depth.saturating_sub(1)).encode(&format!("\"{text}\""))),
            _ => place(inner.depth).encode(text),
        };
        let span = if inner.kind == FieldKind::Number { Span::sized(0, inner.text.len()) } else { *span };
        Ok(Self {
            at: inner.in_string(span),
            inner: span,
            text: written.map_err(|_| CloakError::Invalid)?,
            field,
            unique: *unique,
        })
    }
}

/// The edits of a text, those of one innermost text after those of another.
#[derive(Debug, Default)]
pub(super) struct Edits {
    edits: Vec<Edit>,
}

impl Edits {
    pub(super) fn push(&mut self, edit: Edit) {
        self.edits.push(edit);
    }

    /// The edits from `first` on that lie within a part of the text.
    pub(super) fn within(&self, first: usize, part: Span) -> &[Edit] {
        let rest = self.edits.get(first..).unwrap_or_default();
        let count = rest.iter().take_while(|edit| part.contains(edit.at)).count();
        rest.get(..count).unwrap_or_default()
    }

    /// Adds edits anywhere, apart from those that are there.
    pub(super) fn extend(&mut self, more: Vec<Edit>) {
        self.edits.extend(more);
        self.edits.sort_by_key(|edit| edit.at);
    }

    /// Splices all edits.
    pub(super) fn apply(self, text: &str) -> Result<(String, Vec<Replaced>), CloakError> {
        let added: usize = self.edits.iter().map(|edit| edit.text.len()).sum();
        let mut cloaked = String::with_capacity(text.len() + added);
        let mut replaced = Vec::with_capacity(self.edits.len());
        let mut done = 0;
        for edit in self.edits {
            let (Some(before), Some(original)) = (text.get(done..edit.at.start()), edit.at.of(text)) else {
                return Err(CloakError::Invalid);
            };
            cloaked.push_str(before);
            let at = Span::sized(cloaked.len(), edit.text.len());
            cloaked.push_str(&edit.text);
            replaced.push(Replaced {
                at,
                original: original.to_owned(),
                field: edit.field,
                unique: edit.unique,
            });
            done = edit.at.end();
        }
        cloaked.push_str(text.get(done..).ok_or(CloakError::Invalid)?);
        Ok((cloaked, replaced))
    }
}
