//! What `../entry.rs` and `entry.mjs` do for a request and for objects, by the macros of the `worker` crate: measured
//! beside them, and never deployed. Pages and cron triggers are left out.

use std::panic::AssertUnwindSafe;

use worker::{Context, DurableObject, Env, Request, Response, Result, State, durable_object, event, web_sys};

use crate::crossing;
use crate::durable::board_object::MetricsBoard;
use crate::durable::directory_object::Directory;
use crate::durable::object::ApiKey;
use crate::isolate::{self, now_ms};
use crate::workers::Workers;

#[event(fetch)]
async fn fetch(request: web_sys::Request, env: Env, context: Context) -> Result<web_sys::Response> {
    let platform = Workers::for_request(env.clone(), Clone::clone(&request));
    let response = crossing::response(&crate::handle(&platform, crossing::request(request)?).await)?;
    if isolate::wants_work(now_ms()) {
        context.wait_until(async move { Workers::new(env).work().await });
    }
    Ok(response)
}

/// An object as the crate makes it, around one of the service.
macro_rules! object {
    ($name:ident($half:ident), $object:ident($question:ident) $answer:expr $(, alarm $alarm:expr)?) => {
        #[doc = concat!("[`", stringify!($half), "`].")]
        #[durable_object(alarm)]
        pub struct $name(AssertUnwindSafe<$half>);

        impl DurableObject for $name {
            fn new(state: State, env: Env) -> Self {
                Self(AssertUnwindSafe($half::new(state._inner(), env)))
            }

            async fn fetch(&self, request: Request) -> Result<Response> {
                let $object = &self.0;
                let $question = crossing::question_of(request).await?;
                crossing::reply_with($answer?)
            }

            async fn alarm(&self) -> Result<Response> {
                $(
                    let $object = &self.0;
                    $alarm;
                )?
                Response::empty()
            }
        }
    };
}

object!(LibraryKey(ApiKey), object(question) object.answer(&question), alarm object.alarm()?);
object!(LibraryDirectory(Directory), object(question) object.answer(&question));
object!(LibraryBoard(MetricsBoard), object(question) object.answer(&question), alarm object.alarm()?);
