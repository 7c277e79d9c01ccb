//! Writes a value in the case in which its stand-in came back.

use crate::text::Field;

/// The value as the text writes its stand-in: in capitals, in small letters, with a capital first, or as it was.
/// `shown` is how the stand-in was written when it went.
pub(crate) fn follow(written: &str, shown: &str, original: &str, field: Field) -> String {
    let has_upper = |text: &str| text.contains(char::is_uppercase);
    let has_lower = |text: &str| text.contains(char::is_lowercase);
    let letters = written.chars().filter(|letter| letter.is_alphabetic()).count();
    let is_placeholder = shown.contains(['{', '[', '_', '<']) || !has_lower(shown);
    if written == shown || is_placeholder || letters == 0 {
        return original.to_owned();
    }
    if has_upper(written) && !has_lower(written) && letters > 1 {
        return original.to_uppercase();
    }
    let proper =
        matches!(field, Field::Name | Field::Location | Field::Organization | Field::Email | Field::Url);
    if !has_upper(written) && has_upper(shown) && proper {
        return original.to_lowercase();
    }
    let mut first = original.chars();
    match first.next() {
        Some(letter)
            if !has_upper(shown) && written.starts_with(char::is_uppercase) && letter.is_lowercase() =>
        {
            letter.to_uppercase().chain(first).collect()
        }
        _ => original.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::follow;
    use crate::text::Field;

    #[test]
    fn case_is_followed() {
        for (written, shown, original, field, expected) in [
            ("Yuki Tanaka", "Yuki Tanaka", "Alice McDonald", Field::Name, "Alice McDonald"),
            ("YUKI TANAKA", "Yuki Tanaka", "Alice Johnson", Field::Name, "ALICE JOHNSON"),
            ("yuki tanaka", "Yuki Tanaka", "Alice Johnson", Field::Name, "alice johnson"),
            ("Yuki tanaka", "Yuki Tanaka", "Alice Johnson", Field::Name, "Alice Johnson"),
            ("{{name}}", "{{NAME}}", "Alice Johnson", Field::Name, "Alice Johnson"),
            ("Chronic illness", "chronic illness", "asthma", Field::Medical, "Asthma"),
            ("chronic illness", "Chronic illness", "Asthma", Field::Medical, "Asthma"),
            ("Adult", "adult", "34", Field::Age, "34"),
            ("30-44", "30–44", "34", Field::Age, "34"),
        ] {
            assert_eq!(follow(written, shown, original, field), expected, "{written}");
        }
    }
}
