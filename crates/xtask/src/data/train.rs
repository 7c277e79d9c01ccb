//! Learns the model of `crates/names/src/tagger.rs`.
//!
//! In: texts that people wrote and others marked, in `shared/train` beside the checkout, and invented sentences with names
//! from the packages of `data_sources.toml`. Out: `crates/names/data/tagger.bin` and its hash. Invariant: the same inputs on the
//! same machine give the same bytes. Slow unless built with `--release`.

mod corpus;
mod examples;
mod invent;
mod learn;
mod marked;
mod pools;
mod random;
mod sentences;

use anyhow::Context;
use cloakgate_names::training::{self, Hash, LABELS, Reader};

use super::fetch;
use crate::console;
use crate::workspace::Workspace;
use examples::Examples;
use learn::Settings;
use marked::Marked;
use random::Random;

const OUT: &str = "crates/names/data";
const SENTENCES: &str = "crates/xtask/sentences";
const TEXTS: &str = "../shared/train";
/// Features that are kept.
const KEPT: usize = 280_000;
/// Places of the table: one in six stays free.
const PLACES: usize = 336_000;
/// The largest weight that is written.
const LARGEST: f32 = 5.0;

/// Learns and writes the model.
///
/// # Errors
/// When the texts or a package are not there.
pub(crate) fn run(workspace: &Workspace) -> anyhow::Result<()> {
    let texts = texts(workspace)?;
    let bytes = model(&texts)?;
    let folder = workspace.path(OUT);
    std::fs::write(folder.join("tagger.sha256"), fetch::sha256(&bytes)).context("cannot write the hash")?;
    console::line(format_args!("tagger.bin {} KiB", bytes.len() / 1024));
    std::fs::write(folder.join("tagger.bin"), bytes).context("cannot write the model")
}

/// All texts to learn from, with copies in other cases.
fn texts(workspace: &Workspace) -> anyhow::Result<Vec<Marked>> {
    let mut random = Random::new(1);
    let mut texts = Vec::new();
    for marked in corpus::read(&workspace.path(TEXTS), &mut random)? {
        if random.percent(25) {
            texts.push(marked.lower());
        }
        if random.percent(4) {
            texts.push(marked.upper());
        }
        texts.push(marked);
    }
    let by_people = texts.len();
    let sources = fetch::Sources::fetch(workspace)?;
    let sentences = workspace.path(SENTENCES);
    let words = std::fs::read_to_string(sentences.join("words.txt")).context("cannot read words.txt")?;
    let pools = pools::Pools::new(&sources, &words)?;
    for marked in sentences::fill(&sentences, &mut invent::Inventor::new(&pools, 7))? {
        texts.push(match random.below(100) {
            0..18 => marked.lower(),
            18..23 => marked.upper(),
            _ => marked,
        });
    }
    console::line(format_args!("{by_people} texts by people, {} invented", texts.len() - by_people));
    Ok(texts)
}

/// Learns twice: which features matter, and then what these say.
fn model(texts: &[Marked]) -> anyhow::Result<Vec<u8>> {
    let reader = Reader::load()?;
    let examples = Examples::new(texts, &reader);
    console::line(format_args!("{} lines, {} features", examples.lines.len(), examples.features.len()));
    let first = learn::learn(&examples, Settings { rounds: 4, pull: 3e-6, seed: 1 });
    let kept = strongest(&examples, &first.weights);
    drop(examples);
    let examples = Examples::of(texts, &reader, kept);
    let learnt = learn::learn(&examples, Settings { rounds: 6, pull: 1e-6, seed: 2 });
    let scale = LARGEST / f32::from(i8::MAX);
    let features: Vec<(Hash, [i8; LABELS])> = examples
        .features
        .iter()
        .zip(&learnt.weights)
        .map(|(feature, weights)| (*feature, weights.map(|weight| rounded(weight / scale))))
        .filter(|(_, weights)| weights.iter().any(|weight| *weight != 0))
        .collect();
    let (bytes, left_out) = training::pack(&features, PLACES, scale, &learnt.steps);
    console::line(format_args!("{} features, {left_out} left out", features.len()));
    Ok(bytes)
}

fn rounded(weight: f32) -> i8 {
    weight.round().clamp(-127.0, 127.0) as i8
}

/// The features that say most, by how much and how often, the strongest first.
fn strongest(examples: &Examples, weights: &[[f32; LABELS]]) -> Vec<Hash> {
    let mut seen = vec![0_u32; weights.len()];
    for (features, _) in examples.lines.iter().flat_map(examples::Example::words) {
        for feature in features {
            if let Some(seen) = seen.get_mut(*feature as usize) {
                *seen += 1;
            }
        }
    }
    let say = |weights: &[f32; LABELS]| {
        let most = weights.iter().map(|weight| weight.abs()).fold(0.0, f32::max);
        most + 0.2 * weights.iter().map(|weight| weight.abs()).sum::<f32>()
    };
    let features = examples.features.iter().zip(weights).zip(&seen);
    let mut strengths: Vec<(f64, Hash)> = features
        .map(|((feature, weights), seen)| (f64::from(say(weights)) * f64::from(*seen).ln_1p(), *feature))
        .filter(|(strength, _)| *strength > 0.0)
        .collect();
    strengths.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    strengths.truncate(KEPT);
    strengths.into_iter().map(|(_, feature)| feature).collect()
}
