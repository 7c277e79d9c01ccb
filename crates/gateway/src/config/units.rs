//! Lengths of time as people write them.

use std::time::Duration;

/// What a length of time may look like, for errors.
pub(super) const DURATION_EXPECTED: &str = "a length of time over zero and up to a day: seconds as a number, or a text such as \"500ms\", \"30s\", \"15m\", \"1h\"";
/// Longest length of time.
pub(super) const LONGEST_SECONDS: u64 = 24 * 60 * 60;
const LONGEST: Duration = Duration::from_secs(LONGEST_SECONDS);
/// What a text looks like, for the schema; it does not know the limit.
pub(super) const TEXT_PATTERN: &str = "^\\s*[0-9]*\\.?[0-9]+\\s*(ms|s|m|h)\\s*$";

/// Reads a bare number of seconds.
pub(super) fn seconds(number: &str) -> Option<Duration> {
    scaled(number, 1.0)
}

/// Reads a number with its unit.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at_checked(unit_at)?;
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    scaled(number.trim_end(), seconds)
}

fn scaled(number: &str, seconds: f64) -> Option<Duration> {
    let number: f64 = number.parse().ok()?;
    let duration = Duration::try_from_secs_f64(number * seconds).ok()?;
    (!duration.is_zero() && duration <= LONGEST).then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("30s", Some(30_000)),
            ("15m", Some(900_000)),
            ("1h", Some(3_600_000)),
            ("500ms", Some(500)),
            ("1.5 s", Some(1_500)),
            ("24h", Some(86_400_000)),
            ("25h", None),
            ("0s", None),
            ("-1s", None),
            ("30", None),
            ("s", None),
            ("30 parsecs", None),
            ("", None),
            ("infs", None),
            ("1e300h", None),
        ] {
            assert_eq!(duration(text), milliseconds.map(Duration::from_millis), "{text}");
        }
        for (number, milliseconds) in [
            ("30", Some(30_000)),
            ("0.25", Some(250)),
            ("0", None),
            ("-3", None),
            ("nan", None),
            ("1e400", None),
        ] {
            assert_eq!(seconds(number), milliseconds.map(Duration::from_millis), "{number}");
        }
    }
}
