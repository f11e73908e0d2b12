//! A million steps of the code itself against an exact log of admitted units: isolates with drifting clocks ask one
//! ledger by messages that are late, lost, doubled and reordered; requests that ask are dropped or never go on; isolates
//! die, and the ledger is restored from its rows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

use toponym_edge::meter::lease::holding::Holding;
use toponym_edge::meter::lease::{Ask, Lease};
use toponym_edge::meter::ledger::{Entry, Ledger, Verdict};
use toponym_edge::meter::plan::Limits;
use toponym_edge::meter::window::WINDOW_MS;

/// 2026-11-20T12:00:00Z.
const NOON: u64 = 1_795_176_000_000;

/// Steps in each of the traces.
const STEPS: usize = 10_000;

const TRACES: u64 = 100;

/// How long an isolate waits for an answer, milliseconds.
const PATIENCE_MS: u64 = 1_500;

struct World {
    random: fastrand::Rng,
    limits: Limits,
    now_ms: u64,
    ledger: Ledger,
    entries: BTreeMap<u64, Entry>,
    isolates: Vec<Isolate>,
    /// What is on its way, by arrival; the numbers order what arrives at once.
    wire: BinaryHeap<Reverse<(u64, usize)>>,
    messages: Vec<Option<Message>>,
    admitted: VecDeque<(u64, u32)>,
    in_window: u32,
    total: u64,
    leased: u64,
}

struct Isolate {
    /// Increases when one dies and another takes its place.
    life: u32,
    holding: Holding,
    /// Thousandths that its clock is fast, and milliseconds that it is ahead.
    drift: i64,
    ahead_ms: i64,
}

/// The end of a request that asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asker {
    /// It waits for the answer, as long as requests do.
    Stays,
    /// It is dropped before the answer comes.
    Dropped,
    /// It never goes on, and nobody notices.
    Lost,
}

#[derive(Clone)]
enum Message {
    Ask { isolate: usize, life: u32, ask: Option<Ask>, cost: u32, asker: Asker },
    Answer { isolate: usize, life: u32, ask: Ask, lease: Lease },
    GiveUp { isolate: usize, life: u32, ask: Ask },
    Abandon { isolate: usize, life: u32, ask: Ask },
}

impl World {
    fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let per_minute = random.u32(100..5_000);
        let isolates = (0..random.usize(2..9)).map(|_| Isolate::new(&mut random)).collect();
        Self {
            random,
            limits: Limits { per_minute, month_cap: None, included: None },
            now_ms: NOON,
            ledger: Ledger::default(),
            entries: BTreeMap::new(),
            isolates,
            wire: BinaryHeap::new(),
            messages: Vec::new(),
            admitted: VecDeque::new(),
            in_window: 0,
            total: 0,
            leased: 0,
        }
    }

    fn send(&mut self, message: Message, after_ms: u64) {
        self.wire.push(Reverse((self.now_ms + after_ms, self.messages.len())));
        self.messages.push(Some(message));
    }

    /// A way that mostly takes some milliseconds, and sometimes longer than a lease.
    fn way_ms(&mut self) -> u64 {
        if self.random.u8(..) < 20 { self.random.u64(0..2_000) } else { self.random.u64(0..200) }
    }

    /// Sends twice, or not at all, now and then.
    fn send_badly(&mut self, message: Message) {
        if self.random.u8(..) < 8 {
            let after_ms = self.way_ms();
            self.send(message.clone(), after_ms);
        }
        if self.random.u8(..) >= 8 {
            let after_ms = self.way_ms();
            self.send(message, after_ms);
        }
    }

    fn admit(&mut self, units: u32) {
        self.admitted.push_back((self.now_ms, units));
        self.in_window += units;
        self.total += u64::from(units);
        while let Some((_, units)) = self.admitted.front().copied().filter(|(at, _)| at + WINDOW_MS <= self.now_ms) {
            self.in_window -= units;
            self.admitted.pop_front();
        }
        assert!(self.in_window <= self.limits.per_minute, "{} of {}", self.in_window, self.limits.per_minute);
    }

    fn deliver_until(&mut self, until_ms: u64) {
        while let Some(Reverse((at_ms, message))) = self.wire.peek().copied().filter(|Reverse((at, _))| *at <= until_ms)
        {
            self.wire.pop();
            self.now_ms = self.now_ms.max(at_ms);
            let message = self.messages[message].take().expect("a message arrives once");
            self.deliver(message);
        }
        self.now_ms = until_ms;
    }

    fn deliver(&mut self, message: Message) {
        match message {
            Message::Ask { isolate, life, ask, cost, asker } => self.answer(isolate, life, ask, cost, asker),
            Message::Answer { isolate, life, ask, lease } => {
                let (at_ms, isolate) = (self.local_ms(isolate), &mut self.isolates[isolate]);
                if isolate.life == life {
                    isolate.holding.learn(&ask, Some(lease), at_ms);
                }
            }
            Message::GiveUp { isolate, life, ask } => {
                let (at_ms, isolate) = (self.local_ms(isolate), &mut self.isolates[isolate]);
                if isolate.life == life {
                    isolate.holding.fail(&ask, at_ms);
                }
            }
            Message::Abandon { isolate, life, ask } => {
                let (at_ms, isolate) = (self.local_ms(isolate), &mut self.isolates[isolate]);
                if isolate.life == life && isolate.holding.abandon(&ask) {
                    assert!(!isolate.holding.is_asking(at_ms), "nobody waits for it any more");
                }
            }
        }
    }

    /// What the object does with a question.
    fn answer(&mut self, isolate: usize, life: u32, ask: Option<Ask>, cost: u32, asker: Asker) {
        let now_ms = self.now_ms;
        self.ledger.lapse(now_ms);
        for used in ask.iter().flat_map(|ask| &ask.used) {
            let settled = self.ledger.settle(*used, now_ms);
            self.entries
                .extend(settled.into_iter().flat_map(|settled| settled.entries).map(|entry| (entry.slot, entry)));
        }
        if let (Verdict::Admitted(entry), _) = self.ledger.charge(&self.limits, cost, now_ms) {
            self.entries.insert(entry.slot, entry);
            self.admit(cost);
        }
        if let Some(ask) = ask {
            let lease = self.ledger.lease(&self.limits, ask.id, ask.seen, now_ms);
            self.leased += u64::from(lease.units > 0);
            // The answer to a request that was dropped finds nobody, but may come all the same.
            if asker != Asker::Lost {
                self.send_badly(Message::Answer { isolate, life, ask, lease });
            }
        }
    }

    fn local_ms(&self, isolate: usize) -> u64 {
        let Isolate { drift, ahead_ms, .. } = self.isolates[isolate];
        let since = (self.now_ms - NOON).cast_signed();
        NOON.strict_add_signed(since + since * drift / 1_000 + ahead_ms)
    }

    fn request(&mut self) {
        let at = self.random.usize(..self.isolates.len());
        let cost = if self.random.u8(..) < 10 { self.random.u32(1..=20) } else { 1 };
        let (local_ms, id) = (self.local_ms(at), self.random.u64(..));
        let Isolate { life, holding, .. } = &mut self.isolates[at];
        let life = *life;
        holding.note(cost, local_ms);
        if holding.take(cost, local_ms).is_some() {
            return self.admit(cost);
        }
        if holding.is_asking(local_ms) && self.random.bool() {
            return;
        }
        let ask = self.isolates[at].holding.ask(id, local_ms);
        let asker = match self.random.u8(..) {
            0..16 => Asker::Dropped,
            16..24 => Asker::Lost,
            _ => Asker::Stays,
        };
        if let Some(ask) = ask.clone() {
            match asker {
                Asker::Stays => self.send(Message::GiveUp { isolate: at, life, ask }, PATIENCE_MS),
                Asker::Dropped => {
                    let after_ms = self.random.u64(..PATIENCE_MS);
                    self.send(Message::Abandon { isolate: at, life, ask }, after_ms);
                }
                Asker::Lost => {}
            }
        }
        self.send_badly(Message::Ask { isolate: at, life, ask, cost, asker });
    }

    fn step(&mut self, pace_ms: u64) {
        let wait_ms = self.random.u64(..=pace_ms);
        let wait_ms = if self.random.u16(..) < 20 { self.random.u64(..90_000) } else { wait_ms };
        self.deliver_until(self.now_ms + wait_ms);
        match self.random.u16(..) {
            0..200 => {
                let at = self.random.usize(..self.isolates.len());
                let life = self.isolates[at].life + 1;
                self.isolates[at] = Isolate { life, ..Isolate::new(&mut self.random) };
            }
            200..300 => {
                let grants = self.ledger.grants().to_vec();
                let lost = self.ledger.lost().clone();
                self.ledger = Ledger::restore(self.entries.values().copied()).with_leases(grants, lost);
            }
            _ => self.request(),
        }
    }
}

impl Isolate {
    fn new(random: &mut fastrand::Rng) -> Self {
        Self { life: 0, holding: Holding::default(), drift: random.i64(-9..=9), ahead_ms: random.i64(-5_000..5_000) }
    }
}

#[test]
fn a_million_steps_admit_never_more_than_the_limit() {
    let (mut total, mut leased) = (0, 0);
    for seed in 0..TRACES {
        let mut world = World::new(seed);
        // From far below the limit to far above it.
        let pace_ms = 1 + world.random.u64(..200_000 / u64::from(world.limits.per_minute));
        (0..STEPS).for_each(|_| world.step(pace_ms));
        (total, leased) = (total + world.total, leased + world.leased);
    }
    eprintln!("{total} units in {leased} leases and by single charges");
    assert!(total > 100_000 && leased > 10_000, "{total} units, {leased} leases");
}
