//! Any text through the engine with all categories: no panic, findings in order, apart, in range and on character
//! boundaries.
//!
//! `cargo +nightly fuzz run detect_scan`
#![no_main]

use std::sync::LazyLock;

use cloakgate_detect::{CategorySet, Engine, Field, FieldKind, Hints, Settings};
use libfuzzer_sys::fuzz_target;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| Engine::new(Settings { categories: CategorySet::all() }));

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    check(&Field::text(&text));
    // the first line as the key of the rest
    if let Some((key, value)) = text.split_once('\n') {
        let siblings = Hints::of_keys(["email", "name"].into_iter());
        check(&Field { text: value, kind: FieldKind::Text, key: Some(key), siblings });
    }
});

fn check(field: &Field<'_>) {
    let mut end = 0;
    for finding in ENGINE.scan(field) {
        let hull = finding.hull();
        assert!(!hull.is_empty() && hull.start() >= end && hull.of(field.text).is_some(), "{finding:?}");
        end = hull.end();
        let mut piece_end = 0;
        for piece in &finding.pieces {
            assert!(!piece.is_empty() && piece.start() >= piece_end && piece.of(field.text).is_some());
            piece_end = piece.end();
        }
    }
}
