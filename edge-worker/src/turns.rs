//! Runs requests in turns: a turn runs until the request waits for a promise, which JavaScript then awaits.
//!
//! The executor of `wasm-bindgen-futures` handles any future, at the price of a microtask, a promise and several
//! closures for each wait. A request here waits for one thing at a time, so a plain loop in `entry.mjs` is enough: a
//! turn ends with the response, or with the promise that the next turn needs.
//!
//! A request whose client has disconnected may never get its next turn: the platform abandons it where it waits.
//! JavaScript reports this as soon as it notices ([`Turns::forget`]); other cases are dropped after half a minute.
//! Until then the number of requests and the total size of their bodies ([`MAX_BODY_BYTES`]) are bounded.
//!
//! Messages between the two sides have two keys: the number of the request, which has its own mailbox, and in there the
//! number of the wait. An outcome reaches its own wait or none.
//!
//! The platform's types are parameters: `P` is a promise, `A` its result, `R` a response.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// How long a request may wait for one promise, milliseconds: many times the longest wait for an object, and ample for the
/// next part of a body.
const STALLED_MS: u64 = 30_000;

/// How often stalled requests are removed, milliseconds.
const SWEEP_MS: u64 = 1_000;

/// Maximum number of waiting requests. At a few kilobytes each they take some megabytes.
const MAX_WAITING: usize = 2_000;

/// Maximum total size of the bodies of all requests, bytes. With its results, the body of a batch takes three times its
/// length, so that an isolate stays below its 128 MB.
pub const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

/// How a turn ends.
#[derive(Debug, PartialEq, Eq)]
pub enum Turn<P, R> {
    /// The request is answered.
    Answered(R),
    /// The request continues when this has settled.
    Awaits(P),
    /// The request was dropped and cannot continue.
    Lost,
}

/// The requests that wait.
pub struct Turns<P, A, R> {
    /// Requests by the number that JavaScript assigned.
    waiting: RefCell<HashMap<u32, Waiting<P, A, R>>>,
    /// The mailbox of the request whose turn it is.
    current: RefCell<Option<Rc<Mailbox<P, A>>>>,
    /// Bytes of all bodies.
    body_bytes: Rc<Cell<usize>>,
    swept_ms: Cell<u64>,
}

struct Waiting<P, A, R> {
    request: Pin<Box<dyn Future<Output = R>>>,
    mailbox: Rc<Mailbox<P, A>>,
    since_ms: u64,
}

/// Carries promises and their results between one request and JavaScript.
struct Mailbox<P, A> {
    /// The number of the latest wait. Earlier ones get nothing more.
    wait: Cell<u32>,
    /// The promise that this wait needs in the next turn.
    awaited: Cell<Option<P>>,
    /// Its result.
    arrived: Cell<Option<A>>,
    /// Bytes of the request's body, which count until it ends.
    body: Cell<usize>,
    body_bytes: Rc<Cell<usize>>,
}

impl<P, A> Drop for Mailbox<P, A> {
    fn drop(&mut self) {
        self.body_bytes.set(self.body_bytes.get() - self.body.get());
    }
}

impl<P, A, R> Default for Turns<P, A, R> {
    fn default() -> Self {
        Self {
            waiting: RefCell::default(),
            current: RefCell::default(),
            body_bytes: Rc::default(),
            swept_ms: Cell::new(0),
        }
    }
}

impl<P: 'static, A: 'static, R> Turns<P, A, R> {
    /// Whether there is room for one more request.
    pub fn has_room(&self, now_ms: u64) -> bool {
        self.sweep(now_ms);
        self.waiting.borrow().len() < MAX_WAITING
    }

    /// The first turn of `request`.
    pub fn start(&self, number: u32, request: impl Future<Output = R> + 'static, now_ms: u64) -> Turn<P, R> {
        let body_bytes = self.body_bytes.clone();
        let (awaited, arrived) = (Cell::new(None), Cell::new(None));
        let mailbox = Mailbox { wait: Cell::new(0), awaited, arrived, body: Cell::new(0), body_bytes };
        self.turn(number, Box::pin(request), Rc::new(mailbox), now_ms)
    }

    /// The next turn of request `number`, with the result of its promise.
    pub fn go_on(&self, number: u32, arrived: A, now_ms: u64) -> Turn<P, R> {
        let waiting = self.waiting.borrow_mut().remove(&number);
        let Some(Waiting { request, mailbox, .. }) = waiting else { return Turn::Lost };
        mailbox.arrived.set(Some(arrived));
        self.turn(number, request, mailbox, now_ms)
    }

    /// Drops the waiting request `number`.
    pub fn forget(&self, number: u32) {
        // Dropping the request may need the cell again, so its borrow ends first.
        let waiting = self.waiting.borrow_mut().remove(&number);
        drop(waiting);
    }

    /// The result of `promise`, for the request whose turn it is. Returns the promise if it is nobody's turn.
    pub fn arrival(&self, promise: P) -> Result<impl Future<Output = A> + use<P, A, R>, P> {
        let Some(mailbox) = self.current.borrow().clone() else { return Err(promise) };
        let wait = mailbox.wait.get() + 1;
        mailbox.wait.set(wait);
        mailbox.awaited.set(Some(promise));
        // What came for a wait that was given up.
        mailbox.arrived.take();
        Ok(poll_fn(move |_| {
            let arrived = if mailbox.wait.get() == wait { mailbox.arrived.take() } else { None };
            arrived.map_or(Poll::Pending, Poll::Ready)
        }))
    }

    /// Counts `bytes` more of the body of the request whose turn it is. Returns whether there was room for them.
    pub fn hold(&self, bytes: usize) -> bool {
        let total = self.body_bytes.get() + bytes;
        let has_room = total <= MAX_BODY_BYTES;
        if let Some(mailbox) = self.current.borrow().as_ref().filter(|_| has_room) {
            mailbox.body.set(mailbox.body.get() + bytes);
            self.body_bytes.set(total);
        }
        has_room
    }

    /// The number of waiting requests, and the bytes of all bodies.
    pub fn size(&self) -> (usize, usize) {
        (self.waiting.borrow().len(), self.body_bytes.get())
    }

    fn turn(
        &self,
        number: u32,
        mut request: Pin<Box<dyn Future<Output = R>>>,
        mailbox: Rc<Mailbox<P, A>>,
        now_ms: u64,
    ) -> Turn<P, R> {
        let polled = {
            let _turn = Current::of(&self.current, mailbox.clone());
            request.as_mut().poll(&mut Context::from_waker(Waker::noop()))
        };
        match (polled, mailbox.awaited.take()) {
            (Poll::Ready(answer), _) => Turn::Answered(answer),
            (Poll::Pending, None) => Turn::Lost,
            (Poll::Pending, Some(promise)) => {
                self.waiting.borrow_mut().insert(number, Waiting { request, mailbox, since_ms: now_ms });
                Turn::Awaits(promise)
            }
        }
    }

    /// Drops stalled requests.
    fn sweep(&self, now_ms: u64) {
        if now_ms < self.swept_ms.get() + SWEEP_MS {
            return;
        }
        self.swept_ms.set(now_ms);
        let is_stalled = |waiting: &Waiting<P, A, R>| now_ms >= waiting.since_ms + STALLED_MS;
        let stalled: Vec<_> = self.waiting.borrow_mut().extract_if(|_, waiting| is_stalled(waiting)).collect();
        drop(stalled);
    }
}

/// Marks whose turn it is until the turn ends, even by a panic.
struct Current<'c, P, A>(&'c RefCell<Option<Rc<Mailbox<P, A>>>>);

impl<'c, P, A> Current<'c, P, A> {
    fn of(current: &'c RefCell<Option<Rc<Mailbox<P, A>>>>, mailbox: Rc<Mailbox<P, A>>) -> Self {
        current.replace(Some(mailbox));
        Self(current)
    }
}

impl<P, A> Drop for Current<'_, P, A> {
    fn drop(&mut self) {
        self.0.take();
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::pin::pin;

    use super::*;

    type Test = Rc<Turns<&'static str, u32, u32>>;

    /// A request that waits for each of `promises`, and answers with the sum of their results.
    async fn sum(turns: Test, promises: &'static [&'static str]) -> u32 {
        let mut sum = 0;
        for promise in promises {
            sum += turns.arrival(promise).unwrap_or_else(|_| panic!("it has its turn")).await;
        }
        sum
    }

    /// A request that reads a body in parts while there is room, and waits for more.
    async fn body(turns: Test, parts: &'static [usize]) -> u32 {
        for part in parts {
            if !turns.hold(*part) {
                return 503;
            }
            turns.arrival("more").unwrap_or_else(|_| panic!("it has its turn")).await;
        }
        200
    }

    #[test]
    fn each_request_gets_what_it_waits_for() {
        let turns = Test::default();
        assert_eq!(turns.start(1, sum(turns.clone(), &[]), 0), Turn::Answered(0));
        assert_eq!(turns.start(2, sum(turns.clone(), &["a", "b"]), 0), Turn::Awaits("a"));
        assert_eq!(turns.start(3, sum(turns.clone(), &["c"]), 0), Turn::Awaits("c"));
        assert_eq!(turns.go_on(2, 10, 0), Turn::Awaits("b"));
        assert_eq!(turns.go_on(3, 100, 0), Turn::Answered(100));
        assert_eq!(turns.go_on(2, 1, 0), Turn::Answered(11));
        assert_eq!(turns.go_on(2, 1, 0), Turn::Lost);
        assert_eq!(turns.size(), (0, 0));
        assert!(turns.arrival("nobody's turn").is_err());
    }

    /// A single mailbox for all would give the result to another request.
    #[test]
    fn what_a_request_does_not_take_goes_to_nobody_else() {
        let turns = Test::default();
        let other = turns.clone();
        let drops_it = async move {
            let arrival = other.arrival("a");
            let mut is_first = true;
            poll_fn(|_| if std::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) }).await;
            drop(arrival);
            7
        };
        assert_eq!(turns.start(1, drops_it, 0), Turn::Awaits("a"));
        assert_eq!(turns.go_on(1, 99, 0), Turn::Answered(7));
        assert_eq!(turns.start(2, sum(turns.clone(), &["b"]), 0), Turn::Awaits("b"));
        assert_eq!(turns.go_on(2, 1, 0), Turn::Answered(1));
    }

    #[test]
    fn what_came_for_a_wait_that_was_given_up_goes_to_no_later_one() {
        let turns = Test::default();
        let own = turns.clone();
        let gives_up = async move {
            let given_up = own.arrival("a");
            let mut is_first = true;
            poll_fn(|_| if std::mem::take(&mut is_first) { Poll::Pending } else { Poll::Ready(()) }).await;
            drop(given_up);
            own.arrival("b").unwrap_or_else(|_| panic!("it has its turn")).await
        };
        assert_eq!(turns.start(1, gives_up, 0), Turn::Awaits("a"));
        assert_eq!(turns.go_on(1, 99, 0), Turn::Awaits("b"));
        assert_eq!(turns.go_on(1, 1, 0), Turn::Answered(1));
    }

    /// A request waits for one thing at a time; one that waits for two gets what belongs to the latter, and no other answer.
    #[test]
    fn what_came_for_one_wait_goes_to_no_earlier_one() {
        let turns = Test::default();
        let own = turns.clone();
        let waits_twice = async move {
            let arrival = |promise| own.arrival(promise).unwrap_or_else(|_| panic!("it has its turn"));
            let (mut first, mut second) = (pin!(arrival("a")), pin!(arrival("b")));
            poll_fn(|context| match (first.as_mut().poll(context), second.as_mut().poll(context)) {
                (Poll::Ready(a), _) => Poll::Ready(a),
                (_, b) => b.map(|b| 1_000 + b),
            })
            .await
        };
        assert_eq!(turns.start(1, waits_twice, 0), Turn::Awaits("b"));
        assert_eq!(turns.go_on(1, 7, 0), Turn::Answered(1_007));
    }

    #[test]
    fn a_turn_ends_with_a_panic_too() {
        let turns = Test::default();
        let panics = async { panic!("a defect on demand") };
        assert!(catch_unwind(AssertUnwindSafe(|| turns.start(1, panics, 0))).is_err());
        assert!(turns.arrival("nobody's turn").is_err());
        assert_eq!(turns.start(2, sum(turns.clone(), &["a"]), 0), Turn::Awaits("a"));
    }

    #[test]
    fn a_forgotten_request_leaves_nothing() {
        let turns = Test::default();
        assert_eq!(turns.start(1, body(turns.clone(), &[5, 6]), 0), Turn::Awaits("more"));
        assert_eq!(turns.start(2, body(turns.clone(), &[70]), 0), Turn::Awaits("more"));
        assert_eq!(turns.go_on(1, 0, 0), Turn::Awaits("more"));
        assert_eq!(turns.size(), (2, 81));
        turns.forget(1);
        turns.forget(1);
        assert_eq!((turns.size(), turns.go_on(1, 0, 0)), ((1, 70), Turn::Lost));
        assert_eq!((turns.go_on(2, 0, 0), turns.size()), (Turn::Answered(200), (0, 0)));
    }

    #[test]
    fn stalled_requests_are_forgotten() {
        let turns = Test::default();
        assert_eq!(turns.start(1, body(turns.clone(), &[5]), 0), Turn::Awaits("more"));
        assert_eq!(turns.start(2, sum(turns.clone(), &["a", "b"]), 0), Turn::Awaits("a"));
        assert_eq!(turns.go_on(2, 1, STALLED_MS / 2), Turn::Awaits("b"));
        assert!(turns.has_room(STALLED_MS - 1));
        assert_eq!(turns.size(), (2, 5));
        assert!(turns.has_room(STALLED_MS + SWEEP_MS));
        assert_eq!(turns.size(), (1, 0));
        assert_eq!(turns.go_on(2, 1, STALLED_MS + SWEEP_MS), Turn::Answered(2), "it went on meanwhile");
    }

    #[test]
    fn bodies_are_bounded_together() {
        const HALF: usize = MAX_BODY_BYTES / 2;
        let turns = Test::default();
        assert_eq!(turns.start(1, body(turns.clone(), &[HALF]), 0), Turn::Awaits("more"));
        assert_eq!(turns.start(2, body(turns.clone(), &[HALF, 1]), 0), Turn::Awaits("more"));
        assert_eq!(turns.start(3, body(turns.clone(), &[1]), 0), Turn::Answered(503));
        assert_eq!(turns.go_on(2, 0, 0), Turn::Answered(503));
        assert_eq!(turns.start(3, body(turns.clone(), &[1]), 0), Turn::Awaits("more"));
        assert_eq!(turns.size(), (2, HALF + 1));
    }

    #[test]
    fn their_number_is_bounded() {
        let turns = Test::default();
        for number in 0..MAX_WAITING as u32 {
            assert!(turns.has_room(0));
            assert_eq!(turns.start(number, sum(turns.clone(), &["a"]), 0), Turn::Awaits("a"));
        }
        assert!(!turns.has_room(0));
        turns.forget(5);
        assert!(turns.has_room(0));
    }
}
