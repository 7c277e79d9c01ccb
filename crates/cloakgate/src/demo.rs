//! `cloakgate demo`: the whole loop on a built-in sample server, and that server itself.
//!
//! In: nothing but the terminal. Out: each step from both sides of the real gateway, and the file that a tool wrote,
//! opened from disk.
//! Invariant: what is shown of the server's side is what the server recorded, not what we believe it got. Offline.

mod compare;
mod sample;
mod screen;
mod server;
mod session;
mod story;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::Context;
use clap::Args;
use cloakgate_gateway::config::{Config, Effort, Format};
use serde_json::{Value, json};

use self::compare::compare;
use self::screen::{Screen, Side};
use self::session::Session;
use self::story::{Flow, Step, Story};
use crate::colours::Colours;

/// Name of the sample server behind the gateway.
const UPSTREAM: &str = "shop";
/// Bytes in flight between the demo and the gateway.
const PIPE: usize = 64 << 10;
const INTRODUCTION: &str = "A sample server, the gateway in front of it, and a client in the model's place.";
const DEFAULT_WIDTH: usize = 80;
/// How long the gateway may take to end.
const GOODBYE: Duration = Duration::from_secs(10);

/// Arguments of `cloakgate demo`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct DemoArgs {
    /// Print one JSON object instead, for machines
    #[arg(long)]
    pub(crate) json: bool,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Colours,
    /// How much is done to find names in running text
    #[arg(long, value_name = "off|fast|balanced|recall", default_value_t)]
    pub(crate) names: Effort,
    /// Keep the folder that the sample server wrote to
    #[arg(long)]
    pub(crate) keep: bool,
}

/// Arguments of the hidden `cloakgate demo-server`.
#[derive(Args, Debug)]
pub(crate) struct DemoServerArgs {
    /// Folder that the server writes its notes to
    #[arg(long, value_name = "FOLDER")]
    pub(crate) notes: PathBuf,
}

/// Plays the demo.
///
/// # Errors
/// When the gateway or the sample server cannot be run.
pub(crate) fn run(arguments: DemoArgs) -> anyhow::Result<ExitCode> {
    let DemoArgs { json, color, names, keep } = arguments;
    let started = Instant::now();
    let folder = std::env::temp_dir().join(format!("cloakgate-demo-{}", std::process::id()));
    std::fs::create_dir_all(&folder).context("cannot make a folder for the notes")?;
    let story = play(&folder, names);
    let story = story.and_then(|story| {
        let elapsed = started.elapsed();
        let text = if json { machine(&story, elapsed) } else { human(&story, elapsed, color) };
        writeln!(std::io::stdout().lock(), "{text}").context("cannot write to the terminal")?;
        Ok(story)
    });
    if !keep {
        std::fs::remove_dir_all(&folder).ok();
    }
    Ok(if story?.leaked.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn play(folder: &Path, names: Effort) -> anyhow::Result<Story> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let server = json!({"command": program, "args": ["demo-server", "--notes", folder], "cwd": folder});
    let text = json!({"names": names.to_string(), "upstreams": {UPSTREAM: server}}).to_string();
    let (config, _) = Config::parse(&text, Format::Json).context("cannot configure the gateway")?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("cannot start")?;
    runtime.block_on(async {
        let (client_end, gateway_end) = tokio::io::duplex(PIPE);
        let (gateway_reader, gateway_writer) = tokio::io::split(gateway_end);
        let gateway = tokio::spawn(cloakgate_gateway::serve(config, gateway_reader, gateway_writer));
        let (reader, writer) = tokio::io::split(client_end);
        let story = async {
            let mut session = Session::open(reader, writer).await?;
            story::play(&mut session, folder).await
        };
        let story = story.await;
        // The session's end of the pipe is gone now, which ends the gateway.
        let end = tokio::time::timeout(GOODBYE, gateway).await.context("the gateway does not end")?;
        end.context("the gateway has stopped")?.context("the gateway has failed")?;
        story
    })
}

fn human(story: &Story, elapsed: Duration, colours: Colours) -> String {
    let screen = Screen::new(width(), colours.wanted());
    let mut text = format!("{INTRODUCTION}\n\n");
    for (index, step) in story.steps.iter().enumerate() {
        text.push_str(&screen.title(&format!("{} {}", index + 1, step.tool)));
        text.push('\n');
        text.push_str(&columns(&screen, step));
        text.push('\n');
    }
    text.push_str(&screen.title("on disk"));
    text.push('\n');
    text.push_str(&screen.block(&[compare::Part::Same(&story.note.display().to_string())], Side::Server));
    text.push('\n');
    let written = story.steps.last().map(|step| step.tokens.as_str()).unwrap_or_default();
    text.push_str(&screen.block(&compare(&story.content, written).0, Side::Server));
    text.push('\n');
    text.push_str(&verdict(&screen, story, elapsed));
    text
}

fn columns(screen: &Screen, step: &Step) -> String {
    let (values, tokens) = compare(&step.values, &step.tokens);
    match step.flow {
        Flow::ToModel => screen.columns(("server said", &values), ("model saw", &tokens)),
        Flow::ToTool => screen.columns(("model wrote", &tokens), ("tool received", &values)),
    }
}

fn verdict(screen: &Screen, story: &Story, elapsed: Duration) -> String {
    let counts =
        format!("{} values hidden from the model, {} given back to the tool", story.hidden, story.restored);
    if story.leaked.is_empty() {
        let good = screen.paint("None of them reached the model.", AnsiColor::Green.on_default().bold());
        return format!("{counts}.\n{good} {:.2} s", elapsed.as_secs_f64());
    }
    let bad: Style = AnsiColor::Red.on_default().bold();
    format!("{counts}.\n{}", screen.paint(&format!("{} of them reached the model.", story.leaked.len()), bad))
}

fn machine(story: &Story, elapsed: Duration) -> String {
    let steps: Vec<Value> = story
        .steps
        .iter()
        .map(|step| match step.flow {
            Flow::ToModel => json!({"tool": step.tool, "server_said": step.values, "model_saw": step.tokens}),
            Flow::ToTool => {
                json!({"tool": step.tool, "model_wrote": step.tokens, "tool_received": step.values})
            }
        })
        .collect();
    let report = json!({
        "steps": steps,
        "file": {"path": story.note, "content": story.content},
        "hidden": story.hidden,
        "restored": story.restored,
        "leaked": story.leaked.len(),
        "elapsed_ms": elapsed.as_secs_f64() * 1000.0,
    });
    format!("{report:#}")
}

/// Columns of the terminal.
fn width() -> usize {
    terminal_width()
        .or_else(|| std::env::var("COLUMNS").ok()?.parse().ok())
        .filter(|width| *width > 0)
        .unwrap_or(DEFAULT_WIDTH)
}

#[cfg(unix)]
fn terminal_width() -> Option<usize> {
    rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn terminal_width() -> Option<usize> {
    None
}

/// Runs the sample server over the standard streams.
///
/// # Errors
/// When its folder or the streams cannot be used.
pub(crate) fn serve(arguments: DemoServerArgs) -> anyhow::Result<ExitCode> {
    let DemoServerArgs { notes } = arguments;
    server::run(&notes)?;
    Ok(ExitCode::SUCCESS)
}
