//! How long a server that has stopped is left alone before it is started again.
//!
//! In: the moments at which it stopped. Out: a pause. Invariant: pauses double up to a limit; a server that stops too
//! often in a short time gets a long one. Not here: waiting.

use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The first pause.
pub(super) const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// The longest pause in the ordinary course.
pub(super) const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Stops within the window after which the server is left alone.
pub(super) const MAX_STOPS: usize = 5;
/// Over which time stops are counted; who serves that long starts afresh.
pub(super) const WINDOW: Duration = Duration::from_secs(60);
/// How long a server that stops too often is left alone.
pub(super) const OPEN_PAUSE: Duration = Duration::from_secs(60);

/// What comes next.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Next {
    /// It is started again after this long.
    After(Duration),
    /// It has stopped too often; it is started again after this long.
    TooOften(Duration),
}

/// The memory of one server's stops.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    stops: VecDeque<Instant>, // within the window; at most MAX_STOPS
    in_a_row: u32,
}

impl Backoff {
    /// Notes a stop after `served`; `None` when the server never came to serve.
    pub(super) fn stopped(&mut self, now: Instant, served: Option<Duration>) -> Next {
        if served.is_some_and(|served| served >= WINDOW) {
            self.in_a_row = 0;
        }
        while self.stops.front().is_some_and(|stop| now.duration_since(*stop) > WINDOW) {
            self.stops.pop_front();
        }
        self.stops.push_back(now);
        let doubled = FIRST_PAUSE.saturating_mul(2u32.saturating_pow(self.in_a_row));
        self.in_a_row = self.in_a_row.saturating_add(1);
        if self.stops.len() >= MAX_STOPS {
            self.stops.clear();
            return Next::TooOften(OPEN_PAUSE);
        }
        Next::After(doubled.min(LONGEST_PAUSE))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Backoff, LONGEST_PAUSE, Next, OPEN_PAUSE};

    #[test]
    fn pauses_double_and_the_fifth_stop_in_a_minute_is_one_too_many() {
        let mut backoff = Backoff::default();
        let mut now = Instant::now();
        for milliseconds in [500, 1000, 2000, 4000] {
            let pause = Duration::from_millis(milliseconds);
            assert_eq!(backoff.stopped(now, None), Next::After(pause));
            now += pause;
        }
        assert_eq!(backoff.stopped(now, Some(Duration::from_secs(1))), Next::TooOften(OPEN_PAUSE));
        now += OPEN_PAUSE;
        assert_eq!(backoff.stopped(now, None), Next::After(Duration::from_secs(16)));
        now += Duration::from_secs(61);
        assert_eq!(backoff.stopped(now, None), Next::After(LONGEST_PAUSE));
    }

    #[test]
    fn who_served_for_long_starts_afresh() {
        let mut backoff = Backoff::default();
        let mut now = Instant::now();
        for _ in 0..10 {
            assert_eq!(
                backoff.stopped(now, Some(Duration::from_secs(61))),
                Next::After(Duration::from_millis(500))
            );
            now += Duration::from_secs(62);
        }
    }
}
