//! What a model says of a piece of text.

use cloakgate_vocab::Span;

/// What a mention names.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Kind {
    /// A person, with whatever parts of the name.
    Person,
    /// A city, region, country or other place.
    Place,
    /// An organisation.
    Organisation,
    /// A part of a postal address: number, street, post code.
    Address,
    /// A nationality, religious or political group.
    Group,
}

/// Something that one model sees in one text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mention {
    /// Bytes of the text that the model was given.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
    /// How sure the model is, from 0 to 1; 1 from a model that does not say.
    pub score: f32,
}
