//! What words, endings and characters are beside names and within them: forms of address, offices, particles.
//!
//! In: a word, or its hash. Out: its roles. Invariant: a look-up is one probe and allocates nothing.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::table::Hash;

static ROLES: &str = include_str!("../../data/roles.txt");

/// What a word is beside a name or within it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Role {
    /// Form of address before a name: `dr`.
    Title,
    /// Small word within a name: `van`.
    Particle,
    /// Institution or street called by the name before it: `university`.
    Institution,
    /// Institution or street called by the name after it: `rua`.
    Street,
    /// Ending of surnames and hardly any other words.
    EndingSurname,
    /// Ending of surnames that other words have, too.
    EndingPerhaps,
    /// Ending of names after one's father.
    EndingPatronymic,
    /// Ending of things that are written with a capital.
    EndingThing,
    /// Surname of two characters.
    ChineseSurnameOfTwo,
    /// Surname that is more often something else.
    ChineseSurnameOrWord,
    /// Last character of places and things, rare at the end of a name.
    ChineseNoName,
    /// The same in names of two characters.
    ChineseNoShortName,
    /// Form of address or office after a name.
    ChineseAfter,
    /// Office, relation or label before a name.
    ChineseBefore,
    /// Last character of what a person is, before the name.
    ChineseOffice,
    /// What a person does, after the name.
    ChineseVerb,
    /// Ending of places, institutions and things that foreign names stand before.
    ChinesePlace,
    /// Foreign place that is written by sound.
    ChineseCity,
    /// Form of address or office after a name.
    JapaneseAfter,
    /// Office or label before a name, in the same run.
    JapaneseBefore,
    /// Single character that ends names of places and things.
    JapaneseNoName,
    /// Surname.
    KoreanSurname,
    /// Form of address or office after a name.
    KoreanAfter,
    /// Office or label before a name.
    KoreanBefore,
    /// Particle attached to a name.
    KoreanParticle,
    /// Form of address before a name.
    UncasedBefore,
    /// Form of address after a name.
    UncasedAfter,
    /// Word of descent within a name.
    UncasedDescent,
}

const NAMES: &[(&str, Role)] = &[
    ("title", Role::Title),
    ("particle", Role::Particle),
    ("institution", Role::Institution),
    ("street", Role::Street),
    ("ending-surname", Role::EndingSurname),
    ("ending-perhaps", Role::EndingPerhaps),
    ("ending-patronymic", Role::EndingPatronymic),
    ("ending-thing", Role::EndingThing),
    ("chinese-surname-of-two", Role::ChineseSurnameOfTwo),
    ("chinese-surname-or-word", Role::ChineseSurnameOrWord),
    ("chinese-no-name", Role::ChineseNoName),
    ("chinese-no-short-name", Role::ChineseNoShortName),
    ("chinese-after", Role::ChineseAfter),
    ("chinese-before", Role::ChineseBefore),
    ("chinese-office", Role::ChineseOffice),
    ("chinese-verb", Role::ChineseVerb),
    ("chinese-place", Role::ChinesePlace),
    ("chinese-city", Role::ChineseCity),
    ("japanese-after", Role::JapaneseAfter),
    ("japanese-before", Role::JapaneseBefore),
    ("japanese-no-name", Role::JapaneseNoName),
    ("korean-surname", Role::KoreanSurname),
    ("korean-after", Role::KoreanAfter),
    ("korean-before", Role::KoreanBefore),
    ("korean-particle", Role::KoreanParticle),
    ("uncased-before", Role::UncasedBefore),
    ("uncased-after", Role::UncasedAfter),
    ("uncased-descent", Role::UncasedDescent),
];

/// The roles of one word.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct RoleSet(u32);

impl RoleSet {
    /// No role.
    pub(crate) const NONE: Self = Self(0);

    /// Whether it has this role.
    pub(crate) const fn has(self, role: Role) -> bool {
        self.0 & (1 << role as u32) != 0
    }
}

/// All words with roles, by their hashes.
pub(crate) struct Roles(HashMap<u64, u32, BuildHasherDefault<Mixed>>);

/// Takes a number that is a hash as it is.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

impl Roles {
    /// The words that are built in. `None` when a line has no role that is known.
    pub(super) fn load() -> Option<Self> {
        let mut roles = HashMap::default();
        for line in ROLES.lines().filter(|line| !line.starts_with('#')) {
            let (name, words) = line.split_once(": ")?;
            let (_, role) = NAMES.iter().find(|(known, _)| *known == name)?;
            for word in words.split(' ') {
                let set: &mut u32 = roles.entry(Hash::of(word).key()).or_default();
                *set |= 1 << *role as u32;
            }
        }
        Some(Self(roles))
    }

    /// The roles of what has this hash.
    pub(crate) fn at(&self, hash: Hash) -> RoleSet {
        RoleSet(self.0.get(&hash.key()).copied().unwrap_or_default())
    }

    /// The roles of a word, whatever its case.
    pub(crate) fn of(&self, word: &str) -> RoleSet {
        self.at(word.chars().flat_map(char::to_lowercase).fold(Hash::new(), Hash::char))
    }

    /// Whether the characters begin with a word of this role, of at most `most` characters.
    pub(crate) fn begin(&self, characters: impl Iterator<Item = char>, most: usize, role: Role) -> bool {
        let mut hash = Hash::new();
        characters.take(most).any(|c| {
            hash = hash.char(c);
            self.at(hash).has(role)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Role, Roles};

    #[test]
    fn words_have_their_roles() {
        let roles = Roles::load().unwrap();
        assert!(roles.of("Dr").has(Role::Title) && roles.of("ДОКТОР").has(Role::Title));
        assert!(roles.of("van").has(Role::Particle) && !roles.of("van").has(Role::Title));
        assert!(roles.begin("先生说".chars(), 4, Role::ChineseAfter));
        assert!(!roles.begin("说先生".chars(), 4, Role::ChineseAfter));
    }
}
