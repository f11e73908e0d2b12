//! Bounds what the requests of an isolate hold together: how many are under way, and the bytes of their bodies.
//!
//! The platform drops a request where it waits when its client has gone, and the executor of the `worker` crate never learns of
//! it: the request would stay in memory. So one that does not go on for `STALLED_MS` is given up.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// Longest time that a request may wait for one thing, milliseconds: longer than it waits for the next part of a body, for pages,
/// or for an object.
const STALLED_MS: u64 = 15_000;

/// Time between two searches for stalled requests, milliseconds.
const SWEEP_MS: u64 = 1_000;

/// Maximum number of requests under way. At a few kilobytes each they take some megabytes.
const MAX_REQUESTS: usize = 2_000;

/// Maximum total size of the bodies of all requests, bytes. With its results, the body of a batch takes three times its
/// length, so that an isolate stays below its 128 MB.
pub const MAX_BODY_BYTES: usize = 8 * 1024 * 1024;

/// The requests under way in an isolate.
#[derive(Debug, Default)]
pub struct UnderWay {
    requests: RefCell<HashMap<u64, Held>>,
    /// Number of the latest request.
    latest: Cell<u64>,
    swept_ms: Cell<u64>,
}

/// Resources that a request holds.
#[derive(Debug)]
struct Held {
    /// When it went on last.
    since_ms: u64,
    body_bytes: usize,
    /// Lets it go on, to learn that it is given up.
    waker: Waker,
}

/// A request's part of what all may hold, until it is dropped.
#[derive(Debug)]
pub struct Share {
    all: Rc<UnderWay>,
    number: u64,
}

impl UnderWay {
    /// Begins a request at `now_ms`. Returns nothing if too many are under way.
    pub fn begin(self: &Rc<Self>, now_ms: u64) -> Option<Share> {
        self.give_up_stalled(now_ms);
        if self.requests.borrow().len() >= MAX_REQUESTS {
            return None;
        }
        let number = self.latest.get() + 1;
        self.latest.set(number);
        let held = Held { since_ms: now_ms, body_bytes: 0, waker: Waker::noop().clone() };
        self.requests.borrow_mut().insert(number, held);
        Some(Share { all: self.clone(), number })
    }

    /// Returns the number of requests, and the bytes of all bodies.
    pub fn size(&self) -> (usize, usize) {
        let requests = self.requests.borrow();
        (requests.len(), requests.values().map(|held| held.body_bytes).sum())
    }

    fn give_up_stalled(&self, now_ms: u64) {
        if now_ms < self.swept_ms.get() + SWEEP_MS {
            return;
        }
        self.swept_ms.set(now_ms);
        let mut requests = self.requests.borrow_mut();
        let stalled: Vec<_> = requests.extract_if(|_, held| now_ms >= held.since_ms + STALLED_MS).collect();
        drop(requests);
        for (_, held) in stalled {
            held.waker.wake();
        }
    }
}

impl Share {
    /// Counts `bytes` more of the request's body. Returns whether there was room for them.
    pub fn hold(&self, bytes: usize) -> bool {
        let (_, total) = self.all.size();
        let mut requests = self.all.requests.borrow_mut();
        let held = requests.get_mut(&self.number).filter(|_| total + bytes <= MAX_BODY_BYTES);
        held.map(|held| held.body_bytes += bytes).is_some()
    }

    /// Runs the request, by a clock. Returns nothing if it was given up.
    pub async fn run<T>(&self, request: impl Future<Output = T>, now_ms: impl Fn() -> u64) -> Option<T> {
        let mut request = pin!(request);
        poll_fn(|context| {
            match self.all.requests.borrow_mut().get_mut(&self.number) {
                None => return Poll::Ready(None),
                Some(held) => (held.since_ms, held.waker) = (now_ms(), context.waker().clone()),
            }
            request.as_mut().poll(context).map(Some)
        })
        .await
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.all.requests.borrow_mut().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::task::{Context, Wake};

    use super::*;

    /// Reads a body in parts while there is room, and waits for more after each.
    async fn read(share: Rc<Share>, parts: &'static [usize]) -> u32 {
        for part in parts {
            if !share.hold(*part) {
                return 503;
            }
            let mut waits = false;
            poll_fn(|_| if std::mem::replace(&mut waits, true) { Poll::Ready(()) } else { Poll::Pending }).await;
        }
        200
    }

    type Request = Pin<Box<dyn Future<Output = Option<u32>>>>;

    fn request(all: &Rc<UnderWay>, parts: &'static [usize], clock: &Rc<Cell<u64>>) -> Request {
        let share = Rc::new(all.begin(clock.get()).expect("there is room"));
        let clock = clock.clone();
        Box::pin(async move { share.run(read(share.clone(), parts), || clock.get()).await })
    }

    fn step(request: &mut Request) -> Poll<Option<u32>> {
        request.as_mut().poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn bodies_are_bounded_together_until_their_requests_end() {
        const HALF: usize = MAX_BODY_BYTES / 2;
        let all = Rc::new(UnderWay::default());
        let clock = Rc::default();
        let mut first = request(&all, &[HALF], &clock);
        let mut second = request(&all, &[HALF, 1], &clock);
        assert!(step(&mut first).is_pending() && step(&mut second).is_pending());
        assert_eq!(all.size(), (2, MAX_BODY_BYTES));
        assert_eq!(step(&mut request(&all, &[1], &clock)), Poll::Ready(Some(503)));
        assert_eq!(step(&mut second), Poll::Ready(Some(503)));
        drop(second);
        assert_eq!(all.size(), (1, HALF));
        assert!(step(&mut request(&all, &[1], &clock)).is_pending());
        assert_eq!(step(&mut first), Poll::Ready(Some(200)));
        drop(first);
        assert_eq!(all.size(), (0, 0));
    }

    #[test]
    fn their_number_is_bounded() {
        let all = Rc::new(UnderWay::default());
        let clock = Rc::default();
        let mut requests: Vec<_> = (0..MAX_REQUESTS).map(|_| request(&all, &[], &clock)).collect();
        assert!(all.begin(0).is_none());
        assert_eq!(step(&mut requests[5]), Poll::Ready(Some(200)));
        drop(requests.remove(5));
        assert!(all.begin(0).is_some());
    }

    struct Flag(AtomicBool);

    impl Wake for Flag {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::Relaxed);
        }
    }

    #[test]
    fn stalled_requests_are_given_up() {
        let all = Rc::new(UnderWay::default());
        let clock = Rc::new(Cell::new(0));
        let mut stalled = request(&all, &[5], &clock);
        let mut slow = request(&all, &[6, 7], &clock);
        let flag = Arc::new(Flag(AtomicBool::new(false)));
        assert!(stalled.as_mut().poll(&mut Context::from_waker(&flag.clone().into())).is_pending());
        assert!(step(&mut slow).is_pending());
        clock.set(STALLED_MS - 1);
        assert!(step(&mut slow).is_pending());
        drop(all.begin(clock.get()));
        assert_eq!((all.size(), flag.0.load(Ordering::Relaxed)), ((2, 18), false));
        clock.set(STALLED_MS + SWEEP_MS);
        drop(all.begin(clock.get()));
        assert_eq!((all.size(), flag.0.load(Ordering::Relaxed)), ((1, 13), true), "it is woken, so that it ends");
        assert_eq!(step(&mut stalled), Poll::Ready(None));
        assert_eq!(step(&mut slow), Poll::Ready(Some(200)), "it went on meanwhile");
    }
}
