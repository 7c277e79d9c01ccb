//! What can be wrong with a configuration, said so that the person who wrote it can put it right.
//!
//! Invariant: names of keys and places are shown, values never.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use cloakgate_detect::FieldPathError;

use super::pattern::PatternError;

/// Where in the configuration.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// The file, where there is one.
    pub file: Option<PathBuf>,
    /// The line, from 1, where it is known.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display()),
            (Some(file), None) => write!(f, "{}: ", file.display()),
            (None, Some(line)) => write!(f, "line {line}: "),
            (None, None) => Ok(()),
        }
    }
}

/// Why the configuration was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// No file was named and none lies in the current folder.
    #[error(
        "no configuration: give --config FILE, set CLOAKGATE_CONFIG, or write ./cloakgate.json or ./cloakgate.toml"
    )]
    Missing,
    /// Two files lie in the current folder, and it is not said which one counts.
    #[error("both ./cloakgate.json and ./cloakgate.toml exist: say with --config which one counts")]
    Ambiguous,
    /// The file cannot be read.
    #[error("cannot read {}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The file is no configuration.
    #[error("{} is longer than the {max} bytes that a configuration may have", file.display())]
    TooBig {
        /// The file.
        file: PathBuf,
        /// The limit.
        max: u64,
    },
    /// The text is no JSON or no TOML.
    #[error("{place}{message}")]
    Syntax {
        /// Where.
        place: Place,
        /// What the parser said; it quotes nothing.
        message: String,
    },
    /// A key is wrong.
    #[error("{place}{}", problem.about(path))]
    Key {
        /// Where.
        place: Place,
        /// The key, with the keys above it: `upstreams.fs.command`.
        path: String,
        /// What is wrong with it.
        problem: KeyProblem,
    },
}

impl ConfigError {
    pub(super) fn key(path: impl Into<String>, line: usize, problem: KeyProblem) -> Self {
        Self::Key { place: Place { file: None, line: Some(line) }, path: path.into(), problem }
    }

    pub(super) fn in_file(mut self, path: &Path) -> Self {
        if let Self::Syntax { place, .. } | Self::Key { place, .. } = &mut self {
            place.file = Some(path.to_owned());
        }
        self
    }
}

/// What is wrong with a key.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum KeyProblem {
    /// Nobody knows it.
    Unknown {
        /// The valid key that it may have been meant to be.
        nearest: Option<String>,
        /// All valid keys of the place, sorted.
        valid: Vec<String>,
    },
    /// It stands twice.
    Twice,
    /// It must be there.
    Missing,
    /// Its value is not what the key takes.
    Expected(String),
    /// It contradicts another key, whose path this is.
    Contradicts(String),
    /// It asks for protection that is not there; why, and what to do.
    Unsupported(&'static str),
    /// It names no category.
    NoCategory {
        /// The category that it may have been meant to be.
        nearest: Option<String>,
    },
    /// The pattern is bad or unsafe.
    Pattern(PatternError),
    /// The path is none.
    Field(FieldPathError),
}

impl KeyProblem {
    fn about(&self, path: &str) -> String {
        match self {
            Self::Unknown { nearest: Some(nearest), .. } => {
                format!("unknown key `{path}`; did you mean `{nearest}`?")
            }
            Self::Unknown { nearest: None, valid } => {
                format!("unknown key `{path}`; valid keys here are {}", valid.join(", "))
            }
            Self::Twice => format!("`{path}` is given twice"),
            Self::Missing => format!("`{path}` is missing"),
            Self::Expected(expected) => format!("`{path}` must be {expected}"),
            Self::Contradicts(other) => format!("`{path}` and `{other}` contradict each other"),
            Self::Unsupported(why) => format!("`{path}` cannot be had: {why}"),
            Self::NoCategory { nearest: Some(nearest) } => {
                format!("`{path}` names no category; did you mean `{nearest}`?")
            }
            Self::NoCategory { nearest: None } => format!("`{path}` names no category"),
            Self::Field(error) => format!("`{path}` is refused: {error}"),
            Self::Pattern(error) => format!("`{path}` is refused: {error}"),
        }
    }
}

/// A key that was read and does less than its name says.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Warning {
    /// The key, with the keys above it.
    pub path: String,
    /// Its line, from 1.
    pub line: usize,
    /// What it does not do, and why.
    pub reason: &'static str,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}` {}", self.line, self.path, self.reason)
    }
}
