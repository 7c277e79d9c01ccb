//! A queue that is bounded in messages and in bytes.
//!
//! In: items with their size. Out: the same, in order. Invariant: what waits is at most the limit in both measures; an
//! item larger than the byte limit passes alone. A sender that finds no room waits, which is how a slow reader slows
//! its writer down. Not here: what the items are.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// How much may wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limit {
    pub(crate) messages: usize,
    pub(crate) bytes: usize,
}

/// The other end is gone, or there is no room and waiting was not allowed.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub(crate) enum SendError {
    #[error("the receiver is gone")]
    Closed,
    #[error("the queue is full")]
    Full,
}

/// Part of a byte limit that an item takes up until this is dropped.
#[derive(Debug)]
pub(crate) struct Hold(#[expect(dead_code, reason = "held for its drop")] Option<OwnedSemaphorePermit>);

/// A byte limit that several holders share.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    bytes: Arc<Semaphore>,
    limit: usize,
}

impl Budget {
    pub(crate) fn new(limit: usize) -> Self {
        let limit = limit.clamp(1, u32::MAX as usize);
        Self { bytes: Arc::new(Semaphore::new(limit)), limit }
    }

    /// What an item of `bytes` takes: never more than there is, so that the largest still passes.
    fn share(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.clamp(1, self.limit)).unwrap_or(u32::MAX)
    }

    /// Waits until there is room for `bytes`. `None` once the budget is closed.
    pub(crate) async fn hold(&self, bytes: usize) -> Option<Hold> {
        let permit = Arc::clone(&self.bytes).acquire_many_owned(self.share(bytes)).await;
        permit.ok().map(|permit| Hold(Some(permit)))
    }

    fn try_hold(&self, bytes: usize) -> Option<Hold> {
        let permit = Arc::clone(&self.bytes).try_acquire_many_owned(self.share(bytes));
        permit.ok().map(|permit| Hold(Some(permit)))
    }
}

/// The sending end. Cheap to clone.
#[derive(Debug)]
pub(crate) struct Sender<T> {
    queue: mpsc::Sender<(T, Hold)>,
    budget: Budget,
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Self { queue: self.queue.clone(), budget: self.budget.clone() }
    }
}

impl<T> Sender<T> {
    /// Waits for room and queues the item.
    pub(crate) async fn send(&self, item: T, bytes: usize) -> Result<(), SendError> {
        let hold = self.budget.hold(bytes).await.ok_or(SendError::Closed)?;
        self.queue.send((item, hold)).await.map_err(|_| SendError::Closed)
    }

    /// Queues the item if there is room at once.
    pub(crate) fn try_send(&self, item: T, bytes: usize) -> Result<(), SendError> {
        if self.queue.is_closed() {
            return Err(SendError::Closed);
        }
        let hold = self.budget.try_hold(bytes).ok_or(SendError::Full)?;
        self.queue.try_send((item, hold)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => SendError::Full,
            mpsc::error::TrySendError::Closed(_) => SendError::Closed,
        })
    }
}

/// The receiving end. Dropping it wakes every waiting sender.
#[derive(Debug)]
pub(crate) struct Receiver<T> {
    queue: mpsc::Receiver<(T, Hold)>,
    budget: Budget,
}

impl<T> Receiver<T> {
    /// The next item, with the room that it takes until the hold is dropped. `None` when all senders are gone.
    pub(crate) async fn recv(&mut self) -> Option<(T, Hold)> {
        self.queue.recv().await
    }
}

impl<T> Drop for Receiver<T> {
    fn drop(&mut self) {
        self.budget.bytes.close();
    }
}

/// A queue of at most `limit`.
pub(crate) fn mailbox<T>(limit: Limit) -> (Sender<T>, Receiver<T>) {
    let (sender, receiver) = mpsc::channel(limit.messages.max(1));
    let budget = Budget::new(limit.bytes);
    (Sender { queue: sender, budget: budget.clone() }, Receiver { queue: receiver, budget })
}

#[cfg(test)]
mod tests {
    use super::{Limit, SendError, mailbox};

    #[tokio::test]
    async fn a_full_queue_takes_no_more_in_either_measure() {
        let (sender, mut receiver) = mailbox(Limit { messages: 2, bytes: 10 });
        assert_eq!(sender.try_send('a', 4), Ok(()));
        assert_eq!(sender.try_send('b', 7), Err(SendError::Full), "bytes");
        assert_eq!(sender.try_send('b', 1), Ok(()));
        assert_eq!(sender.try_send('c', 1), Err(SendError::Full), "messages");
        let (first, hold) = receiver.recv().await.expect("an item");
        assert_eq!(first, 'a');
        assert_eq!(sender.try_send('d', 7), Err(SendError::Full), "the first is still held");
        drop(hold);
        assert_eq!(sender.try_send('d', 7), Ok(()));
    }

    #[tokio::test]
    async fn an_item_over_the_byte_limit_passes_alone() {
        let (sender, mut receiver) = mailbox(Limit { messages: 8, bytes: 10 });
        assert_eq!(sender.send('a', 1000).await, Ok(()));
        assert_eq!(sender.try_send('b', 1), Err(SendError::Full));
        drop(receiver.recv().await);
        assert_eq!(sender.try_send('b', 1), Ok(()));
    }

    #[tokio::test]
    async fn a_receiver_that_leaves_wakes_who_waits_for_room() {
        let (sender, receiver) = mailbox(Limit { messages: 8, bytes: 10 });
        assert_eq!(sender.try_send('a', 10), Ok(()));
        let waiting = tokio::spawn(async move { sender.send('b', 5).await });
        tokio::task::yield_now().await;
        drop(receiver);
        assert_eq!(waiting.await.expect("no panic"), Err(SendError::Closed));
    }
}
