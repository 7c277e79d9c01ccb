//! The first start: a token to begin with, and a place to begin in.
//!
//! In: an empty catalog. Out: an administrator's token, an environment with a country, a service, settings and a server.
//! Invariant: of processes that start at once on one database, one does it; a secret is told once and kept nowhere.

use cloakgate_names::NamesError;
use cloakgate_vault::StoreError;
use uuid::Uuid;

use crate::api::new_key;
use crate::app::App;
use crate::fault::Fault;
use crate::keys::{self, KeptKey};
use crate::records::{
    Billing, Country, Directions, Environment, Page, Role, Server, Service, SetUp, Token, now,
};
use crate::self_test::Survivor;
use crate::settings::Settings;
use crate::texts::TextsError;

/// Environment variable with an administrator's token.
pub const ADMIN_TOKEN_VARIABLE: &str = "CLOAKGATE_ADMIN_TOKEN";
/// Shortest token that an operator may choose.
const MIN_TOKEN: usize = 16;
/// Name of the token that the variable sets.
const VARIABLE_TOKEN: &str = "from CLOAKGATE_ADMIN_TOKEN";

/// Why the service does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// A database or its key cannot be used.
    #[error("cannot open the database")]
    Store(#[from] StoreError),
    /// A model is damaged.
    #[error("names cannot be read")]
    Names(#[from] NamesError),
    /// Texts cannot be cloaked.
    #[error("texts cannot be cloaked")]
    Texts(#[from] TextsError),
    /// The self-test failed.
    #[error("the self-test failed")]
    SelfTest(#[from] Survivor),
    /// There is no region.
    #[error("no region is configured")]
    NoRegion,
    /// The token of the variable is too short.
    #[error("{ADMIN_TOKEN_VARIABLE} must have at least {MIN_TOKEN} letters")]
    WeakToken,
    /// The catalog cannot be written.
    #[error("the first records cannot be written: {0}")]
    Records(String),
}

impl From<Fault> for StartError {
    fn from(fault: Fault) -> Self {
        Self::Records(fault.message().to_owned())
    }
}

/// What a first start tells, once.
pub struct FirstRun {
    /// The administrator's token; absent where the operator set it.
    pub admin_token: Option<String>,
    /// Where the first server is.
    pub mcp_server_url: String,
    /// The first server's key.
    pub api_key: String,
    /// The first environment.
    pub environment: Uuid,
}

impl App {
    /// Makes what a service begins with, unless this database has it already. `admin_token` is the token of the
    /// variable, which counts from now on, and the one before no more.
    ///
    /// # Errors
    /// When the token is too short or the catalog cannot be written.
    pub async fn first_run(&self, admin_token: Option<&str>) -> Result<Option<FirstRun>, StartError> {
        if let Some(token) = admin_token {
            self.set_admin_token(token).await?;
        }
        let records = self.records();
        if records.anywhere::<SetUp>(Uuid::nil()).await?.is_some() {
            return Ok(None);
        }
        let done = SetUp { by: env!("CARGO_PKG_VERSION").to_owned() };
        if records.add_as(Uuid::nil(), Uuid::nil(), done).await.is_err() {
            // Another process was first.
            return Ok(None);
        }
        let token = match admin_token {
            Some(_) => None,
            None => Some(self.new_admin_token("first administrator").await?),
        };
        let region = self.config().regions.first().map(|region| region.name.clone());
        let region = region.ok_or(StartError::NoRegion)?;
        let environment = records.add(Uuid::nil(), Environment { name: "Default".to_owned() }).await?;
        let country = Country { region: region.clone(), name: region.clone() };
        let country = records.add(environment.id, country).await?;
        let service = Service { name: "Cloaking".to_owned(), country_id: country.id };
        let service = records.add(environment.id, service).await?;
        let settings = records.add(environment.id, Settings::default()).await?;
        let (secret, key) = new_key()?;
        let billing = Billing { tier: "free".to_owned(), provider: None, customer_id: None };
        let server = Server {
            name: "default".to_owned(),
            cloak_settings_id: settings.id,
            directions: Directions::default(),
            billing,
            keys: vec![key],
        };
        let server = records.add(service.id, server).await?;
        Ok(Some(FirstRun {
            admin_token: token,
            mcp_server_url: self.mcp_url(&region),
            api_key: format!("{}:{secret}", server.id),
            environment: environment.id,
        }))
    }

    async fn new_admin_token(&self, name: &str) -> Result<String, Fault> {
        let text = format!("{}{}", keys::TOKEN_PREFIX, keys::secret()?);
        self.add_admin_token(name, &text).await?;
        Ok(text)
    }

    async fn add_admin_token(&self, name: &str, text: &str) -> Result<(), Fault> {
        let key = KeptKey::of(text, now());
        let token = Token { name: name.to_owned(), role: Role::Admin, environment_id: None, key };
        self.records().add_as(keys::token_id(text), Uuid::nil(), token).await.map(drop)
    }

    /// Makes the variable's token count, and the one that it had before no more.
    async fn set_admin_token(&self, text: &str) -> Result<(), StartError> {
        if text.chars().count() < MIN_TOKEN {
            return Err(StartError::WeakToken);
        }
        let id = keys::token_id(text);
        let tokens = self.records().list::<Token>(Uuid::nil(), Page::default()).await?;
        for old in tokens.iter().filter(|kept| kept.record.name == VARIABLE_TOKEN && kept.id != id) {
            self.records().delete::<Token>(old.id).await?;
        }
        if tokens.iter().any(|kept| kept.id == id) {
            return Ok(());
        }
        let added = self.add_admin_token(VARIABLE_TOKEN, text).await;
        // Another process may have been first.
        if added.is_err() && self.records().anywhere::<Token>(id).await?.is_some() {
            Ok(())
        } else {
            Ok(added?)
        }
    }
}
