//! The description of the management API, held against the service by Schemathesis.
//!
//! In: the program, the requirements in `acceptance/`. Out: an error when an answer is none of those that are
//! documented, or is a failure of the service. Invariant: no failure is tolerated; without Python a line says that nothing
//! was checked, and the summary that the step was not run whole.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use crate::acceptance::build_gateway;
use crate::workspace::Workspace;
use crate::{command, console, peers};

/// Name of the Python environment in the target folder.
const ENVIRONMENT: &str = "schemathesis-venv";
/// The administrator of the run.
const TOKEN: &str = "an-administrators-token-of-the-run";
/// What is checked. Not whether everything that fits a schema is taken: a schema cannot say which ids there are.
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,\
                      response_headers_conformance,response_schema_conformance,negative_data_rejection,\
                      missing_required_header,allow_header_conformance,ignored_auth,unsupported_method,\
                      use_after_free,ensure_resource_availability";
/// How: by example, value by value, at random, and one operation on what another one made.
const PHASES: &str = "examples,coverage,fuzzing,stateful";
/// Cases of each operation.
const EXAMPLES: &str = "25";

/// Starts the service and lets Schemathesis ask it.
///
/// # Errors
/// When the service does not start, or an answer is not as documented.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    if !command::answers("python3", &["--version"]) {
        console::skipped("python3 is missing; the API was NOT held against its description");
        return Ok(());
    }
    let requirements = workspace.path("acceptance").join("schemathesis.txt");
    let environment = workspace.metadata()?.target_directory.join(ENVIRONMENT);
    let python = peers::python_environment(workspace, &requirements, &environment)?;
    let program = build_gateway(workspace, "dev")?;
    let folder = Folder::make()?;
    let service = Service::start(&program, &folder.0)?;
    fs::write(folder.0.join("schemathesis.toml"), settings(&service.environment))
        .context("cannot write settings")?;
    let description = format!("{}/api/openapi.json", service.base);
    let authorization = format!("Authorization: Bearer {TOKEN}");
    let arguments = [
        "-m",
        "schemathesis.cli",
        "--config-file",
        "schemathesis.toml",
        "run",
        &description,
        "--header",
        &authorization,
        "--checks",
        CHECKS,
        "--max-examples",
        EXAMPLES,
        "--phases",
        PHASES,
        "--seed",
        "1",
        "--generation-database",
        "none",
        "--no-color",
        "--warnings",
        "off",
        "--continue-on-failure",
    ];
    command::run(&folder.0, &python.display().to_string(), &arguments, &[])
}

/// Ids that there are, so that more than 404 is seen; those that are taken away are left to chance.
fn settings(environment: &str) -> String {
    let taken_away = "/api/environments/{environment_uuid}";
    format!(
        "[parameters]\n\"path.environment_uuid\" = \"{environment}\"\n\n\
         [[operations]]\ninclude-name = \"DELETE {taken_away}\"\n\
         parameters = {{ \"path.environment_uuid\" = \"00000000-0000-4000-8000-000000000000\" }}\n"
    )
}

/// A folder that goes with the run.
struct Folder(PathBuf);

impl Folder {
    fn make() -> anyhow::Result<Self> {
        let folder = std::env::temp_dir().join(format!("cloakgate-contract-{}", std::process::id()));
        fs::create_dir_all(&folder).context("cannot make a folder")?;
        Ok(Self(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// A service that ends with this.
struct Service {
    child: Child,
    base: String,
    environment: String,
}

impl Service {
    fn start(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let config = r#"{"names": "off", "limits": {"requests_per_second": 1000000}}"#;
        fs::write(folder.join("service.json"), config).context("cannot write a configuration")?;
        let mut child = Command::new(program)
            .args(["serve", "--config", "service.json", "--data", "data", "--listen", "127.0.0.1:0"])
            .args(["--log-level", "warn"])
            .env("CLOAKGATE_ADMIN_TOKEN", TOKEN)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the service")?;
        let out = BufReader::new(child.stdout.take().context("the service has no output")?);
        let (mut base, mut environment) = (None, None);
        for line in out.lines() {
            let line = line.context("the service's output cannot be read")?;
            if let Some(found) = line.strip_prefix("Cloakgate is ready: ") {
                base = Some(found.to_owned());
            }
            if let Some(found) = line.trim().strip_prefix("environment ") {
                environment = Some(found.trim().to_owned());
            }
            if line.starts_with("Management API") {
                break;
            }
        }
        let (base, environment) = base.zip(environment).context("the service did not say where it is")?;
        Ok(Self { child, base, environment })
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
