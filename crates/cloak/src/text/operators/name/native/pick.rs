//! Chooses names: which list, which name, and takes them down in the session.
//!
//! In: a name in parts. Out: entries of its parts, and of the whole. Invariant: what is chosen depends on the session's
//! key and on what the session knows; a name that cannot be had is left without an entry. Not here: writing the name.

use cloakgate_detect::fold;

use super::cultures::{culture_of, script_of};
use super::forms::{feminine, in_case_of, masculine};
use super::parts::{Part, Role};
use super::pools::{Gender, List, Pool, Pools};
use super::wanted::Wanted;
use super::words::Words;
use crate::error::CloakError;
use crate::text::field::Field;
use crate::text::profile::{GenderOption, NameCulture, NameGender, Profile};
use crate::text::session::{Kind, NewEntry, TextSession, canonical};

/// How many names are drawn before the list is gone through in order.
const DRAWS: usize = 12;
/// Fewer names for both genders are no pool.
const MIN_UNISEX: usize = 8;
/// Names of people whom everybody knows, and who are nobody's stand-in.
const FAMOUS: &[&str] = &[
    "harry potter",
    "james bond",
    "tom hanks",
    "brad pitt",
    "angelina jolie",
    "michael jackson",
    "michael jordan",
    "elon musk",
    "steve jobs",
    "peter parker",
    "bruce wayne",
    "clark kent",
    "sherlock holmes",
    "john lennon",
    "paul mccartney",
    "david bowie",
    "freddie mercury",
    "taylor swift",
    "kim kardashian",
    "albert einstein",
    "isaac newton",
    "charles darwin",
    "marie curie",
    "ada lovelace",
    "alan turing",
    "anne frank",
    "martin luther",
    "angela merkel",
    "helmut kohl",
    "willy brandt",
    "karl marx",
    "friedrich nietzsche",
    "boris becker",
    "steffi graf",
    "pablo picasso",
    "salvador dali",
    "rafael nadal",
    "pablo escobar",
    "julio iglesias",
    "enrique iglesias",
    "antonio banderas",
    "penelope cruz",
    "fidel castro",
    "diego maradona",
    "frida kahlo",
    "sophia loren",
    "umberto eco",
    "marco polo",
    "andrea bocelli",
    "enzo ferrari",
    "giorgio armani",
    "edith piaf",
    "coco chanel",
    "brigitte bardot",
    "victor hugo",
    "jules verne",
    "hayao miyazaki",
    "haruki murakami",
    "akira kurosawa",
    "yoko ono",
    "naomi osaka",
    "anna kournikova",
    "yuri gagarin",
    "юрий гагарин",
    "алла пугачева",
    "bruce lee",
    "jackie chan",
    "greta thunberg",
    "astrid lindgren",
    "roger federer",
    "narendra modi",
    "amitabh bachchan",
    "sachin tendulkar",
];

/// Who chooses: what is wanted, and which words a text holds.
pub(super) struct Picker<'a> {
    profile: &'a Profile,
    words: &'a Words,
    pools: &'static Pools,
}

impl<'a> Picker<'a> {
    pub(super) fn new(profile: &'a Profile, words: &'a Words) -> Self {
        Self { profile, words, pools: Pools::get() }
    }

    /// Makes the parts of a name known, and the whole.
    pub(super) fn learn(
        &self,
        name: &str,
        parts: &[Part],
        session: &mut TextSession,
    ) -> Result<(), CloakError> {
        let person = Person { name, parts, gender: self.gender(name, parts) };
        let Some(lists) = self.lists(&person, session) else { return Ok(()) };
        for part in parts.iter().filter(|part| part.role != Role::Initial) {
            let wanted = Wanted { name, parts, part: *part };
            if wanted.stand_in(session).is_some() {
                continue;
            }
            match part.role {
                Role::Given => self.learn_given(&wanted, &person, (&lists, session))?,
                _ => self.learn_family(&wanted, &person, (&lists, session))?,
            }
        }
        if parts.len() > 1 { learn_whole(&person, session) } else { Ok(()) }
    }

    /// The gender of a name, as far as its parts tell it.
    fn gender(&self, name: &str, parts: &[Part]) -> Option<Gender> {
        let of = |role: Role| {
            parts.iter().filter(move |part| part.role == role).filter_map(|part| part.span.of(name))
        };
        let given = of(Role::Given).find_map(|given| self.pools.known(given).gender());
        given.or_else(|| {
            let female = of(Role::Family).any(|family| !family.is_ascii() && is_feminine(self.pools, family));
            female.then_some(Gender::Female)
        })
    }

    fn learn_given(
        &self,
        wanted: &Wanted<'_>,
        person: &Person<'_>,
        (lists, session): (&[&'static List], &mut TextSession),
    ) -> Result<(), CloakError> {
        let masked = self.profile.gender != GenderOption::Keep;
        let gender = person.gender.filter(|_| !masked && self.profile.name_gender == NameGender::Match);
        let subject = canonical(wanted.written());
        let drawn = match session.choose("gender", &subject, 2) {
            0 => Gender::Male,
            _ => Gender::Female,
        };
        let pool = |list: &List| match gender {
            Some(gender) => Pool::Given(gender),
            None if list.count(Pool::Unisex) >= MIN_UNISEX => Pool::Unisex,
            None => Pool::Given(drawn),
        };
        let family = wanted.family().and_then(|family| {
            session.entry(&Kind::FAMILY, &canonical(family)).map(|entry| fold(&entry.shown))
        });
        let famous = |given: &str| {
            family
                .as_ref()
                .is_some_and(|family| FAMOUS.contains(&format!("{} {family}", fold(given)).as_str()))
        };
        let picked = lists.iter().find_map(|list| {
            self.pick((*list, pool(list)), &subject, session, &|name| {
                (!famous(name)).then(|| name.to_owned())
            })
        });
        match picked {
            Some(shown) => add(&Kind::GIVEN, (&subject, wanted.written()), &shown, session),
            None => Ok(()),
        }
    }

    fn learn_family(
        &self,
        wanted: &Wanted<'_>,
        person: &Person<'_>,
        (lists, session): (&[&'static List], &mut TextSession),
    ) -> Result<(), CloakError> {
        let identity = canonical(wanted.written());
        let halves: Vec<&str> = wanted.written().split('-').filter(|half| half.chars().count() > 1).collect();
        if halves.len() > 1 && !wanted.written().contains(' ') {
            for half in halves {
                if session.entry(&Kind::FAMILY, &canonical(half)).is_none() {
                    self.draw_family((&canonical(half), half), person, (lists, session))?;
                }
            }
            return Ok(());
        }
        // The form for women goes with that for men, which may be known.
        let female = is_feminine(self.pools, wanted.written());
        let bases = if female { masculine(&identity) } else { Vec::new() };
        let base = bases
            .iter()
            .find(|base| session.entry(&Kind::FAMILY, base).is_some())
            .or_else(|| bases.iter().find(|base| self.pools.known(base).surname()));
        let Some(base) = base else {
            return self.draw_family((&identity, wanted.written()), person, (lists, session));
        };
        if session.entry(&Kind::FAMILY, base).is_none() {
            let original = capital(base);
            self.draw_family((base, &original), person, (lists, session))?;
        }
        let Some(shown) = session.entry(&Kind::FAMILY, base).map(|entry| entry.shown.to_string()) else {
            return Ok(());
        };
        let form = self.list_of(&shown, Pool::Surname).and_then(|list| feminine(list.culture, &shown));
        match form.filter(|form| self.is_free(form, session)) {
            Some(form) => add(&Kind::FAMILY, (&identity, wanted.written()), &form, session),
            None => self.draw_family((&identity, wanted.written()), person, (lists, session)),
        }
    }

    fn draw_family(
        &self,
        (identity, original): (&str, &str),
        person: &Person<'_>,
        (lists, session): (&[&'static List], &mut TextSession),
    ) -> Result<(), CloakError> {
        // The form for men is drawn where the one that is wanted is for women and for men there is one.
        let female = person.gender == Some(Gender::Female) && is_feminine(self.pools, original);
        // A name of two forms has a stand-in of two forms, where the culture has such names.
        let two_forms = !original.is_ascii() && (female || feminine("ru", original).is_some());
        let picked = lists.iter().find_map(|list| {
            self.pick((*list, Pool::Surname), identity, session, &|name| {
                let form = feminine(list.culture, name);
                if two_forms && form.is_none() && list.script == "cyrl" {
                    return None;
                }
                Some(form.filter(|_| female).unwrap_or_else(|| name.to_owned()))
            })
        });
        match picked {
            Some(shown) => add(&Kind::FAMILY, (identity, original), &shown, session),
            None => Ok(()),
        }
    }

    /// A name of a pool that nothing has and no text holds.
    fn pick(
        &self,
        (list, pool): (&List, Pool),
        subject: &str,
        session: &TextSession,
        form: &dyn Fn(&str) -> Option<String>,
    ) -> Option<String> {
        let count = list.count(pool);
        let draw = |draw: usize| session.choose("name", &format!("{subject} {} {draw}", list.culture), count);
        let start = draw(0);
        (0..DRAWS.min(count))
            .map(draw)
            .chain((0..count).map(|step| (start + step) % count))
            .filter_map(|at| form(list.name(pool, at)?))
            .find(|name| name.as_str() != subject && self.is_free(name, session))
    }

    /// Whether a name stands for nothing yet, and is nobody's in this session and this text.
    fn is_free(&self, name: &str, session: &TextSession) -> bool {
        let identity = canonical(name);
        !session.is_taken(name)
            && !self.words.hold(name)
            && session.entry(&Kind::GIVEN, &identity).is_none()
            && session.entry(&Kind::FAMILY, &identity).is_none()
    }

    /// The lists to draw from, the best first.
    fn lists(&self, person: &Person<'_>, session: &TextSession) -> Option<Vec<&'static List>> {
        let script = script_of(person.name)?;
        let of_script = || self.pools.lists.iter().filter(move |list| list.script == script);
        let own = self.own_lists(person);
        let mut lists: Vec<&'static List> = match &self.profile.name_culture {
            NameCulture::Locales(locales) => {
                let of_locales: Vec<&str> = locales.iter().map(|locale| culture_of(locale)).collect();
                let wanted = |list: &&List| of_locales.contains(&list.culture);
                let same: Vec<&List> = of_script().filter(wanted).collect();
                if same.is_empty() { self.pools.lists.iter().filter(wanted).collect() } else { same }
            }
            NameCulture::Match => {
                let matching: Vec<&List> = of_script().filter(|list| own.contains(&list.culture)).collect();
                if matching.is_empty() {
                    of_script().filter(|list| list.is_large()).collect()
                } else {
                    matching
                }
            }
            NameCulture::Mixed => {
                let large: Vec<&List> = of_script().filter(|list| list.is_large()).collect();
                let foreign: Vec<&List> =
                    large.iter().copied().filter(|list| !own.contains(&list.culture)).collect();
                if foreign.len() >= 3 {
                    foreign
                } else if large.is_empty() {
                    of_script().collect()
                } else {
                    large
                }
            }
        };
        if !lists.is_empty() {
            let first = session.choose("culture", &canonical(person.name), lists.len());
            lists.rotate_left(first);
        }
        // Past the end of a list the rest of the script helps out.
        if !matches!(self.profile.name_culture, NameCulture::Locales(_)) {
            let rest: Vec<&List> =
                of_script().filter(|list| !lists.iter().any(|one| std::ptr::eq(*one, *list))).collect();
            lists.extend(rest);
        }
        // The names of one person are from one culture.
        if let Some(known) = self.known_list(person, session) {
            lists.retain(|list| !std::ptr::eq(*list, known));
            lists.insert(0, known);
        }
        (!lists.is_empty()).then_some(lists)
    }

    /// The cultures that a name may be from: those of all its parts, or of one.
    fn own_lists(&self, person: &Person<'_>) -> Vec<&'static str> {
        let parts = person.parts.iter().filter(|part| part.role != Role::Initial);
        let bits: Vec<u64> = parts
            .filter_map(|part| part.span.of(person.name))
            .map(|part| self.pools.known(part).lists)
            .filter(|bits| *bits != 0)
            .collect();
        let all = bits.iter().fold(u64::MAX, |all, bits| all & bits);
        let some = if all == 0 { bits.last().copied().unwrap_or(0) } else { all };
        let in_lists = self.pools.lists.iter().enumerate().filter(|(place, _)| some >> place & 1 == 1);
        if bits.is_empty() { Vec::new() } else { in_lists.map(|(_, list)| list.culture).collect() }
    }

    /// The list that a part of the name has its stand-in from.
    fn known_list(&self, person: &Person<'_>, session: &TextSession) -> Option<&'static List> {
        person.parts.iter().filter(|part| part.role != Role::Initial).find_map(|part| {
            let wanted = Wanted { name: person.name, parts: person.parts, part: *part };
            let shown = wanted.stand_in(session)?;
            let pool = if part.role == Role::Family { Pool::Surname } else { Pool::Unisex };
            self.list_of(&shown, pool)
        })
    }

    /// The first list that a stand-in may be from.
    fn list_of(&self, shown: &str, pool: Pool) -> Option<&'static List> {
        let bases = [shown.to_owned()].into_iter().chain(masculine(&shown.to_lowercase()));
        let bits = bases.map(|base| self.pools.known(&base).lists).find(|bits| *bits != 0)?;
        let mut in_lists = self.pools.lists.iter().enumerate().filter(|(place, _)| bits >> place & 1 == 1);
        in_lists.find(|(_, list)| list.has(shown, pool)).map(|(_, list)| list)
    }
}

/// Somebody of a text.
struct Person<'a> {
    name: &'a str,
    parts: &'a [Part],
    gender: Option<Gender>,
}

/// Makes the whole name known, and its abbreviation, where both parts are.
fn learn_whole(person: &Person<'_>, session: &mut TextSession) -> Result<(), CloakError> {
    let of = |role: Role| person.parts.iter().find(|part| part.role == role);
    let (Some(given), Some(family)) = (of(Role::Given), of(Role::Family)) else { return Ok(()) };
    let wanted = |part: &Part| Wanted { name: person.name, parts: person.parts, part: *part };
    let (Some(shown_given), Some(shown_family)) =
        (wanted(given).stand_in(session), wanted(family).stand_in(session))
    else {
        return Ok(());
    };
    let (Some(first), Some(other)) = (wanted(given).written().chars().next(), shown_given.chars().next())
    else {
        return Ok(());
    };
    let Some(identity) = wanted(given).abbreviation(&first.to_string()) else { return Ok(()) };
    let original = format!("{first}. {}", wanted(family).written());
    let cased = first.is_uppercase() && other.is_uppercase();
    if cased && session.entry(&Kind::PERSON, &identity).is_none() {
        let shown = format!("{other}. {}", in_case_of(&shown_family, "Aa"));
        if !session.is_taken(&shown) {
            add(&Kind::PERSON, (&identity, &original), &shown, session)?;
        }
    }
    Ok(())
}

fn add(
    kind: &Kind,
    (identity, original): (&str, &str),
    shown: &str,
    session: &mut TextSession,
) -> Result<(), CloakError> {
    // A single character stands in other words, too.
    let unique = shown.chars().count() > 1;
    session.add(NewEntry { kind: kind.clone(), field: Field::Name, identity, shown, original, unique })?;
    Ok(())
}

/// Whether a surname is the form for women of one that is known, or looks so in Cyrillic or Czech.
fn is_feminine(pools: &Pools, surname: &str) -> bool {
    let small = surname.to_lowercase();
    let sure = ["ова", "ева", "ёва", "ская", "цкая", "ська", "цька", "ová", "ská"]
        .iter()
        .any(|end| small.ends_with(end));
    sure || (!pools.known(surname).surname()
        && masculine(&small).iter().any(|base| pools.known(base).surname()))
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
