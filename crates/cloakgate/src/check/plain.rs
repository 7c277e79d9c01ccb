//! A check for a person: short enough for one screen, more with `--verbose`.

use std::io::{self, Write};

use cloakgate_detect::CategorySet;
use cloakgate_gateway::config::{
    Binary, Config, Detection, FreshPii, PersonText, TokenScope, TokenStyle, UnknownMethods, Unresolved,
    UpstreamConfig, Warning,
};
use cloakgate_vocab::UpstreamName;

use super::report::{NOT_INSPECTED, fields, names, terms, trust, withheld};
use super::{SelfTest, Trial};
use crate::probe::Offer;

/// What the file does.
pub(super) fn configuration(
    out: &mut impl Write,
    config: &Config,
    warnings: &[Warning],
    verbose: bool,
) -> io::Result<()> {
    writeln!(out, "configuration is valid")?;
    for warning in warnings {
        writeln!(out, "  warning: {warning}")?;
    }
    let style = match config.token_style {
        TokenStyle::Default => "[EMAIL_0_k7q]",
        TokenStyle::Plain => "[EMAIL_0]",
    };
    writeln!(out, "cloaking: {}, tokens look like {style}", on_off(config.sanitize))?;
    if verbose {
        let on = |wanted: bool| {
            listed(&names(|category| config.detection.categories.contains(category) == wanted))
        };
        writeln!(out, "categories on: {}", on(true))?;
        writeln!(out, "categories off: {}", on(false))?;
    }
    // Names have a line of their own.
    let usual = Detection { names: config.detection.names, ..Detection::default() };
    writeln!(out, "names in running text: {}", config.detection.names)?;
    writeln!(out, "categories: {}", difference(&config.detection, &usual, "the core set"))?;
    flow(out, config)?;
    if verbose {
        for (place, what) in NOT_INSPECTED {
            writeln!(out, "not inspected: {place}: {what}")?;
        }
    } else {
        writeln!(
            out,
            "not inspected: images, audio and other binary data; schemas and descriptions of tools and prompts"
        )?;
    }
    for (name, upstream) in &config.upstreams {
        server(out, name, upstream, config)?;
        variables(out, upstream, verbose)?;
    }
    Ok(())
}

fn flow(out: &mut impl Write, config: &Config) -> io::Result<()> {
    let scope = match config.token_scope {
        TokenScope::Session => "to every server, except secrets, which go back only where they came from",
        TokenScope::Upstream => "only to the server that brought the value",
    };
    writeln!(out, "tokens are restored: {scope}")?;
    let person = match config.person_text {
        PersonText::Cloak => "tokens",
        PersonText::Real => "values",
    };
    let unknown = match config.unknown_methods {
        UnknownMethods::Refuse => "refused",
        UnknownMethods::Forward => "passed to the server",
    };
    writeln!(out, "a person is shown {person} where a server asks; unknown methods are {unknown}")
}

fn server(
    out: &mut impl Write,
    name: &UpstreamName,
    upstream: &UpstreamConfig,
    config: &Config,
) -> io::Result<()> {
    let unresolved = match upstream.unresolved {
        Unresolved::Refuse => "refused",
        Unresolved::Pass => "passed on as text",
    };
    let binary = match upstream.binary {
        Binary::Pass => "passes",
        Binary::Flag => "passes and is logged",
        Binary::Block => "is refused",
    };
    let fresh = match upstream.fresh_pii {
        FreshPii::Report => "passed and counted",
        FreshPii::Refuse => "refused",
    };
    writeln!(out, "upstream {name}: {}", upstream.command)?;
    writeln!(
        out,
        "  cloaking: {}, trust: {}, unknown tokens: {unresolved}, binary content {binary}",
        on_off(upstream.sanitize),
        trust(upstream.trust),
    )?;
    writeln!(
        out,
        "  tokens of other servers: {} a call, {} a minute; values that the model wrote: {fresh}, {} a call; values brought: {}",
        upstream.max_foreign_tokens_per_call,
        upstream.max_foreign_tokens_per_minute,
        upstream.max_fresh_values_per_call,
        upstream.max_entries,
    )?;
    if upstream.detection != config.detection {
        writeln!(out, "  categories: {}", difference(&upstream.detection, &config.detection, "as above"))?;
    }
    for (name, tool) in &upstream.tools {
        write!(out, "  tool {name}: {}", difference(&tool.detection, &upstream.detection, "as above"))?;
        if tool.call_timeout != upstream.call_timeout {
            write!(out, "; a call may take {} s", tool.call_timeout.as_secs_f64())?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Names may be many: a server sees few of a developer's variables.
fn variables(out: &mut impl Write, upstream: &UpstreamConfig, verbose: bool) -> io::Result<()> {
    let names = withheld(upstream);
    match (names.len(), verbose) {
        (0, _) => Ok(()),
        (_, true) => writeln!(out, "  variables not handed on: {} (see `inherit_env`)", names.join(", ")),
        (count, false) => {
            writeln!(out, "  variables not handed on: {count} (--verbose names them; see `inherit_env`)")
        }
    }
}

/// What one scope has beside a wider one, which is called `base`.
fn difference(detection: &Detection, wider: &Detection, base: &str) -> String {
    let only = |one: CategorySet, other: CategorySet| {
        names(|category| one.contains(category) && !other.contains(category))
    };
    let mut parts = vec![base.to_owned()];
    if detection.names != wider.names {
        parts.push(format!("names in running text: {}", detection.names));
    }
    for (what, names) in [
        ("with", only(detection.categories, wider.categories)),
        ("without", only(wider.categories, detection.categories)),
        ("redacted", only(detection.redact, wider.redact)),
        ("no longer redacted", only(wider.redact, detection.redact)),
    ] {
        if !names.is_empty() {
            parts.push(format!("{what} {}", listed(&names)));
        }
    }
    for (what, count) in [
        ("denied", terms(&detection.deny).saturating_sub(terms(&wider.deny))),
        ("allowed", terms(&detection.allow).saturating_sub(terms(&wider.allow))),
    ] {
        if count > 0 {
            parts.push(format!("{what} terms: {count}"));
        }
    }
    for (what, count) in [
        ("denied", fields(&detection.deny).saturating_sub(fields(&wider.deny))),
        ("allowed", fields(&detection.allow).saturating_sub(fields(&wider.allow))),
    ] {
        if count > 0 {
            parts.push(format!("{what} terms with a field: {count}"));
        }
    }
    parts.join("; ")
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// What the self-test found.
pub(super) fn self_test(out: &mut impl Write, tested: &SelfTest) -> io::Result<()> {
    match tested {
        None => Ok(()),
        Some(Ok(categories)) => {
            writeln!(out, "self-test: values of {} categories were found and put back", categories.len())
        }
        Some(Err(reason)) => writeln!(out, "the gateway would not start: {reason}"),
    }
}

/// Whether a server serves.
pub(super) fn trial(out: &mut impl Write, trial: &Trial) -> io::Result<()> {
    let name = &trial.upstream;
    match &trial.outcome {
        Ok(Offer { lists }) if lists.is_empty() => writeln!(out, "{name} serves, and lists nothing"),
        Ok(Offer { lists }) => {
            let counts: Vec<String> = lists.iter().map(|(list, count)| format!("{count} {list}")).collect();
            writeln!(out, "{name} serves {}", counts.join(", "))
        }
        Err(reason) => {
            writeln!(out, "{name} does not serve: {reason}")?;
            writeln!(out, "  if it misses a variable, name it in `inherit_env`")
        }
    }
}

fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}
