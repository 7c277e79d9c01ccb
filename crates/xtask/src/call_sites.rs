//! The places that vouch for a message instead of cloaking or restoring it.
//!
//! In: the sources of every crate. Out: a sorted list, compared with `call-sites.txt`.
//! Invariant: a new place cannot come in unseen: under another name (`Cloaked as`) it is refused outright.
//! Not here: judging a place; that is for whoever reads the change of the list.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::console;
use crate::rust_text::product_code;
use crate::workspace::Workspace;

const LIST: &str = "crates/xtask/call-sites.txt";
const PROOFS: &[&str] = &["Cloaked", "Restored"];
const CONSTRUCTORS: &[&str] = &["exact", "authored", "revealed", "made", "concat"];
const HEAD: &str = "# Places that vouch for a message: file, function, constructor, times. \
Written by `cargo xtask call-sites --bless`.\n";

/// Compares the places in the sources with the committed list.
///
/// # Errors
/// When they differ.
pub(crate) fn compare(workspace: &Workspace) -> anyhow::Result<()> {
    let found = list(workspace)?;
    let file = workspace.path(LIST);
    let committed = std::fs::read_to_string(&file).context("cannot read call-sites.txt")?;
    let mut problems: Vec<String> = Vec::new();
    for line in found.lines().filter(|line| !committed.lines().any(|other| other == *line)) {
        problems.push(format!("not in the list: {line}"));
    }
    for line in committed.lines().filter(|line| !found.lines().any(|other| other == *line)) {
        problems.push(format!("not in the sources: {line}"));
    }
    if !problems.is_empty() {
        console::line("  read each place; if it may vouch, run `cargo xtask call-sites --bless`");
    }
    console::verdict(&problems)
}

/// Writes the list anew.
///
/// # Errors
/// When a source cannot be read or the list cannot be written.
pub(crate) fn bless(workspace: &Workspace) -> anyhow::Result<()> {
    let found = list(workspace)?;
    std::fs::write(workspace.path(LIST), &found).context("cannot write call-sites.txt")?;
    console::line(format_args!("{} places", found.lines().count().saturating_sub(1)));
    Ok(())
}

/// The sources of the product, each with its path below the top folder.
///
/// # Errors
/// When a source cannot be read.
pub(crate) fn sources(workspace: &Workspace) -> anyhow::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for crate_folder in folder_entries(&workspace.path("crates"))? {
        let sources = crate_folder.join("src");
        if sources.is_dir() && !crate_folder.ends_with("xtask") {
            product_files(&sources, &mut files)?;
        }
    }
    files.sort();
    let mut sources = Vec::new();
    for file in files {
        let source =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        sources.push((file.strip_prefix(workspace.root()).unwrap_or(&file).display().to_string(), source));
    }
    Ok(sources)
}

fn list(workspace: &Workspace) -> anyhow::Result<String> {
    let mut text = HEAD.to_owned();
    for (name, source) in sources(workspace)? {
        for ((function, constructor), times) in sites(&source, &name)? {
            text.push_str(&format!("{name} {function} {constructor} {times}\n"));
        }
    }
    Ok(text)
}

fn folder_entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?)
}

fn product_files(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for path in folder_entries(folder)? {
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            product_files(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

/// Function and constructor of each place in one file, with how often it stands there.
fn sites(source: &str, file: &str) -> anyhow::Result<BTreeMap<(String, String), usize>> {
    let code = product_code(source);
    let words = words(&code);
    let mut sites = BTreeMap::new();
    let mut function = "-";
    for (index, word) in words.iter().enumerate() {
        let next = |ahead: usize| words.get(index + ahead).copied().unwrap_or_default();
        if *word == "fn" && is_name(next(1)) {
            function = next(1);
        }
        if !PROOFS.contains(word) {
            continue;
        }
        anyhow::ensure!(next(1) != "as", "{file}: `{word}` under another name would hide its places");
        let mut ahead = 1;
        if next(ahead) == "::" && next(ahead + 1) == "<" {
            // `Cloaked::<Bytes>::exact`
            ahead += 2;
            while !next(ahead).is_empty() && next(ahead) != ">" {
                ahead += 1;
            }
            ahead += 1;
        } else if next(ahead) == "<" {
            // `<Cloaked<Bytes>>::exact` and plain types alike
            while !next(ahead).is_empty() && next(ahead) != "::" && ahead < 8 {
                ahead += 1;
            }
        }
        if next(ahead) == "::" && CONSTRUCTORS.contains(&next(ahead + 1)) {
            let constructor = format!("{word}::{}", next(ahead + 1));
            *sites.entry((function.to_owned(), constructor)).or_insert(0) += 1;
        }
    }
    Ok(sites)
}

/// Names, `::`, and single marks.
fn words(code: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if is_name_character(first) {
            rest.find(|character| !is_name_character(character)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        words.push(word);
        rest = after.trim_start();
    }
    words
}

fn is_name(word: &str) -> bool {
    word.chars().next().is_some_and(is_name_character)
}

fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::sites;

    fn listed(source: &str) -> Vec<String> {
        let sites = sites(source, "x.rs").unwrap();
        sites
            .into_iter()
            .map(|((function, constructor), times)| format!("{function} {constructor} {times}"))
            .collect()
    }

    #[test]
    fn places_are_found_in_every_spelling() {
        let cases = [
            ("call", "fn a() { Cloaked::exact(b) }", vec!["a Cloaked::exact 1"]),
            ("path", "fn a() { x.map(cloak::Restored :: authored) }", vec!["a Restored::authored 1"]),
            ("turbofish", "fn a() { Cloaked::<Bytes>::authored(b) }", vec!["a Cloaked::authored 1"]),
            ("qualified", "fn a() { <Cloaked<Bytes>>::concat(b) }", vec!["a Cloaked::concat 1"]),
            ("twice", "fn a() { Cloaked::exact(b); Cloaked::exact(c) }", vec!["a Cloaked::exact 2"]),
            ("nested", "fn a() {} fn b() { Cloaked::exact(b) }", vec!["b Cloaked::exact 1"]),
            ("type only", "fn a(b: Cloaked<Bytes>) -> Vec<u8> { Vec::concat(b) }", vec![]),
            ("comment", "// Cloaked::exact\nfn a() {}", vec![]),
            ("test", "#[cfg(test)] mod tests { fn a() { Cloaked::exact(b) } }", vec![]),
        ];
        for (name, source, expected) in cases {
            assert_eq!(listed(source), expected, "{name}");
        }
    }

    #[test]
    fn another_name_is_refused() {
        assert!(sites("use cloak::Cloaked as Safe;", "x.rs").is_err());
        assert!(sites("use cloak::Cloaked;", "x.rs").is_ok());
    }
}
