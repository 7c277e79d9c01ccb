//! Country codes and the lengths of the numbers behind them.
//!
//! Issuer: ITU-T, recommendation E.164 (annex: list of assigned codes, Operational Bulletin 1114); lengths as the
//! national plans filed with ITU give them, service numbers left out. Format: a code of one to three digits, none
//! the head of another, then the national significant number; 15 digits in all at most.
//! Check rule: the code is assigned and the rest is neither too short nor too long: `+44 20 7946 0958` has code 44
//! and ten digits, as 44 allows 9 to 10.
//!
//! In: digits behind `+` or `00`. Out: whether they are a possible number. The rows of `numbering_plans.txt`
//! (`code shortest longest`) are read by the compiler: a wrong row fails the build.
//! Not here: which digits of a text to ask about.

static PLANS: [(u8, u8); 1000] = read_plans(include_bytes!("numbering_plans.txt"));

/// What is known about the digits behind a `+`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Length {
    /// No country has the code.
    NoPlan,
    /// More digits may make it a number.
    Short,
    /// A possible number.
    Right,
    /// More digits than the country uses.
    Long,
}

/// Judges code and national number; a trunk zero between them (`+44 (0)20`) is not counted.
pub(super) fn international(digits: &[u8]) -> Length {
    let mut code = 0_usize;
    for (place, &digit) in digits.iter().take(3).enumerate() {
        code = code * 10 + usize::from(digit & 0x0F);
        let Some(&(shortest, longest)) = PLANS.get(code) else { return Length::NoPlan };
        if longest > 0 {
            let rest = digits.len() - place - 1;
            let trunk = usize::from(digits.get(place + 1) == Some(&b'0'));
            return if rest < usize::from(shortest) {
                Length::Short
            } else if rest - trunk > usize::from(longest) {
                Length::Long
            } else {
                Length::Right
            };
        }
        if code == 0 {
            return Length::NoPlan;
        }
    }
    if digits.len() < 3 { Length::Short } else { Length::NoPlan }
}

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler only: out of range fails the build")]
const fn read_plans(rows: &[u8]) -> [(u8, u8); 1000] {
    let mut plans = [(0, 0); 1000];
    let mut fields = [0_usize; 3];
    let (mut index, mut field) = (0, 0);
    while index < rows.len() {
        match rows[index] {
            b'\n' => {
                plans[fields[0]] = (fields[1] as u8, fields[2] as u8);
                fields = [0; 3];
                field = 0;
            }
            b' ' => field += 1,
            digit => fields[field] = fields[field] * 10 + (digit - b'0') as usize,
        }
        index += 1;
    }
    plans
}

#[cfg(test)]
mod tests {
    use super::{Length, PLANS, international};

    #[test]
    fn no_code_is_the_head_of_another() {
        for code in (1..1000_usize).filter(|&code| PLANS[code].1 > 0) {
            assert!(PLANS[code].0 <= PLANS[code].1);
            assert!(
                PLANS[code / 10].1 == 0 && PLANS[code / 100].1 == 0 || code < 10 || code / 10 == 0,
                "{code}"
            );
        }
        assert!(PLANS.iter().filter(|plan| plan.1 > 0).count() > 200);
    }

    #[test]
    fn lengths() {
        for (digits, expected) in [
            ("442079460958", Length::Right),
            ("4402079460958", Length::Right),
            ("4420794609", Length::Short),
            ("4420794609581", Length::Long),
            ("12025550143", Length::Right),
            ("120255501", Length::Short),
            ("3906123456", Length::Right),
            ("2100000000", Length::NoPlan),
            ("0441234567", Length::NoPlan),
            ("24740123", Length::Right),
            ("9", Length::Short),
        ] {
            assert_eq!(international(digits.as_bytes()), expected, "{digits}");
        }
    }
}
