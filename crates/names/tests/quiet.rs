//! Texts of programs hold next to no names of people, and next to none may be found in them. Places and organisations
//! are looked for as well: what is found of them is counted apart.

use cloakgate_detect::{CategorySet, Field, NameReader as _};
use cloakgate_names::{Names, Preset};
use cloakgate_vocab::Category;

/// Most false names in ten thousand characters.
const MOST: usize = 1;

/// People whom the texts name.
const NAMED: &[&str] = &["Presidio"];

#[test]
fn texts_of_programs_are_left_alone() {
    let texts = [
        ("lock file", include_str!("../../../Cargo.lock")),
        ("package file", include_str!("../../../acceptance/package.json")),
        ("package lock", include_str!("../../../acceptance/package-lock.json")),
        ("source", include_str!("../src/decide/candidate.rs")),
        ("more source", include_str!("../../detect/src/overlap.rs")),
        ("schema", include_str!("../../../docs/cloakgate.schema.json")),
        ("user guide", include_str!("../../../docs/CONFIGURATION.md")),
        ("limits", include_str!("../../../docs/LIMITS.md")),
    ];
    for preset in [Preset::Fast, Preset::Balanced] {
        let names = Names::load(preset).expect("the models are whole");
        for (kind, text) in texts {
            let text = text.get(..text.floor_char_boundary(20_000)).unwrap_or(text);
            let mut reading = names.begin(CategorySet::all());
            reading.add(&Field::text(text), &[]);
            let found = reading.finish().expect("the models read");
            let found: Vec<&str> = found
                .iter()
                .flatten()
                .filter(|finding| finding.category == Category::Person)
                .filter_map(|finding| finding.hull().of(text))
                .filter(|name| !NAMED.contains(name))
                .collect();
            let most = MOST * (1 + text.len() / 10_000);
            assert!(found.len() <= most, "{preset}, {kind}: {found:?}");
        }
    }
}
