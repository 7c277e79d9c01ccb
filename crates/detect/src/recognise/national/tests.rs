#![expect(clippy::string_slice, reason = "numbers are ASCII")]

use std::collections::HashSet;

use cloakgate_vocab::{Category, Strength};

use super::{Alone, Bar, Compact, Kind, LEAST_ODDS, alone, kind_of, kinds};
use crate::engine::{Engine, Field, FieldKind};
use crate::hints::Hints;
use crate::keys;

/// Category and text of what is found.
fn findings(text: &str) -> Vec<(Category, String)> {
    in_field(&Field::text(text))
}

fn in_field(field: &Field<'_>) -> Vec<(Category, String)> {
    let value = |span: cloakgate_vocab::Span| span.of(field.text).unwrap().to_owned();
    Engine::default().scan(field).iter().map(|found| (found.category, value(found.hull()))).collect()
}

fn passes(kind: &Kind, written: &str) -> bool {
    Compact::of(written).is_some_and(|compact| kind.passes(&compact))
}

/// The number in the groups of its kind.
fn grouped(kind: &Kind, compact: &str) -> Option<String> {
    kind.grouped.iter().find_map(|pattern| {
        let mut characters = compact.chars();
        let written: String =
            pattern
                .chars()
                .map(|class| {
                    if class.is_ascii_alphanumeric() || class == '*' {
                        characters.next()
                    } else {
                        Some(class)
                    }
                })
                .collect::<Option<_>>()?;
        (characters.next().is_none() && kind.is_grouped(&written)).then_some(written)
    })
}

/// The number with another last digit.
fn off_by_one(written: &str) -> Option<String> {
    let at = written.rfind(|c: char| c.is_ascii_digit())?;
    let next = (written.as_bytes()[at] - b'0' + 1) % 10;
    Some(format!("{}{next}{}", &written[..at], &written[at + 1..]))
}

fn compact(example: &str) -> String {
    example.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[test]
fn names_are_unique_and_rows_complete() {
    let names: HashSet<_> = kinds().map(|kind| kind.name).collect();
    assert_eq!(names.len(), kinds().count());
    for kind in kinds() {
        assert!(!kind.examples.is_empty() && !kind.cues.is_empty() && kind.odds > 0, "{}", kind.name);
        assert!(kind.shapes.iter().all(|shape| shape.len() <= super::MAX_LENGTH), "{}", kind.name);
        assert!(
            kind.alone == Alone::Never || kind.odds >= LEAST_ODDS || kind.name == "pk.cnic",
            "{}",
            kind.name
        );
    }
}

#[test]
fn examples_pass_and_their_neighbours_fail() {
    for kind in kinds() {
        for example in kind.examples {
            assert!(passes(kind, example), "{} {example}", kind.name);
            let (short, long) = (&example[..example.len() - 1], format!("{example}7"));
            let shapes = |text: &str| kind.shapes.iter().any(|shape| shape.len() == compact(text).len());
            assert!(shapes(short) || !passes(kind, short), "{} {short}", kind.name);
            assert!(shapes(&long) || !passes(kind, &long), "{} {long}", kind.name);
            assert!(passes(kind, &example.to_lowercase()), "{} in small letters", kind.name);
        }
    }
    // The rest have dates, ranges and letters, not a check digit at the end.
    let checked = kinds().filter(|kind| {
        kind.examples.iter().all(|example| off_by_one(example).is_some_and(|other| !passes(kind, &other)))
    });
    assert!(checked.count() >= 110);
}

#[test]
fn numbers_are_found_beside_their_names() {
    let mut wrong = Vec::new();
    let mut check = |right: bool, what: String| wrong.extend((!right).then_some(what));
    for kind in kinds() {
        for (example, cue) in kind.examples.iter().zip(kind.cues.iter().cycle()) {
            let expected = (kind.category, (*example).to_owned());
            let column =
                if cue.ends_with('.') || cue.contains('\'') || cue.split(' ').count() > 4 { "" } else { cue };
            for text in [format!("{cue}: {example}"), format!("name,{column}\nMarie,{example}\n")] {
                if text.starts_with("name,\n") || cue.len() > 64 {
                    continue;
                }
                check(
                    findings(&text).contains(&expected),
                    format!("{}: {text}: {:?}", kind.name, findings(&text)),
                );
            }
            let field = Field {
                text: example,
                kind: FieldKind::Text,
                key: Some(cue),
                siblings: Hints::default(),
                within: None,
            };
            check(in_field(&field).contains(&expected), format!("{}: {cue}", kind.name));
        }
        for cue in kind.cues {
            check(keys::meaning_for_value(cue).is_some(), format!("{}: {cue}", kind.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn improbable_numbers_stand_alone() {
    for kind in kinds().filter(|kind| kind.alone != Alone::Never) {
        for example in kind.examples {
            let written = match kind.alone {
                Alone::Grouped => grouped(kind, &compact(example)).filter(|written| kind.is_marked(written)),
                _ => Some((*example).to_owned()),
            };
            let Some(written) = written else { continue };
            for text in [
                format!("see {written}."),
                format!("\"{written}\""),
                format!("é {written}, é"),
                format!("x={written}&y"),
            ] {
                let found = findings(&text);
                assert!(found.iter().any(|(_, value)| *value == written), "{}: {text}: {found:?}", kind.name);
            }
            for text in [format!("{written}7"), format!("x{written}"), format!("{written}_1")] {
                assert!(alone(&text).is_none_or(|other| other.name != kind.name), "{}: {text}", kind.name);
                let whole = |found: &(Category, String)| found.0 == kind.category && found.1 == written;
                assert!(!findings(&text).iter().any(whole), "{}: {text}", kind.name);
            }
        }
    }
}

#[test]
fn near_misses_without_a_word_are_not_found() {
    let mut wrong = Vec::new();
    for kind in kinds().filter(|kind| kind.alone != Alone::Never) {
        for example in kind.examples {
            let Some(miss) = off_by_one(example).filter(|miss| !passes(kind, miss)) else { continue };
            let other = alone(&miss).is_some_and(|other| other.name == kind.name);
            let found = findings(&format!("see {miss}."));
            // what is left is another kind that the digits fit by chance
            let same = found.iter().any(|(category, value)| *category == kind.category && *value == miss);
            if other || (same && alone(&miss).is_none()) {
                wrong.push(format!("{}: {miss}: {found:?}", kind.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn other_numbers_are_no_numbers_of_people() {
    for text in [
        "ts 1717539711091 and 1717539711",
        "order 966909111146",
        "isbn 9783161484100, ean 4006381333931",
        "build 2024.11.05.1234, version 12.345.678",
        "247f2866-028d-e711-59b4-2b4ea410fb91",
        "0f46d8946e3c4375aa0ba8fe17c30f5f",
        "sku AB123456C-77 and part 12345678A9",
        "US0378331005 HWUPKR0MPOU8FGXBT394 DEUTDEFF500",
        "id: 49217, rows 123456789 of 987654321",
        "lon 12.345678901 lat 48.123456789",
    ] {
        let found: Vec<_> = findings(text).into_iter().filter(|(category, _)| is_number(*category)).collect();
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

fn is_number(category: Category) -> bool {
    matches!(
        category,
        Category::NationalId
            | Category::TaxId
            | Category::HealthId
            | Category::Passport
            | Category::DriverLicense
            | Category::OtherId
            | Category::Vehicle
            | Category::BankAccount
    )
}

#[test]
fn random_digits_in_prose_are_no_numbers_of_people() {
    let mut state = 7_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut found = Vec::new();
    for round in 0..10_000_u64 {
        let length = 8 + round % 7;
        let digits: String = (0..length).map(|_| char::from(b'0' + (next() % 10) as u8)).collect();
        found.extend(findings(&format!("we saw {digits} there")).into_iter().filter(|one| is_number(one.0)));
    }
    assert!(found.len() <= 2, "{found:?} of 10,000");
}

#[test]
fn a_general_key_takes_the_kind_that_is_least_probable_by_chance() {
    for (written, category) in [
        ("44051401359", Some(Category::NationalId)),
        ("195-24-8388", Some(Category::Ssn)),
        ("RSSMRA85T10A562S", Some(Category::NationalId)),
        ("27AAPFU0939F1ZV", Some(Category::TaxId)),
        ("1EG4-TE5-MK73", Some(Category::HealthId)),
        ("1HGCM82633A004352", Some(Category::Vehicle)),
        ("12", None),
        ("abc", None),
        ("", None),
    ] {
        assert_eq!(kind_of(written, None, Bar::Any).map(|kind| kind.category), category, "{written}");
    }
}

#[test]
fn the_page_of_identifiers_names_every_row() {
    let page = include_str!("../../../../../docs/IDENTIFIERS.md");
    for kind in kinds() {
        assert!(page.contains(&format!("| `{}` |", kind.name)), "{}", kind.name);
    }
    assert_eq!(page.lines().filter(|line| line.starts_with("| `")).count(), kinds().count());
}

#[test]
fn general_keys_take_the_category_of_the_number() {
    for (text, category) in [
        ("tax_id: 219-09-9998", Category::Ssn),
        ("tax_id: 12345678901", Category::TaxId),
        ("con documento 219-09-9998 y", Category::Ssn),
        ("id number: 44051401359", Category::NationalId),
        ("NIF: 501964843", Category::TaxId),
        ("NIF: 12345678Z", Category::NationalId),
        ("passport number: 501964843", Category::Passport),
    ] {
        assert_eq!(findings(text).first().map(|found| found.0), Some(category), "{text}");
    }
}

#[test]
fn a_bare_id_needs_a_record_of_a_person() {
    for (text, found) in [
        ("name,id\nMarie,11010519491231002X\n", true),
        ("name,id\nMarie,44051401359\n", true),
        ("id,name,email\n44051401359,Marie,m@example.org\n", true),
        ("id,name,version\n44051401359,left-pad,1\n", false),
        ("name,id\nMarie,1234567\n", false),
        ("id,size\n44051401359,3\n", false),
    ] {
        let numbers = findings(text).into_iter().filter(|(category, _)| is_number(*category)).count();
        assert_eq!(numbers == 1, found, "{text}");
    }
}

#[test]
fn words_further_off_speak_for_a_checked_number() {
    for (text, found) in [
        ("his PESEL, as the form says, is 44051401359.", true),
        ("her tax number as it was entered at 1702264030", false),
    ] {
        let numbers = Engine::default()
            .scan(&Field::text(text))
            .iter()
            .filter(|found| is_number(found.category) && found.strength != Strength::Shape)
            .count();
        assert_eq!(numbers == 1, found, "{text}");
    }
}
