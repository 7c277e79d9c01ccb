//! Texts of several people, and clients that send them until they are told to stop or hear nothing more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use crate::connection::{Acknowledged, Lost};
use crate::process::{PATIENCE, Service};

/// Clients at once.
pub(crate) const CLIENTS: usize = 6;

/// An invented text; every number has another one.
pub(crate) fn text(number: usize) -> String {
    let first = ["Alice", "Robert", "Maria", "Kenji", "Fatima", "Lukas", "Grace"][number % 7];
    let last = ["Johnson", "Keller", "Moreau", "Tanaka", "Novak"][number % 5];
    let city = ["Lyon", "Berlin", "Osaka"][number % 3];
    let age = 20 + number % 60;
    format!(
        "Note {number}: {first} {last} from {city} is {age} years old.\n\
         Mail: {mail}; phone +1 415 555 {phone:04}; last seen from 203.0.113.{host}.\n\
         {first} said \"call me back\", twice; the card ends in {number}, 100 % sure.\n",
        mail = mail(number),
        phone = number % 10_000,
        host = number % 256,
    )
}

/// A value of a text that must never be shown.
pub(crate) fn mail(number: usize) -> String {
    format!("person.{number}@example.org")
}

/// What came of clients whose service went away.
pub(crate) struct Outcome {
    pub(crate) acknowledged: Vec<Acknowledged>,
    /// How each of them learned of it.
    pub(crate) ends: Vec<Lost>,
}

/// Clients that cloak without a pause, each third text in the session of the one before, until their connection ends.
/// `disturb` is called once so many texts were acknowledged.
pub(crate) fn until_it_ends(
    service: &mut Service,
    key: &str,
    enough: usize,
    disturb: impl FnOnce(&mut Service),
) -> Outcome {
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (mut connection, done) = (service.connect(), &done);
                scope.spawn(move || {
                    let mut acknowledged: Vec<Acknowledged> = Vec::new();
                    for number in 0.. {
                        let before = acknowledged.last().filter(|_| number % 3 == 2);
                        let id = before.map(|before| before.id.clone());
                        match connection.cloak(key, &text(client * 10_000 + number), id.as_deref()) {
                            Ok(text) => acknowledged.push(text),
                            Err(lost) => return (acknowledged, lost),
                        }
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    unreachable!("numbers do not end")
                })
            })
            .collect();
        let end = Instant::now() + PATIENCE;
        while done.load(Ordering::Relaxed) < enough && !clients.iter().any(ScopedJoinHandle::is_finished) {
            assert!(Instant::now() < end, "only {} texts in time", done.load(Ordering::Relaxed));
            std::thread::sleep(Duration::from_millis(5));
        }
        disturb(service);
        let mut outcome = Outcome { acknowledged: Vec::new(), ends: Vec::new() };
        for client in clients {
            let (acknowledged, lost) = client.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            outcome.acknowledged.extend(acknowledged);
            outcome.ends.push(lost);
        }
        outcome
    })
}

/// Holds that every text comes back exactly.
pub(crate) fn all_come_back(service: &Service, key: &str, texts: &[Acknowledged]) {
    let share = texts.len().div_ceil(CLIENTS).max(1);
    std::thread::scope(|scope| {
        for texts in texts.chunks(share) {
            let mut connection = service.connect();
            scope.spawn(move || texts.iter().for_each(|text| connection.restores(key, text)));
        }
    });
}
