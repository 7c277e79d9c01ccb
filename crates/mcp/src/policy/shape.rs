//! What values of the protocol look like.
//!
//! In: a value where a schema says what stands there. Out: whether it can be that. Invariant: a shape admits one kind
//! of JSON value and, of strings, closed vocabularies and forms with no room for a name, an address or a number of a
//! person; so what hides in such a place is inspected like any other value. Not here: which place has which shape.

use cloakgate_json::Kind;

mod forms;
mod words;

pub(super) use words::{
    AUDIENCES, CACHE_SCOPES, CONTEXTS, ELICITATION_MODES, LEVELS, RESULT_TYPES, ROLES, SCHEMA_FORMATS,
    SCHEMA_TYPES, TASK_STATES, THEMES, TOOL_CHOICES, TYPES, VERSIONS_OF_JSON_RPC,
};

/// The look of a value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    /// Whatever stands there.
    Any,
    /// An object or array. What is inside has places of its own.
    Container,
    /// `true` or `false`.
    Flag,
    /// A number of fewer digits than a card or an account has.
    Amount,
    /// A number from 0 to 1 with as few digits.
    Fraction,
    /// A string out of a closed list.
    OneOf(&'static [&'static str]),
    /// A method that the table knows.
    Method,
    /// `2025-11-25`.
    Version,
    /// `text/plain; charset=utf-8`.
    MediaType,
    /// `2025-01-12T15:00:58Z`.
    Timestamp,
    /// `48x48` or `any`.
    Sizes,
    /// A short number, as number or string, or a UUID: how messages refer to one another.
    Reference,
    /// `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01`.
    TraceParent,
    /// `rojo=00f067aa0ba902b7,congo=t61rcWkgMzE`.
    TraceState,
    /// An `https:` address with no room for a user, or a `data:` address of an image.
    PictureUri,
    /// An `https:` address with no room for a user.
    WebUri,
    /// Base64, as binary content is written.
    Base64,
}

impl Shape {
    /// Whether a value looks like it; `text` is a string's text or a number as written.
    pub(super) fn fits<'a>(
        self,
        kind: Kind,
        text: impl FnOnce() -> Option<std::borrow::Cow<'a, str>>,
    ) -> bool {
        match (self, kind) {
            (Self::Any, _)
            | (Self::Container, Kind::Object | Kind::Array)
            | (Self::Flag, Kind::True | Kind::False) => true,
            (Self::Amount | Self::Fraction | Self::Reference, Kind::Number) => {
                text().is_some_and(|text| self.fits_number(&text))
            }
            (_, Kind::String) => text().is_some_and(|text| self.fits_string(&text)),
            _ => false,
        }
    }

    fn fits_number(self, text: &str) -> bool {
        let is_short = forms::is_short_number(text);
        match self {
            Self::Fraction => is_short && text.parse().is_ok_and(|value: f64| (0.0..=1.0).contains(&value)),
            _ => is_short,
        }
    }

    fn fits_string(self, text: &str) -> bool {
        match self {
            Self::OneOf(words) => words.contains(&text),
            Self::Method => super::is_known_method(text),
            Self::Version => forms::is_version(text),
            Self::MediaType => forms::is_media_type(text),
            Self::Timestamp => forms::is_timestamp(text),
            Self::Sizes => forms::is_sizes(text),
            Self::Reference => forms::is_short_digits(text) || forms::is_uuid(text),
            Self::TraceParent => forms::is_trace_parent(text),
            Self::TraceState => forms::is_trace_state(text),
            Self::PictureUri => forms::is_web_uri(text) || forms::is_image_data(text),
            Self::WebUri => forms::is_web_uri(text),
            Self::Base64 => forms::is_base64(text),
            Self::Any | Self::Container | Self::Flag | Self::Amount | Self::Fraction => false,
        }
    }
}

#[cfg(test)]
mod tests;
