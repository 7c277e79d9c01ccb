//! `cloakgate gateway`: reads the configuration and serves over the standard streams.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use cloakgate_gateway::config::{Config, ConfigError, Warning, locate};

use crate::arguments::{CheckArgs, FileArgs, GatewayArgs, variable};
use crate::{check, logging};

/// How long what is still running may take to stop once the gateway has ended.
const STOP_GRACE: Duration = Duration::from_secs(2);

pub(crate) fn run(arguments: &GatewayArgs) -> anyhow::Result<ExitCode> {
    if arguments.check {
        let (file, logging) = (arguments.file.clone(), arguments.logging);
        return check::run(&CheckArgs { file, logging, no_upstreams: false, verbose: false, json: false });
    }
    let (config, warnings) = load(&arguments.file)?;
    logging::start(arguments.logging, config.log_level);
    for warning in &warnings {
        tracing::warn!(config.key = warning.path, config.line = warning.line, "key {}", warning.reason);
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        tokio::select! {
            served = cloakgate_gateway::serve_stdio(config) => served.map_err(anyhow::Error::from),
            asked = asked_to_stop() => asked,
        }
    });
    // Ends the servers with their tasks; standard input may still be waited for, which must not hold us up.
    runtime.shutdown_timeout(STOP_GRACE);
    served.map(|()| ExitCode::SUCCESS)
}

/// Reads the configuration that the arguments, the environment or the folder name.
pub(crate) fn load(file: &FileArgs) -> Result<(Config, Vec<Warning>), ConfigError> {
    let variable = variable();
    Config::load(&locate(file.config.as_deref(), variable.as_deref().map(Path::new), Path::new("."))?)
}

/// Waits until somebody wants us to stop: at a terminal, or whoever runs us.
async fn asked_to_stop() -> anyhow::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted?,
            _ = terminate.recv() => {}
            _ = hang_up.recv() => {}
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await?;
    tracing::info!("asked to stop");
    Ok(())
}
