//! What models do to cloaked texts about several people, and what is restored: a table of rates, printed with
//! `--nocapture`. All people, texts and ways are invented.

mod cases;
mod judge;
pub(crate) mod marked;
mod people;
mod texts;
mod ways;

use std::collections::BTreeMap;
use std::thread;

use super::{Mode, uncloak};
use judge::{Verdict, judge};
use people::{Chooser, Person};
use texts::{Language, record};
use ways::{OPEN, TRAPS, WAYS};

/// Records in all; each comes back in some of the ways.
const RECORDS: usize = 2_400;
/// Ways in which each record comes back.
const WAYS_EACH: usize = 3;

#[derive(Clone, Copy, Default)]
struct Row {
    strict: [u32; 3],
    lenient: [u32; 3],
}

/// A way, the cloaked text and what came out, for the first of each kind that is not exact.
type Samples = Vec<(&'static str, String)>;

fn run(part: usize, parts: usize) -> (BTreeMap<&'static str, Row>, Samples) {
    let mut rows: BTreeMap<&'static str, Row> = BTreeMap::new();
    let mut samples = Samples::new();
    for number in (0..RECORDS).filter(|number| number % parts == part) {
        let mut chooser = Chooser::new(number as u64);
        let language = &Language::ALL[number % Language::ALL.len()];
        let people = Person::some(&mut chooser, language);
        let record = record(&people, language, &mut chooser);
        let session = record.session(number as u8, &people);
        for turn in 0..WAYS_EACH {
            let (name, way) = WAYS[(number / Language::ALL.len() * WAYS_EACH + turn) % WAYS.len()];
            let Some(message) = way(&record, &people, language, &mut chooser) else { continue };
            let row = rows.entry(name).or_default();
            for mode in [Mode::Strict, Mode::Lenient] {
                let came = uncloak(&message.cloaked(), &session, mode);
                let verdict = judge(&message, &came.text);
                let counts = if mode == Mode::Strict { &mut row.strict } else { &mut row.lenient };
                counts[verdict as usize] += 1;
                let matters =
                    verdict == Verdict::Wrong || (mode == Mode::Lenient && verdict == Verdict::Safe);
                let kept = samples.iter().filter(|(other, _)| *other == name).count();
                if matters && (kept < 40 || verdict == Verdict::Wrong) {
                    let all = format!(
                        "{mode:?} {verdict:?}\n   was: {}\n  back: {}\n  came: {}\n  want: {}",
                        record.message.cloaked(),
                        message.cloaked(),
                        came.text,
                        message.original()
                    );
                    samples.push((name, all));
                }
            }
        }
    }
    (rows, samples)
}

#[test]
fn nothing_is_wrong_and_nearly_all_is_exact() {
    let parts = 2;
    let handles: Vec<_> = (0..parts).map(|part| thread::spawn(move || run(part, parts))).collect();
    let mut rows: BTreeMap<&'static str, Row> = BTreeMap::new();
    let mut samples = Samples::new();
    for handle in handles {
        let (part, some) = handle.join().unwrap();
        for (name, row) in part {
            let sum = rows.entry(name).or_default();
            for kind in 0..3 {
                sum.strict[kind] += row.strict[kind];
                sum.lenient[kind] += row.lenient[kind];
            }
        }
        samples.extend(some);
    }
    println!("{:<44} {:>5}  strict ex/safe/wrong %   lenient ex/safe/wrong %", "what came back", "n");
    let (mut all, mut open) = ([0u32; 3], [0u32; 3]);
    for (name, _) in WAYS {
        let row = rows.get(name).copied().unwrap_or_default();
        let rate = |counts: [u32; 3]| {
            let total = counts.iter().sum::<u32>().max(1);
            counts.map(|count| format!("{:.1}", 100.0 * f64::from(count) / f64::from(total))).join("/")
        };
        println!(
            "{name:<44} {:>5}  {:<24} {}",
            row.strict.iter().sum::<u32>(),
            rate(row.strict),
            rate(row.lenient)
        );
        if !TRAPS.contains(name) {
            let sum = if OPEN.contains(name) { &mut open } else { &mut all };
            sum.iter_mut().zip(row.lenient).for_each(|(sum, count)| *sum += count);
        }
    }
    let wanted: usize = std::env::var("UNCLOAK_SAMPLES").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    for (name, sample) in samples.iter().take(wanted) {
        println!("--- {name}: {sample}");
    }
    let strict_wrong: u32 = rows.values().map(|row| row.strict[Verdict::Wrong as usize]).sum();
    assert_eq!(strict_wrong, 0, "wrong in strict");
    let total: u32 = all.iter().sum();
    println!("{total} in lenient without traps: {all:?}");
    let wrong = all[Verdict::Wrong as usize] + open[Verdict::Wrong as usize];
    assert!(wrong * 1000 <= total, "wrong in lenient: {all:?} {open:?}");
    assert!(all[Verdict::Exact as usize] * 100 >= total * 99, "exact in lenient: {all:?}");
}
