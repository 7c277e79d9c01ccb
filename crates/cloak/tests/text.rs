//! Cloaking of texts, row by row of the tables in `tests/golden`, and what holds for every text.

#![expect(clippy::expect_used, reason = "a test")]

use cloakgate_cloak::Finder;
use cloakgate_cloak::text::{
    AgeOption, DateOption, Extended, ExtendedOption, Field, FinancialOption, GenderOption, GenderPronouns,
    GenderStyle, KnowledgeBase, LocationOption, Marks, MedicalOption, Mode, NameOption, PlaceholderStyle,
    Profile, Ranges, Term, TermOption, TermText, TextSession, Today, WeightOption, WeightUnit, cloak,
    uncloak,
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
fn conditions_and_medication() {
    let of = |medical_condition| Profile { medical_condition, ..keep() };
    let profiles = [of(MedicalOption::Group), of(MedicalOption::Mask), of(MedicalOption::Placeholder)];
    check(include_str!("golden/medical.txt"), &profiles);
}

#[test]
fn places() {
    let of = |location| Profile { location, ..keep() };
    let profiles = [
        of(LocationOption::City),
        of(LocationOption::Region),
        of(LocationOption::Country),
        of(LocationOption::Placeholder),
    ];
    check(include_str!("golden/location.txt"), &profiles);
}

#[test]
fn names() {
    let of = |name| Profile { name, ..keep() };
    check(include_str!("golden/name.txt"), &[of(NameOption::Placeholder)]);
    // Native names are drawn, so what holds for any of them is looked at.
    let native = of(NameOption::Native);
    let moved = cloaked("full_name: Alice Johnson", &native);
    assert!(
        moved.starts_with("full_name: ") && !moved.contains("Alice") && !moved.contains("Johnson"),
        "{moved}"
    );
    let moved = cloaked("Dr. Alice Johnson's chart; Ms Johnson agreed", &native);
    let parts: Vec<&str> = moved.split(' ').collect();
    assert!(
        matches!(parts.as_slice(), ["Dr.", _, whose, "chart;", "Ms", family, "agreed"]
            if whose.strip_suffix("'s") == Some(family)),
        "{moved}"
    );
    let moved = cloaked("Alice Johnson\nBob Smith\nCarol White", &native);
    for name in ["Alice", "Johnson", "Bob", "Smith", "Carol", "White"] {
        assert!(!moved.contains(name), "{moved}");
    }
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
fn which_value_counts() {
    check(include_str!("golden/overlaps.txt"), &[Profile::default()]);
}

/// A profile that changes nothing but the extended fields.
fn extended(option: ExtendedOption, date: DateOption) -> Profile {
    let extended = Extended {
        email: option,
        phone: option,
        government_id: option,
        network_id: option,
        url: option,
        date,
        organization: option,
        credential: option,
        custom: option,
    };
    Profile { extended, ..keep() }
}

#[test]
fn extended_fields() {
    let profiles = [
        extended(ExtendedOption::Mask, DateOption::Mask),
        extended(ExtendedOption::Placeholder, DateOption::Placeholder),
    ];
    check(include_str!("golden/extended.txt"), &profiles);
    check(include_str!("golden/dates.txt"), &[extended(ExtendedOption::Keep, DateOption::Year)]);
}

#[test]
fn shifted_dates_keep_the_days_between_them() {
    let profile = extended(ExtendedOption::Keep, DateOption::Shift);
    let text = "from 2026-03-12 to 2026-03-22";
    let moved = cloaked(text, &profile);
    assert_ne!(moved, text);
    let days: Vec<calendar::Day> = moved.split(' ').filter_map(calendar::day).collect();
    assert!(matches!(days.as_slice(), [one, other] if other - one == 10), "{moved}");
}

/// Days since 1970 of dates such as `2026-03-12`, counted one by one.
mod calendar {
    pub(crate) type Day = i64;

    pub(crate) fn day(date: &str) -> Option<Day> {
        let mut parts = date.split('-').map(str::parse::<i64>);
        let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let years: i64 = (1970..year).map(|year| 365 + i64::from(leap(year))).sum();
        let lengths = [31, 28 + i64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let months: i64 = lengths.iter().take(usize::try_from(month).ok()?.checked_sub(1)?).sum();
        Some(years + months + day)
    }
}

#[test]
fn the_operators_own_terms_count() {
    let text = |text: &str| TermText::Text(text.to_owned());
    let term = |text, field, option| Term { text, field, option };
    let terms = vec![
        term(text("Project Heron"), Field::Custom, TermOption::Placeholder),
        term(TermText::Regex("ZX-[0-9]+".to_owned()), Field::Custom, TermOption::Mask),
        term(text("Blue Harbor"), Field::Organization, TermOption::Field),
        term(text("support@example.org"), Field::Email, TermOption::Keep),
        term(text("forbidden"), Field::Custom, TermOption::Block),
    ];
    let knowledge_base = KnowledgeBase::new(terms, &["info@example.org".to_owned()]).expect("valid");
    let profile = Profile { knowledge_base, ..extended(ExtendedOption::Placeholder, DateOption::Keep) };
    let message = "project heron of Blue Harbor, ZX-12; support@example.org, info@example.org, a@example.org";
    assert_eq!(
        cloaked(message, &profile),
        "{{CUSTOM}} of {{CUSTOM_2}}, *****; support@example.org, info@example.org, {{EMAIL}}"
    );
    let today = Today::new(2026, 12, 1).expect("a day");
    let refused = cloak("forbidden", &profile, &finder(&profile), &mut TextSession::new([7; 32]), today);
    assert!(refused.expect_err("blocked").is_refusal());
}

#[test]
fn marks_tell_equal_words_apart() {
    let profile = Profile { age: AgeOption::Categories, marks: Marks::Visible, ..keep() };
    let text = "one is 34 years old, one is 41 years old, one is 34 years old";
    assert_eq!(cloaked(text, &profile), "one is adult [A1], one is adult [A2], one is adult [A1]");
}

#[test]
fn brackets_are_the_other_style() {
    let profile = Profile { placeholder_style: PlaceholderStyle::Bracket, ..Profile::default() };
    assert_eq!(
        cloaked("a@example.org, [EMAIL_0], b@example.org", &profile),
        "[EMAIL_1], [EMAIL_0], [EMAIL_2]"
    );
}

#[test]
fn no_value_is_left_and_a_document_stays_one() {
    let text = r#"{"user":{"full_name":"Zo\u00eb Dubois","email":"zoe@example.org"},"log":"zoe@example.org\n{\"to\":\"zoe@example.org\"}","n":[1.10,2025550143,null],"phone":2025550143}"#;
    let mut session = TextSession::new([7; 32]);
    let profile = Profile::default();
    let today = Today::new(2026, 12, 1).expect("a day");
    let cloaked = cloak(text, &profile, &finder(&profile), &mut session, today).expect("it is cloaked").text;
    for value in ["Dubois", "zoe@example.org", "2025550143"] {
        assert!(!cloaked.contains(value), "{cloaked}");
    }
    let read: serde_json::Value = serde_json::from_str(&cloaked).expect("JSON");
    assert!(read.pointer("/user/full_name").is_some(), "{cloaked}");
    assert_eq!(uncloak(&cloaked, &session, Mode::Strict).text, text);
}

#[test]
fn long_texts_take_time_in_line_with_their_length() {
    // Nothing here is timed: a cost that grows with the square would not end.
    for unit in [
        "Mr ",
        "{{NAME_2}} ",
        "34 ",
        "one hundred ",
        "a@example.org ",
        "[",
        "in her thirties ",
        "lost 5 kg ",
        "aged 34 years ",
        "born 1991-03-02 ",
        "pays $5 ",
        "Ann Lee, 34, ",
        "Sex: F ",
        "CVV 123 ",
        "ab\n",
    ] {
        let text = unit.repeat(100_000 / unit.len());
        cloaked(&text, &Profile::default());
    }
}

#[test]
fn a_profile_that_keeps_all_changes_nothing() {
    let text = "Ms Alice Johnson, 34, a@example.org, card 4111 1111 1111 1111, weighs 72 kg";
    assert_eq!(cloaked(text, &keep()), text);
}

/// A profile of these choices, one number for each field.
fn mixed(choices: &[u8; 10]) -> Profile {
    let pick = |codes: &'static [&'static str], at: usize| {
        let usable: Vec<_> = codes.iter().filter(|code| **code != "block").collect();
        let choice = usize::from(choices.get(at).copied().unwrap_or_default());
        **usable.get(choice % usable.len()).expect("a code")
    };
    let ages = Ranges::new(&[[0.0, 17.0], [30.0, 44.0]]).expect("valid");
    let weights = Ranges::new(&[[0.0, 50.0], [60.0, 80.0]]).expect("valid");
    let option = ExtendedOption::from_code(pick(ExtendedOption::CODES, 0)).expect("a code");
    let date = DateOption::from_code(pick(DateOption::CODES, 1)).expect("a code");
    Profile {
        name: NameOption::from_code(pick(NameOption::CODES, 2)).expect("a code"),
        age: AgeOption::from_code(pick(AgeOption::CODES, 3), Some(&ages)).expect("a code"),
        gender: GenderOption::from_code(pick(GenderOption::CODES, 4)).expect("a code"),
        location: LocationOption::from_code(pick(LocationOption::CODES, 5)).expect("a code"),
        medical_condition: MedicalOption::from_code(pick(MedicalOption::CODES, 6)).expect("a code"),
        financial: FinancialOption::from_code(pick(FinancialOption::CODES, 7)).expect("a code"),
        weight: WeightOption::from_code(pick(WeightOption::CODES, 8), Some(&weights)).expect("a code"),
        weight_unit: WeightUnit::from_code(pick(WeightUnit::CODES, 9)).expect("a code"),
        gender_style: GenderStyle::from_code(pick(GenderStyle::CODES, 0)).expect("a code"),
        gender_pronouns: GenderPronouns::from_code(pick(GenderPronouns::CODES, 1)).expect("a code"),
        placeholder_style: PlaceholderStyle::from_code(pick(PlaceholderStyle::CODES, 2)).expect("a code"),
        marks: Marks::from_code(pick(Marks::CODES, 3)).expect("a code"),
        ..extended(option, date)
    }
}

/// Pieces of texts: values, words that stand beside values, marks.
const PIECES: &str = "(I'm |she is |a |an |aged |34 years old|34-year-old |8-month-old |thirty-four|in her 30s|34M|Ann Lee|\
    JOHNSON, Alice M\\.|Mr |Mrs\\. |man |he |her |Sex: F|weighs |lost |72 kg|160 pounds|11 stone 4|70-75 kg|\\$5,400|85k|\
    salary of |CVV 123|exp 12/27|PIN 4711|4111 1111 1111 1111|DE89 3704 0044 0532 0130 00|a@example\\.org|\
    born 2 March 1991|2026-03-12|in Lyon|asthma|\\{\\{NAME\\}\\}|\\[EMAIL_0\\]|adult|, |\\. | and |\n|\r\n|\u{200b}|é|\\PC)";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_is_cloaked_without_a_panic_and_comes_back(text in "\\PC{0,60}(\n|\r\n|\t)?\\PC{0,60}") {
        cloaked(&text, &Profile::default());
    }

    #[test]
    fn whatever_is_chosen_a_text_comes_back(
        pieces in prop::collection::vec(PIECES, 0..14),
        choices in any::<[u8; 10]>(),
    ) {
        let profile = mixed(&choices);
        cloaked(&pieces.concat(), &profile);
        let cloaked = cloaked(&pieces.join("; "), &profile);
        if profile.financial != FinancialOption::Keep {
            prop_assert!(!cloaked.contains("4111 1111") && !cloaked.contains("3704 0044"), "{}", cloaked);
        }
    }

    #[test]
    fn a_second_pass_finds_nothing_new(pieces in prop::collection::vec(PIECES, 0..14)) {
        let profile = Profile::default();
        let first = cloaked(&pieces.join("\n"), &profile);
        prop_assert_eq!(cloaked(&first, &profile), first);
    }

    #[test]
    fn documents_stay_documents(
        texts in prop::collection::vec("(a@example\\.org|\\PC{0,12}|Mr Lee|\"|34 years old)", 0..6),
        keys in prop::collection::vec("[a-z]{1,6}|full_name|age|email|phone", 6),
        number in 0u64..10_000_000_000,
    ) {
        let members: serde_json::Map<_, _> =
            keys.iter().zip(&texts).map(|(key, text)| (key.clone(), text.clone().into())).collect();
        let document = serde_json::json!({ "members": members, "phone": number, "list": texts }).to_string();
        let cloaked = cloaked(&document, &Profile::default());
        prop_assert!(serde_json::from_str::<serde_json::Value>(&cloaked).is_ok(), "{}", cloaked);
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
