//! Cloaking of texts, row by row of the tables in `tests/golden`, and what holds for every text.

#![expect(clippy::expect_used, reason = "a test")]

use cloakgate_cloak::Finder;
use cloakgate_cloak::text::{
    AgeOption, DateOption, Extended, ExtendedOption, FinancialOption, GenderOption, GenderPronouns,
    GenderStyle, LocationOption, MedicalOption, Mode, NameOption, Profile, Ranges, TextSession, Today,
    WeightOption, WeightUnit, cloak, uncloak,
};
use cloakgate_detect::{Engine, KnownKey, Settings};
use proptest::prelude::*;

/// A profile that changes nothing.
fn keep() -> Profile {
    let keep = ExtendedOption::Keep;
    Profile {
        name: NameOption::Keep,
        age: AgeOption::Keep,
        gender: GenderOption::Keep,
        location: LocationOption::Keep,
        medical_condition: MedicalOption::Keep,
        financial: FinancialOption::Keep,
        weight: WeightOption::Keep,
        extended: Extended {
            email: keep,
            phone: keep,
            government_id: keep,
            network_id: keep,
            url: keep,
            date: DateOption::Keep,
            organization: keep,
            credential: keep,
            custom: keep,
        },
        ..Profile::default()
    }
}

fn finder(profile: &Profile) -> Finder {
    Finder::new(Engine::new(Settings { categories: profile.categories() }), KnownKey::new([7; 16]))
}

/// The cloaked text; it comes back exactly, and keeps its lines.
fn cloaked(text: &str, profile: &Profile) -> String {
    let mut session = TextSession::new([7; 32]);
    let today = Today::new(2026, 12, 1).expect("a day");
    let cloaked = cloak(text, profile, &finder(profile), &mut session, today).expect("it is cloaked").text;
    assert_eq!(cloaked.split('\n').count(), text.split('\n').count(), "{text}");
    assert_eq!(uncloak(&cloaked, &session, Mode::Strict).text, text, "{cloaked}");
    cloaked
}

/// Holds every row of a table against a profile for each column.
fn check(table: &str, profiles: &[Profile]) {
    let mut wrong = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let unescaped = |cell: &str| {
            cell.trim()
                .replace("\\r", "\r")
                .replace("\\\\n", "\u{0}")
                .replace("\\n", "\n")
                .replace('\u{0}', "\\n")
        };
        let cells: Vec<String> = line.split(" | ").map(unescaped).collect();
        let (text, expected) = cells.split_first().expect("a text");
        assert_eq!(expected.len(), profiles.len(), "{line}");
        for (profile, expected) in profiles.iter().zip(expected) {
            let expected = if expected == "=" { text } else { expected };
            let got = cloaked(text, profile);
            if got != *expected {
                wrong.push(format!("{text:?}\n  wanted {expected:?}\n  is     {got:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn ages() {
    let ranges = [[0.0, 17.0], [18.0, 29.0], [30.0, 44.0], [45.0, 64.0], [65.0, 100.0]];
    let of = |age| Profile { age, ..keep() };
    let ranges = Ranges::new(&ranges).expect("valid");
    let profiles = [of(AgeOption::Categories), of(AgeOption::Ranges(ranges)), of(AgeOption::Placeholder)];
    check(include_str!("golden/age.txt"), &profiles);
}

#[test]
fn weights() {
    let ranges = Ranges::new(&[[0.0, 50.0], [50.0, 80.0], [80.0, 130.0], [130.0, 180.0]]).expect("valid");
    let ranges = WeightOption::Ranges(ranges);
    let of = |weight: &WeightOption, weight_unit| Profile { weight: weight.clone(), weight_unit, ..keep() };
    let profiles = [
        of(&ranges, WeightUnit::Keep),
        of(&ranges, WeightUnit::Kilograms),
        of(&WeightOption::Keep, WeightUnit::Pounds),
        of(&WeightOption::Keep, WeightUnit::Kilograms),
        of(&WeightOption::Placeholder, WeightUnit::Keep),
    ];
    check(include_str!("golden/weight.txt"), &profiles);
}

#[test]
fn financial_values() {
    let of = |financial| Profile { financial, ..keep() };
    check(
        include_str!("golden/financial.txt"),
        &[of(FinancialOption::Mask), of(FinancialOption::Placeholder)],
    );
}

#[test]
fn words_of_gender() {
    let of = |gender_style, gender_pronouns| Profile {
        gender: GenderOption::Mask,
        gender_style,
        gender_pronouns,
        ..keep()
    };
    let profiles = [
        of(GenderStyle::Placeholder, GenderPronouns::Keep),
        of(GenderStyle::Word, GenderPronouns::Keep),
        of(GenderStyle::Placeholder, GenderPronouns::Neutral),
    ];
    check(include_str!("golden/gender.txt"), &profiles);
}

#[test]
fn lines_documents_and_parts_of_names() {
    check(include_str!("golden/lines.txt"), &[Profile::default()]);
}

#[test]
fn a_profile_that_keeps_all_changes_nothing() {
    let text = "Ms Alice Johnson, 34, a@example.org, card 4111 1111 1111 1111, weighs 72 kg";
    assert_eq!(cloaked(text, &keep()), text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_is_cloaked_without_a_panic_and_comes_back(text in "\\PC{0,60}(\n|\r\n|\t)?\\PC{0,60}") {
        cloaked(&text, &Profile::default());
    }

    #[test]
    fn lines_keep_their_count_and_order(lines in prop::collection::vec("(Alice Johnson|Bob Smith|a@example\\.org|34yo|72 kg|\\{\\{NAME\\}\\}|x| |)", 0..12)) {
        let text = lines.join("\n");
        let cloaked = cloaked(&text, &Profile::default());
        for (line, original) in cloaked.split('\n').zip(text.split('\n')) {
            prop_assert_eq!(line.trim().is_empty(), original.trim().is_empty());
        }
    }
}
