//! Counts steps in tests, so that they can tell linear work from more; elsewhere it does nothing.
//!
//! In: how many bytes or groups a look is about to read. Out: the sum, in tests. Invariant: each look that is longer
//! than a few bytes is counted. Not here: clocks.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts steps.
#[inline]
pub(crate) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.with(|all| all.set(all.get() + steps));
    #[cfg(not(test))]
    let _ = steps;
}

/// The steps of some work.
#[cfg(test)]
pub(crate) fn steps_of(work: impl FnOnce()) -> usize {
    STEPS.with(|all| all.set(0));
    work();
    STEPS.with(std::cell::Cell::get)
}

#[cfg(test)]
mod tests {
    use cloakgate_vocab::Category;

    use super::steps_of;
    use crate::engine::{Engine, Field};
    use crate::known::{KnownKey, KnownValues, Reach, admit};
    use crate::settings::{CategorySet, Settings};

    const SIZE: usize = 6_000;

    /// Steps for each byte of a unit that is repeated.
    fn steps_per_byte(unit: &str, size: usize, known: &[&KnownValues]) -> f64 {
        let engine = Engine::new(Settings { categories: CategorySet::all() });
        let text = unit.repeat(size / unit.len() + 1);
        let steps = steps_of(|| drop(engine.scan_known(&Field::text(&text), known, None)));
        steps as f64 / text.len() as f64
    }

    /// Four times the text takes four times the steps, and not too many of them.
    fn check(unit: &str, most: f64, known: &[&KnownValues]) {
        let (one, four) = (steps_per_byte(unit, SIZE, known), steps_per_byte(unit, 4 * SIZE, known));
        assert!(four <= 1.3 * one + 1.0, "{unit:?}: {one} steps a byte, then {four}");
        assert!(four <= most, "{unit:?}: {four} steps a byte");
    }

    #[test]
    fn keys_without_line_breaks_take_linear_work() {
        let keys = [
            "password",
            "secret",
            "token",
            "api_key",
            "email",
            "full_name",
            "street",
            "address",
            "phone",
            "dob",
            "iban",
            "ssn",
            "name",
            "passport",
            "assignee",
            "zip",
        ];
        let joints = [
            "=",
            ":",
            ": ",
            "=\"",
            "='",
            "\":\"",
            "=>",
            "=“",
            "=x&",
            "=a0&",
            "=<",
            "=(",
            " is ",
            "=AbCdEf0123&",
        ];
        for key in keys {
            for joint in joints {
                check(&format!("{key}{joint}"), 120.0, &[]);
            }
            check(&format!("\"{key}\":"), 120.0, &[]);
            check(&format!("<{key}>"), 120.0, &[]);
            check(&format!("?{key}=a0&{key}=a1"), 120.0, &[]);
        }
        for row in [
            "{\"email\":\"u0@example.eu\",\"email\":\"u1@example.eu\"},",
            "{\"full_name\":\"Marie Dubois\",\"phone\":\"+33612345678\"},",
            "token=0123456789abcdefABCDEF;token=",
        ] {
            check(row, 120.0, &[]);
        }
    }

    #[test]
    fn runs_of_digits_take_linear_work() {
        for unit in [
            "1-", "1 ", "1.", "1/", "1+", "1(", "12 ", "0 ", "00 ", "1234 ", "202-", "(202) ", "+1 ", "+1",
            "1\u{a0}", "4111-", "8 ", "1",
        ] {
            check(unit, 60.0, &[]);
        }
    }

    #[test]
    fn names_beside_other_things_take_linear_work() {
        for unit in [
            "\n\nMarie Dubois\nm@example.org\n",
            "Marie Dubois m.dubois@example.org ",
            "user: Marie Dubois, Marie, ",
            "担当者:山田太郎,太郎\n",
            "users:\n- Marie Dubois users:\n- Bob Ray ",
            "Attendees: Marie Dubois, Bob Ray and ",
            "<th>Full name</th>",
            "<tr><th>Full name</th><th>x</th>",
            "{\"user\":{\"name\":\"Marie Dubois\",",
            "{\"a\":1,\"name\":\"Marie Dubois\"},",
        ] {
            check(unit, 240.0, &[]);
        }
    }

    #[test]
    fn many_values_that_begin_alike_take_one_look_together() {
        let key = KnownKey::new([9; 16]);
        let mut known = KnownValues::new(key);
        for length in 1..200 {
            let value = format!("ada@{}.example.org", "x".repeat(length));
            known
                .insert(admit(&key, Category::Email, &value, None, Reach::Everywhere).expect("checked kind"));
        }
        check("ada@xxxx ", 120.0, &[&known]);
        check("ada@xx é ", 120.0, &[&known]);
        check("bob@xx é ", 30.0, &[&known]);
    }

    #[test]
    fn secrets_are_covered_to_their_end_once() {
        let engine = Engine::default();
        let letters: Vec<char> = ('0'..='9').chain('a'..='z').chain('A'..='Z').collect();
        let secret: String = (0..2000).map(|at: usize| letters[(at * at + 7 * at / 3) % 61]).collect();
        let text = format!("token={secret}, then");
        let found = engine.scan(&Field::text(&text));
        assert_eq!(found.first().map(|finding| finding.hull().len()), Some(secret.len()));
        let text = format!("token=\"{secret}\" then");
        let found = engine.scan(&Field::text(&text));
        assert_eq!(found.first().map(|finding| finding.hull().len()), Some(secret.len()));
        check("token=q7Zt8uJ9;", 120.0, &[]);
    }
}
