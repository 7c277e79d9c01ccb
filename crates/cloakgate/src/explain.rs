//! `cloakgate explain`: says why something in a text is masked, and why something else is not.
//!
//! In: a text. Out: each finding with what speaks for it, and what looked like a value with what speaks against it.
//! Invariant: values that are masked are shown only where it is asked for; what is no value is shown.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use cloakgate_cloak::{Evidence, Explanation};
use cloakgate_detect::{Dropped, Reason};
use cloakgate_vocab::{CodePoints, Finding, Span, Strength};
use serde_json::{Value, json};

use crate::detectors::DetectorArgs;
use crate::shown::{Shown, preview};

/// What the rules of readers of names begin with.
const BY_READING: &str = "names ";

/// Arguments of `cloakgate explain`.
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The text; `-` reads it from standard input
    #[arg(value_name = "TEXT", required_unless_present = "file", conflicts_with = "file")]
    text: Option<String>,
    /// Read the text from a file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The key under which the text stands, such as full_name
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
    /// Show the values that are found
    #[arg(long)]
    values: bool,
    #[command(flatten)]
    detectors: DetectorArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Explains one text.
///
/// # Errors
/// When the text cannot be read, the configuration is wrong, or the output cannot be written.
pub(crate) fn run(arguments: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let text = match (&arguments.file, arguments.text.as_deref()) {
        (Some(file), _) => {
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?
        }
        (None, Some("-") | None) => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
            text
        }
        (None, Some(text)) => text.to_owned(),
    };
    let explanation = arguments.detectors.finder()?.explain(&text, arguments.key.as_deref())?;
    let report = Report { text: &text, explanation: &explanation, values: arguments.values };
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{:#}", report.json())?;
    } else {
        report.plain(&mut out)?;
    }
    Ok(ExitCode::SUCCESS)
}

struct Report<'a> {
    text: &'a str,
    explanation: &'a Explanation,
    /// Whether found values are shown.
    values: bool,
}

impl Report<'_> {
    fn plain(&self, out: &mut impl Write) -> io::Result<()> {
        let mut points = CodePoints::of(self.text);
        let mut place = |span: Span| {
            let (line, column) = points.line_and_column(span.start());
            format!("{line}:{column}")
        };
        writeln!(out, "{}:", counted(self.explanation.findings.len(), "finding"))?;
        for finding in &self.explanation.findings {
            let (category, shown) = (finding.category.name(), self.value(finding));
            writeln!(out, "  {:<7} {category:<14} {shown}", place(finding.hull()))?;
            for reason in self.reasons(finding) {
                writeln!(out, "          {reason}")?;
            }
        }
        if !self.explanation.dropped.is_empty() {
            writeln!(out, "looked at and left:")?;
        }
        for dropped in &self.explanation.dropped {
            let value = self.dropped_value(dropped);
            let (category, place) = (dropped.category.name(), place(dropped.span));
            writeln!(out, "  {place:<7} {category:<14} {value}")?;
            writeln!(out, "          rule {}: {}", dropped.detector.0, self.why_not(dropped))?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let mut points = CodePoints::of(self.text);
        let mut place = |span: Span| (points.before(span.start()), points.before(span.end()));
        let findings: Vec<Value> = self
            .explanation
            .findings
            .iter()
            .flat_map(|finding| {
                let evidence = self.explanation.evidence(finding);
                let cue = evidence.and_then(|evidence| self.cue(finding, evidence));
                let key = evidence.and_then(|evidence| evidence.key.clone());
                let reasons = self.reasons(finding);
                let shown = Shown::all(self.text, std::slice::from_ref(finding));
                shown.into_iter().map(move |shown| {
                    let mut value = shown.json();
                    if let Some(members) = value.as_object_mut() {
                        members.insert("key".to_owned(), key.clone().into());
                        members.insert("cue".to_owned(), cue.map(str::to_owned).into());
                        members.insert("why".to_owned(), reasons.clone().into());
                    }
                    value
                })
            })
            .collect();
        let dropped: Vec<Value> = self
            .explanation
            .dropped
            .iter()
            .map(|dropped| {
                let (start, end) = place(dropped.span);
                json!({
                    "start": start,
                    "end": end,
                    "category": dropped.category.name(),
                    "detector": dropped.detector.0,
                    "why_not": self.why_not(dropped),
                })
            })
            .collect();
        json!({"findings": findings, "left": dropped})
    }

    fn value(&self, finding: &Finding) -> String {
        let value = finding.hull().of(self.text).unwrap_or_default();
        if self.values { value.escape_debug().to_string() } else { preview(finding.category, value) }
    }

    /// What was left is shown, unless it is a value that only a setting lets through.
    fn dropped_value(&self, dropped: &Dropped) -> String {
        let value = dropped.span.of(self.text).unwrap_or_default();
        let is_value = matches!(dropped.reason, Reason::Off | Reason::Allowed | Reason::Covered(_));
        if is_value && !self.values {
            preview(dropped.category, value)
        } else {
            value.escape_debug().to_string()
        }
    }

    fn cue(&self, finding: &Finding, evidence: &Evidence) -> Option<&str> {
        evidence.cue.filter(|_| finding.strength == Strength::Context).and_then(|cue| cue.of(self.text))
    }

    /// What speaks for a finding.
    fn reasons(&self, finding: &Finding) -> Vec<String> {
        let rule = finding.detector.0;
        let mut reasons = vec![match finding.strength {
            Strength::Context | Strength::Shape if rule.starts_with(BY_READING) => {
                format!("rule {rule}: the words, and the sentence or the field around them, read like a name")
            }
            Strength::Checked => format!("rule {rule}: proved by a checksum, an issuer's rule or a prefix"),
            Strength::Context => format!("rule {rule}: a key, a header, a title or a word beside it says so"),
            Strength::Known => "the same value was found elsewhere in the text".to_owned(),
            Strength::Shape => format!("rule {rule}: its form and its surroundings say so"),
        }];
        if let Some(evidence) = self.explanation.evidence(finding) {
            if let Some(key) = &evidence.key {
                reasons.push(format!("stands under the key `{}`", key.escape_debug()));
            }
            if let Some(cue) = self.cue(finding, evidence) {
                reasons.push(format!("the words `{}` stand before it", cue.escape_debug()));
            }
        }
        if finding.decoded.is_some() {
            reasons.push("written in an encoding, and read decoded".to_owned());
        }
        if finding.pieces.len() > 1 {
            reasons.push(format!("over {} lines", finding.pieces.len()));
        }
        reasons
    }

    /// What speaks against what was left.
    fn why_not(&self, dropped: &Dropped) -> String {
        match dropped.reason {
            Reason::Glued => {
                "letters, signs or more digits are glued to it: part of a longer code".to_owned()
            }
            Reason::MachineWord(word) => {
                let word = word.of(self.text).unwrap_or_default();
                format!("vetoed: `{}` before it names what machines count", word.escape_debug())
            }
            Reason::NamedAfter => {
                "vetoed: the words after it call it a part, an order or the like".to_owned()
            }
            Reason::MachineKey => "vetoed: its key names what machines count".to_owned(),
            Reason::MachineForm(form) => {
                format!("has the form of {form}, and nothing beside it says otherwise")
            }
            Reason::Off => "its category is off".to_owned(),
            Reason::Allowed => "the list `allow` lets it through".to_owned(),
            Reason::Covered(category) => format!("part of what is masked as {category}"),
            Reason::NoEvidence => "no key or word beside it says what it is".to_owned(),
            _ => "left".to_owned(),
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
