//! Sentences, fields, rows and lines of code with places to fill, `{like this}`.
//!
//! A file holds those of one language; `fields` and `code` are English or any, `any` any but English.
//! One a line, `\n` for a new line. `{person}`, `{given}`, `{surname}`, `{place}`, `{company}`, `{club}` and `{street}` become
//! names, unless a mark follows: `{surname!}`.

use std::path::Path;

use anyhow::Context;

use super::invent::Inventor;
use super::marked::{Marked, ORGANISATION, PERSON, PLACE};
use super::pools::capitalised;

/// How often each line of a file is filled.
const FILES: &[(&str, usize)] = &[
    ("en", 40),
    ("code", 40),
    ("fields", 60),
    ("any", 400),
    ("de", 50),
    ("fr", 50),
    ("es", 50),
    ("it", 50),
    ("pt", 50),
    ("nl", 50),
    ("pl", 50),
    ("sv", 50),
    ("hr", 50),
];
/// Languages of sentences that are of any.
const LANGUAGES: &[&str] = &[
    "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "hr", "da", "no", "fi", "cs", "sk", "sl", "hu", "ro",
    "tr", "ca", "id",
];

/// All lines, filled.
pub(super) fn fill(folder: &Path, inventor: &mut Inventor<'_>) -> anyhow::Result<Vec<Marked>> {
    let mut filled = Vec::new();
    for (file, times) in FILES {
        let lines = std::fs::read_to_string(folder.join(format!("{file}.txt")))
            .with_context(|| format!("cannot read the sentences `{file}`"))?;
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let line = line.replace("\\n", "\n");
            // What has no places is the same each time.
            let times = if line.contains('{') { *times } else { 6 };
            for _ in 0..times {
                let other = inventor.random.of(LANGUAGES);
                let language = match *file {
                    "any" => other,
                    "fields" if inventor.random.percent(30) => other,
                    "fields" | "code" => "en",
                    own => own,
                };
                inventor.begin(language);
                filled.push(fill_one(&line, inventor));
            }
        }
    }
    Ok(filled)
}

fn fill_one(line: &str, inventor: &mut Inventor<'_>) -> Marked {
    let mut marked = Marked::default();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        marked.push(before);
        if inventor.random.percent(30) {
            inventor.turn();
        }
        match after.split_once('}') {
            Some((slot, behind))
                if name(slot, inventor, &mut marked) || thing(slot, inventor, &mut marked) =>
            {
                rest = behind;
            }
            _ => {
                marked.push("{");
                rest = after;
            }
        }
    }
    marked.push(rest);
    marked
}

/// Fills a place for a name.
fn name(slot: &str, inventor: &mut Inventor<'_>, marked: &mut Marked) -> bool {
    let (name, kind) = match slot {
        "person" => {
            if inventor.random.percent(4) {
                let title = inventor.list("title");
                marked.push(&title);
                marked.push(" ");
            }
            (inventor.person(), PERSON)
        }
        "PERSON" => (inventor.person().to_uppercase(), PERSON),
        "given" => (inventor.given(), PERSON),
        "surname" => (inventor.surname(), PERSON),
        "place" => (inventor.place(), PLACE),
        "street" => (inventor.street(), PLACE),
        "company" => (inventor.company(), ORGANISATION),
        "club" => (inventor.club(), ORGANISATION),
        _ => return false,
    };
    marked.push_name(&name, kind);
    true
}

/// Fills a place for something else.
fn thing(slot: &str, inventor: &mut Inventor<'_>, marked: &mut Marked) -> bool {
    let filled = match slot {
        "given!" => inventor.given(),
        "surname!" => inventor.surname(),
        "word" => inventor.word(),
        "Word" => inventor.big_word(),
        "WORD" => inventor.word().to_uppercase(),
        "Plural" => inventor.big_word() + "s",
        "Type" => inventor.big_word() + &inventor.big_word(),
        "function" => inventor.function_word(),
        "Function" => capitalised(&inventor.function_word()),
        "product" | "month" | "day" | "nation" | "noun" | "his" => inventor.list(slot),
        "user" => inventor.given().to_lowercase() + &inventor.word(),
        "email" => email(inventor),
        "identifier" => identifier(inventor),
        _ => return number(slot, inventor, marked),
    };
    marked.push(&filled);
    true
}

fn email(inventor: &mut Inventor<'_>) -> String {
    let given = inventor.given().to_lowercase();
    let surname = inventor.surname().to_lowercase().replace(' ', "");
    let word = inventor.word();
    match inventor.random.below(3) {
        0 => format!("{given}.{surname}@{word}.example"),
        1 => format!("{}{surname}@{word}.example", given.chars().next().unwrap_or('a')),
        _ => format!("{word}@{word}.example"),
    }
}

fn identifier(inventor: &mut Inventor<'_>) -> String {
    let one = inventor.word();
    let other = inventor.word();
    match inventor.random.below(9) {
        0 => format!("{one}_{other}"),
        1 => format!("{one}{}", capitalised(&other)),
        2 => format!("{one}-{other}"),
        3 => format!("{one}.{other}"),
        4 => format!("{one}-{other}-{}", inventor.word()),
        5 => format!("{one}{}", inventor.random.below(100)),
        6 => format!("{one}/{other}"),
        7 => format!("{}-{other}", inventor.given().to_lowercase()),
        _ => one,
    }
}

/// Fills a place for numbers, dates, keys.
fn number(slot: &str, inventor: &mut Inventor<'_>, marked: &mut Marked) -> bool {
    const HEX: &[u8] = b"0123456789abcdef";
    const CODE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-";
    let run = |inventor: &mut Inventor<'_>, of: &[u8], length: usize| -> String {
        (0..length).map(|_| inventor.character(of)).collect()
    };
    let filled = match slot {
        "number" => {
            let limit = inventor.random.of(&[10, 100, 1000, 10_000]);
            inventor.random.below(limit).to_string()
        }
        "year" => (1900 + inventor.random.below(127)).to_string(),
        "time" => format!("{:02}:{:02}", inventor.random.below(24), inventor.random.below(60)),
        "version" => {
            let mut next = |limit| inventor.random.below(limit);
            format!("{}.{}.{}", next(9), next(30), next(10))
        }
        "date" => date(inventor),
        "uuid" => {
            let parts = [8, 4, 4, 4, 12].map(|length| run(inventor, HEX, length));
            parts.join("-")
        }
        "hex" => {
            let length = inventor.random.of(&[8, 16, 32, 40, 64]);
            run(inventor, HEX, length)
        }
        "base64" => {
            let length = 20 + inventor.random.below(60);
            run(inventor, BASE64, length)
        }
        "code" => {
            let length = 4 + inventor.random.below(16);
            run(inventor, CODE, length)
        }
        _ => return false,
    };
    marked.push(&filled);
    true
}

fn date(inventor: &mut Inventor<'_>) -> String {
    let day = 1 + inventor.random.below(28);
    let month = 1 + inventor.random.below(12);
    let year = 1930 + inventor.random.below(97);
    let name = inventor.list("month");
    match inventor.random.below(5) {
        0 => format!("{year}-{month:02}-{day:02}"),
        1 => format!("{day:02}/{month:02}/{year}"),
        2 => format!("{day}.{month}.{year}"),
        3 => format!("{day} {name} {year}"),
        _ => format!("{name} {day}, {year}"),
    }
}
