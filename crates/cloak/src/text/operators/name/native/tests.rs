use std::collections::HashSet;

use super::{parts, shown};
use crate::text::cloak::tests::{cloaked, in_session};
use crate::text::profile::{GenderOption, NameCulture, NameGender, NameOption, Profile};
use crate::text::session::{Kind, TextSession};

fn native() -> Profile {
    Profile { name: NameOption::Native, gender: GenderOption::Keep, ..Profile::default() }
}

/// Names in their place: `names` are the whole of a text's.
fn stand_ins(names: &[&str], text: &str, profile: &Profile, session: &mut TextSession) -> Vec<String> {
    super::prepare(names, text, profile, session).unwrap();
    names
        .iter()
        .map(|name| shown(name, &parts(name), session).map(|(text, _)| text).unwrap_or_default())
        .collect()
}

fn one(names: &[&str]) -> Vec<String> {
    stand_ins(names, &names.join(" "), &native(), &mut TextSession::new([7; 32]))
}

#[test]
fn parts_stand_for_parts() {
    let names = [
        "Alice Johnson",
        "Bob Johnson",
        "JOHNSON, Alice M.",
        "alice",
        "Johnson",
        "A. Johnson",
        "Alice Johnson's",
    ];
    let shown = one(&names);
    let [alice, bob, comma, lower, family, initial, possessive] = shown.as_slice() else { panic!() };
    let (given, surname) = alice.split_once(' ').unwrap();
    assert_eq!(bob.split_once(' ').unwrap().1, surname);
    assert_ne!(bob.split_once(' ').unwrap().0, given);
    let (head, initials) = comma.split_once(", ").unwrap();
    assert_eq!(head, surname.to_uppercase());
    assert!(initials.starts_with(given) && initials.ends_with('.') && !initials.ends_with("M."), "{comma}");
    assert_eq!(*lower, given.to_lowercase());
    assert_eq!(family, surname);
    assert_eq!(*initial, format!("{}. {surname}", given.chars().next().unwrap()));
    assert_eq!(*possessive, format!("{alice}'s"));
}

#[test]
fn script_case_and_what_is_no_name_stay() {
    for (name, form) in [
        ("Dr. Alice Johnson", "Dr. "),
        ("Ms Johnson", "Ms "),
        ("Иван Петров", ""),
        ("山田太郎さん", ""),
        ("김민준", ""),
        ("Μαρία Παπαδοπούλου", ""),
        ("محمد العلي", ""),
        ("Jan van der Berg", ""),
        ("Jean-Pierre Dupont", ""),
        ("JOHN SMITH", ""),
    ] {
        let shown = one(&[name]).remove(0);
        assert!(!shown.is_empty() && shown != name, "{name}: {shown}");
        assert!(shown.starts_with(form), "{name}: {shown}");
        let is_latin = |name: &str| name.chars().any(|c| c.is_ascii_alphabetic());
        assert_eq!(is_latin(name), is_latin(&shown), "{name}: {shown}");
        let capitals = |name: &str| !name.chars().any(char::is_lowercase);
        assert_eq!(capitals(name), capitals(&shown), "{name}: {shown}");
        for word in name.split([' ', '-']).filter(|word| word.chars().count() > 3 && *word != "van") {
            assert!(!shown.contains(word), "{name}: {shown}");
        }
    }
    assert!(one(&["山田太郎さん"]).remove(0).ends_with("さん"));
}

#[test]
fn surnames_with_two_forms_keep_kin_together() {
    for names in [["Иван Петров", "Анна Петрова"], ["Анна Петрова", "Иван Петров"]]
    {
        let shown = one(&names);
        let families: Vec<&str> = shown.iter().map(|name| name.split_once(' ').unwrap().1).collect();
        let female = names.iter().position(|name| name.starts_with("Анна")).unwrap();
        let stem: String = families[0].chars().take(3).collect();
        assert!(families[1].starts_with(&stem) && families[0] != families[1], "{shown:?}");
        assert!(families[female].ends_with(['а', 'я']), "{shown:?}");
        assert!(!families[1 - female].ends_with(['а', 'я']), "{shown:?}");
    }
}

#[test]
fn no_stand_in_is_used_twice_or_stands_in_the_text() {
    let given = ["Alice", "Robert", "Carol", "David", "Emma", "Frank", "Helen", "Peter", "Susan", "Thomas"];
    let family =
        ["Johnson", "Miller", "Davis", "Wilson", "Anderson", "Taylor", "Moore", "Jackson", "Martin", "Lee"];
    let names: Vec<String> =
        given.iter().flat_map(|given| family.iter().map(move |family| format!("{given} {family}"))).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut session = TextSession::new([3; 32]);
    let shown = stand_ins(&names, &names.join(", "), &native(), &mut session);
    let words: HashSet<&str> = shown.iter().flat_map(|name| name.split(' ')).collect();
    assert_eq!(words.len(), 20, "{words:?}");
    assert!(given.iter().chain(&family).all(|name| !words.contains(name)));
    assert_eq!(shown.iter().collect::<HashSet<_>>().len(), 100);
    // What stands in is never chosen for a name of the text.
    let (first, _) = shown[0].split_once(' ').unwrap();
    let mut other = TextSession::new([3; 32]);
    let text = format!("Alice Johnson and {first}");
    let again = stand_ins(&["Alice Johnson"], &text, &native(), &mut other);
    assert!(!again[0].starts_with(first), "{again:?}");
}

#[test]
fn gender_is_kept_unless_it_is_masked() {
    let pools = super::pools::Pools::get();
    let share = |profile: &Profile, gender: super::pools::Gender| {
        let names =
            ["Alice Stone", "Maria Brown", "Julia Weber", "Susan Clark", "Linda Evans", "Karen Hughes"];
        (0..8)
            .flat_map(|key| stand_ins(&names, "", profile, &mut TextSession::new([key; 32])))
            .filter(|name| pools.known(name.split(' ').next().unwrap()).gender() == Some(gender))
            .count()
    };
    assert!(share(&native(), super::pools::Gender::Male) <= 3);
    let masked = Profile { gender: GenderOption::Mask, ..native() };
    assert!(share(&masked, super::pools::Gender::Female) < 40);
    let unisex = Profile { name_gender: NameGender::Unisex, ..native() };
    assert!(share(&unisex, super::pools::Gender::Female) < 40);
}

#[test]
fn cultures_are_chosen_by_the_settings() {
    let pools = super::pools::Pools::get();
    let cultures = |name: &str, culture: NameCulture| -> HashSet<&str> {
        let profile = Profile { name_culture: culture, ..native() };
        (0..40)
            .flat_map(|key| {
                let shown = stand_ins(&[name], name, &profile, &mut TextSession::new([key; 32])).remove(0);
                let family = shown.split(' ').next_back().unwrap().to_owned();
                let bits = pools.known(&family).lists;
                pools
                    .lists
                    .iter()
                    .enumerate()
                    .filter(move |(place, _)| bits >> place & 1 == 1)
                    .map(|(_, list)| list.culture)
            })
            .collect()
    };
    assert!(cultures("Alice Johnson", NameCulture::Mixed).len() > 8);
    let locales = NameCulture::from_locales(vec!["ja_JP".to_owned()]).unwrap();
    assert!(cultures("Alice Johnson", locales).contains("ja"));
    assert!(cultures("Wolfgang Müller", NameCulture::Match).contains("de"));
}

#[test]
fn past_the_end_of_the_lists_no_name_is_used_again() {
    let mut session = TextSession::new([9; 32]);
    let names: Vec<String> = ('가'..'힣').take(700).map(|c| format!("김{c}수")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let shown = stand_ins(&names, "", &native(), &mut session);
    let given: Vec<&String> = shown.iter().filter(|name| !name.is_empty()).collect();
    assert!(given.len() < names.len());
    assert_eq!(given.iter().collect::<HashSet<_>>().len(), given.len());
}

#[test]
fn whole_texts_come_back() {
    let profile = native();
    for text in ["Alice Johnson\nBob Johnson\nCarol White", r#"{"full_name":"Alice Johnson"}"#] {
        let shown = cloaked(text, &profile);
        assert!(!shown.to_lowercase().contains("johnson") && !shown.contains("Alice"), "{shown}");
        assert!(!shown.contains("{{NAME"), "{shown}");
    }
    let mut session = TextSession::new([5; 32]);
    let shown = in_session("Alice Johnson\nBob Johnson", &profile, &mut session);
    let (given, family) = shown.lines().next().unwrap().split_once(' ').unwrap();
    assert_eq!(&*session.entry(&Kind::GIVEN, "alice").unwrap().shown, given);
    assert_eq!(&*session.entry(&Kind::FAMILY, "johnson").unwrap().shown, family);
}
