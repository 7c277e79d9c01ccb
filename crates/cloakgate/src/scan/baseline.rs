//! What was found before and is accepted.
//!
//! In: what a scan found. Out: a file that lists it by file, category and line, and later scans without it.
//! Invariant: nothing that is made from a value is written, not even a hash: a phone number can be guessed from its
//! hash. So of the findings of one category in one file as many are known as the file lists: first those on the listed
//! lines, then, for lines move, the first others.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::walk::Scanned;
use crate::shown::Shown;

/// What the file says it is.
const VERSION: u64 = 1;

/// Lines of known findings by file and category.
#[derive(Debug, Default, Eq, PartialEq)]
pub(super) struct Baseline(BTreeMap<(String, String), Lines>);

impl Baseline {
    /// What a scan found.
    pub(super) fn of(scanned: &Scanned) -> Self {
        let mut known = Self::default();
        for (name, shown) in scanned.findings() {
            let place = (name.to_owned(), shown.category.name().to_owned());
            *known.0.entry(place).or_default().entry(shown.from.0).or_default() += 1;
        }
        known
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is no baseline.
    pub(super) fn read(file: &Path) -> anyhow::Result<Self> {
        Self::parse(&std::fs::read_to_string(file).context("cannot be read")?)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let value: Value = serde_json::from_str(text).context("is no baseline")?;
        anyhow::ensure!(
            value.get("version").and_then(Value::as_u64) == Some(VERSION),
            "is no baseline of version {VERSION}"
        );
        let findings =
            value.get("findings").and_then(Value::as_array).context("is no baseline: it has no findings")?;
        let mut known = Self::default();
        for finding in findings {
            let text = |key: &str| finding.get(key).and_then(Value::as_str).map(str::to_owned);
            let line =
                finding.get("line").and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok());
            let (Some(file), Some(category), Some(line)) = (text("file"), text("category"), line) else {
                anyhow::bail!("is no baseline: a finding lacks its file, category or line");
            };
            *known.0.entry((file, category)).or_default().entry(line).or_default() += 1;
        }
        Ok(known)
    }

    /// As it is written: sorted, a finding a line, so that changes read well.
    pub(super) fn text(&self) -> String {
        let findings: Vec<String> = self
            .0
            .iter()
            .flat_map(|((file, category), lines)| {
                lines.iter().flat_map(move |(line, count)| {
                    let finding = json!({"file": file, "category": category, "line": line});
                    std::iter::repeat_n(format!("    {finding}"), *count)
                })
            })
            .collect();
        let comma = if findings.is_empty() { "" } else { "\n" };
        format!("{{\n  \"version\": {VERSION},\n  \"findings\": [\n{}{comma}  ]\n}}\n", findings.join(",\n"))
    }

    /// Takes the known findings out of a scan.
    pub(super) fn take_out(mut self, scanned: &mut Scanned) {
        for file in &mut scanned.files {
            let name = &file.name;
            file.found.retain(|shown| {
                let lines = self.lines(name, shown);
                !lines.is_some_and(|lines| take(lines, shown.from.0))
            });
            file.found.retain(|shown| {
                let lines = self.lines(name, shown);
                !lines.is_some_and(|lines| lines.keys().next().copied().is_some_and(|line| take(lines, line)))
            });
        }
        scanned.files.retain(|file| !file.found.is_empty());
    }

    /// The lines that are known for the file and the category of a finding.
    fn lines(&mut self, file: &str, shown: &Shown) -> Option<&mut Lines> {
        self.0.get_mut(&(file.to_owned(), shown.category.name().to_owned()))
    }
}

/// How many findings are known on each line.
type Lines = BTreeMap<usize, usize>;

/// Takes one finding off a line, if there is one.
fn take(lines: &mut Lines, line: usize) -> bool {
    let Some(count) = lines.get_mut(&line) else { return false };
    *count -= 1;
    if *count == 0 {
        lines.remove(&line);
    }
    true
}

#[cfg(test)]
mod tests {
    use cloakgate_detect::{Engine, KnownKey, Settings};

    use super::super::walk::FileFound;
    use super::*;

    fn scanned(text: &str) -> Scanned {
        let finder = cloakgate_cloak::Finder::new(Engine::new(Settings::default()), KnownKey::new([1; 16]));
        let found = Shown::all(text, &finder.find(text, None).expect("no model"));
        Scanned { files: vec![FileFound { name: "a.txt".to_owned(), found }], ..Scanned::default() }
    }

    #[test]
    fn known_findings_stay_out_though_lines_move() {
        let before = "one@example.org\n\ntwo@example.org\n";
        let baseline = || Baseline::parse(&Baseline::of(&scanned(before)).text()).unwrap();
        assert_eq!(baseline(), Baseline::of(&scanned(before)));
        for (name, text, lines) in [
            ("the same", before, vec![]),
            ("a line more", "\none@example.org\n\ntwo@example.org\n", vec![]),
            ("one less", "one@example.org\n", vec![]),
            ("a new one between", "one@example.org\nnew@example.org\ntwo@example.org\n", vec![2]),
            ("another category", "one@example.org\n\nIBAN DE89 3704 0044 0532 0130 00\n", vec![3]),
        ] {
            let mut now = scanned(text);
            baseline().take_out(&mut now);
            let left: Vec<usize> = now.findings().map(|(_, shown)| shown.from.0).collect();
            assert_eq!(left, lines, "{name}");
        }
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        for text in ["", "[]", "{}", r#"{"version":2,"findings":[]}"#, r#"{"version":1,"findings":[{}]}"#] {
            assert!(Baseline::parse(text).is_err(), "{text}");
        }
        let empty = Baseline::of(&Scanned::default()).text();
        assert_eq!(Baseline::parse(&empty).unwrap(), Baseline::default());
    }
}
