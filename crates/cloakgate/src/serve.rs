//! `cloakgate serve`: the service on a port.
//!
//! In: arguments and a configuration. Out: a listening server until somebody asks it to stop. Invariant: secrets of the first
//! start are printed once, to standard output; log lines go to the error output and hold none.

mod told;

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use clap::Args;
use cloakgate_gateway::config::LogLevel;
use cloakgate_service::{ADMIN_TOKEN_VARIABLE, App, ServiceConfig, TlsConfig};

use crate::arguments::LoggingArgs;
use crate::{gateway, logging};

/// How long requests that are under way may take once we were asked to stop.
const DRAIN: Duration = Duration::from_secs(20);
/// How long a connection may take to say what it wants.
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);

/// Where the service keeps its data.
#[derive(Args, Debug)]
pub(crate) struct StoreArgs {
    /// Folder for the database and the master key [default: ./cloakgate-data]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Configuration of the service, JSON or TOML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// PostgreSQL instead of a file: postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL", env = "CLOAKGATE_DATABASE", hide_env_values = true)]
    database: Option<String>,
}

/// Arguments of `cloakgate serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    store: StoreArgs,
    /// Address and port [default: 127.0.0.1:8787]
    #[arg(long, value_name = "ADDR")]
    listen: Option<String>,
    /// Certificates for TLS, PEM
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// Private key for TLS, PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    #[command(flatten)]
    logging: LoggingArgs,
}

/// Serves until asked to stop.
///
/// # Errors
/// When the configuration is wrong, or a database, a file or the port cannot be used.
pub(crate) fn run(arguments: &ServeArgs) -> anyhow::Result<ExitCode> {
    let config = configured(arguments)?;
    logging::start(arguments.logging, LogLevel::Info);
    // Two libraries of the program can do TLS; one provider serves both. A second call finds it set, which is as good.
    drop(rustls::crypto::ring::default_provider().install_default());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(serve(config))?;
    runtime.shutdown_timeout(Duration::from_secs(2));
    Ok(ExitCode::SUCCESS)
}

impl StoreArgs {
    /// The configuration, with what the arguments say in its place.
    ///
    /// # Errors
    /// When the configuration is wrong, or has several regions and one database is named.
    pub(crate) fn configured(&self) -> anyhow::Result<ServiceConfig> {
        let mut config = match &self.config {
            Some(file) => ServiceConfig::load(file)?,
            None => ServiceConfig::default(),
        };
        if let Some(data) = &self.data {
            config.data.clone_from(data);
        }
        if let Some(database) = &self.database {
            let [only] = config.regions.as_mut_slice() else {
                anyhow::bail!("--database names one database, and the configuration has several regions");
            };
            only.database = Some(database.clone());
        }
        Ok(config)
    }
}

/// The same with address and TLS.
fn configured(arguments: &ServeArgs) -> anyhow::Result<ServiceConfig> {
    let mut config = arguments.store.configured()?;
    if let Some(listen) = &arguments.listen {
        config.listen.clone_from(listen);
    }
    if let (Some(cert), Some(key)) = (&arguments.tls_cert, &arguments.tls_key) {
        config.tls = Some(TlsConfig { cert: cert.clone(), key: key.clone() });
    }
    Ok(config)
}

async fn serve(mut config: ServiceConfig) -> anyhow::Result<()> {
    let stop = gateway::asked_to_stop()?;
    // Before anything is made: the secrets of a first start are told once, and must not go with a start that fails.
    let certificate = match &config.tls {
        Some(files) => Some(certificate(files).await?),
        None => None,
    };
    make_folder(&config.data)?;
    let listener = bind(&config.listen).await?;
    let address = listener.local_addr()?;
    config.listen = address.to_string();
    warn_of_strangers(&config, address);
    let app = App::open(config).await?;
    let router = app.router()?;
    let variable = std::env::var(ADMIN_TOKEN_VARIABLE).ok().filter(|token| !token.is_empty());
    let first = app.first_run(variable.as_deref()).await?;
    match first {
        Some(first) => {
            told::first_run(&app, &first)?;
            app.told(&first).await?;
        }
        None => told::again(&app)?,
    }
    let house = tokio::spawn({
        let app = app.clone();
        async move { app.keep_house().await }
    });
    let handle = Handle::new();
    tokio::spawn({
        let handle = handle.clone();
        async move {
            stop.await;
            handle.graceful_shutdown(Some(DRAIN));
        }
    });
    tracing::info!(listen = %address, tls = app.config().tls.is_some(), "serving");
    let service = router.into_make_service();
    let served = match certificate {
        Some(certificate) => {
            let server = axum_server::from_tcp_rustls(listener, certificate)?.handle(handle);
            server.first_request_timeout(HEADER_TIMEOUT).serve(service).await
        }
        None => {
            let server = axum_server::from_tcp(listener)?.handle(handle);
            server.first_request_timeout(HEADER_TIMEOUT).serve(service).await
        }
    };
    house.abort();
    app.close().await;
    tracing::info!("stopped");
    Ok(served?)
}

/// Certificates and key as TLS needs them.
async fn certificate(files: &TlsConfig) -> anyhow::Result<RustlsConfig> {
    RustlsConfig::from_pem_file(&files.cert, &files.key).await.context("cannot use the files for TLS")
}

/// Makes the data folder, for its owner only.
fn make_folder(data: &std::path::Path) -> anyhow::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(data).with_context(|| format!("cannot make the data folder {}", data.display()))
}

async fn bind(listen: &str) -> anyhow::Result<TcpListener> {
    let listener = tokio::net::TcpListener::bind(listen).await;
    let listener = listener.with_context(|| format!("cannot listen on {listen}"))?;
    Ok(listener.into_std()?)
}

/// Says so where keys would pass a network in the clear.
fn warn_of_strangers(config: &ServiceConfig, address: SocketAddr) {
    if !address.ip().is_loopback() && config.tls.is_none() {
        tracing::warn!(
            "other machines can connect, and there is no TLS: keys and texts pass in the clear unless a \
                        proxy in front of this service has it"
        );
    }
}
