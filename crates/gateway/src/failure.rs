//! Why a request of the client has no answer from a server, and what the client reads instead.
//!
//! In: failures of every stage. Out: one message. Invariant: the texts are ours; what they name comes from the
//! configuration, or is a text that the pipeline vouches for. Not here: logging.

use bytes::Bytes;
use cloakgate_cloak::Cloaked;
use cloakgate_mcp::RawId;
use cloakgate_mcp::errors::{self, Code};
use cloakgate_vocab::{UpstreamName, causes};

use crate::pipeline::PipelineError;
use crate::upstream::CallError;

/// Why there is no answer.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum Failure {
    /// The request cannot be carried out.
    #[error("{text}")]
    Error {
        /// The JSON-RPC code.
        code: Code,
        /// What the client reads.
        text: String,
    },
    /// Cloaking or restoring refused, with a text that the model can act on.
    #[error("{0}")]
    Refused(String),
}

impl Failure {
    pub(crate) fn new(code: Code, text: impl Into<String>) -> Self {
        Self::Error { code, text: text.into() }
    }

    /// A request that the server did not answer.
    pub(crate) fn upstream(name: &UpstreamName, error: CallError) -> Self {
        Self::new(Code::Internal, format!("upstream `{name}`: {error}"))
    }

    /// The message that the client gets in the answer's place. A refused tool call is a result, since only results
    /// reach the model.
    pub(crate) fn into_message(self, id: &RawId, method: &str) -> Cloaked<Bytes> {
        Cloaked::authored(match self {
            Self::Error { code, text } => errors::error(id, code, &text),
            Self::Refused(text) if method == "tools/call" => errors::tool_error(id, &text),
            Self::Refused(text) => errors::error(id, Code::InvalidParams, &text),
        })
    }
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Refused(text) => Self::Refused(text),
            PipelineError::TooLong => {
                tracing::error!("a message was not read in time, and was not passed on");
                Self::new(
                    Code::Internal,
                    "the message was not read in time; nothing was passed on, ask for less",
                )
            }
            failed => {
                tracing::error!(error = %causes(&failed), "cloaking failed");
                Self::new(Code::Internal, "cloaking failed; nothing was passed on")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_mcp::RawId;
    use cloakgate_mcp::errors::Code;

    use super::Failure;

    #[test]
    fn only_a_refused_tool_call_reaches_the_model_as_a_result() {
        let id = RawId::own(1);
        for (failure, method, part) in [
            (Failure::Refused("read it again".into()), "tools/call", r#""isError":true"#),
            (Failure::Refused("read it again".into()), "prompts/get", r#""code":-32602"#),
            (Failure::new(Code::Internal, "no"), "tools/call", r#""code":-32603"#),
        ] {
            let message = failure.into_message(&id, method);
            let text = String::from_utf8_lossy(message.bytes()).into_owned();
            assert!(text.contains(part), "{text}");
        }
    }
}
