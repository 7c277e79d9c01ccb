//! Cards, accounts and amounts: `{{CARD}}`, `****1111`, `$####`.
//!
//! In: a financial value. Out: what stands for it. Masked accounts show their last four characters, those of four or
//! fewer none; masked amounts show their currency. Invariant: no mask tells how long a value is.

use cloakgate_detect::number_words;
use cloakgate_vocab::Category;

use super::{Choice, Outcome, Replacement, Spot, What, placeholder};
use crate::text::profile::{FinancialLabel, FinancialOption};
use crate::text::session::TextSession;

/// How many characters of an account a mask shows.
const SHOWN: usize = 4;

/// What stands for a financial value.
pub(super) fn cloak(spot: &Spot<'_>, choice: &Choice<'_>, session: &mut TextSession) -> Outcome {
    match choice.profile.financial {
        FinancialOption::Keep | FinancialOption::Block => Ok(None),
        FinancialOption::Mask => Ok(Some(Replacement::shared(spot, mask(spot)))),
        FinancialOption::Placeholder => {
            let label = match choice.profile.financial_label {
                FinancialLabel::Specific => label(spot.what),
                FinancialLabel::Generic => "FINANCIAL",
            };
            placeholder::cloak(spot, label, choice.profile, session)
        }
    }
}

/// What a placeholder says.
fn label(what: What) -> &'static str {
    match what {
        What::Found(Category::CreditCard) => "CARD",
        What::Found(Category::Iban) => "IBAN",
        What::Found(Category::BankAccount) => "ACCOUNT",
        What::Found(Category::CryptoWallet) => "WALLET",
        What::Found(Category::Money) => "AMOUNT",
        What::CardCode => "CARD_CVV",
        What::CardExpiry => "CARD_EXPIRY",
        What::Pin => "PIN",
        What::Found(_) | What::Pronoun | What::Term(_) => "FINANCIAL",
    }
}

fn mask(spot: &Spot<'_>) -> String {
    match spot.what {
        What::Found(Category::Money) => amount(spot.written()),
        What::CardCode => "***".to_owned(),
        What::CardExpiry => "**/**".to_owned(),
        What::Found(_) => account(spot.value),
        What::Pin | What::Pronoun | What::Term(_) => "****".to_owned(),
    }
}

/// `****1111`
fn account(value: &str) -> String {
    let characters = || value.chars().filter(|c| c.is_alphanumeric());
    let count = characters().count();
    let last: String = characters().skip(count.saturating_sub(SHOWN)).filter(|_| count > SHOWN).collect();
    format!("****{last}")
}

/// `$####`, `#### dollars`: the number goes, with the words that make it large.
fn amount(written: &str) -> String {
    const MASK: &str = "####";
    if let Some((_, len)) = number_words(written) {
        return format!("{MASK}{}", written.get(len..).unwrap_or_default());
    }
    let digit = |c: char| c.is_numeric();
    let (Some(first), Some(last)) = (written.find(digit), written.rfind(digit)) else {
        return MASK.to_owned();
    };
    let after = written.get(last..).unwrap_or_default();
    let tail = after.get(after.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
    // `,-`, `k`, ` million`, ` Mio.`
    let tail = tail.strip_prefix(",-").or_else(|| tail.strip_prefix(".-")).unwrap_or(tail);
    let rest = tail.trim_start_matches([' ', '\u{a0}', '-']);
    let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    let word = rest.get(..end).unwrap_or_default();
    let tail =
        if is_multiple(word) { rest.get(end..).unwrap_or_default().trim_start_matches('.') } else { tail };
    format!("{}{MASK}{tail}", written.get(..first).unwrap_or_default())
}

/// Words for large numbers.
fn is_multiple(word: &str) -> bool {
    const MULTIPLES: &[&str] = &[
        "k",
        "m",
        "mm",
        "bn",
        "mn",
        "b",
        "mio",
        "mrd",
        "tsd",
        "thousand",
        "million",
        "billion",
        "trillion",
        "millionen",
        "milliarden",
        "millions",
        "milliards",
        "millones",
        "milioni",
        "miljoen",
        "mil",
        "lakh",
        "crore",
        "万",
        "億",
    ];
    MULTIPLES.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::{account, amount};

    #[test]
    fn masks_show_currency_and_last_characters_only() {
        for (value, masked) in [
            ("$5,400", "$####"),
            ("USD 5,400.00", "USD ####"),
            ("€1.234,56", "€####"),
            ("85k", "####"),
            ("$5M", "$####"),
            ("3.5 million euros", "#### euros"),
            ("five thousand dollars", "#### dollars"),
            ("€ 20 Mio.", "€ ####"),
            ("1 850 000 Kč", "#### Kč"),
            ("12 kr", "#### kr"),
        ] {
            assert_eq!(amount(value), masked, "{value}");
        }
        for (value, masked) in [
            ("4111 1111 1111 1111", "****1111"),
            ("DE89 3704 0044 0532 0130 00", "****3000"),
            ("1234", "****"),
            ("12345678", "****5678"),
        ] {
            assert_eq!(account(value), masked, "{value}");
        }
    }
}
