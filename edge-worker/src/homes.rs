//! Asks the object in which a key lives, and ends moves that others began: [`crate::durable::home`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;

use crate::durable::home::{Home, Moved};
use crate::durable::message::{Command, Reply};
use crate::error::Failure;

/// The objects in which a key can live, and what is known of where each lives.
pub trait Objects {
    /// Returns the homes of the keys that have moved.
    fn homes(&self) -> &Homes;

    /// Asks an object of `key` at once, also if nobody awaits the reply.
    fn ask_home(&self, key: &str, home: Home, command: Command) -> impl Future<Output = Result<Reply, Failure>>;
}

/// Most moves of a key that a question follows. Whoever passes two objects tells the first one where the key lives.
const MAX_MOVES: usize = 16;

/// Largest number of keys whose homes an isolate remembers.
const MAX_HOMES: usize = 10_000;

/// Homes of the keys that have moved. A forgotten one costs a question to the first object of its key.
#[derive(Debug, Default)]
pub struct Homes(RefCell<HashMap<String, Home>>);

impl Homes {
    /// Forgets all of them.
    pub fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    fn of(&self, key: &str) -> Home {
        self.0.borrow().get(key).copied().unwrap_or_default()
    }

    fn keep(&self, key: &str, home: Home) {
        let mut homes = self.0.borrow_mut();
        if homes.len() >= MAX_HOMES {
            homes.clear();
        }
        homes.insert(key.to_owned(), home);
    }

    fn forget(&self, key: &str) -> Home {
        self.0.borrow_mut().remove(key).unwrap_or_default()
    }
}

/// Asks the object in which `key` lives, wherever that is: the first object at once, also if nobody awaits the reply. That is
/// never [`Reply::Moved`].
pub fn ask<O: Objects>(objects: &O, key: &str, command: Command) -> impl Future<Output = Result<Reply, Failure>> {
    let home = objects.homes().of(key);
    let asked = objects.ask_home(key, home, command.clone());
    async move { follow(objects, key, home, command, asked.await?).await }
}

/// Follows a key that has moved out of `home`, whose object said `reply`.
async fn follow<O: Objects>(
    objects: &O,
    key: &str,
    mut home: Home,
    command: Command,
    mut reply: Reply,
) -> Result<Reply, Failure> {
    for passed in 0..=MAX_MOVES {
        let Moved { moved_to, luggage } = match reply {
            Reply::Moved(moved) => moved,
            reply => {
                if passed > 1 {
                    tell(objects, key, Home::default(), home).await;
                }
                return Ok(reply);
            }
        };
        if let Some(luggage) = luggage {
            let arrived = objects.ask_home(key, moved_to, Command::Arrive { home: moved_to, luggage }).await?;
            if arrived != Reply::Arrived {
                return Err(Failure::Unavailable);
            }
            tell(objects, key, home, moved_to).await;
        }
        home = moved_to;
        objects.homes().keep(key, home);
        reply = objects.ask_home(key, home, command.clone()).await?;
    }
    Err(Failure::Unavailable)
}

/// Tells an object that the key lives at `home`. If this is lost, the next question takes the longer way, for nothing.
async fn tell<O: Objects>(objects: &O, key: &str, object: Home, home: Home) {
    let _told = objects.ask_home(key, object, Command::Left { home }).await;
}

/// Forgets the objects in which a deleted key lived before. What is left of them says where it lived, and nothing else.
pub async fn forget<O: Objects>(objects: &O, key: &str) {
    let last = objects.homes().forget(key);
    for number in 0..last.number {
        let _forgotten = objects.ask_home(key, Home { number, location: None }, Command::Forget).await;
    }
}
