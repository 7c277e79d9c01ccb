use super::super::{Choice, Replacement, Spot, What};
use super::cloak;
use crate::text::field::Field;
use crate::text::profile::{LocationOption, Profile, RegionKind};
use crate::text::session::TextSession;
use crate::text::today::Today;
use cloakgate_vocab::{Category, Span};

/// The text with its marked place as the operator shows it.
fn shown(marked: &str, option: LocationOption, kind: RegionKind) -> String {
    let (head, rest) = marked.split_once('«').unwrap();
    let (value, tail) = rest.split_once('»').unwrap();
    let text = format!("{head}{value}{tail}");
    let span = Span::sized(head.len(), value.len());
    let what = What::Found(Category::Location);
    let spot = Spot { text: &text, span, value, what, field: Field::Location };
    let profile = Profile { location: option, region_kind: kind, ..Profile::default() };
    let choice = Choice::new(&profile, Today::new(2026, 12, 1).unwrap(), &text);
    match cloak(&spot, &choice, &mut TextSession::new([1; 32])).unwrap() {
        Some(Replacement { span, text: shown, .. }) => {
            format!("{}{shown}{}", text.get(..span.start()).unwrap(), text.get(span.end()..).unwrap())
        }
        None => text,
    }
}

#[test]
fn places_are_shown_at_the_level_of_the_settings() {
    for (marked, city, region, country) in [
        (
            "at «12 rue de la Paix, 75002 Paris, France»",
            "at Paris, France",
            "at Île-de-France, France",
            "at France",
        ),
        ("I live in «Lyon»", "I live in Lyon", "I live in Auvergne-Rhône-Alpes", "I live in France"),
        ("ZIP «94107»", "ZIP San Francisco", "ZIP California", "ZIP United States"),
        ("at «37.77, −122.42»", "at San Francisco", "at California", "at United States"),
        ("in «Paris», Texas now", "in Paris, Texas now", "in Texas now", "in the United States now"),
        ("in «Paris, Texas»", "in Paris, Texas", "in Texas", "in the United States"),
        ("in «Austin», TX.", "in Austin, TX.", "in Texas.", "in the United States."),
        ("in «Springfield»", "in Springfield", "in the United States", "in the United States"),
        ("in «Georgia»", "in Georgia", "in {{LOCATION}}", "in {{LOCATION}}"),
        ("in «Atlanta», Georgia", "in Atlanta, Georgia", "in Georgia", "in the United States"),
        ("near the «Eiffel Tower»", "near Paris", "near Île-de-France", "near France"),
        ("capital of «France»?", "capital of France?", "capital of France?", "capital of France?"),
        ("in «Bavaria»", "in Bavaria", "in Bavaria", "in Germany"),
        ("in «Xyzzyville»", "in {{LOCATION}}", "in {{LOCATION}}", "in {{LOCATION}}"),
        ("at «5 Oxford Street»", "at {{LOCATION}}", "at {{LOCATION}}", "at {{LOCATION}}"),
        ("at «10 Downing Street, London SW1A 2AA, UK»", "at London, UK", "at England, UK", "at UK"),
        ("«Hauptstr. 5, 10115 Berlin»", "Berlin", "State of Berlin", "Germany"),
        (
            "Ich wohne in «München» und bin nicht alt",
            "Ich wohne in München und bin nicht alt",
            "Ich wohne in Bayern und bin nicht alt",
            "Ich wohne in Deutschland und bin nicht alt",
        ),
        ("«東京»", "東京", "Tokyo", "Japan"),
        ("«Mumbai», India", "Mumbai, India", "Maharashtra, India", "India"),
    ] {
        for (option, expected) in [
            (LocationOption::City, city),
            (LocationOption::Region, region),
            (LocationOption::Country, country),
        ] {
            assert_eq!(shown(marked, option, RegionKind::Subdivision), expected, "{marked}");
        }
        let placeholder = shown(marked, LocationOption::Placeholder, RegionKind::Subdivision);
        assert!(placeholder.contains("{{LOCATION}}"), "{placeholder}");
        let kept = shown(marked, LocationOption::Keep, RegionKind::Subdivision);
        assert_eq!(kept, marked.replace(['«', '»'], ""));
    }
}

#[test]
fn a_region_may_be_a_part_of_the_world() {
    for (marked, expected) in [
        ("in «Lyon»", "in Western Europe"),
        ("in «Lyon», France", "in Western Europe"),
        ("in «France»", "in Western Europe"),
        ("in «Springfield»", "in Northern America"),
        ("in «Xyzzyville»", "in {{LOCATION}}"),
    ] {
        assert_eq!(shown(marked, LocationOption::Region, RegionKind::Subregion), expected);
    }
}
