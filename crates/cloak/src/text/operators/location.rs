//! Addresses and places: placeholders, and what is coarser: the city, the region, the country.
//!
//! In: a place or an address. Out: the place at the level of the settings, with the coarser parts that stand there.
//! Invariant: nothing finer than the level stays; what no gazetteer knows, or what may be in several countries, is a
//! placeholder, never itself. Not here: what names mean (`cloakgate_detect::gazetteer`).

mod codes;
mod read;

use cloakgate_detect::gazetteer::{Level, Place, nearest_city};
use cloakgate_vocab::Span;

use self::codes::{is_post_code, of_post_code};
use self::read::{Segment, people_enough, read, trail};
use super::{Choice, Outcome, Replacement, Spot, placeholder};
use crate::text::profile::{LocationOption, RegionKind};
use crate::text::session::TextSession;

/// Articles before a sight, which a city has not.
const ARTICLES: &[&str] = &[
    "the ", "der ", "die ", "das ", "dem ", "den ", "la ", "le ", "les ", "el ", "il ", "lo ", "o ", "de ",
    "het ", "l'", "l’",
];

/// What stands for a place.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    let level = match choice.profile.location {
        LocationOption::Keep | LocationOption::Block => return Ok(None),
        LocationOption::Placeholder => return hide(spot, choice, session),
        LocationOption::City => Level::City,
        LocationOption::Region => Level::Region,
        LocationOption::Country => Level::Country,
    };
    let wanted = Wanted { level, kind: choice.profile.region_kind, language: choice.language().code() };
    match generalise(spot, &wanted) {
        Some(replacement) => Ok(Some(with_words(replacement, spot, wanted.language))),
        None => placeholder::cloak(spot, "LOCATION", choice.profile, session),
    }
}

/// Countries that sentences name with their article.
const WITH_THE: &[&str] = &[
    "United States",
    "United Kingdom",
    "United Arab Emirates",
    "Netherlands",
    "Philippines",
    "Bahamas",
    "Maldives",
    "Seychelles",
    "Gambia",
    "Czech Republic",
    "Dominican Republic",
    "Central African Republic",
    "Democratic Republic of the Congo",
    "Solomon Islands",
    "Marshall Islands",
    "Cayman Islands",
    "Faroe Islands",
    "Falkland Islands",
];
/// Words of a sentence right before a place.
const BEFORE: &[&str] = &[
    "in",
    "to",
    "from",
    "of",
    "near",
    "across",
    "for",
    "around",
    "through",
    "throughout",
    "within",
    "outside",
    "inside",
    "visited",
    "visiting",
    "left",
    "leaving",
    "reached",
    "toward",
    "towards",
];

/// The words of the sentence around a place that its coarser name changes: `in the United States`, and not `in der Köln`.
fn with_words(replacement: Replacement, spot: &Spot<'_>, language: &str) -> Replacement {
    let before = spot.before();
    if replacement.span.start() != spot.span.start() || !before.ends_with(' ') {
        return replacement;
    }
    let word = before.trim_end().rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let in_sentence = BEFORE.iter().any(|other| word.eq_ignore_ascii_case(other));
    if language == "en" && in_sentence && WITH_THE.contains(&replacement.text.as_str()) {
        return Replacement { text: format!("the {}", replacement.text), ..replacement };
    }
    // `in der Gartenstraße 7, Köln`
    let street = spot.value.contains(|c: char| c.is_ascii_digit());
    let article =
        ["in der ", "an der ", "auf der ", "in dem "].iter().find(|words| before.ends_with(**words));
    let Some(words) = article.filter(|_| language == "de" && street) else { return replacement };
    let span = Span::new(spot.span.start() - words.len(), replacement.span.end());
    let text = format!("in {}", replacement.text);
    Replacement { span: span.unwrap_or(replacement.span), text, ..replacement }
}

/// The placeholder of a place with the coarser parts behind it: `Paris, Texas` is one place.
fn hide(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    let tail = trail(spot);
    if tail.is_empty() {
        return placeholder::cloak(spot, "LOCATION", choice.profile, session);
    }
    let over = Span::sized(spot.span.start(), spot.span.len() + tail.len());
    placeholder::cloak_over(spot, ("LOCATION", over), choice, session)
}

/// What a place is generalised to.
struct Wanted {
    level: Level,
    kind: RegionKind,
    language: &'static str,
}

/// The place of a spot at a level; `None` when it cannot be told.
fn generalise(spot: &Spot<'_>, wanted: &Wanted) -> Option<Replacement> {
    if let Some(place) = point(spot.value) {
        return Some(Replacement::shared(spot, at_level(&[place], wanted)?.text));
    }
    let tail = trail(spot);
    let whole = format!("{}{tail}", spot.value);
    let segments = read(&whole);
    let over = Span::sized(spot.span.start(), spot.span.len() + tail.len());
    let Some((finest, coarser)) = segments.split_first() else {
        let place = post_code_in(spot, &whole, wanted)?;
        return Some(Replacement::shared(spot, at_level(&[place], wanted)?.text));
    };
    let places = fitting(finest, coarser)?;
    let landmark = finest.meanings.iter().any(|meaning| meaning.landmark);
    let own = places.iter().map(|place| place.level()).min()?;
    let sure = places.len() == 1 || wanted.level == Level::City;
    let shown = if own >= wanted.level && sure && !landmark && !wanted.is_subregion() {
        // What is no finer than the level stays as it is written.
        Shown { text: finest.written.to_owned(), level: own }
    } else {
        at_level(&places, wanted)?
    };
    let text = if wanted.is_subregion() { shown.text } else { written_coarser(&shown, &places, coarser) };
    let span = if landmark { with_article(spot, over) } else { over };
    Some(Replacement { span, text, unique: false })
}

/// A place at a level.
#[derive(Eq, PartialEq)]
struct Shown {
    text: String,
    level: Level,
}

impl Wanted {
    fn is_subregion(&self) -> bool {
        self.level == Level::Region && self.kind == RegionKind::Subregion
    }

    /// What a place is called at a level, and which place that is.
    fn of(&self, place: Place, level: Level) -> Option<(Option<Place>, Shown)> {
        if self.is_subregion() {
            let text = place.subregion_name(self.language)?.to_owned();
            return Some((None, Shown { text, level: Level::Country }));
        }
        let at = match level {
            Level::City => Some(place).filter(|place| place.level() == Level::City)?,
            Level::Region => place.region()?,
            Level::Country => place.country()?,
        };
        let name = match level {
            Level::Country => at.country_name(self.language)?,
            Level::Region => at.region_name(self.language),
            Level::City => at.name(),
        };
        Some((Some(at), Shown { text: name.to_owned(), level }))
    }
}

/// What all places have in common at the level, or at the next coarser one.
fn at_level(places: &[Place], wanted: &Wanted) -> Option<Shown> {
    let levels =
        [Level::City, Level::Region, Level::Country].into_iter().filter(|level| *level >= wanted.level);
    levels.into_iter().find_map(|level| {
        let mut all = places.iter().map(|place| wanted.of(*place, level));
        let first = all.next()??;
        all.all(|other| other.as_ref() == Some(&first)).then_some(first.1)
    })
}

/// The meanings of the finest part that lie in the coarser parts; of those, the ones that are likely.
fn fitting(finest: &Segment<'_>, coarser: &[Segment<'_>]) -> Option<Vec<Place>> {
    let lies_in =
        |place: Place, segment: &Segment<'_>| segment.meanings.iter().any(|other| place.is_in(other.place));
    let fits = finest
        .meanings
        .iter()
        .filter(|meaning| coarser.iter().all(|segment| lies_in(meaning.place, segment)));
    let fits: Vec<_> = fits.copied().collect();
    let all = if fits.is_empty() { &finest.meanings } else { &fits };
    let likely = people_enough(all);
    (!likely.is_empty()).then_some(likely)
}

/// The shown place and the coarser parts as they are written: `Paris, France`.
fn written_coarser(shown: &Shown, places: &[Place], coarser: &[Segment<'_>]) -> String {
    let mut text = shown.text.clone();
    for segment in coarser {
        let around = segment.meanings.iter().map(|meaning| meaning.place);
        let level =
            around.filter(|other| places.iter().any(|place| place.is_in(*other))).map(Place::level).min();
        // A country that stands there in words of its own is written in these.
        if level == Some(Level::Country) && shown.level == Level::Country {
            segment.written.clone_into(&mut text);
        } else if level.is_some_and(|level| level > shown.level) {
            text = format!("{text}, {}", segment.written);
        }
    }
    text
}

/// The span with the article before it: `the Eiffel Tower`.
fn with_article(spot: &Spot<'_>, over: Span) -> Span {
    let before = spot.before();
    let article = ARTICLES.iter().find(|article| {
        before
            .len()
            .checked_sub(article.len())
            .and_then(|at| before.get(at..))
            .is_some_and(|end| end.eq_ignore_ascii_case(article))
            && before
                .get(..before.len() - article.len())
                .is_none_or(|rest| !rest.ends_with(char::is_alphanumeric))
    });
    let start = over.start() - article.map_or(0, |article| article.len());
    Span::new(start, over.end()).unwrap_or(over)
}

/// `37.77, -122.42`: the city that is nearest.
fn point(value: &str) -> Option<Place> {
    let value = value.trim_matches(['(', ')', '[', ']', ' ']);
    let (latitude, longitude) = value.split_once([',', ';', ' '])?;
    let number = |text: &str| -> Option<f64> {
        let text = text.trim().replace('−', "-");
        let digits = text.trim_end_matches(['°', 'N', 'S', 'E', 'W', ' ']);
        let sign = if text.ends_with(['S', 'W']) { -1.0 } else { 1.0 };
        digits.contains('.').then(|| digits.parse::<f64>().ok())?.map(|number| number * sign)
    };
    nearest_city(number(latitude)?, number(longitude)?)
}

/// The place of a post code where no other part of an address is known.
fn post_code_in(spot: &Spot<'_>, whole: &str, wanted: &Wanted) -> Option<Place> {
    let zip =
        spot.before().to_ascii_lowercase().contains("zip") || whole.to_ascii_lowercase().contains("zip");
    let country = match wanted.language {
        _ if zip => "US",
        "fr" => "FR",
        "de" => "DE",
        "en" => "US",
        _ => "",
    };
    let words: Vec<&str> = whole.split([' ', ',', '\u{a0}']).filter(|word| !word.is_empty()).collect();
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    let codes = pairs.chain(words.iter().rev().map(|word| (*word).to_owned()));
    codes.filter(|code| is_post_code(code)).find_map(|code| of_post_code(&code, country))
}

#[cfg(test)]
mod tests;
