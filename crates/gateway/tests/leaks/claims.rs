//! Claims by name.

/// Asserts a claim by its name.
#[track_caller]
pub(crate) fn claim(name: &str, holds: bool, seen: &dyn std::fmt::Debug) {
    assert!(holds, "`{name}` does not hold: {seen:?}");
}
