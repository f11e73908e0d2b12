//! Lets requests wait for what another one does.
//!
//! The platform lets a request go on by a promise of JavaScript alone. A waker of Rust would let it go on inside of the other
//! request, where it may ask no object.

use std::future::Future;
use std::pin::pin;
use std::rc::Rc;

use futures_util::future::select;

use self::bars::Bars;
use crate::clock::Clock;

/// A gate that opens when it is dropped.
#[derive(Debug, Default)]
pub struct Gate(Rc<Bars>);

impl Gate {
    /// Waits until it opens, and for `ms` milliseconds at most: whoever was to open it may have ended without a word.
    pub fn wait_until_open<'c, C: Clock>(&self, clock: &'c C, ms: u64) -> impl Future<Output = ()> + use<'c, C> {
        let bars = self.0.clone();
        async move {
            select(pin!(bars.wait_until_open()), pin!(clock.pause(ms))).await;
        }
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.0.open();
    }
}

#[cfg(target_arch = "wasm32")]
mod bars {
    use std::cell::OnceCell;
    use std::panic::AssertUnwindSafe;
    use std::rc::Rc;

    use worker::js_sys::futures::JsFuture;
    use worker::js_sys::{Function, Promise};
    use worker::wasm_bindgen::JsValue;

    /// A promise, and what settles it.
    #[derive(Debug)]
    pub struct Bars {
        promise: Promise,
        settle: Rc<OnceCell<Function>>,
    }

    impl Default for Bars {
        fn default() -> Self {
            let settle = Rc::new(OnceCell::new());
            let kept = AssertUnwindSafe(settle.clone());
            // A promise calls its executor at once, and once.
            let promise = Promise::new(&mut move |resolve, _| drop(kept.set(resolve)));
            Self { promise, settle }
        }
    }

    impl Bars {
        pub fn open(&self) {
            // What settles a promise does not fail.
            let _ = self.settle.get().map(|settle| settle.call0(&JsValue::NULL));
        }

        pub async fn wait_until_open(&self) {
            let _ = JsFuture::from(self.promise.clone()).await;
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod bars {
    use std::cell::Cell;
    use std::future::poll_fn;
    use std::task::Poll;

    /// Whoever waits looks again when it is polled: nothing wakes it.
    #[derive(Debug, Default)]
    pub struct Bars(Cell<bool>);

    impl Bars {
        pub fn open(&self) {
            self.0.set(true);
        }

        pub async fn wait_until_open(&self) {
            poll_fn(|_| if self.0.get() { Poll::Ready(()) } else { Poll::Pending }).await;
        }
    }
}
