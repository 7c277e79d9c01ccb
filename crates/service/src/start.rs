//! The first start: a token to begin with, and a place to begin in.
//!
//! In: an empty catalog. Out: an administrator's token, an environment with a country, a service, settings and a server.
//! Invariant: of processes that start at once on one database, one does it; a secret is told once and kept nowhere; one
//! that was made and never told opens nothing once it is done again.

use std::time::Duration;

use cloakgate_names::NamesError;
use cloakgate_vault::StoreError;
use uuid::Uuid;

use crate::api::new_key;
use crate::app::App;
use crate::fault::Fault;
use crate::keys::{self, KeptKey};
use crate::records::{
    Billing, Country, Directions, Environment, Kept, Page, Role, Server, Service, SetUp, Token, now,
};
use crate::self_test::Survivor;
use crate::settings::Settings;
use crate::texts::TextsError;

/// Environment variable with an administrator's token.
pub const ADMIN_TOKEN_VARIABLE: &str = "CLOAKGATE_ADMIN_TOKEN";
/// Shortest token that an operator may choose.
const MIN_TOKEN: usize = 16;
/// Seconds that a first start may take until its secrets are told; after that it is thought dead.
const SET_UP_SECONDS: i64 = 15;
/// How often it is looked whether another process's first start is done.
const SET_UP_POLL: Duration = Duration::from_millis(100);
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
    set_up: Kept<SetUp>,
}

impl App {
    /// Makes what a service begins with, unless this database has it already. `admin_token` is the token of the
    /// variable, which counts from now on, and the one before no more. Whoever has told the secrets says so by
    /// [`App::told`]; until then they are nobody's, and the next start makes others.
    ///
    /// # Errors
    /// When the token is too short or the catalog cannot be written.
    pub async fn first_run(&self, admin_token: Option<&str>) -> Result<Option<FirstRun>, StartError> {
        self.first_run_by(now, admin_token).await
    }

    /// The same by a clock of Unix seconds.
    async fn first_run_by(
        &self,
        clock: fn() -> i64,
        admin_token: Option<&str>,
    ) -> Result<Option<FirstRun>, StartError> {
        if let Some(token) = admin_token {
            self.set_admin_token(token).await?;
        }
        let token = match admin_token {
            Some(_) => None,
            None => Some(format!("{}{}", keys::TOKEN_PREFIX, keys::secret()?)),
        };
        let Some(set_up) = self.begin_set_up(clock, token.as_deref().map(keys::token_id)).await? else {
            return Ok(None);
        };
        let records = self.records();
        if let Some(token) = &token {
            self.add_admin_token("first administrator", token).await?;
        }
        let region = self.config().regions.first().map(|region| region.name.clone());
        let region = region.ok_or(StartError::NoRegion)?;
        let environment = Environment { name: "Default".to_owned() };
        let environment = records.add_as(set_up.record.environment, Uuid::nil(), environment).await?;
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
            set_up,
        }))
    }

    /// Notes that the secrets of a first start were told.
    ///
    /// # Errors
    /// When the catalog cannot be written, or another process thought this one dead.
    pub async fn told(&self, first: &FirstRun) -> Result<(), StartError> {
        let told = SetUp { told: true, ..first.set_up.record.clone() };
        self.records().replace(&first.set_up, told).await?;
        Ok(())
    }

    /// Begins the set-up, in the place of one that ended before its secrets were told. `None` when one was told. While
    /// another process is at it, it is waited for.
    async fn begin_set_up(
        &self,
        clock: fn() -> i64,
        token: Option<Uuid>,
    ) -> Result<Option<Kept<SetUp>>, StartError> {
        let records = self.records();
        loop {
            let now = clock();
            let begun = SetUp {
                by: env!("CARGO_PKG_VERSION").to_owned(),
                told: false,
                until: now + SET_UP_SECONDS,
                environment: Uuid::now_v7(),
                token,
            };
            let begun = match records.anywhere::<SetUp>(Uuid::nil()).await? {
                None => records.add_as(Uuid::nil(), Uuid::nil(), begun).await,
                Some(known) if known.record.told => return Ok(None),
                Some(other) if other.record.until > now => {
                    tokio::time::sleep(SET_UP_POLL).await;
                    continue;
                }
                Some(cut_off) => {
                    tracing::warn!("a first start ended before it told its secrets; it is done again");
                    if let Some(token) = cut_off.record.token {
                        records.delete::<Token>(token).await?;
                    }
                    crate::api::delete_environment(self, cut_off.record.environment).await?;
                    records.replace(&cut_off, begun).await
                }
            };
            match begun {
                Ok(begun) => return Ok(Some(begun)),
                // Another process was first.
                Err(fault) if fault.is_conflict() => {}
                Err(fault) => return Err(fault.into()),
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ServiceConfig;

    #[tokio::test]
    async fn secrets_that_were_never_told_are_made_anew() {
        let data = std::env::temp_dir().join(format!("cloakgate-start-{}", std::process::id()));
        std::fs::create_dir_all(&data).expect("a folder");
        let mut config = ServiceConfig::read(serde_json::json!({ "names": "off" })).expect("valid");
        config.data.clone_from(&data);
        let app = App::open(config).await.expect("it opens");
        let later: fn() -> i64 = || now() + SET_UP_SECONDS + 1;
        let opens = async |first: &FirstRun| {
            let token = first.admin_token.as_deref().expect("a token");
            let token = app.records().anywhere::<Token>(keys::token_id(token)).await.expect("readable");
            let server = app.server_keys().open(&first.api_key).await.expect("readable");
            (token.is_some(), server.is_some())
        };
        let cut_off = app.first_run(None).await.expect("it works").expect("the first");
        assert_eq!(opens(&cut_off).await, (true, true));
        let first = app.first_run_by(later, None).await.expect("it works").expect("again the first");
        assert_eq!((opens(&cut_off).await, opens(&first).await), ((false, false), (true, true)));
        let environments = app.records().list::<Environment>(Uuid::nil(), Page::default()).await;
        assert_eq!(environments.expect("readable").len(), 1);
        assert!(app.told(&cut_off).await.is_err(), "another one has begun since");
        app.told(&first).await.expect("noted");
        assert!(app.first_run_by(later, None).await.expect("it works").is_none());
        assert_eq!(opens(&first).await, (true, true));
        app.close().await;
        std::fs::remove_dir_all(&data).expect("our own folder");
    }
}
