//! Ages: `adult`, `30–44 years old`, `{{AGE}}`.
//!
//! In: an age or a date of birth. Out: what stands for it with the words that belong to it: "I'm 34 years old" is
//! "I'm adult", "a 34-year-old man" is "an adult man". Ages are whole years, cut off. Invariant: an age that cannot be
//! read is a placeholder. Not here: how an age is written (`phrase`).

mod phrase;

use cloakgate_vocab::Span;

use super::{Choice, Outcome, Replacement, Spot, placeholder};
use crate::text::language::Language;
use crate::text::profile::{AgeOption, Bucket, Quantity, Ranges};
use crate::text::session::TextSession;
use phrase::{Kind, Phrase};

pub(crate) use phrase::age_alone;

/// The first year of an adult, and of a senior.
const ADULT: u32 = 18;
const SENIOR: u32 = 65;

const LABEL: &str = "AGE";

/// What stands for an age.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    let option = &choice.profile.age;
    if matches!(option, AgeOption::Keep | AgeOption::Block) {
        return Ok(None);
    }
    let Some(phrase) = Phrase::read(spot, choice) else {
        return placeholder::cloak(spot, LABEL, choice.profile, session);
    };
    let worded = match option {
        AgeOption::Categories => Some(category(&phrase, choice.language())),
        AgeOption::Ranges(ranges) => range(&phrase, ranges, choice.language()),
        _ => None,
    };
    match worded {
        Some((start, text)) => {
            let span = Span::new(start, phrase.end).unwrap_or(spot.span);
            Ok(Some(Replacement::shared(spot, text).over(span)))
        }
        None => {
            let span = Span::new(phrase.start, phrase.end).unwrap_or(spot.span);
            let mut placeholder = placeholder::cloak_over(spot, (LABEL, span), choice, session)?;
            if let Some(placeholder) = placeholder.as_mut().filter(|_| phrase.kind == Kind::Glued) {
                placeholder.text.push(' ');
            }
            Ok(placeholder)
        }
    }
}

/// `child`, `adult`, `senior`, from where on.
fn category(phrase: &Phrase<'_>, language: Language) -> (usize, String) {
    let years = u32::midpoint(phrase.low, phrase.high);
    let pick = |[child, adult, senior]: [&'static str; 3]| match years {
        0..ADULT => child,
        ADULT..SENIOR => adult,
        _ => senior,
    };
    if let Kind::German(ending) = phrase.kind
        && language.is_german()
    {
        let text = format!("{}{ending}", pick(["minderjährig", "erwachsen", "älter"]));
        return (phrase.start, text);
    }
    let word = pick([language.child(), language.adult(), language.senior()]);
    if let Some(lead) = phrase.at_the_age {
        let as_ = if lead.is_capital { "As" } else { "as" };
        return (lead.start, format!("{as_} {} {word}", lead.small().before(word)));
    }
    let glued = if phrase.kind == Kind::Glued { " " } else { "" };
    match phrase.article {
        Some(article) => (article.start, format!("{} {word}{glued}", article.before(word))),
        None => (phrase.lead, format!("{word}{glued}")),
    }
}

/// `30–44 years old`, from where on; nothing where the age lies between ranges.
fn range(phrase: &Phrase<'_>, ranges: &Ranges, language: Language) -> Option<(usize, String)> {
    let of = |years| ranges.locate(Quantity::whole(years));
    let number = match (of(phrase.low), of(phrase.high)) {
        (Bucket::In(min, _), Bucket::In(_, max)) => format!("{min}–{max}"),
        (Bucket::In(min, _) | Bucket::Above(min, _), Bucket::Above(..)) => format!("{min}+"),
        (Bucket::Below(_), Bucket::Below(min)) => format!("<{min}"),
        (Bucket::Below(_), Bucket::In(_, max)) => format!("0–{max}"),
        _ => return None,
    };
    let tail = match phrase.kind {
        Kind::Short => "-year-old".to_owned(),
        Kind::ShortAlone => format!(" {}", language.years()),
        Kind::Glued => " ".to_owned(),
        Kind::Birth | Kind::Decade => String::new(),
        Kind::Plain | Kind::German(_) => phrase.tail.to_owned(),
    };
    let text = format!("{number}{tail}");
    Some(match (phrase.article, phrase.kind) {
        (Some(article), _) => (article.start, format!("{} {text}", article.before(&text))),
        (None, Kind::Birth | Kind::Decade) => (phrase.lead, text),
        (None, _) => (phrase.start, text),
    })
}
