//! What models do to a text before it comes back.

use super::judge::{Part, Text};
use super::people::{Chooser, Person, Slot};
use super::texts::{Language, Record};

/// Makes a message of a record; `None` where it does not fit.
pub(crate) type Way = fn(&Record, &[Person], &Language, &mut Chooser) -> Option<Text>;

/// Ways in which it may stay open whose a word is.
pub(crate) const OPEN: &[&str] = &["told freely"];

/// Ways in which everyday words are meant as such beside a name.
pub(crate) const TRAPS: &[&str] =
    &["trap: everyday words meant as such", "trap: pronouns torn from their names"];

pub(crate) const WAYS: &[(&str, Way)] = &[
    ("unchanged", |record, _, _, _| Some(record.message.clone())),
    ("first sentence dropped", |record, _, _, _| Some(Text::join(&record.all()[1..], " "))),
    ("sentences shuffled", |record, _, _, chooser| Some(shuffled(record.statements(), chooser, 1))),
    ("shuffled, half dropped", |record, _, _, chooser| Some(shuffled(record.statements(), chooser, 2))),
    ("wrapped in text with the same words", |record, _, language, chooser| {
        let (before, after) = chooser.one(language.wrappers);
        let (before, after) = (Text::own(&language.words(before)), Text::own(&language.words(after)));
        Some(Text::join(&[before, record.message.clone(), after], ""))
    }),
    ("bullet list", |record, _, _, chooser| {
        let bullet = chooser.one(&["- ", "* ", "• ", "1. "]);
        let lines: Vec<Text> =
            record.all().iter().map(|line| Text::join(&[Text::own(bullet), line.clone()], "")).collect();
        Some(Text::join(&lines, "\n"))
    }),
    ("fields reordered in sentences", |_, people, language, chooser| {
        Some(retold(people, language.reordered, language, chooser))
    }),
    ("first names only", |record, _, _, _| first_names(&record.message)),
    ("first names, reordered", |_, people, language, chooser| {
        first_names(&retold(people, language.reordered, language, chooser))
    }),
    ("table", |_, people, _, chooser| Some(table(people, chooser))),
    ("name in one sentence, facts in the next", |_, people, language, chooser| {
        Some(retold(people, language.apart, language, chooser))
    }),
    ("A and B live in X and Y respectively", respectively),
    ("one person only, retold", |_, people, language, chooser| {
        let templates = [language.reordered, language.apart].concat();
        Some(people[chooser.below(people.len())].say(chooser.one(&templates), language))
    }),
    ("capitals", |record, _, _, _| Some(record.message.map(|text, _| text.to_uppercase()))),
    ("small letters", |record, _, _, _| {
        Some(record.message.map(|text, slot| {
            if slot == Some(Slot::Condition) { text.to_owned() } else { text.to_lowercase() }
        }))
    }),
    ("non-breaking blanks and hyphens", |record, _, _, _| {
        Some(shown_with(&record.message, |text| text.replace(' ', "\u{a0}").replace('-', "\u{2011}")))
    }),
    ("Markdown emphasis", |record, _, _, chooser| {
        let mark = chooser.one(&["**", "*", "_", "`", "***"]);
        Some(around(&record.message, mark, mark))
    }),
    ("quotes", |record, _, _, chooser| {
        let (open, close) =
            chooser.one(&[("\"", "\""), ("“", "”"), ("'", "'"), ("«\u{a0}", "\u{a0}»"), ("(", ")")]);
        Some(around(&record.message, open, close))
    }),
    ("quoted lines", |record, _, _, _| {
        Some(Text::join(&[Text::own("> "), record.message.map(|text, _| text.replace('\n', "\n> "))], ""))
    }),
    ("JSON", |_, people, _, chooser| Some(json(people, chooser))),
    ("JSON with a string of the text", |record, _, _, _| {
        let escaped = record
            .message
            .map(|text, _| serde_json::Value::from(text).to_string().trim_matches('"').to_owned());
        Some(Text::join(&[Text::own("{\"answer\": \""), escaped, Text::own("\", \"done\": true}")], ""))
    }),
    ("lines broken elsewhere", |record, _, _, chooser| {
        let every = 3 + chooser.below(4);
        let counted = std::cell::Cell::new(0);
        Some(record.message.map(|text, slot| {
            if slot.is_some() {
                return text.to_owned();
            }
            let broken = |word: &str| {
                counted.set(counted.get() + 1);
                format!("{word}{}", if usize::is_multiple_of(counted.get(), every) { "\n" } else { " " })
            };
            match text.rsplit_once(' ') {
                Some((before, last)) => before.split(' ').map(broken).collect::<String>() + last,
                None => text.to_owned(),
            }
        }))
    }),
    ("carriage returns", |record, _, _, _| Some(record.message.map(|text, _| text.replace('\n', "\r\n")))),
    ("told freely", |_, people, language, chooser| Some(retold(people, FREE, language, chooser))),
    ("two people in a sentence", |_, people, language, chooser| {
        let mut pairs = Vec::new();
        for pair in people.chunks_exact(2) {
            let template = chooser.one(PAIRS);
            let (first, second) = template.split_once('/').unwrap_or((template, ""));
            pairs.push(Text::join(&[pair[0].say(first, language), pair[1].say(second, language)], ""));
        }
        Some(Text::join(&pairs, "\n"))
    }),
    ("HTML, YAML, a value a line", |_, people, language, chooser| {
        let (template, between) = chooser.one(FORMS);
        let texts: Vec<Text> = people.iter().map(|person| person.say(template, language)).collect();
        Some(Text::join(&texts, between))
    }),
    ("trap: everyday words meant as such", |record, people, language, chooser| {
        let trap = chooser.one(language.traps);
        let person = &people[chooser.below(people.len())];
        let own = person.say(&language.words(trap), language);
        Some(Text::join(&[record.message.clone(), own], " "))
    }),
    ("trap: pronouns torn from their names", |record, _, _, chooser| {
        let is_torn = record.statements().len() < record.all().len();
        is_torn.then(|| shuffled(record.all(), chooser, 1))
    }),
];

/// Ways to tell of people that no rule was made for.
const FREE: &[&str] = &[
    "1. **{N}** – {A}, {C}; suffers from {M}.",
    "The {A} {N} of {C} reports {M}.",
    "{N} (age: {A}; residence: {C}) — {M}.",
    "Regarding {N}: they are {A}, they live in {C}, and they have {M}.",
    "Among them is {N}, who lives in {C} and is {A}. Their condition is {M}.",
    "{N}: {A}. Lives in {C}. {M}.",
    "Please note that {N} is {A}, that home is {C}, and that the diagnosis is {M}.",
    "As for {G}, we know three things: {A}, {C}, {M}.",
    "{N} has been dealing with {M} since moving to {C}; being {A}, a visit was easy.",
    "> {N}, {A}, wrote from {C}: \"I have {M}.\"",
    "Q: Who has {M} and lives in {C}? A: {N}, {A}.",
    "It was {N} ({A}) who called from {C} about {M}.",
];

/// Two people in one sentence.
const PAIRS: &[&str] = &[
    "{N} ({A}) lives in {C}, while /{N} ({A}) lives in {C}.",
    "{N} is {A} and from {C}, /{N} is {A} and from {C}.",
    "{N} has {M}, but /{N} has {M}.",
    "Unlike {N}, who has {M}, /{N} has {M}.",
    "{N} ({C}) wrote to /{N} ({C}).",
    "{N}, {A}, {C}, {M}; /{N}, {A}, {C}, {M}.",
];

/// One person after the other in other forms.
const FORMS: &[(&str, &str)] = &[
    ("<tr><td>{N}</td><td>{A}</td><td>{C}</td><td>{M}</td></tr>", "\n"),
    ("<li><b>{N}</b>: {A}, {C}, {M}</li>", ""),
    ("- name: {N}\n  age: {A}\n  city: {C}\n  condition: {M}", "\n"),
    ("{N}\n{A}\n{C}\n{M}", "\n"),
    ("name = \"{N}\"\nage = \"{A}\"\ncity = \"{C}\"\ncondition = \"{M}\"", "\n\n"),
    ("INSERT INTO people VALUES ('{N}', '{A}', '{C}', '{M}');", "\n"),
    ("### {N}\n\n* Age: {A}\n* City: {C}\n* Condition: {M}", "\n\n"),
    ("[{N}] age={A} city={C} condition={M}", "\n"),
];

fn shuffled(mut sentences: Vec<Text>, chooser: &mut Chooser, part: usize) -> Text {
    chooser.shuffle(&mut sentences);
    sentences.truncate(sentences.len().div_ceil(part));
    Text::join(&sentences, chooser.one(&[" ", "\n"]))
}

fn retold(people: &[Person], templates: &[&str], language: &Language, chooser: &mut Chooser) -> Text {
    let mut people: Vec<&Person> = people.iter().collect();
    chooser.shuffle(&mut people);
    let between = chooser.one(&[" ", "\n", "\n\n"]);
    let template = chooser.one(templates);
    let mixed = chooser.below(2) == 0;
    let texts: Vec<Text> = people
        .iter()
        .map(|person| person.say(if mixed { chooser.one(templates) } else { template }, language))
        .collect();
    Text::join(&texts, if texts.iter().any(|text| text.cloaked().contains('\n')) { "\n" } else { between })
}

/// Whole names become first names; what has no whole name does not fit.
fn first_names(text: &Text) -> Option<Text> {
    let first = |text: &str| text.split(' ').next().unwrap_or_default().to_owned();
    let has_whole = text.0.iter().any(|part| matches!(part, Part::Value { slot: Slot::Full, .. }));
    has_whole
        .then(|| text.map(|text, slot| if slot == Some(Slot::Full) { first(text) } else { text.to_owned() }))
}

fn table(people: &[Person], chooser: &mut Chooser) -> Text {
    let mut columns = [Slot::Full, Slot::Age, Slot::Place, Slot::Condition];
    chooser.shuffle(&mut columns);
    let (open, between, close, head) = chooser.one(&[
        ("| ", " | ", " |", "| a | b | c | d |\n|---|---|---|---|\n"),
        ("", ",", "", "a,b,c,d\n"),
        ("", "\t", "", "a\tb\tc\td\n"),
        ("", " – ", "", ""),
    ]);
    let mut text = Text::own(head);
    for person in people {
        let cells: Vec<Text> = columns.iter().map(|slot| Text(vec![person.part(*slot)])).collect();
        text.add(&Text::own(open));
        text.add(&Text::join(&cells, between));
        text.add(&Text::own(close));
        text.add(&Text::own("\n"));
    }
    text
}

fn json(people: &[Person], chooser: &mut Chooser) -> Text {
    let mut fields = [
        ("name", Slot::Full),
        ("age_group", Slot::Age),
        ("place", Slot::Place),
        ("condition", Slot::Condition),
    ];
    chooser.shuffle(&mut fields);
    let (before, between, after) =
        chooser.one(&[("{", ", ", "}"), ("{\n  ", ",\n  ", "\n}"), ("{", ",", "}")]);
    let ascii = chooser.below(2) == 0;
    let objects: Vec<Text> = people
        .iter()
        .map(|person| {
            let members: Vec<Text> = fields
                .iter()
                .map(|(key, slot)| {
                    let value = shown_with(&Text(vec![person.part(*slot)]), |text| {
                        if ascii { escaped(text) } else { text.to_owned() }
                    });
                    Text::join(&[Text::own(&format!("\"{key}\": \"")), value, Text::own("\"")], "")
                })
                .collect();
            Text::join(&[Text::own(before), Text::join(&members, between), Text::own(after)], "")
        })
        .collect();
    Text::join(&[Text::own("["), Text::join(&objects, ", "), Text::own("]")], "")
}

fn escaped(text: &str) -> String {
    let mut units = [0; 2];
    text.chars()
        .map(|letter| {
            if letter.is_ascii() {
                return letter.to_string();
            }
            letter.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")).collect()
        })
        .collect()
}

fn respectively(_: &Record, people: &[Person], language: &Language, chooser: &mut Chooser) -> Option<Text> {
    let count = 2 + chooser.below(people.len().min(4) - 1);
    let list = |slot: Slot| {
        let parts: Vec<Text> = people[..count].iter().map(|person| Text(vec![person.part(slot)])).collect();
        let (last, before) = parts.split_last().unwrap();
        let before = Text::join(before, ", ");
        Text::join(&[before, Text::own(&format!(" {} ", language.and)), last.clone()], "")
    };
    let template = chooser.one(language.respectively);
    let (before, after) = template.split_once("{0}").unwrap();
    let (middle, after) = after.split_once("{1}").unwrap();
    let names = list(Slot::Full);
    Some(Text::join(&[Text::own(before), names, Text::own(middle), list(Slot::Place), Text::own(after)], ""))
}

/// Only what is shown changes; the values stay.
fn shown_with(text: &Text, change: impl Fn(&str) -> String) -> Text {
    let one = |part: &Part| match part {
        Part::Value { original, shown, slot } => {
            Part::Value { original: original.clone(), shown: change(shown), slot: *slot }
        }
        own @ Part::Own(_) => own.clone(),
    };
    Text(text.0.iter().map(one).collect())
}

fn around(text: &Text, open: &str, close: &str) -> Text {
    let mut all = Text::default();
    for part in &text.0 {
        match part {
            Part::Own(_) => all.0.push(part.clone()),
            Part::Value { .. } => {
                all.0.extend([Part::Own(open.to_owned()), part.clone(), Part::Own(close.to_owned())]);
            }
        }
    }
    all
}
