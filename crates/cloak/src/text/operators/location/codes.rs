//! Codes of states, countries and post offices.
//!
//! In: a code. Out: a place of the gazetteer. The post codes are a table written by hand of their beginnings. Not here:
//! whether a number is a post code at its place.

use cloakgate_detect::gazetteer::{Level, Meaning, Place, meanings};

static POST_CODES: &str = include_str!("../../../../data/post_codes.txt");
const STATES: &[(&str, &str)] = &[
    (
        "US",
        "AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|FL Florida|GA Georgia|\
         HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|\
         MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|\
         NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|\
         OR Oregon|PA Pennsylvania|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|\
         VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming",
    ),
    (
        "CA",
        "ON Ontario|QC Quebec|BC British Columbia|AB Alberta|MB Manitoba|SK Saskatchewan|NS Nova Scotia|NB New Brunswick|\
         NL Newfoundland and Labrador|PE Prince Edward Island",
    ),
    ("AU", "NSW New South Wales|VIC Victoria|QLD Queensland|TAS Tasmania|ACT Australian Capital Territory"),
];
const COUNTRIES: &[(&str, &str)] = &[
    ("USA", "US"),
    ("US", "US"),
    ("U.S.", "US"),
    ("U.S.A.", "US"),
    ("UK", "GB"),
    ("U.K.", "GB"),
    ("UAE", "AE"),
];

/// What `TX`, `USA` or a name means.
pub(super) fn meanings_of(name: &str) -> Vec<Meaning> {
    let own = |place: Place| vec![Meaning { place, own: true, landmark: false }];
    if let Some((_, code)) = COUNTRIES.iter().find(|(short, _)| *short == name) {
        return Place::country_of_code(code).map(own).unwrap_or_default();
    }
    let state = STATES.iter().find_map(|(country, states)| {
        let state =
            states.split('|').filter_map(|state| state.split_once(' ')).find(|(code, _)| *code == name)?;
        Some((*country, state.1))
    });
    match state {
        Some((country, state)) => place_in(country, state, Level::Region).map(own).unwrap_or_default(),
        None if name.chars().any(char::is_alphabetic) => meanings(name),
        None => Vec::new(),
    }
}

/// A place by its own name and country.
fn place_in(country: &str, name: &str, level: Level) -> Option<Place> {
    let all = meanings(name).into_iter().map(|meaning| meaning.place);
    all.filter(|place| place.country_code() == country).find(|place| place.level() == level)
}

/// Whether a word looks like a post code, or two words like one of Britain or Canada.
pub(super) fn is_post_code(code: &str) -> bool {
    let compact: String = code.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let digits = compact.bytes().filter(u8::is_ascii_digit).count();
    let shape = (4..=9).contains(&compact.len()) && compact.bytes().all(|byte| byte.is_ascii_alphanumeric());
    shape
        && digits >= 2
        && (digits == compact.len() || compact.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase()))
}

/// The city or region of a post code. A country is told by its form, or given.
pub(super) fn of_post_code(code: &str, country: &str) -> Option<Place> {
    let compact: String = code.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
    let bytes = compact.as_bytes();
    let form: Vec<bool> = bytes.iter().map(u8::is_ascii_digit).collect();
    let country = match form.as_slice() {
        [false, true, false, true, false, true] => "CA",
        [false, .., true, false, false] if (5..=7).contains(&bytes.len()) => "GB",
        [true, true, true, true, true] | [true, true, true, true, true, true, true, true, true] => country,
        _ => return None,
    };
    let mut lines = POST_CODES.lines().filter(|line| !line.starts_with('#'));
    lines.find_map(|line| {
        let mut columns = line.split('|');
        let (of, beginnings, name) = (columns.next()?, columns.next()?, columns.next()?);
        let fits = of == country && beginnings.split(',').any(|beginning| begins(&compact, beginning, of));
        fits.then(|| place_in(of, name, Level::City).or_else(|| place_in(of, name, Level::Region)))?
    })
}

/// Whether a code begins so: `941`, `900-961`, `V5-V6`; letters of Britain are all the letters before the digits.
fn begins(code: &str, beginning: &str, country: &str) -> bool {
    if country == "GB" {
        let letters = code.bytes().take_while(u8::is_ascii_alphabetic).count();
        return code.get(..letters) == Some(beginning);
    }
    let (from, to) = beginning.split_once('-').unwrap_or((beginning, beginning));
    code.get(..from.len()).is_some_and(|head| from <= head && head <= to)
}

#[cfg(test)]
mod tests {
    use super::{Level, POST_CODES, is_post_code, meanings_of, of_post_code, place_in};

    #[test]
    fn post_codes_tell_places() {
        for (code, country, name) in [
            ("94107", "US", "San Francisco"),
            ("941071234", "US", "San Francisco"),
            ("78701", "US", "Austin"),
            ("79901", "US", "Texas"),
            ("75002", "FR", "Paris"),
            ("69210", "FR", "Auvergne-Rhône-Alpes"),
            ("10115", "DE", "Berlin"),
            ("SW1A 1AA", "", "London"),
            ("BT1 5GS", "", "Northern Ireland"),
            ("M5V 2T6", "", "Toronto"),
            ("12345", "", ""),
            ("99999", "FR", ""),
        ] {
            assert_eq!(of_post_code(code, country).map_or("", |place| place.name()), name, "{code}");
        }
        for (code, is) in
            [("94107", true), ("SW1A 1AA", true), ("M5V 2T6", true), ("12", false), ("rue", false)]
        {
            assert_eq!(is_post_code(code), is, "{code}");
        }
    }

    #[test]
    fn every_line_names_a_place() {
        for line in POST_CODES.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('|').collect();
            let [country, _, name] = columns.as_slice() else { panic!("{line}") };
            let found =
                [Level::City, Level::Region].iter().any(|level| place_in(country, name, *level).is_some());
            assert!(found, "{line}");
        }
        for code in ["TX", "NY", "ON", "NSW", "USA", "UK"] {
            assert!(!meanings_of(code).is_empty(), "{code}");
        }
    }
}
