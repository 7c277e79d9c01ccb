//! Keeps messages in the order in which they came, although what is done to them takes different times.
//!
//! In: turns, taken one after the other. Out: each turn becomes ready when all before it have ended. Invariant: a turn
//! that is dropped unused hands on what it was waiting for, so nothing overtakes and nothing hangs. Not here: what
//! is done in a turn.

use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

/// What a turn waits for: the end of the turn before it, which may name an earlier one instead.
#[derive(Debug, Default)]
struct Gate(Option<oneshot::Receiver<Gate>>);

/// Hands out turns.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    last: Mutex<Gate>,
}

impl Turns {
    /// The turn after all that were taken so far.
    pub(crate) fn take(&self) -> Turn {
        let (end, next) = oneshot::channel();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *last, Gate(Some(next)));
        Turn { before, end: Some(end) }
    }
}

/// A place in the order. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    before: Gate,
    end: Option<oneshot::Sender<Gate>>,
}

impl Turn {
    /// Waits until every earlier turn has ended. Safe to drop half-way.
    pub(crate) async fn ready(&mut self) {
        while let Some(before) = &mut self.before.0 {
            // A sender never goes without sending, since `drop` below sends.
            self.before = before.await.unwrap_or_default();
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            let _last_of_all = end.send(std::mem::take(&mut self.before));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::Turns;

    #[tokio::test(start_paused = true)]
    async fn turns_end_in_the_order_in_which_they_were_taken() {
        let turns = Turns::default();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for (number, delay) in [(1, 30), (2, 0), (3, 10)] {
            let (mut turn, order) = (turns.take(), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                tokio::time::sleep(Duration::from_millis(delay)).await;
                turn.ready().await;
                order.lock().expect("no panic").push(number);
            }));
        }
        for task in tasks {
            task.await.expect("no panic");
        }
        assert_eq!(*order.lock().expect("no panic"), [1, 2, 3]);
    }

    #[tokio::test]
    async fn a_turn_that_is_given_up_lets_nobody_overtake() {
        let turns = Turns::default();
        let (first, second, mut third) = (turns.take(), turns.take(), turns.take());
        drop(second);
        assert!(tokio::time::timeout(Duration::from_millis(20), third.ready()).await.is_err());
        drop(first);
        third.ready().await;
    }
}
