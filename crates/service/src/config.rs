//! What an operator decides: addresses, databases, limits.
//!
//! In: JSON or TOML. Out: a checked configuration. Invariant: a key that there is none of is refused with the nearest
//! one; nothing is read from elsewhere.

use std::path::{Path, PathBuf};

use cloakgate_names::Effort;
use serde_json::Value;

use crate::fault::Fault;
use crate::fields::{Fields, wrong};
use crate::limits::Rate;

/// Where the service listens unless it is told otherwise.
pub const DEFAULT_LISTEN: &str = "127.0.0.1:8787";
/// The region that there is where none is configured.
pub(crate) const DEFAULT_REGION: &str = "local";
/// Requests a second of one token; twice as many at once.
const DEFAULT_PER_SECOND: u64 = 200;
/// Calls a second of one server; twice as many at once.
const DEFAULT_CALLS: u64 = 20_000;
/// Bytes of one message of the tools.
const DEFAULT_MESSAGE_BYTES: u64 = 1 << 20;

/// Why a configuration was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// The file is no JSON or TOML.
    #[error("the configuration is not valid at line {line}, column {column}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
    },
    /// A key or a value is wrong.
    #[error("{0}")]
    Key(String),
}

impl From<Fault> for ConfigError {
    fn from(fault: Fault) -> Self {
        Self::Key(fault.message().to_owned())
    }
}

/// What happens when settings are deleted that a server uses.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum DeleteLinked {
    /// They are not deleted.
    #[default]
    Conflict,
    /// They are, and the servers cloak no more.
    Break,
}

/// A place where data is kept.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RegionConfig {
    /// Its name.
    pub name: String,
    /// The database; a file of the data folder where none is named.
    pub database: Option<String>,
    /// Where clients of this region find the service.
    pub public_url: Option<String>,
}

/// Certificate and key files.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TlsConfig {
    /// Certificates, PEM.
    pub cert: PathBuf,
    /// Private key, PEM.
    pub key: PathBuf,
}

/// What an operator decided.
#[derive(Clone, Debug)]
pub struct ServiceConfig {
    /// Address and port.
    pub listen: String,
    /// The data folder.
    pub data: PathBuf,
    /// Files for TLS.
    pub tls: Option<TlsConfig>,
    /// The first is home: it holds the catalog.
    pub regions: Vec<RegionConfig>,
    /// The most that is done to find names, and what is done where settings do not say.
    pub names: Effort,
    /// Origins whose scripts may call; none by default.
    pub cors_origins: Vec<String>,
    /// Names of hosts beyond our own addresses by which we may be called.
    pub allowed_hosts: Vec<String>,
    /// What happens when settings are deleted that a server uses.
    pub delete_linked: DeleteLinked,
    /// Bytes of one message of the tools.
    pub message_bytes: usize,
    pub(crate) rate: Rate,
    pub(crate) call_rate: Rate,
}

impl Default for ServiceConfig {
    fn default() -> Self {
        Self {
            listen: DEFAULT_LISTEN.to_owned(),
            data: PathBuf::from("cloakgate-data"),
            tls: None,
            regions: vec![RegionConfig { name: DEFAULT_REGION.to_owned(), database: None, public_url: None }],
            names: Effort::default(),
            cors_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            delete_linked: DeleteLinked::default(),
            message_bytes: DEFAULT_MESSAGE_BYTES as usize,
            rate: Rate { per_second: DEFAULT_PER_SECOND as f64, burst: 2.0 * DEFAULT_PER_SECOND as f64 },
            call_rate: Rate { per_second: DEFAULT_CALLS as f64, burst: 2.0 * DEFAULT_CALLS as f64 },
        }
    }
}

impl ServiceConfig {
    /// Reads a file, TOML by its ending and JSON otherwise.
    ///
    /// # Errors
    /// When it cannot be read or something in it is wrong.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ConfigError::Unreadable { path: path.to_owned(), error })?;
        let value = if path.extension().is_some_and(|ending| ending == "toml") {
            toml::from_str(&text).map_err(|error: toml::de::Error| place(&text, error.span()))?
        } else {
            serde_json::from_str(&text)
                .map_err(|error| ConfigError::Syntax { line: error.line(), column: error.column() })?
        };
        Self::read(value)
    }

    /// Checks what a file holds.
    ///
    /// # Errors
    /// When a key or a value is wrong.
    pub fn read(value: Value) -> Result<Self, ConfigError> {
        let mut fields = Fields::of(value)
            .ok_or_else(|| ConfigError::Key("the configuration must be an object".to_owned()))?;
        let mut config = Self::default();
        if let Some(listen) = fields.text("listen")? {
            config.listen = listen;
        }
        if let Some(data) = fields.text("data")? {
            config.data = data.into();
        }
        config.tls = fields.object("tls")?.map(tls).transpose()?;
        config.regions = regions(&mut fields)?;
        let words = Effort::WORDS.map(|(word, _)| word);
        if let Some(word) = fields.choice("names", &words)? {
            config.names = word.parse().unwrap_or_default();
        }
        config.cors_origins = texts(&mut fields, "cors_origins")?;
        config.allowed_hosts = texts(&mut fields, "allowed_hosts")?;
        if let Some(mut compat) = fields.object("compat")? {
            if compat.choice("delete_linked", &["conflict", "break"])? == Some("break") {
                config.delete_linked = DeleteLinked::Break;
            }
            compat.finish()?;
        }
        if let Some(limits) = fields.object("limits")? {
            config.limits(limits)?;
        }
        fields.finish()?;
        Ok(config)
    }

    fn limits(&mut self, mut limits: Fields) -> Result<(), Fault> {
        let mut positive = |name| match limits.number(name) {
            Ok(Some(0)) => Err(wrong(name, "at least 1")),
            other => other,
        };
        if let Some(per_second) = positive("requests_per_second")? {
            self.rate = Rate { per_second: per_second as f64, burst: 2.0 * per_second as f64 };
        }
        if let Some(per_second) = positive("calls_per_second")? {
            self.call_rate = Rate { per_second: per_second as f64, burst: 2.0 * per_second as f64 };
        }
        if let Some(bytes) = positive("message_bytes")? {
            self.message_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        limits.finish()
    }

    /// The file of a region that names no database.
    #[must_use]
    pub fn file_of(&self, region: &RegionConfig) -> PathBuf {
        self.data.join(format!("{}.db", region.name))
    }

    /// True when settings may ask for this much.
    pub(crate) fn reads_names(&self, effort: Effort) -> bool {
        let place = |effort| Effort::WORDS.iter().position(|(_, other)| *other == effort);
        // What is loaded for `balanced` serves `recall`.
        place(effort) <= place(self.names) || self.names.preset() == Some(cloakgate_names::Preset::Balanced)
    }
}

/// Reads `regions`, or `database` and `public_url` where there is only one.
fn regions(fields: &mut Fields) -> Result<Vec<RegionConfig>, Fault> {
    let (database, public_url) =
        (fields.text("database")?, fields.text("public_url")?.as_deref().map(without_slash));
    let Some(list) = fields.list("regions")? else {
        return Ok(vec![RegionConfig { name: DEFAULT_REGION.to_owned(), database, public_url }]);
    };
    if database.is_some() || public_url.is_some() {
        return Err(Fault::field(
            "regions",
            "with `regions`, `database` and `public_url` belong into each of them",
        ));
    }
    let mut regions: Vec<RegionConfig> = Vec::new();
    for value in list {
        let mut region = Fields::of(value).ok_or_else(|| wrong("regions", "a list of objects"))?;
        let name = region.name("name")?.ok_or_else(|| wrong("regions", "a list of objects with a `name`"))?;
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(wrong("name", "letters, digits and `-`"));
        }
        let (database, public_url) =
            (region.text("database")?, region.text("public_url")?.as_deref().map(without_slash));
        region.finish()?;
        let twice = regions
            .iter()
            .any(|other| other.name == name || database.is_some() && other.database == database);
        if twice {
            return Err(Fault::field("regions", format!("two regions share a name or a database: `{name}`")));
        }
        regions.push(RegionConfig { name, database, public_url });
    }
    if regions.is_empty() { Err(wrong("regions", "a list of at least one region")) } else { Ok(regions) }
}

fn tls(mut fields: Fields) -> Result<TlsConfig, Fault> {
    let mut file =
        |name| fields.text(name)?.map(PathBuf::from).ok_or_else(|| wrong(name, "the path of a PEM file"));
    let tls = TlsConfig { cert: file("cert")?, key: file("key")? };
    fields.finish()?;
    Ok(tls)
}

fn texts(fields: &mut Fields, name: &'static str) -> Result<Vec<String>, Fault> {
    let list = fields.list(name)?.unwrap_or_default().into_iter();
    list.map(|value| match value {
        Value::String(text) => Ok(text),
        _ => Err(wrong(name, "a list of strings")),
    })
    .collect()
}

fn without_slash(url: &str) -> String {
    url.trim_end_matches('/').to_owned()
}

/// Where a place of a text is.
fn place(text: &str, span: Option<std::ops::Range<usize>>) -> ConfigError {
    let before = span.and_then(|span| text.get(..span.start)).unwrap_or_default();
    let last = before.rsplit('\n').next().unwrap_or_default();
    ConfigError::Syntax { line: before.matches('\n').count() + 1, column: last.chars().count() + 1 }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_configuration_is_read_whole() {
        let config = ServiceConfig::read(json!({
            "listen": "0.0.0.0:443",
            "data": "/srv/cloakgate",
            "tls": { "cert": "a.pem", "key": "b.pem" },
            "regions": [
                { "name": "de", "database": "postgres://db.example.org/de", "public_url": "https://de.example.org/" },
                { "name": "us", "database": "postgres://db.example.org/us" },
            ],
            "names": "fast",
            "cors_origins": ["https://console.example.org"],
            "allowed_hosts": ["de.example.org"],
            "compat": { "delete_linked": "break" },
            "limits": { "requests_per_second": 5, "calls_per_second": 10, "message_bytes": 4096 },
        }))
        .expect("valid");
        assert_eq!(config.regions[0].public_url.as_deref(), Some("https://de.example.org"));
        assert_eq!(config.delete_linked, DeleteLinked::Break);
        assert!(config.reads_names(Effort::OFF) && !config.reads_names(Effort::default()));
        assert!(ServiceConfig::default().reads_names("recall".parse().expect("an effort")));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (value, reason) in [
            (json!({ "lisen": "" }), "unknown field `lisen`; did you mean `listen`?"),
            (json!({ "names": "best" }), "`names` must be one of: off, fast, balanced, recall"),
            (json!({ "regions": [] }), "`regions` must be a list of at least one region"),
            (json!({ "regions": [{ "name": "a" }, { "name": "a" }] }), "two regions share a name"),
            (json!({ "regions": [{ "name": "../a" }] }), "`name` must be letters, digits and `-`"),
            (json!({ "database": "x", "regions": [{ "name": "a" }] }), "with `regions`"),
            (json!({ "limits": { "calls_per_second": 0 } }), "`calls_per_second` must be at least 1"),
            (
                json!({ "compat": { "delete_linked": "no" } }),
                "`delete_linked` must be one of: conflict, break",
            ),
            (json!({ "tls": { "cert": "a" } }), "`key` must be the path of a PEM file"),
            (json!([]), "the configuration must be an object"),
        ] {
            let error = ServiceConfig::read(value).expect_err("refused").to_string();
            assert!(error.starts_with(reason), "{error}");
        }
    }
}
