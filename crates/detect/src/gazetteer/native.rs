//! Names of regions in the language of their country: `Bayern` for `Bavaria`.
//!
//! In: a country, the name that the gazetteer has, a language. Out: the name there, where the language is spoken there and
//! the name is another. The names are those of `region_names.txt`, whose first one is that of the country. Not here: names in
//! other languages.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Languages whose names stand first, by country.
const LANGUAGES: &[(&str, &str)] = &[
    ("DE", "de"),
    ("AT", "de"),
    ("CH", "de"),
    ("ES", "es"),
    ("IT", "it"),
    ("FR", "fr"),
    ("NL", "nl"),
    ("PL", "pl"),
    ("DK", "da"),
    ("PT", "pt"),
    ("BR", "pt"),
];

/// Names by country and name in the gazetteer.
static NAMES: LazyLock<HashMap<(&str, &str), &str>> = LazyLock::new(|| {
    include_str!("../../data/region_names.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let (country, rest) = line.split_once(' ')?;
            let (name, others) = rest.split_once(": ")?;
            // a part of a region gives it no name
            let other = others.split(", ").next().filter(|other| !name.contains(*other))?;
            Some(((country, name), other))
        })
        .collect()
});

/// The name of a region where it lies, for a text in a language that is spoken there.
pub(super) fn name(country: &str, name: &str, language: &str) -> Option<&'static str> {
    LANGUAGES.contains(&(country, language)).then(|| NAMES.get(&(country, name)).copied()).flatten()
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn regions_have_the_names_of_their_country() {
        for (country, english, language, native) in [
            ("DE", "Bavaria", "de", Some("Bayern")),
            ("AT", "Styria", "de", Some("Steiermark")),
            ("IT", "Tuscany", "it", Some("Toscana")),
            ("DE", "Bavaria", "fr", None),
            ("DE", "Berlin", "de", None),
        ] {
            assert_eq!(name(country, english, language), native, "{english}");
        }
    }
}
