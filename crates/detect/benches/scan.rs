//! Speed of the engine: 50 KB texts (prose, code, rows of JSON, text dense with values), in all categories too, short
//! fields with and without known values, and floods that tempt the rules to look too far.
//!
//! `cargo bench -p cloakgate-detect --bench scan`

use std::fmt::Write as _;
use std::hint::black_box;

use cloakgate_detect::{
    CategorySet, Engine, Field, FieldKind, Hints, KnownKey, KnownValues, Reach, Settings, admit,
};
use cloakgate_json::{Decoded, Document, Kind};
use cloakgate_vocab::{Category, Span};
use criterion::{Criterion, Throughput};

const TEXT_BYTES: usize = 50_000;

/// Repeatable choices.
struct Picker(u32);

impl Picker {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) as usize % bound
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list.get(self.below(list.len())).copied().unwrap_or_default()
    }
}

const FIRST: [&str; 8] = ["Marie", "Jürgen", "Aoife", "Piotr", "Chloé", "Noor", "Tomás", "Li"];
const LAST: [&str; 8] = ["Dubois", "Weiß", "Byrne", "Nowak", "Martin", "Haddad", "Novák", "Chen"];

fn prose() -> String {
    const SENTENCES: [&str; 8] = [
        "The river had been rising since the morning, and nobody in the valley expected it to stop soon. ",
        "A careful reader will notice that the second chapter repeats what the first one only suggested. ",
        "Most of the work was done by hand: cutting, sorting, drying; the machines came fifty years later. ",
        "In 1987 the committee changed the rule again, which made the earlier report hard to understand. ",
        "They walked along the old wall until it ended, then turned left towards the market and the station. ",
        "It is not clear why the method works (see section 4.2), but the results have been stable for years. ",
        "\"Nothing ever happens here,\" she said, and closed the window as the first drops began to fall.\n",
        "Version 2 of the plan needs 30 people, 12 tents and about 400 litres of water for each full day.\n\n",
    ];
    let mut picker = Picker(7);
    let mut text = String::new();
    while text.len() < TEXT_BYTES {
        text.push_str(picker.one(&SENTENCES));
    }
    text
}

/// This crate's own source.
fn code() -> String {
    const FILES: [&str; 5] = [
        include_str!("../src/canonical.rs"),
        include_str!("../src/overlap.rs"),
        include_str!("../src/recognise/pem.rs"),
        include_str!("../src/table/sql.rs"),
        include_str!("../src/settings.rs"),
    ];
    // Without their tests, which hold values.
    let mut text: String =
        FILES.iter().filter_map(|file| file.split("#[cfg(test)]").next()).collect::<Vec<_>>().concat();
    while text.len() < TEXT_BYTES {
        text = text.repeat(2);
    }
    let end = (0..=TEXT_BYTES).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.truncate(end);
    text
}

/// A tool result as a database server sends it.
fn rows() -> String {
    let mut picker = Picker(11);
    let mut json = String::from("[");
    let mut id = 1000;
    while json.len() < TEXT_BYTES {
        let (first, last) = (picker.one(&FIRST), picker.one(&LAST));
        let separator = if id == 1000 { "" } else { "," };
        let _ = write!(
            json,
            r#"{separator}{{"id":{id},"first_name":"{first}","last_name":"{last}","email":"user{id}@example.org","phone":"+33 6 12 34 {:02} {:02}","city":"Lyon","country":"FR","status":"active","balance":{}.50,"vip":false,"manager":null,"tags":["new","eu"],"note":"called about the delivery"}}"#,
            picker.below(100),
            picker.below(100),
            picker.below(9000)
        );
        id += 1;
    }
    json.push(']');
    json
}

fn dense() -> String {
    let mut picker = Picker(13);
    let mut text = String::new();
    while text.len() < TEXT_BYTES {
        let (first, last) = (picker.one(&FIRST), picker.one(&LAST));
        let _ = write!(
            text,
            "Customer: {first} {last}, born 12 March {}, lives at {} rue des Lilas, 69003 Lyon.\n\
             Mail user{}@example.org or call +33 6 12 34 {:02} {:02}; card 4111 1111 1111 1111, from 203.0.113.{}.\n\
             Dear {first} {last},\nDB_PASSWORD=hunter{}!x and iban DE89 3704 0044 0532 0130 00.\n",
            1950 + picker.below(50),
            picker.below(200),
            picker.below(9000),
            picker.below(100),
            picker.below(100),
            picker.below(250),
            picker.below(9000),
        );
    }
    text
}

/// Known values as a long session has them.
fn known(count: usize) -> KnownValues {
    let key = KnownKey::new([5; 16]);
    let mut index = KnownValues::new(key);
    for number in 0..count / 2 {
        for (category, value) in [
            (Category::Email, format!("person{number}@example.org")),
            (Category::Person, format!("Given{number} Family{number}")),
        ] {
            if let Some(value) = admit(&key, category, &value, None, Reach::Everywhere) {
                index.insert(value);
            }
        }
    }
    index
}

/// The strings of a document with their keys, as a message is read.
struct Walked {
    fields: Vec<(String, FieldKind, Option<String>, Hints)>,
}

impl Walked {
    fn of(json: &str) -> Self {
        let Some(document) = cloakgate_json::nested(json) else { return Self { fields: Vec::new() } };
        let bytes = json.as_bytes();
        let mut fields = Vec::new();
        for node in document.nodes() {
            let hints = document
                .parent(node)
                .map_or(Hints::default(), |parent| Self::hints(&document, bytes, parent));
            let key = document.key(bytes, node).map(std::borrow::Cow::into_owned);
            if let Some(key) = &key {
                fields.push((key.clone(), FieldKind::Key, None, Hints::default()));
            }
            let span = document.span(node);
            let inner = Span::new(span.start() + 1, span.end().saturating_sub(1));
            match (document.kind(node), inner.and_then(|inner| inner.of(json))) {
                (Kind::String, Some(raw)) => {
                    fields.push((Decoded::new(raw).text().to_owned(), FieldKind::Text, key, hints));
                }
                (Kind::Number, _) => {
                    fields.push((
                        span.of(json).unwrap_or_default().to_owned(),
                        FieldKind::Number,
                        key,
                        hints,
                    ));
                }
                _ => {}
            }
        }
        Self { fields }
    }

    fn hints(document: &Document, bytes: &[u8], parent: cloakgate_json::NodeId) -> Hints {
        let keys: Vec<_> = document.children(parent).filter_map(|child| document.key(bytes, child)).collect();
        Hints::of_keys(keys.iter().map(AsRef::as_ref))
    }

    fn scan(&self, engine: &Engine, known: &[&KnownValues]) -> usize {
        self.fields
            .iter()
            .map(|(text, kind, key, siblings)| {
                let field =
                    Field { text, kind: *kind, key: key.as_deref(), siblings: *siblings, within: None };
                engine.scan_known(black_box(&field), known, None).len()
            })
            .sum()
    }
}

/// Units that are repeated to 100 KB.
const FLOODS: [(&str, &str); 30] = [
    ("x", "x"),
    ("ab", "ab "),
    ("one", "1 "),
    ("one-dash", "1-"),
    ("one-dot", "1."),
    ("four", "1234 "),
    ("zeros", "00 "),
    ("brackets", "(202) "),
    ("password-mark", "password="),
    ("password-colon", "password: "),
    ("password-blank", "password "),
    ("cyrillic-key", "пароль: "),
    ("title", "Mr "),
    ("street-json", "\"street\":"),
    ("name-quote", "full_name=\""),
    ("email-json", "{\"email\":\"u0@example.eu\",\"token\":\"a0\"},"),
    ("query", "token=a0&"),
    ("mail", "a@"),
    ("percent", "%4"),
    ("marie", "Marie "),
    ("base64", "dGhp"),
    ("chinese", "陈"),
    ("at", "@"),
    ("nested", "[{("),
    ("scheme", "a://"),
    ("iban", "DE89 3704 "),
    ("cyrillic", "Имя "),
    ("dear", "Dear "),
    ("digits", "7"),
    ("glued", "Marie.Dubois@example.org4111111111111111"),
];

fn main() {
    let engine = Engine::new(Settings::default());
    let everything = Engine::new(Settings { categories: CategorySet::all() });
    let (few, many) = (known(50), known(20_000));
    let empty = KnownValues::new(KnownKey::new([5; 16]));
    let mut criterion = Criterion::default().configure_from_args();

    for (name, text) in [("prose", prose()), ("code", code()), ("dense", dense())] {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        for (known_name, known) in [("fresh", &empty), ("known_20000", &many)] {
            group.bench_function(known_name, |bench| {
                bench.iter(|| engine.scan_known(&Field::text(black_box(&text)), &[known], None).len());
            });
        }
        group.bench_function("all_categories", |bench| {
            bench.iter(|| everything.scan(&Field::text(black_box(&text))).len());
        });
        group.finish();
    }

    let rows = rows();
    let walked = Walked::of(&rows);
    let mut group = criterion.benchmark_group("rows");
    group.throughput(Throughput::Bytes(rows.len() as u64));
    group.bench_function("fresh", |bench| bench.iter(|| walked.scan(&engine, &[&empty])));
    group.bench_function("known_20000", |bench| bench.iter(|| walked.scan(&engine, &[&many, &few])));
    group.finish();

    let long = "the parcel left the depot on time and should arrive at the station before the end of the week, they say";
    let mut group = criterion.benchmark_group("field");
    for (name, text, key) in [
        ("10", "in transit", Some("status")),
        ("20", "blue cotton t-shirts", Some("title")),
        ("20_no_key", "blue cotton t-shirts", None),
        ("100", long, Some("description")),
        ("email", "marie@example.org", Some("email")),
        ("name", "Marie Dubois", Some("full_name")),
    ] {
        let field = Field { text, kind: FieldKind::Text, key, siblings: Hints::default(), within: None };
        group.bench_function(format!("{name}/fresh"), |bench| {
            bench.iter(|| engine.scan_known(black_box(&field), &[&empty, &empty], None).len());
        });
        group.bench_function(format!("{name}/known"), |bench| {
            bench.iter(|| engine.scan_known(black_box(&field), &[&many, &few], None).len());
        });
    }
    let key = Field {
        text: "shipping_status",
        kind: FieldKind::Key,
        key: None,
        siblings: Hints::default(),
        within: None,
    };
    group.bench_function("key", |bench| {
        bench.iter(|| engine.scan_known(black_box(&key), &[&many, &few], None).len());
    });
    let number = Field {
        text: "1702264030",
        kind: FieldKind::Number,
        key: Some("created"),
        siblings: Hints::default(),
        within: None,
    };
    group.bench_function("number", |bench| {
        bench.iter(|| engine.scan_known(black_box(&number), &[&many, &few], None).len());
    });
    group.finish();

    let mut group = criterion.benchmark_group("flood");
    for (name, unit) in FLOODS {
        let text = unit.repeat(100_000 / unit.len());
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bench| {
            bench.iter(|| engine.scan(&Field::text(black_box(&text))).len());
        });
    }
    group.finish();
    criterion.final_summary();
}
