//! What the policy can say about one node of a message.

/// What happens to one node of a message, and to its key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Treatment {
    /// Leaves byte for byte; not counted: protocol words and schemas.
    Exact,
    /// Leaves byte for byte, but is counted as not inspected: binary, signed links.
    Scan,
    /// Towards the model: what is found is replaced.
    Cloak,
    /// Towards the model: as `Cloak`, with tokens that can stand in a URI.
    CloakUri,
    /// Towards the model: base64; where it holds text, that text is cloaked, else it is counted as not inspected.
    CloakBase64,
    /// Towards an upstream: tokens become values.
    Restore,
}

impl Treatment {
    /// True when detectors read the node.
    #[must_use]
    pub fn cloaks(self) -> bool {
        matches!(self, Self::Cloak | Self::CloakUri)
    }
}
