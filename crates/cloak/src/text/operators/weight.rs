//! Weights of bodies: `50–80 kg`, `158.7 lbs`, `{{WEIGHT}}`.
//!
//! In: a weight. Out: what stands for it. Arithmetic is exact: a pound is 0.45359237 kg, a stone fourteen pounds; what
//! is shown is rounded to a tenth, once. Invariant: a weight that was lost or gained stays where ranges are wanted, for
//! it tells of nobody; one between ranges is a placeholder.

use cloakgate_vocab::Span;

use super::{Choice, Outcome, Replacement, Spot, placeholder};
use crate::text::numbers::{quantity, to_second};
use crate::text::profile::{Bucket, Quantity, Ranges, RangesUnit, WeightOption, WeightUnit};
use crate::text::session::TextSession;

const LABEL: &str = "WEIGHT";

/// A thousandth of a pound, and of a kilogram, in units of 10 ng.
const POUND: u128 = 45_359_237;
const KILOGRAM: u128 = 100_000_000;
const POUNDS_OF_STONE: u128 = 14;

/// The unit that a weight is written or shown in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Unit {
    Kilograms,
    Pounds,
    Stones,
}

/// Ounces of a pound.
const OUNCES_OF_POUND: u128 = 16;
/// Words for them.
const OUNCES: &[&str] = &["oz", "ounce", "ounces"];

impl Unit {
    fn of(word: &str) -> Option<Self> {
        Some(match word.to_lowercase().as_str() {
            "kg" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms" | "kilogramm" | "chili" | "quilos"
            | "кг" => Self::Kilograms,
            "lb" | "lbs" | "pound" | "pounds" | "livres" | "libras" => Self::Pounds,
            "stone" | "stones" | "st" => Self::Stones,
            _ => return None,
        })
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Pounds => "lbs",
            Self::Kilograms | Self::Stones => "kg",
        }
    }

    /// A thousandth of the unit.
    const fn size(self) -> u128 {
        match self {
            Self::Kilograms => KILOGRAM,
            Self::Pounds => POUND,
            Self::Stones => POUND * POUNDS_OF_STONE,
        }
    }
}

/// A weight, or two, in units of 10 ng.
struct Weight {
    low: u128,
    high: u128,
    unit: Unit,
    len: usize,
}

impl Weight {
    /// The weight at the start of a text.
    fn read(text: &str) -> Option<Self> {
        let (low, mut at) = quantity(text)?;
        let mut high = low;
        let rest = text.get(at..)?;
        if let Some((second, len)) = to_second(rest).or_else(|| and_second(rest)) {
            (high, at) = (second, at + len);
        }
        let gap = |rest: &str| rest.len() - rest.trim_start_matches([' ', '-', '\u{a0}']).len();
        let word = |rest: &str| rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        at += gap(text.get(at..)?);
        let len = word(text.get(at..)?);
        let unit = Unit::of(text.get(at..at + len)?)?;
        at += len;
        let size = |quantity: Quantity| u128::from(quantity.in_thousandths()) * unit.size();
        let mut more = 0;
        let rest = text.get(at..)?;
        let skipped = gap(rest.trim_start_matches(',')) + rest.len() - rest.trim_start_matches(',').len();
        let smaller = rest.get(skipped..).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if unit != Unit::Kilograms
            && let Some((smaller, len)) = smaller.and_then(quantity)
        {
            let after = rest.get(skipped + len..)?;
            let written = after.get(gap(after)..).map_or(0, word);
            let name = after.get(gap(after)..gap(after) + written)?;
            let named = skipped + len + gap(after) + written;
            let thousandths = u128::from(smaller.in_thousandths());
            match unit {
                Unit::Stones if Unit::of(name) == Some(Unit::Pounds) => {
                    (more, at) = (thousandths * POUND, at + named);
                }
                Unit::Stones => (more, at) = (thousandths * POUND, at + skipped + len),
                Unit::Pounds if OUNCES.contains(&name.to_lowercase().as_str()) => {
                    (more, at) = (thousandths * POUND / OUNCES_OF_POUND, at + named);
                }
                Unit::Pounds | Unit::Kilograms => {}
            }
        }
        Some(Self { low: size(low) + more, high: size(high).max(size(low)) + more, unit, len: at })
    }

    /// The unit that it is shown in.
    fn shown_in(&self, wanted: WeightUnit) -> Unit {
        match (wanted, self.unit) {
            (WeightUnit::Kilograms, _) | (WeightUnit::Keep, Unit::Kilograms | Unit::Stones) => {
                Unit::Kilograms
            }
            (WeightUnit::Pounds, _) | (WeightUnit::Keep, Unit::Pounds) => Unit::Pounds,
        }
    }
}

/// ` and 75` of `between 70 and 75 kg`.
fn and_second(rest: &str) -> Option<(Quantity, usize)> {
    let tail = AND.iter().find_map(|link| rest.strip_prefix(*link))?;
    let (second, len) = tail.starts_with(|c: char| c.is_ascii_digit()).then(|| quantity(tail))??;
    Some((second, rest.len() - tail.len() + len))
}

/// Words between two weights.
const AND: &[&str] = &[" and ", " und ", " et ", " y ", " e ", " en ", " och ", " og "];

/// True for a line that is a weight and nothing else.
pub(crate) fn is_weight_alone(core: &str) -> bool {
    Weight::read(core).is_some_and(|weight| weight.len == core.len())
}

/// What stands for a weight.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    let profile = choice.profile;
    let mut whole = || placeholder::cloak(spot, LABEL, profile, session);
    let read = || Weight::read(spot.ahead(spot.span.start()));
    match &profile.weight {
        WeightOption::Block => Ok(None),
        WeightOption::Placeholder => whole(),
        WeightOption::Ranges(_) if is_change(spot.before()) => Ok(None),
        WeightOption::Ranges(ranges) => {
            let Some(weight) = read() else { return whole() };
            let shown = weight.shown_in(profile.weight_unit);
            let span = Span::sized(spot.span.start(), weight.len.max(spot.span.len()));
            match range(&weight, ranges, shown, profile.weight_ranges_unit) {
                Some(text) => Ok(Some(Replacement::shared(spot, text).over(span))),
                None => placeholder::cloak_over(spot, (LABEL, span), choice, session),
            }
        }
        WeightOption::Keep => {
            let Some(weight) = read() else { return Ok(None) };
            if profile.weight_unit == WeightUnit::Keep {
                return Ok(None);
            }
            let span = Span::sized(spot.span.start(), weight.len.max(spot.span.len()));
            let text = converted(&weight, weight.shown_in(profile.weight_unit));
            Ok(Some(Replacement::shared(spot, text).over(span)))
        }
    }
}

/// `158.7 lbs`, `154.3–165.3 lbs`
fn converted(weight: &Weight, unit: Unit) -> String {
    let (low, high) = (in_unit(weight.low, unit, 100), in_unit(weight.high, unit, 100));
    match low == high {
        true => format!("{low} {}", unit.label()),
        false => format!("{low}–{high} {}", unit.label()),
    }
}

/// `50–80 kg`; nothing where the weight lies between ranges.
fn range(weight: &Weight, ranges: &Ranges, shown: Unit, given: RangesUnit) -> Option<String> {
    let given = match given {
        RangesUnit::Shown => shown,
        RangesUnit::Pounds => Unit::Pounds,
        RangesUnit::Kilograms => Unit::Kilograms,
    };
    let of = |size: u128| ranges.locate(in_unit(size, given, 1));
    // Ranges of another unit are shown in whole units.
    let bound = |bound: Quantity| match given == shown {
        true => bound,
        false => in_unit(u128::from(bound.in_thousandths()) * given.size(), shown, 1000),
    };
    let number = match (of(weight.low), of(weight.high)) {
        (Bucket::In(min, _), Bucket::In(_, max)) => format!("{}–{}", bound(min), bound(max)),
        (Bucket::Above(_, max), Bucket::Above(..)) => format!("{}+", bound(max)),
        (Bucket::In(min, _), Bucket::Above(..)) => format!("{}+", bound(min)),
        (Bucket::Below(_), Bucket::Below(min)) => format!("<{}", bound(min)),
        (Bucket::Below(_), Bucket::In(_, max)) => format!("0–{}", bound(max)),
        _ => return None,
    };
    Some(format!("{number} {}", shown.label()))
}

/// A size in a unit, rounded to steps of so many thousandths.
fn in_unit(size: u128, unit: Unit, step: u128) -> Quantity {
    let step_size = unit.size() * step;
    let steps = (size + step_size / 2) / step_size;
    Quantity::thousandths(u64::try_from(steps * step).unwrap_or(u64::MAX))
}

/// Verbs of weight that came or went.
const CHANGES: &[&str] = &[
    "lost",
    "lose",
    "loses",
    "losing",
    "gained",
    "gain",
    "gains",
    "gaining",
    "dropped",
    "put",
    "shed",
    "down",
    "up",
    "by",
    "abgenommen",
    "zugenommen",
    "perdu",
    "perdió",
    "perdido",
    "bajó",
    "bajado",
    "subió",
    "perso",
    "preso",
    "perdeu",
    "ganhou",
    "engordó",
    "adelgazado",
    "похудел",
    "похудела",
    "schudł",
    "przytył",
];
/// Words that may stand between the verb and the number.
const BETWEEN: &[&str] =
    &["about", "around", "almost", "nearly", "over", "another", "some", "on", "of", "de", "di", "etwa"];

/// `lost 5 kg`, `put on about 5 kg`
fn is_change(before: &str) -> bool {
    let words = || before.split(|c: char| !c.is_alphabetic()).rev().filter(|word| !word.is_empty());
    let near = words().find(|word| !BETWEEN.iter().any(|between| word.eq_ignore_ascii_case(between)));
    near.is_some_and(|word| CHANGES.contains(&word.to_lowercase().as_str()))
}
