//! What was cloaked comes back: any text, any mix of options, one text or several under one session.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test")]

use cloakgate_cloak::Finder;
use cloakgate_cloak::text::{
    AgeOption, DateOption, Extended, ExtendedOption, FinancialLabel, FinancialOption, GenderOption,
    GenderPronouns, GenderStyle, LocationOption, Marks, MedicalOption, Mode, NameOption, PlaceholderStyle,
    Profile, PromptLanguage, Ranges, TextSession, Today, WeightOption, WeightUnit, cloak, uncloak,
};
use cloakgate_detect::{Engine, KnownKey, Settings};
use proptest::prelude::*;

/// A mix of options, none of which refuses.
fn profile(mut seed: u64) -> Profile {
    let mut choose = |of: u64| {
        let chosen = seed % of;
        seed /= of;
        chosen as usize
    };
    let ranges =
        Ranges::new(&[[0.0, 17.0], [18.0, 29.0], [30.0, 44.0], [45.0, 64.0], [65.0, 100.0]]).expect("ranges");
    let weights = Ranges::new(&[[0.0, 50.0], [50.0, 80.0], [80.0, 130.0], [130.0, 180.0]]).expect("ranges");
    let mut extended =
        || [ExtendedOption::Placeholder, ExtendedOption::Mask, ExtendedOption::Keep][choose(3)];
    let extended = Extended {
        email: extended(),
        phone: extended(),
        government_id: extended(),
        network_id: extended(),
        url: extended(),
        organization: extended(),
        credential: extended(),
        custom: extended(),
        date: DateOption::Placeholder,
    };
    Profile {
        name: [NameOption::Placeholder, NameOption::Native, NameOption::Keep][choose(3)],
        age: [AgeOption::Placeholder, AgeOption::Categories, AgeOption::Ranges(ranges), AgeOption::Keep]
            .swap_remove_at(choose(4)),
        gender: [GenderOption::Mask, GenderOption::Keep][choose(2)],
        location: [
            LocationOption::Placeholder,
            LocationOption::City,
            LocationOption::Region,
            LocationOption::Country,
        ][choose(4)],
        medical_condition: [MedicalOption::Placeholder, MedicalOption::Group, MedicalOption::Mask][choose(3)],
        financial: [FinancialOption::Placeholder, FinancialOption::Mask][choose(2)],
        weight: [WeightOption::Placeholder, WeightOption::Ranges(weights), WeightOption::Keep]
            .swap_remove_at(choose(3)),
        weight_unit: [WeightUnit::Keep, WeightUnit::Pounds, WeightUnit::Kilograms][choose(3)],
        extended: Extended {
            date: [DateOption::Placeholder, DateOption::Shift, DateOption::Year, DateOption::Mask][choose(4)],
            ..extended
        },
        gender_style: [GenderStyle::Placeholder, GenderStyle::Word][choose(2)],
        gender_pronouns: [GenderPronouns::Keep, GenderPronouns::Neutral][choose(2)],
        financial_label: [FinancialLabel::Specific, FinancialLabel::Generic][choose(2)],
        placeholder_style: [PlaceholderStyle::Curly, PlaceholderStyle::Bracket][choose(2)],
        prompt_language: [PromptLanguage::Original, PromptLanguage::English][choose(2)],
        marks: [Marks::Off, Marks::Visible][choose(2)],
        ..Profile::default()
    }
}

/// Takes one out of a list.
trait SwapRemove<T> {
    fn swap_remove_at(self, at: usize) -> T;
}

impl<T, const N: usize> SwapRemove<T> for [T; N] {
    fn swap_remove_at(self, at: usize) -> T {
        Vec::from(self).swap_remove(at)
    }
}

/// Pieces that make texts worth cloaking: values, stand-ins as texts may hold them by themselves, look-alikes, ends of
/// lines, and anything else.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(vec![
            "my name is Alice Johnson", "Dr. Alice Johnson's chart", "JOHNSON, Alice M.", "Alice", "I'm 34 years old",
            "a 34-year-old man", "Ann, 34, and Bob, 41", "I live in Lyon", "12 rue de la Paix, 75002 Paris, France",
            "Type 1 Diabetes", "no history of asthma", "a.johnson@example.org", "+44 7700 900123", "4111 1111 1111 1111",
            "DE89 3704 0044 0532 0130 00", "$5,400", "72 kg", "160 lbs", "born 2 March 1991", "She said her chart is here",
            "Name: Bob Smith; age: 41", "https://example.org/a?b=c", "203.0.113.7",
        ]).prop_map(str::to_owned),
        2 => prop::sample::select(vec![
            "{{NAME}}", "{{name_2}}", "{{NAME.LAST}}", "[PERSON_0]", "[EMAIL_0]", "{{AGE}}", "adult", "an adult", "adult [A1]",
            "[A1]", "[L1]", "30–44", "*****", "****1111", "$####", "France", "chronic illness", "child", "{{", "}}", "\\{\\{NAME\\}\\}",
            "Yuki Tanaka", "Kenji", "person",
        ]).prop_map(str::to_owned),
        2 => "\\PC{0,8}",
    ];
    let between =
        prop::sample::select(vec![" ", "", "\n", "\r\n", "\n\n", ", ", ". ", "\t", "\u{a0}", " - ", "**"]);
    prop::collection::vec((piece, between), 0..8).prop_map(|pieces| {
        pieces.into_iter().fold(String::new(), |text, (piece, between)| text + &piece + between)
    })
}

fn finder(profile: &Profile) -> Finder {
    Finder::new(Engine::new(Settings { categories: profile.categories() }), KnownKey::new([7; 16]))
}

fn cloaked(text: &str, profile: &Profile, session: &mut TextSession) -> String {
    let today = Today::new(2026, 12, 1).expect("a day");
    cloak(text, profile, &finder(profile), session, today).expect("it is cloaked").text
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_under_any_options_comes_back(text in text(), seed: u64) {
        let profile = profile(seed);
        let mut session = TextSession::new([9; 32]);
        let shown = cloaked(&text, &profile, &mut session);
        let session = TextSession::from_bytes(&session.to_bytes()).expect("it was just written");
        for mode in [Mode::Strict, Mode::Lenient] {
            prop_assert_eq!(&uncloak(&shown, &session, mode).text, &text, "{:?}", &shown);
        }
    }

    #[test]
    fn cloaking_again_and_more_changes_nothing_for_what_was_cloaked(first in text(), second in text(), seed: u64) {
        // A text that has later stand-ins by itself cannot be told from one that was cloaked.
        prop_assume!(!["[A", "[L", "Yuki", "Kenji"].iter().any(|stand_in| first.contains(stand_in)));
        let profile = profile(seed);
        let mut session = TextSession::new([9; 32]);
        let shown = cloaked(&first, &profile, &mut session);
        let other = cloaked(&second, &profile, &mut session);
        let again = cloaked(&shown, &profile, &mut session);
        if again == shown {
            prop_assert_eq!(&uncloak(&shown, &session, Mode::Strict).text, &first, "{:?} {:?}", &shown, &other);
        }
    }
}
