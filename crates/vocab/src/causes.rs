//! An error with what caused it, for logs.

use std::error::Error;

/// An error and its causes on one line. What they say is theirs: whoever writes an error keeps values out of it.
#[must_use]
pub fn causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fmt;

    use super::causes;

    #[derive(Debug)]
    struct Outer(fmt::Error);

    impl fmt::Display for Outer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("outer")
        }
    }

    impl Error for Outer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(&self.0)
        }
    }

    #[test]
    fn causes_follow_their_error() {
        assert_eq!(causes(&fmt::Error), fmt::Error.to_string());
        assert_eq!(causes(&Outer(fmt::Error)), format!("outer: {}", fmt::Error));
    }
}
