//! Runs the engine over the evaluation files, where they are at hand, the way a message is read: a text that is JSON
//! is walked with its keys, and values found once are looked for in the whole text.
//!
//! Asserts that code gives no false alarms; prints what leaks. With `DETECT_PREDICTIONS` set to a folder, the
//! findings are written there as the scorer reads them.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a harness: what does not fit its files should stop it, and its figures are printed"
)]

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use cloakgate_detect::{
    Engine, Field, FieldKind, Hints, KnownKey, KnownValues, Names, Reach, Records, Settings, admit, merge,
};
use cloakgate_json::{Decoded, Document, Kind, NodeId};
use cloakgate_vocab::{Category, Finding, Span};
use serde_json::Value;

/// Labels of the files for values that must be masked.
const CORE: &[&str] = &[
    "PERSON",
    "EMAIL",
    "PHONE",
    "ADDRESS",
    "DATE_OF_BIRTH",
    "SSN",
    "NATIONAL_ID",
    "PASSPORT",
    "DRIVER_LICENSE",
    "TAX_ID",
    "HEALTH_ID",
    "OTHER_ID",
    "CREDIT_CARD",
    "IBAN",
    "BANK_ACCOUNT",
    "CRYPTO_WALLET",
    "IP",
    "MAC",
    "VEHICLE",
    "PASSWORD",
    "SECRET",
];

struct Span3 {
    start: usize,
    end: usize,
    category: Category,
}

#[test]
fn evaluation_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/eval");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: {} is not here", folder.display());
        return;
    };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let false_alarms = score(&file, &name);
        if name == "code_negatives" {
            assert!(false_alarms <= 1, "{false_alarms} false alarms in code");
        }
    }
}

/// Prints the figures of one file and returns the number of findings off any gold value.
fn score(file: &Path, name: &str) -> usize {
    let engine = Engine::new(Settings::default());
    let (mut gold, mut leaked, mut alarms, mut records) = (0, 0, 0, 0);
    let mut predictions = String::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let text = record["text"].as_str().unwrap();
        let found = findings(&engine, text);
        let characters: Vec<char> = text.chars().collect();
        let covered: HashSet<usize> = found.iter().flat_map(|span| span.start..span.end).collect();
        let spans = record["spans"].as_array().unwrap();
        for span in spans.iter().filter(|span| CORE.contains(&span["label"].as_str().unwrap())) {
            let letters = range(span).filter(|at| characters[*at].is_alphanumeric());
            let (all, hidden) = letters
                .fold((0, 0), |(all, hidden), at| (all + 1, hidden + usize::from(covered.contains(&at))));
            gold += all;
            leaked += all - hidden;
        }
        let touched: HashSet<usize> = spans.iter().flat_map(range).collect();
        for span in &found {
            alarms += usize::from(!(span.start..span.end).any(|at| touched.contains(&at)));
        }
        records += 1;
        let list: Vec<String> = found
            .iter()
            .map(|span| {
                format!("{{\"start\":{},\"end\":{},\"label\":\"{}\"}}", span.start, span.end, span.category)
            })
            .collect();
        writeln!(predictions, "{{\"id\":{},\"spans\":[{}]}}", record["id"], list.join(",")).unwrap();
    }
    let share = if gold == 0 { 0.0 } else { f64::from(leaked as u32) * 100.0 / f64::from(gold as u32) };
    println!("{name:16} {records:5} records, leak {share:5.1} %, {alarms} findings off any value");
    if let Some(folder) = std::env::var_os("DETECT_PREDICTIONS") {
        std::fs::write(PathBuf::from(folder).join(format!("{name}.jsonl")), predictions).unwrap();
    }
    alarms
}

fn range(span: &Value) -> std::ops::Range<usize> {
    let at = |name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
    at("start")..at("end")
}

/// Findings in code points.
fn findings(engine: &Engine, text: &str) -> Vec<Span3> {
    let key = KnownKey::new([3; 16]);
    let mut known = KnownValues::new(key);
    let mut all = merge(read(engine, text, &KnownValues::new(key)), Vec::new());
    for finding in &all {
        let value = finding.decoded.as_ref().map_or(finding.hull().of(text), |value| Some(value.expose()));
        if let Some(value) = admit(&key, finding.category, value.unwrap_or_default(), None, Reach::Everywhere)
        {
            known.insert(value);
        }
    }
    if !known.is_empty() {
        all = merge(all, read(engine, text, &known));
    }
    let mut point = 0;
    let points: Vec<usize> = (0..=text.len())
        .map(|at| {
            let here = point;
            point += usize::from(text.is_char_boundary(at) && at < text.len());
            here
        })
        .collect();
    all.iter()
        .flat_map(|finding| finding.pieces.iter().map(|piece| (piece, finding.category)))
        .map(|(piece, category)| Span3 { start: points[piece.start()], end: points[piece.end()], category })
        .collect()
}

fn read(engine: &Engine, text: &str, known: &KnownValues) -> Vec<Finding> {
    let Some(document) = cloakgate_json::nested(text) else {
        return engine.scan_known(&Field::text(text), &[known], None);
    };
    let records = Records::of(&document, text.as_bytes());
    let mut all: Vec<Finding> = document
        .nodes()
        .flat_map(|node| read_node(engine, text, (&document, &records, node), known))
        .collect();
    beside(text, &document, &records, &mut all);
    all
}

/// Parts of names in other values of the same record; strings with escapes are left out.
fn beside(text: &str, document: &Document, records: &Records<'_>, all: &mut Vec<Finding>) {
    let mut names: HashMap<u32, Names> = HashMap::new();
    let plain = |node: NodeId| {
        let span = document.span(node);
        let inner =
            Span::new(span.start() + 1, span.end() - 1).filter(|_| document.kind(node) == Kind::String);
        inner.filter(|_| !document.escaped(node))
    };
    for node in document.nodes() {
        let Some(inner) = plain(node) else { continue };
        let here: Vec<Finding> =
            all.iter().filter(|finding| inner.contains(finding.hull())).cloned().collect();
        names.entry(records.record(node)).or_default().add(text, &here);
    }
    for node in document.nodes() {
        let (Some(inner), Some(names)) = (plain(node), names.get(&records.record(node))) else { continue };
        if !names.is_empty() {
            let more = names.find(inner.of(text).unwrap());
            all.extend(more.into_iter().map(|finding| {
                let pieces = finding.pieces.iter().map(|piece| piece.shifted(inner.start())).collect();
                Finding { pieces, ..finding }
            }));
        }
    }
}

fn read_node(
    engine: &Engine,
    text: &str,
    (document, records, node): (&Document, &Records<'_>, NodeId),
    known: &KnownValues,
) -> Vec<Finding> {
    let bytes = text.as_bytes();
    let (key, siblings) = (records.key(node), records.siblings(node));
    let mut found = Vec::new();
    match document.kind(node) {
        Kind::String => {
            let span = document.span(node);
            let inner = Span::new(span.start() + 1, span.end() - 1).unwrap();
            let decoded = Decoded::new(inner.of(text).unwrap());
            let value = decoded.text();
            let field = Field { text: value, kind: FieldKind::Text, key, siblings };
            let list = match cloakgate_json::nested(value) {
                Some(_) => read(engine, value, known),
                None => engine.scan_known(&field, &[known], None),
            };
            found.extend(list.into_iter().map(|finding| {
                let pieces = finding
                    .pieces
                    .iter()
                    .map(|piece| decoded.raw_span(*piece).shifted(inner.start()))
                    .collect();
                Finding { pieces, ..finding }
            }));
        }
        Kind::Number => {
            let span = document.span(node);
            let field = Field { text: span.of(text).unwrap(), kind: FieldKind::Number, key, siblings };
            found.extend(engine.scan_known(&field, &[known], None).into_iter().map(|finding| {
                let pieces = finding.pieces.iter().map(|piece| piece.shifted(span.start())).collect();
                Finding { pieces, ..finding }
            }));
        }
        _ => {}
    }
    if let (Some(span), Some(name), false) =
        (document.key_span(node), document.key(bytes, node), document.key_escaped(node))
    {
        let field = Field { text: &name, kind: FieldKind::Key, key: None, siblings: Hints::default() };
        found.extend(engine.scan_known(&field, &[known], None).into_iter().map(|finding| {
            let pieces = finding.pieces.iter().map(|piece| piece.shifted(span.start() + 1)).collect();
            Finding { pieces, ..finding }
        }));
    }
    found
}
