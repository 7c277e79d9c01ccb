//! United States social security numbers.
//!
//! Issuer: Social Security Administration. Format: positions 1-3 area, 4-5 group, 6-9 serial, written
//! `ddd-dd-dddd` or with blanks; nine digits in a row count only beside a word that says so.
//! Check rule: there is no check digit; area 000, 666 and 900-999, group 00 and serial 0000 are never issued.
//! `219-09-9998`: area 219, group 09, serial 9998, all possible. `666-12-3456` and `219-00-9999` are not.
//! Source: SSA, "Social Security Number Randomization" (2011) and POMS RM 10201.
//!
//! Invariant: exactly three groups of 3, 2, 4 digits or one of 9. Not here: part numbers by key word.

use cloakgate_vocab::{Category, Strength};

use super::Hit;
use super::boundary::before;
use super::digits::{Cue, Groups, NO_BREAK, Taken};

/// True for nine digits (ASCII or values) that the authority can have issued.
fn ssn(digits: &[u8]) -> bool {
    let number = |part: &[u8]| part.iter().fold(0_u32, |value, &digit| value * 10 + u32::from(digit & 0x0F));
    let (Some(area), Some(group), Some(serial), 9) =
        (digits.get(..3), digits.get(3..5), digits.get(5..), digits.len())
    else {
        return false;
    };
    !matches!(number(area), 0 | 666 | 900..) && number(group) != 0 && number(serial) != 0
}

/// Reports the numbers among the groups and marks their groups as taken.
pub(super) fn find(groups: &Groups<'_>, cue: Cue, taken: &mut Taken, out: &mut Vec<Hit>) {
    for first in 0..groups.len() {
        let Some(last) = last_group(groups, first, cue) else { continue };
        let digits = groups.digits(first, last);
        let untouched = (first..=last).all(|group| !taken.has(group));
        if untouched && ssn(digits.as_slice()) && stands_alone(groups, first, last) {
            let strength = if cue == Cue::Ssn { Strength::Context } else { Strength::Shape };
            out.push(groups.hit((first, last), Category::Ssn, "ssn", strength));
            taken.add(first, last);
        }
    }
}

fn last_group(groups: &Groups<'_>, first: usize, cue: Cue) -> Option<usize> {
    if groups.width(first) == 9 && cue == Cue::Ssn {
        return Some(first);
    }
    let last = first + 2;
    if last >= groups.len() || (groups.width(first), groups.width(first + 1), groups.width(last)) != (3, 2, 4)
    {
        return None;
    }
    let separator = groups.joint(last);
    let dashed = separator == b"-" || (cue == Cue::Ssn && matches!(separator, b"." | b"/"));
    (separator == groups.joint(first + 1) && (dashed || matches!(separator, b" " | NO_BREAK))).then_some(last)
}

/// Part numbers go on with `-A`, digital object identifiers begin with `10.1000/`, file names with a letter.
fn stands_alone(groups: &Groups<'_>, first: usize, last: usize) -> bool {
    let start = groups.start(first);
    let glued = matches!(before(groups.text, start), b'-' | b'/' | b'.' | b'+' | b'$');
    // the middle of a number of another country: `+55 800 12 9737`
    let inside = first > 0 && before(groups.text, groups.start(0)) == b'+';
    let apart = !inside && (!glued || groups.joint(first).ends_with(b" "));
    apart && groups.clear_left(first) && groups.clear_right(last) && !groups.continues_right(last, b"-./")
}

#[cfg(test)]
mod tests {
    use super::super::tests::check_digit_runs;
    use super::Cue;
    use cloakgate_vocab::Category::Ssn;

    #[test]
    fn formatted_numbers_need_no_cue() {
        check_digit_runs(
            Ssn,
            Cue::None,
            &[
                "ssn «219-09-9998».",
                "«219 09 9998»",
                "é«219-09-9998»é",
                "x,«219-09-9998»,5",
                "reference #«219-09-9998» needs",
                "\"«001-01-0001»\"",
                "000-12-3456",
                "666-12-3456",
                "900-12-3456",
                "219-00-9999",
                "219-09-0000",
                "219-09-999",
                "219-09-99981",
                "137-58-5847-A",
                "137-58-5847-1",
                "doi:10.1461/668-23-6013",
                "A-219-09-9998",
                "219-09 9998",
                "+55 219 09 9998",
                "219099998",
                "a219-09-9998",
                "219-09-9998b",
                "1-219-09-9998",
            ],
        );
    }

    #[test]
    fn plain_digits_need_a_cue() {
        check_digit_runs(
            Ssn,
            Cue::Ssn,
            &["«219099998»", "«219-09-9998»", "«219.09.9998»", "21909999", "2190999981", "000123456"],
        );
    }
}
