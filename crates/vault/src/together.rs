//! Questions that are asked together: whoever asks while a question is under way waits, and all who wait are asked next
//! in one.
//!
//! In: questions of many callers. Out: each caller's own answer. Invariant: at most one question is under way; a caller
//! whose question was lost, because the one who asked for it went away, is told so and asks alone. Not here: SQL.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::oneshot;

/// Questions that one question takes along at most.
const MAX_TOGETHER: usize = 64;

/// Questions of one kind.
pub(crate) struct Together<Q, A> {
    state: Mutex<State<Q, A>>,
}

struct State<Q, A> {
    asking: bool,
    waiting: VecDeque<Waiting<Q, A>>,
}

struct Waiting<Q, A> {
    question: Q,
    teller: oneshot::Sender<Told<A>>,
}

/// What somebody who waits is told.
enum Told<A> {
    Answer(A),
    /// It is on you to ask.
    Ask,
}

/// What became of a question.
pub(crate) enum Outcome<'a, Q, A> {
    /// Somebody else has asked it.
    Answered(A),
    /// Ask these, the caller's own first, and answer them with [`Turn::answer`].
    Ask(Turn<'a, Q, A>),
    /// Ask alone.
    Lost,
}

/// The right to ask. Whoever waits next gets it when it is dropped.
pub(crate) struct Turn<'a, Q, A> {
    all: &'a Together<Q, A>,
    /// The caller's own, then those of others.
    pub(crate) questions: Vec<Q>,
    tellers: Vec<oneshot::Sender<Told<A>>>,
}

impl<Q, A> Default for Together<Q, A> {
    fn default() -> Self {
        Self { state: Mutex::new(State { asking: false, waiting: VecDeque::new() }) }
    }
}

impl<Q: Copy, A> Together<Q, A> {
    /// Waits for an answer, or for the turn to ask.
    pub(crate) async fn join(&self, question: Q) -> Outcome<'_, Q, A> {
        let told = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.asking {
                let (teller, told) = oneshot::channel();
                state.waiting.push_back(Waiting { question, teller });
                Some(told)
            } else {
                state.asking = true;
                None
            }
        };
        let Some(told) = told else { return Outcome::Ask(self.turn(question)) };
        match told.await {
            Ok(Told::Answer(answer)) => Outcome::Answered(answer),
            Ok(Told::Ask) => Outcome::Ask(self.turn(question)),
            Err(_) => Outcome::Lost,
        }
    }

    fn turn(&self, question: Q) -> Turn<'_, Q, A> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let others = state.waiting.len().min(MAX_TOGETHER - 1);
        let (mut questions, mut tellers) = (vec![question], Vec::with_capacity(others));
        for waiting in state.waiting.drain(..others).filter(|waiting| !waiting.teller.is_closed()) {
            questions.push(waiting.question);
            tellers.push(waiting.teller);
        }
        Turn { all: self, questions, tellers }
    }
}

impl<Q, A> Turn<'_, Q, A> {
    /// Tells the others their answers, which are in the order of the questions without the caller's own.
    pub(crate) fn answer(mut self, answers: impl Iterator<Item = A>) {
        for (teller, answer) in self.tellers.drain(..).zip(answers) {
            // Who asked may have gone.
            teller.send(Told::Answer(answer)).ok();
        }
    }
}

impl<Q, A> Drop for Turn<'_, Q, A> {
    fn drop(&mut self) {
        let mut state = self.all.state.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(next) = state.waiting.pop_front() {
            if next.teller.send(Told::Ask).is_ok() {
                return;
            }
        }
        state.asking = false;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Outcome, Together};

    async fn ask(all: &Together<u32, u32>, asked: &AtomicUsize, question: u32) -> u32 {
        match all.join(question).await {
            Outcome::Answered(answer) => answer,
            Outcome::Lost => question + 1,
            Outcome::Ask(turn) => {
                asked.fetch_add(1, Ordering::Relaxed);
                for _ in 0..3 {
                    tokio::task::yield_now().await;
                }
                let answers: Vec<u32> = turn.questions.iter().map(|question| question + 1).collect();
                turn.answer(answers.into_iter().skip(1));
                question + 1
            }
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn each_caller_gets_its_own_answer_from_few_questions() {
        let (all, asked) = (Arc::new(Together::default()), Arc::new(AtomicUsize::new(0)));
        let tasks: Vec<_> = (0..2000)
            .map(|question| {
                let (all, asked) = (Arc::clone(&all), Arc::clone(&asked));
                tokio::spawn(async move { (question, ask(&all, &asked, question).await) })
            })
            .collect();
        for task in tasks {
            let (question, answer) = task.await.expect("a task");
            assert_eq!(answer, question + 1);
        }
        assert!(asked.load(Ordering::Relaxed) <= 2000);
    }

    #[tokio::test]
    async fn whoever_goes_away_takes_nobody_along() {
        let all: Together<u32, u32> = Together::default();
        let asked = AtomicUsize::new(0);
        let Outcome::Ask(turn) = all.join(1).await else { panic!("nobody is asking") };
        let second = ask(&all, &asked, 2);
        let third = ask(&all, &asked, 3);
        let leave = async {
            tokio::task::yield_now().await;
            drop(turn);
        };
        let (second, third, ()) = tokio::join!(second, third, leave);
        assert_eq!((second, third), (3, 4));
        assert_eq!(asked.load(Ordering::Relaxed), 1, "the third was asked with the second");
        // Those that a turn has taken and not answered ask alone.
        let Outcome::Ask(first) = all.join(1).await else { panic!("nobody is asking") };
        let waits = all.join(2);
        let leaves = async {
            tokio::task::yield_now().await;
            drop(first);
        };
        let (outcome, ()) = tokio::join!(waits, leaves);
        assert!(matches!(outcome, Outcome::Ask(_)));
    }
}
