//! Stand-ins that have the shape of the value: digits for digits, letters for letters, the rest as it is.
//!
//! In: an id and the value that it stands for, or a text that may be such a stand-in. Out: the stand-in, or the id.
//! `536-22-8145` becomes another number in the same groups, `AB123456C` other letters and digits.
//! Invariant: a shape with less room than seven digits has no stand-ins; nothing of the value but its shape is in
//! the stand-in; the first digit of a number is 1 to 8, so that one of 16 digits stays exact in a double.
//! Not here: where such text may be read, which is a matter of keys and schemas.

use cloakgate_vocab::{Category, TokenId};

use super::permutation::{MAX_SIZE, Numbering};
use crate::keys::SessionKeys;

/// Longest shape, in characters.
const MAX_CHARACTERS: usize = 128;
/// Room that seven digits have.
const MIN_SIZE: u64 = 8_000_000;
/// Letters that vary.
const LETTERS: u64 = 26;

/// Categories whose values are digits. Entries are added at the end only.
const OF_DIGITS: &[Category] = &[
    Category::Phone,
    Category::Ssn,
    Category::CreditCard,
    Category::NationalId,
    Category::TaxId,
    Category::HealthId,
    Category::OtherId,
    Category::BankAccount,
    Category::Passport,
    Category::DriverLicense,
    Category::DateOfBirth,
    Category::Opaque,
    Category::Literal,
    Category::Custom,
    Category::Secret,
    Category::Address,
];
const OF_DIGITS_SLOTS: u64 = 16;

/// Categories whose values hold letters too. Entries are added at the end only.
const OF_LETTERS: &[Category] = &[
    Category::Person,
    Category::Email,
    Category::Phone,
    Category::Address,
    Category::DateOfBirth,
    Category::Ssn,
    Category::NationalId,
    Category::Passport,
    Category::DriverLicense,
    Category::TaxId,
    Category::HealthId,
    Category::OtherId,
    Category::CreditCard,
    Category::Iban,
    Category::BankAccount,
    Category::CryptoWallet,
    Category::IpAddress,
    Category::MacAddress,
    Category::Vehicle,
    Category::Password,
    Category::ApiKey,
    Category::AwsKey,
    Category::Jwt,
    Category::PrivateKey,
    Category::Secret,
    Category::Opaque,
    Category::Custom,
    Category::Location,
    Category::Org,
    Category::Age,
    Category::Date,
    Category::Money,
    Category::Medical,
    Category::Url,
    Category::Username,
    Category::Gender,
    Category::Weight,
    Category::Nrp,
    Category::Title,
    Category::Profession,
    Category::Family,
    Category::Other,
    Category::Literal,
    Category::Medication,
];
const OF_LETTERS_SLOTS: u64 = 64;

/// The number that a category has in all releases, below 256.
pub(super) fn position(category: Category) -> Option<u16> {
    let position = OF_LETTERS.iter().position(|known| *known == category)?;
    u16::try_from(position).ok()
}

/// One character of a shape.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Class {
    Digit,
    Upper,
    Lower,
    Fixed(char),
}

/// What of a value is left in its stand-in.
#[derive(Debug, Eq, PartialEq)]
pub(super) struct Shape(Vec<Class>);

/// What a character of a shape may be.
struct Choice {
    first: u8,
    count: u64,
}

impl Shape {
    /// The shape of a text; `None` when it is too long, or has characters that cannot be kept nor replaced.
    pub(super) fn of(text: &str) -> Option<Self> {
        let mut classes = Vec::with_capacity(text.len().min(MAX_CHARACTERS));
        for character in text.chars() {
            if classes.len() == MAX_CHARACTERS {
                return None;
            }
            classes.push(match character {
                '0'..='9' => Class::Digit,
                c if c.is_uppercase() => Class::Upper,
                c if c.is_alphabetic() => Class::Lower,
                ' '..='~' => Class::Fixed(character),
                _ => return None,
            });
        }
        Some(Self(classes))
    }

    /// Writes the stand-in of an id. `None` when there is no room for it.
    pub(super) fn write(&self, id: TokenId, keys: &SessionKeys) -> Option<String> {
        let (tweak, plan) = (self.tweak(), self.plan()?);
        let number = plan.numbering(&tweak).number(id, keys)?;
        self.spell(&plan, number, &tweak, keys)
    }

    /// The id that a text of this shape is the stand-in of.
    pub(super) fn read(&self, text: &str, keys: &SessionKeys) -> Option<TokenId> {
        let (tweak, plan) = (self.tweak(), self.plan()?);
        let mut number = 0u64;
        for (index, character) in text.chars().enumerate() {
            let Some(choice) = self.choice(index).filter(|_| index < plan.carries_to) else { continue };
            let offset = u8::try_from(character).ok()?.checked_sub(choice.first)?;
            if u64::from(offset) >= choice.count {
                return None;
            }
            number = number.checked_mul(choice.count)?.checked_add(u64::from(offset))?;
        }
        let id = plan.numbering(&tweak).id(number, keys)?;
        (self.spell(&plan, number, &tweak, keys)? == text).then_some(id)
    }

    /// Digits only, as a JSON number has them.
    pub(super) fn is_number(&self) -> bool {
        !self.0.is_empty() && self.0.iter().all(|class| *class == Class::Digit)
    }

    fn choice(&self, index: usize) -> Option<Choice> {
        match self.0.get(index)? {
            Class::Digit if index == 0 => Some(Choice { first: b'1', count: 8 }),
            Class::Digit => Some(Choice { first: b'0', count: 10 }),
            Class::Upper => Some(Choice { first: b'A', count: LETTERS }),
            Class::Lower => Some(Choice { first: b'a', count: LETTERS }),
            Class::Fixed(_) => None,
        }
    }

    /// Which characters carry the number; `None` when they have too little room.
    fn plan(&self) -> Option<Plan> {
        let mut size = 1u64;
        let mut carries_to = self.0.len();
        for index in 0..self.0.len() {
            let Some(choice) = self.choice(index) else { continue };
            match size.checked_mul(choice.count).filter(|size| *size <= MAX_SIZE) {
                Some(larger) => size = larger,
                None => {
                    carries_to = index;
                    break;
                }
            }
        }
        let letters = self.0.iter().any(|class| matches!(class, Class::Upper | Class::Lower));
        (size >= MIN_SIZE).then_some(Plan { size, carries_to, letters })
    }

    fn spell(&self, plan: &Plan, number: u64, tweak: &[u8], keys: &SessionKeys) -> Option<String> {
        let mut characters: Vec<u8> = Vec::with_capacity(self.0.len());
        let mut rest = number;
        let fill = keys.stand_in_tag(&[b"fill", tweak, &number.to_be_bytes()]);
        let mut fill = fill.iter().cycle();
        for (index, class) in self.0.iter().enumerate().rev() {
            let character = match (class, self.choice(index)) {
                (Class::Fixed(character), _) => u8::try_from(*character).ok()?,
                (_, Some(choice)) if index < plan.carries_to => {
                    let offset = rest % choice.count;
                    rest /= choice.count;
                    choice.first + u8::try_from(offset).ok()?
                }
                // What the number does not need checks it.
                (_, Some(choice)) => {
                    choice.first + u8::try_from(u64::from(*fill.next()?) % choice.count).ok()?
                }
                (_, None) => return None,
            };
            characters.push(character);
        }
        characters.reverse();
        String::from_utf8(characters).ok()
    }

    /// The shape in letters: what tells its numbering from that of others.
    fn tweak(&self) -> Vec<u8> {
        let letter = |class: &Class| match class {
            Class::Digit => b'0',
            Class::Upper => b'A',
            Class::Lower => b'a',
            Class::Fixed(character) => u8::try_from(*character).unwrap_or(b'?'),
        };
        self.0.iter().map(letter).collect()
    }
}

/// How a shape carries a number.
struct Plan {
    size: u64,
    /// Characters before this one carry the number, those from it on only check it.
    carries_to: usize,
    letters: bool,
}

impl Plan {
    fn numbering<'a>(&self, tweak: &'a [u8]) -> Numbering<'a> {
        let (categories, slots) =
            if self.letters { (OF_LETTERS, OF_LETTERS_SLOTS) } else { (OF_DIGITS, OF_DIGITS_SLOTS) };
        // A third of the bits verify: one number in 128 of those with seven digits, in 512 with nine, and so on.
        let redundancy = (u64::BITS - self.size.leading_zeros()) / 3;
        Numbering { categories, slots, size: self.size, redundancy, tweak }
    }
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::{Category, Secret, Spelling, TokenId};

    use super::{OF_DIGITS, OF_DIGITS_SLOTS, OF_LETTERS, OF_LETTERS_SLOTS, Shape};
    use crate::keys::SessionKeys;

    fn keys() -> SessionKeys {
        SessionKeys::derive(&Secret::new([3; 32]))
    }

    #[test]
    fn stand_ins_have_the_shape_of_the_value_and_lead_back() {
        for (category, value) in [
            (Category::Ssn, "536228145"),
            (Category::Ssn, "536-22-8145"),
            (Category::Phone, "5550143"),
            (Category::Phone, "+33 6 12 34 56 78"),
            (Category::CreditCard, "4111111111111111"),
            (Category::CreditCard, "6799990100000000019"),
            (Category::NationalId, "AB123456C"),
            (Category::Iban, "DE89 3704 0044 0532 0130 00"),
            (Category::Person, "Aurélie"),
            (Category::ApiKey, "sk_live_4eC39HqLyjWDarjtT1zdp7dc4eC39HqLyjWDarjtT1zdp7dc"),
        ] {
            for (number, spelling) in [(0, 0), (1, 0), (240, 0), (7, 2)] {
                let id = TokenId { category, number, spelling: Spelling::new(spelling) };
                let shape = Shape::of(value).unwrap();
                let written = shape.write(id, &keys()).unwrap_or_else(|| panic!("{value} {number}"));
                assert_ne!(written, value);
                assert_eq!(written.chars().count(), value.chars().count(), "{written}");
                assert_eq!(Shape::of(&written).as_ref(), Some(&shape), "{written}");
                assert_eq!(shape.read(&written, &keys()), Some(id), "{written}");
            }
        }
    }

    #[test]
    fn short_and_strange_texts_have_none() {
        let id = TokenId { category: Category::Phone, number: 0, spelling: Spelling::new(0) };
        for value in ["", "123456", "ab-cd", "1-2-3-4-5-6"] {
            assert_eq!(Shape::of(value).unwrap().write(id, &keys()), None, "{value}");
        }
        assert_eq!(Shape::of("a\n1"), None);
        assert_eq!(Shape::of(&"1".repeat(129)), None);
    }

    #[test]
    fn a_changed_character_does_not_verify_where_there_is_room_to_check() {
        let shape = Shape::of("sk_live_4eC39HqLyjWDarjtT1zdp7dc").unwrap();
        let id = TokenId { category: Category::ApiKey, number: 0, spelling: Spelling::new(0) };
        let written = shape.write(id, &keys()).unwrap();
        for index in 0..written.len() {
            let mut changed = written.clone().into_bytes();
            changed[index] = match changed[index] {
                b'a'..=b'y' | b'A'..=b'Y' | b'0'..=b'8' => changed[index] + 1,
                _ => continue,
            };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(shape.read(&changed, &keys()), None, "{changed}");
        }
    }

    #[test]
    fn there_is_room_for_the_categories() {
        assert!(OF_DIGITS.len() as u64 <= OF_DIGITS_SLOTS && OF_LETTERS.len() as u64 <= OF_LETTERS_SLOTS);
        for category in Category::all() {
            assert!(OF_LETTERS.contains(&category), "{category}");
        }
    }
}
