//! What places names mean: cities, regions and countries of the world, and cities by their landmarks.
//!
//! In: a name. Out: the places that are called so, each with what it lies in. The two files are made together by
//! `xtask data`, which says what they hold. Invariant: a damaged file gives fewer places, never a panic. Not here:
//! whether a name in a text is a place (`extended`), what is shown instead of one (`cloak`).

mod native;

use std::sync::LazyLock;

use cloakgate_vocab::ByteReader;
use fst::raw::Fst;

use crate::phrases::fold;

/// The names; scans look for them in texts, too.
pub(crate) static NAMES: &[u8] = include_bytes!("../data/places.fst");
static ROWS: &[u8] = include_bytes!("../data/places.bin");
static BOOK: LazyLock<Option<Book>> = LazyLock::new(|| Book::read(NAMES, ROWS));

/// Codes of the parts of the world, by their places in the rows.
const SUBREGIONS: usize = 22;
/// No region, no country.
const NONE_16: usize = u16::MAX as usize;
const NONE_8: usize = u8::MAX as usize;

/// How much a place covers.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Level {
    /// A city.
    City,
    /// A region of the first level of its country: state, province.
    Region,
    /// A country.
    Country,
}

/// A place of the gazetteer.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Place(u32);

/// One thing that a name may mean.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Meaning {
    /// The place.
    pub place: Place,
    /// Whether it is the name that the place has in the gazetteer, or a country's in some language.
    pub own: bool,
    /// Whether it is the name of a sight that is there.
    pub landmark: bool,
}

/// All that a name may mean, the likeliest first. Case, marks on letters and hyphens do not matter.
#[must_use]
pub fn meanings(name: &str) -> Vec<Meaning> {
    BOOK.as_ref().map(|book| book.meanings(&fold(name))).unwrap_or_default()
}

/// The city that is nearest to a point, if one is within 100 km.
#[must_use]
pub fn nearest_city(latitude: f64, longitude: f64) -> Option<Place> {
    BOOK.as_ref()?.nearest(latitude, longitude)
}

impl Place {
    /// The country of a code of two capital letters.
    #[must_use]
    pub fn country_of_code(code: &str) -> Option<Self> {
        let book = BOOK.as_ref()?;
        let place = book.countries.iter().position(|country| country.code == code)?;
        Some(Self(place as u32))
    }

    /// How much it covers.
    #[must_use]
    pub fn level(self) -> Level {
        let Some(book) = BOOK.as_ref() else { return Level::City };
        match self.0 as usize {
            place if place < book.countries.len() => Level::Country,
            place if place < book.countries.len() + book.regions.len() => Level::Region,
            _ => Level::City,
        }
    }

    /// The name of a city or region, as GeoNames has it; of a country in English.
    #[must_use]
    pub fn name(self) -> &'static str {
        let Some(book) = BOOK.as_ref() else { return "" };
        match self.level() {
            Level::Country => book.local_name(self.0 as usize, "en").unwrap_or_default(),
            Level::Region => book.region(self).map_or("", |region| region.name),
            Level::City => book.city(self).map_or("", |city| city.name),
        }
    }

    /// The name of a region in a language of two letters, where that is spoken there; else as GeoNames has it.
    #[must_use]
    pub fn region_name(self, language: &str) -> &'static str {
        native::name(self.country_code(), self.name(), language).unwrap_or_else(|| self.name())
    }

    /// The region that it is or lies in.
    #[must_use]
    pub fn region(self) -> Option<Self> {
        let book = BOOK.as_ref()?;
        match self.level() {
            Level::Country => None,
            Level::Region => Some(self),
            Level::City => {
                let region = book.city(self)?.region;
                (region != NONE_16).then(|| Self((book.countries.len() + region) as u32))
            }
        }
    }

    /// The country that it is or lies in.
    #[must_use]
    pub fn country(self) -> Option<Self> {
        let book = BOOK.as_ref()?;
        let country = match self.level() {
            Level::Country => return Some(self),
            Level::Region => book.region(self)?.country,
            Level::City => book.city(self)?.country,
        };
        (country != NONE_8).then_some(Self(country as u32))
    }

    /// Two letters of its country.
    #[must_use]
    pub fn country_code(self) -> &'static str {
        let country = self.country().and_then(|country| BOOK.as_ref()?.countries.get(country.0 as usize));
        country.map_or("", |country| country.code)
    }

    /// The name of its country in a language of two letters, in English where none is known.
    #[must_use]
    pub fn country_name(self, language: &str) -> Option<&'static str> {
        let country = self.country()?;
        BOOK.as_ref()?.local_name(country.0 as usize, language).filter(|name| !name.is_empty())
    }

    /// The name of the part of the world that its country is in: `Western Europe`.
    #[must_use]
    pub fn subregion_name(self, language: &str) -> Option<&'static str> {
        let book = BOOK.as_ref()?;
        let subregion = book.countries.get(self.country()?.0 as usize)?.subregion;
        (subregion < SUBREGIONS)
            .then(|| book.local_name(book.countries.len() + subregion, language))
            .flatten()
            .filter(|name| !name.is_empty())
    }

    /// How many people live there, about; of regions and countries, in the cities of the gazetteer.
    #[must_use]
    pub fn people(self) -> f64 {
        let Some(book) = BOOK.as_ref() else { return 0.0 };
        match self.level() {
            Level::Country => book.countries.get(self.0 as usize).map_or(0.0, |country| country.people),
            Level::Region => book.region(self).map_or(0.0, |region| region.people),
            Level::City => book.city(self).map_or(0.0, City::people),
        }
    }

    /// Whether it lies in another place, or is it.
    #[must_use]
    pub fn is_in(self, other: Self) -> bool {
        self == other || self.region() == Some(other) || self.country() == Some(other)
    }
}

struct Country {
    code: &'static str,
    subregion: usize,
    people: f64,
}

struct Region {
    country: usize,
    name: &'static str,
    people: f64,
}

struct City {
    region: usize,
    country: usize,
    weight: u8,
    latitude: i16,
    longitude: i16,
    name: &'static str,
}

impl City {
    fn people(&self) -> f64 {
        (f64::from(self.weight) / 8.0).exp2()
    }
}

/// The two files, read.
struct Book {
    names: Fst<&'static [u8]>,
    countries: Vec<Country>,
    regions: Vec<Region>,
    cities: Vec<City>,
    lists: Vec<Vec<u32>>,
    locales: Vec<(&'static str, Vec<&'static str>)>,
}

impl Book {
    fn read(names: &'static [u8], rows: &'static [u8]) -> Option<Self> {
        let mut bytes = Rows(ByteReader(rows.strip_prefix(b"CGP1")?));
        let counts =
            [bytes.number(4)?, bytes.number(4)?, bytes.number(4)?, bytes.number(4)?, bytes.number(4)?];
        let [countries, regions, cities, lists, locales] = counts;
        let mut book = Self {
            names: Fst::new(names).ok()?,
            countries: bytes.some(countries, |bytes| {
                Some(Country { code: bytes.0.text(2)?, subregion: bytes.number(1)?, people: 0.0 })
            })?,
            regions: bytes.some(regions, |bytes| {
                Some(Region { country: bytes.number(1)?, name: bytes.text()?, people: 0.0 })
            })?,
            cities: bytes.some(cities, |bytes| {
                Some(City {
                    region: bytes.number(2)?,
                    country: bytes.number(1)?,
                    weight: bytes.number(1)? as u8,
                    latitude: bytes.number(2)? as u16 as i16,
                    longitude: bytes.number(2)? as u16 as i16,
                    name: bytes.text()?,
                })
            })?,
            lists: bytes.some(lists, |bytes| {
                let count = bytes.number(1)?;
                bytes.some(count, |bytes| Some(bytes.number(3)? as u32))
            })?,
            locales: Vec::new(),
        };
        book.locales = bytes
            .some(locales, |bytes| Some((bytes.text()?, bytes.some(countries + SUBREGIONS, Rows::text)?)))?;
        book.count_people();
        Some(book)
    }

    fn count_people(&mut self) {
        for city in &self.cities {
            if let Some(region) = self.regions.get_mut(city.region) {
                region.people += city.people();
            }
            if let Some(country) = self.countries.get_mut(city.country) {
                country.people += city.people();
            }
        }
    }

    fn meanings(&self, folded: &str) -> Vec<Meaning> {
        let Some(output) = self.names.get(folded) else { return Vec::new() };
        let (number, kind) = ((output.value() / 4) as u32, output.value() % 4);
        let first_list = (self.countries.len() + self.regions.len() + self.cities.len()) as u32;
        let meaning = |number: u32| Meaning {
            place: Place(number / 2),
            own: number.is_multiple_of(2),
            landmark: kind == 3,
        };
        match (number / 2).checked_sub(first_list) {
            None => vec![meaning(number)],
            Some(list) => {
                self.lists.get(list as usize).into_iter().flatten().map(|one| meaning(*one)).collect()
            }
        }
    }

    fn region(&self, place: Place) -> Option<&Region> {
        self.regions.get((place.0 as usize).checked_sub(self.countries.len())?)
    }

    fn city(&self, place: Place) -> Option<&City> {
        self.cities.get((place.0 as usize).checked_sub(self.countries.len() + self.regions.len())?)
    }

    /// The name of a country or, behind them, of a part of the world.
    fn local_name(&self, place: usize, language: &str) -> Option<&'static str> {
        let names = |language: &str| {
            self.locales
                .iter()
                .find(|(locale, _)| *locale == language)
                .and_then(|(_, names)| names.get(place))
        };
        names(language).or_else(|| names("en")).copied()
    }

    fn nearest(&self, latitude: f64, longitude: f64) -> Option<Place> {
        const KILOMETRES_PER_DEGREE: f64 = 111.2;
        if !(-90.0..=90.0).contains(&latitude) || !(-180.0..=180.0).contains(&longitude) {
            return None;
        }
        let narrowing = latitude.to_radians().cos();
        let distance = |city: &City| {
            let north = f64::from(city.latitude) * 180.0 / 65536.0 - latitude;
            let east = f64::from(city.longitude) * 360.0 / 65536.0 - longitude;
            let east = if east.abs() > 180.0 { 360.0 - east.abs() } else { east } * narrowing;
            north.hypot(east) * KILOMETRES_PER_DEGREE
        };
        let all = self.cities.iter().enumerate().map(|(place, city)| (place, distance(city)));
        let (place, _) = all.filter(|(_, km)| *km < 100.0).min_by(|one, other| one.1.total_cmp(&other.1))?;
        Some(Place((self.countries.len() + self.regions.len() + place) as u32))
    }
}

/// Rows of the file that are still to be read.
struct Rows(ByteReader<'static>);

impl Rows {
    fn number(&mut self, bytes: usize) -> Option<usize> {
        Some(self.0.take(bytes)?.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
    }

    fn text(&mut self) -> Option<&'static str> {
        let count = self.number(1)?;
        self.0.text(count)
    }

    /// So many of one kind; each takes a byte at least, which limits how many there can be.
    fn some<T>(&mut self, count: usize, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        if count > self.0.0.len() {
            return None;
        }
        (0..count).map(|_| one(self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Book, Level, NAMES, Place, ROWS, meanings, nearest_city};

    /// City, region and country of the first meaning of a name.
    fn first(name: &str) -> [&'static str; 3] {
        let Some(place) = meanings(name).first().map(|meaning| meaning.place) else { return [""; 3] };
        let city = if place.level() == Level::City { place.name() } else { "" };
        let region = place.region().map_or("", Place::name);
        [city, region, place.country_name("en").unwrap_or_default()]
    }

    #[test]
    fn names_mean_places() {
        for (name, found) in [
            ("Lyon", ["Lyon", "Auvergne-Rhône-Alpes", "France"]),
            ("München", ["Munich", "Bavaria", "Germany"]),
            ("MUNCHEN", ["Munich", "Bavaria", "Germany"]),
            ("Мюнхен", ["Munich", "Bavaria", "Germany"]),
            ("東京", ["Tokyo", "Tokyo", "Japan"]),
            ("Bayern", ["", "Bavaria", "Germany"]),
            ("Allemagne", ["", "", "Germany"]),
            ("Eiffel Tower", ["Paris", "Île-de-France", "France"]),
            ("Grand Canyon", ["", "Arizona", "United States"]),
            ("Machu Picchu", ["", "", "Peru"]),
            ("Atlantis Prime", ["", "", ""]),
            ("", ["", "", ""]),
        ] {
            assert_eq!(first(name), found, "{name}");
        }
    }

    #[test]
    fn ambiguous_names_mean_several_places() {
        let countries = |name: &str| -> Vec<&str> {
            meanings(name).iter().map(|meaning| meaning.place.country_code()).collect()
        };
        assert!(countries("Springfield").len() >= 8);
        assert!(countries("Paris").contains(&"US"));
        assert_eq!(countries("Georgia").first(), Some(&"GE"));
        assert!(countries("Georgia").contains(&"US"));
    }

    #[test]
    fn countries_and_parts_of_the_world_have_names_in_many_languages() {
        let france = Place::country_of_code("FR").unwrap();
        assert_eq!(france.country_name("de"), Some("Frankreich"));
        assert_eq!(france.country_name("xx"), Some("France"));
        assert_eq!(france.subregion_name("en"), Some("Western Europe"));
        assert_eq!(france.subregion_name("fr"), Some("Europe de l’Ouest"));
        assert_eq!(Place::country_of_code("ZZ"), None);
    }

    #[test]
    fn points_are_near_cities() {
        for (latitude, longitude, city) in
            [(37.77, -122.42, "San Francisco"), (48.858, 2.294, "Paris"), (-36.85, 174.76, "Auckland")]
        {
            let found = nearest_city(latitude, longitude).unwrap();
            assert!(found.region().is_some());
            assert!(found.name() == city || found.people() < 2e5, "{}", found.name());
        }
        assert_eq!(nearest_city(-60.0, -140.0), None);
        assert_eq!(nearest_city(f64::NAN, 0.0), None);
        assert_eq!(nearest_city(900.0, 0.0), None);
    }

    #[test]
    fn damaged_rows_are_no_book() {
        assert!(Book::read(NAMES, ROWS).is_some());
        for rows in [&ROWS[1..], &ROWS[..ROWS.len() / 2], &ROWS[..24], b"CGP1", b""] {
            assert!(Book::read(NAMES, rows).is_none());
        }
        assert!(Book::read(b"none", ROWS).is_none());
    }
}
