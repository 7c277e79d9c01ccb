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
        let stop = asked_to_stop()?;
        Ok(cloakgate_gateway::serve_stdio_until(config, stop).await?)
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

/// Comes when somebody wants us to stop: at a terminal, or whoever runs us.
pub(crate) fn asked_to_stop() -> anyhow::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let asked = {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            }
        }
    };
    #[cfg(not(unix))]
    let asked = async {
        // Where interrupts cannot be heard, the client's leaving ends us.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    Ok(async {
        asked.await;
        tracing::info!("asked to stop");
    })
}
