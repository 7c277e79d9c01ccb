//! Surnames that have a form for men and one for women, and the case of letters.
//!
//! In: one form. Out: the other. Not here: declined forms; a name in the genitive is a name of its own.

/// Endings for men and for women, by culture; the longest that fits counts.
const ENDINGS: &[(&str, &[(&str, &str)])] = &[
    ("ru", RUSSIAN),
    ("bg", &[("ов", "ова"), ("ев", "ева"), ("ски", "ска"), ("ин", "ина")]),
    (
        "uk",
        &[
            ("ський", "ська"),
            ("цький", "цька"),
            ("зький", "зька"),
            ("ов", "ова"),
            ("ев", "ева"),
            ("їн", "їна"),
        ],
    ),
    ("pl", &[("ski", "ska"), ("cki", "cka"), ("dzki", "dzka")]),
    (
        "cs",
        &[
            ("ský", "ská"),
            ("cký", "cká"),
            ("ý", "á"),
            ("ek", "ková"),
            ("ec", "cová"),
            ("a", "ová"),
            ("", "ová"),
        ],
    ),
    ("lt", &[("as", "ienė"), ("is", "ienė"), ("us", "ienė"), ("ys", "ienė")]),
];
const RUSSIAN: &[(&str, &str)] = &[
    ("ов", "ова"),
    ("ев", "ева"),
    ("ёв", "ёва"),
    ("ин", "ина"),
    ("ын", "ына"),
    ("ский", "ская"),
    ("цкий", "цкая"),
    ("ой", "ая"),
    ("ый", "ая"),
];
/// Endings in Latin letters that tell the forms of a surname apart wherever it is from.
const LATIN: &[(&str, &str)] = &[
    ("ov", "ova"),
    ("ev", "eva"),
    ("in", "ina"),
    ("sky", "skaya"),
    ("skiy", "skaya"),
    ("ski", "ska"),
    ("cki", "cka"),
    ("ský", "ská"),
    ("", "ová"),
];

/// The form for women of a surname of a culture; `None` where there is only one.
pub(super) fn feminine(culture: &str, surname: &str) -> Option<String> {
    let (_, endings) = ENDINGS.iter().find(|(other, _)| *other == culture)?;
    endings.iter().find_map(|(male, female)| surname.strip_suffix(male).map(|stem| format!("{stem}{female}")))
}

/// The forms for men that a surname in small letters may be the form for women of.
pub(super) fn masculine(surname: &str) -> Vec<String> {
    let endings = if surname.is_ascii() || surname.ends_with(['á', 'ė']) { LATIN } else { RUSSIAN };
    let others =
        ENDINGS.iter().flat_map(|(_, endings)| endings.iter()).filter(|(_, female)| !female.is_ascii());
    let stems = endings.iter().chain(others).filter_map(|(male, female)| {
        let stem = surname.strip_suffix(female).filter(|stem| stem.chars().count() >= 2)?;
        Some(format!("{stem}{male}"))
    });
    stems.collect()
}

/// A name in the case of the one that it stands for.
pub(super) fn in_case_of(name: &str, of: &str) -> String {
    let cased = || of.chars().filter(|c| c.is_uppercase() || c.is_lowercase());
    match cased().count() {
        0 => name.to_owned(),
        _ if cased().all(char::is_lowercase) => name.to_lowercase(),
        many if many > 1 && cased().all(char::is_uppercase) => name.to_uppercase(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{feminine, in_case_of, masculine};

    #[test]
    fn surnames_have_a_form_for_women() {
        for (culture, male, female) in [
            ("ru", "Соколов", Some("Соколова")),
            ("ru", "Островский", Some("Островская")),
            ("ru", "Толстой", Some("Толстая")),
            ("uk", "Левицький", Some("Левицька")),
            ("pl", "Kowalski", Some("Kowalska")),
            ("cs", "Novák", Some("Nováková")),
            ("cs", "Černý", Some("Černá")),
            ("pl", "Nowak", None),
            ("ja", "Tanaka", None),
        ] {
            assert_eq!(feminine(culture, male).as_deref(), female);
        }
    }

    #[test]
    fn forms_for_women_lead_back() {
        for (female, male) in [
            ("петрова", "петров"),
            ("островская", "островский"),
            ("kowalska", "kowalski"),
            ("nováková", "novák"),
        ] {
            assert!(masculine(female).contains(&male.to_owned()), "{female}: {:?}", masculine(female));
        }
        assert!(masculine("smith").is_empty());
    }

    #[test]
    fn case_follows() {
        for (name, of, shown) in [
            ("Tanaka", "JOHNSON", "TANAKA"),
            ("Yuki", "alice", "yuki"),
            ("Yuki", "Alice", "Yuki"),
            ("太郎", "花子", "太郎"),
            ("Ito", "McKay", "Ito"),
        ] {
            assert_eq!(in_case_of(name, of), shown);
        }
    }
}
