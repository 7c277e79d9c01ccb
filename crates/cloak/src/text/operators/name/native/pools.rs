//! The names that stand in for others, by culture and script, and what a name says of its bearer.
//!
//! In: `data/name_pools.bin`, which `xtask data` makes and describes. Out: lists to choose from, look-ups. Invariant:
//! a damaged file gives fewer names or none, never a panic. Not here: which name is chosen.

use std::collections::HashMap;
use std::sync::LazyLock;

use cloakgate_detect::fold;
use cloakgate_vocab::ByteReader;

static FILE: &[u8] = include_bytes!("../../../../../data/name_pools.bin");
static POOLS: LazyLock<Pools> = LazyLock::new(|| Pools::read(FILE));

const MALE: u8 = 1;
const FEMALE: u8 = 2;
const SURNAME: u8 = 4;
const STANDS_IN: u8 = 8;
/// So many names of a part make a pool in which a name hides.
const MIN_NAMES: usize = 100;

/// Whose given name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Gender {
    Male,
    Female,
}

/// Which names are asked for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Pool {
    Given(Gender),
    /// Given to boys and girls.
    Unisex,
    Surname,
}

/// What the lists say of a name.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Known {
    male: u16,     // lists that give it to boys
    female: u16,   // lists that give it to girls
    families: u16, // lists in which it is a surname
    /// The lists that it is in, one bit each.
    pub(super) lists: u64,
}

impl Known {
    /// Whether it is a surname somewhere.
    pub(super) const fn surname(self) -> bool {
        self.families > 0
    }

    /// Whether it is a surname rather than a given name.
    pub(super) const fn rather_surname(self) -> bool {
        self.families > self.male + self.female
    }

    /// Whether it is given to children.
    pub(super) const fn given(self) -> bool {
        self.male + self.female > 0
    }

    /// Whose name it is in three of four lists.
    pub(super) const fn gender(self) -> Option<Gender> {
        match (self.male, self.female) {
            (0, 0) => None,
            (male, female) if male >= 3 * female => Some(Gender::Male),
            (male, female) if female >= 3 * male => Some(Gender::Female),
            _ => None,
        }
    }
}

/// Names of one group of languages in one script.
pub(super) struct List {
    /// Two letters: `ja`.
    pub(super) culture: &'static str,
    /// Four small letters: `latn`.
    pub(super) script: &'static str,
    names: Vec<(Box<str>, u8)>,
    pools: [Vec<u32>; 4], // boys, girls, both, surnames: places in `names`
}

impl List {
    /// How many names there are.
    pub(super) fn count(&self, pool: Pool) -> usize {
        self.pool(pool).len()
    }

    /// One of them.
    pub(super) fn name(&self, pool: Pool, at: usize) -> Option<&str> {
        let place = self.pool(pool).get(at)?;
        self.names.get(*place as usize).map(|(name, _)| &**name)
    }

    /// Whether there are enough names of each part for one to hide among.
    pub(super) fn is_large(&self) -> bool {
        let [male, female, _, surnames] = &self.pools;
        male.len() >= MIN_NAMES && female.len() >= MIN_NAMES && surnames.len() >= MIN_NAMES
    }

    /// Whether a name is in the list as a surname, or as a given name of any kind.
    pub(super) fn has(&self, name: &str, pool: Pool) -> bool {
        let wanted = if pool == Pool::Surname { SURNAME } else { MALE | FEMALE };
        let place = self.names.binary_search_by(|(other, _)| (**other).cmp(name));
        place.ok().and_then(|place| self.names.get(place)).is_some_and(|(_, what)| what & wanted != 0)
    }

    fn pool(&self, pool: Pool) -> &[u32] {
        let [male, female, unisex, surnames] = &self.pools;
        match pool {
            Pool::Given(Gender::Male) => male,
            Pool::Given(Gender::Female) => female,
            Pool::Unisex => unisex,
            Pool::Surname => surnames,
        }
    }

    fn fill(&mut self) {
        let [male, female, unisex, surnames] = &mut self.pools;
        for (place, (_, what)) in (0..).zip(&self.names) {
            if what & STANDS_IN == 0 {
                continue;
            }
            match what & (MALE | FEMALE) {
                MALE => male.push(place),
                FEMALE => female.push(place),
                0 => {}
                _ => [&mut *male, female, unisex].into_iter().for_each(|pool| pool.push(place)),
            }
            if what & SURNAME != 0 {
                surnames.push(place);
            }
        }
    }
}

/// All lists.
pub(super) struct Pools {
    /// The lists, in an order that does not change.
    pub(super) lists: Vec<List>,
    known: HashMap<Box<str>, Known>,
}

impl Pools {
    /// The lists that are built in.
    pub(super) fn get() -> &'static Self {
        &POOLS
    }

    /// What the lists say of a name, whatever its case and marks.
    pub(super) fn known(&self, name: &str) -> Known {
        self.known.get(fold(name).as_str()).copied().unwrap_or_default()
    }

    fn read(file: &'static [u8]) -> Self {
        let mut pools = Self { lists: Vec::new(), known: HashMap::new() };
        let Some(mut bytes) = file.strip_prefix(b"CGN1").map(|bytes| Lists(ByteReader(bytes))) else {
            return pools;
        };
        while let Some(list) = bytes.list().filter(|_| pools.lists.len() < 64) {
            pools.note(&list);
            pools.lists.push(list);
        }
        pools
    }

    fn note(&mut self, list: &List) {
        for (name, what) in &list.names {
            let known = self.known.entry(fold(name).into_boxed_str()).or_default();
            known.male += u16::from(what & MALE != 0);
            known.female += u16::from(what & FEMALE != 0);
            known.families += u16::from(what & SURNAME != 0);
            known.lists |= 1 << self.lists.len();
        }
    }
}

/// Lists of the file that are still to be read.
struct Lists(ByteReader<'static>);

impl Lists {
    fn byte(&mut self) -> Option<usize> {
        self.0.byte().map(usize::from)
    }

    fn list(&mut self) -> Option<List> {
        let length = self.byte()?;
        let (culture, script) = self.0.text(length)?.split_once('-')?;
        let count = self.0.take(4)?.iter().rev().fold(0, |count, byte| count << 8 | usize::from(*byte));
        let what = self.0.take(count.div_ceil(2))?;
        let what = what.iter().flat_map(|pair| [pair & 15, pair >> 4]).take(count);
        let mut names = Vec::with_capacity(count);
        let mut name: Vec<u8> = Vec::new();
        for what in what {
            let head = self.byte()?;
            let rest = if head & 15 == 0 { self.byte()? } else { head & 15 };
            name.truncate(head >> 4);
            name.extend(self.0.take(rest)?);
            names.push((Box::from(std::str::from_utf8(&name).ok()?), what));
        }
        let mut list = List { culture, script, names, pools: Default::default() };
        list.fill();
        Some(list)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use cloakgate_detect::fold;

    use super::{FILE, Gender, List, Pool, Pools};

    const ALL: [Pool; 3] = [Pool::Given(Gender::Male), Pool::Given(Gender::Female), Pool::Surname];

    fn list(culture: &str, script: &str) -> &'static List {
        let lists = &Pools::get().lists;
        lists.iter().find(|list| list.culture == culture && list.script == script).unwrap()
    }

    fn names(list: &List, pool: Pool) -> Vec<&str> {
        (0..list.count(pool)).filter_map(|at| list.name(pool, at)).collect()
    }

    #[test]
    fn large_cultures_have_many_names_of_each_part() {
        for culture in ["en", "de", "fr", "es", "it", "nl", "sv", "tr", "sw", "hi"] {
            let list = list(culture, "latn");
            let [male, female, surnames] = ALL.map(|pool| list.count(pool));
            assert!(male >= 200 && female >= 200 && surnames >= 300, "{culture} {male} {female} {surnames}");
        }
        for (culture, script) in [("ru", "cyrl"), ("uk", "cyrl"), ("ja", "hani"), ("zh", "hani")] {
            assert!(list(culture, script).count(Pool::Surname) >= 200, "{culture}");
        }
    }

    #[test]
    fn no_name_holds_another_of_its_culture_and_none_is_an_everyday_word() {
        for list in Pools::get().lists.iter().filter(|list| list.script == "latn" || list.script == "cyrl") {
            let all: Vec<String> = ALL.iter().flat_map(|pool| names(list, *pool)).map(fold).collect();
            let set: HashSet<&str> = all.iter().map(String::as_str).collect();
            for name in &all {
                let ends: Vec<usize> = name.char_indices().map(|(at, _)| at).chain([name.len()]).collect();
                for (at, start) in ends.iter().enumerate() {
                    for end in &ends[at + 1..] {
                        let part = name.get(*start..*end).unwrap();
                        assert!(part.len() == name.len() || !set.contains(part), "{name} holds {part}");
                    }
                }
            }
            let small: HashSet<String> =
                ALL.iter().flat_map(|pool| names(list, *pool)).map(str::to_lowercase).collect();
            for word in ["mark", "rose", "will", "hope", "grace", "paris", "putin", "berlin"] {
                assert!(!small.contains(word), "{word}");
            }
        }
    }

    #[test]
    fn names_tell_gender_and_part() {
        for (name, gender, surname) in [
            ("Alice", Some(Gender::Female), false),
            ("robert", Some(Gender::Male), true),
            ("Иван", Some(Gender::Male), false),
            ("Rose", Some(Gender::Female), true),
            ("Tanaka", None, true),
            ("Qwrtz", None, false),
        ] {
            let known = Pools::get().known(name);
            assert_eq!(known.gender(), gender, "{name}");
            assert!(known.surname() || !surname, "{name}");
        }
    }

    #[test]
    fn damaged_files_give_fewer_names() {
        let whole = Pools::get().lists.len();
        assert!(whole > 30);
        for file in
            [&FILE[..FILE.len() / 2], &FILE[..5], &FILE[3..], b"CGN1", b"CGN1\x07en-latn\xff\xff\xff\xff"]
        {
            assert!(Pools::read(file).lists.len() < whole);
        }
    }
}
