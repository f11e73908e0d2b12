//! One key, its object and its isolates, event by event.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use toponym_edge::durable::OBJECT_DEADLINE_MS;
use toponym_edge::durable::message::CHARGE_WITHIN_MS;
use toponym_edge::meter::allowance::pace_ms;
use toponym_edge::meter::lease::held::{IsolateLeases, Kind};
use toponym_edge::meter::lease::{Lease, Question};
use toponym_edge::meter::ledger::Ledger;
use toponym_edge::meter::plan::Limits;
use toponym_edge::meter::window::WINDOW_MS;

use super::Figures;

/// Requests of all isolates.
pub const PER_SECOND: f64 = 25_000.0;

/// Time that is simulated, milliseconds: as long as the flood on workerd (tests/bench/service/leases.mjs).
const LASTS_MS: u64 = 90_000;

/// One way between an isolate and the object, by region, milliseconds.
const WAYS_MS: [u64; 5] = [3, 25, 50, 80, 125];

/// Time that a question takes the object, microseconds: it answers 1,250 a second. An assumption: one object is said to
/// answer some hundreds to a thousand requests a second.
const SERVICE_US: u64 = 800;

/// Longest wait of a request for the answer to another one, milliseconds, before it gets 503.
const PATIENCE_MS: u64 = 2 * OBJECT_DEADLINE_MS;

/// 2026-11-20T12:00:00Z.
const NOON: u64 = 1_795_176_000_000;

enum Event {
    Arrival(usize),
    Question(Sent),
    /// The object comes to a question that waited its turn.
    Decision(Sent),
    /// The answer, with a lease unless it came too late for one.
    Answer {
        question: Sent,
        lease: Option<Lease>,
        is_admitted: bool,
    },
    /// Nobody waits longer for the answer.
    Deadline(usize, Question),
    Tend(usize),
}

#[derive(Clone)]
struct Sent {
    isolate: usize,
    question: Question,
    /// 0 if no request asks.
    cost: u32,
    asked_us: u64,
}

#[derive(Default)]
struct Isolate {
    leases: IsolateLeases,
    /// When the requests arrived that wait for the answer to another one.
    waiting: VecDeque<u64>,
    /// When the request arrived that asks.
    asker: Option<u64>,
    /// Until when it repeats a refusal.
    refused_ms: u64,
}

/// The state of a simulation.
pub struct World {
    random: fastrand::Rng,
    limits: Limits,
    ledger: Ledger,
    isolates: Vec<Isolate>,
    events: BinaryHeap<Reverse<(u64, usize)>>,
    kept: Vec<Option<Event>>,
    /// When the object has answered all questions so far.
    free_us: u64,
    questions: u64,
    /// Instants of admitted units within the last 60 s, milliseconds.
    window: VecDeque<u64>,
    worst: usize,
    waits_ms: Vec<u64>,
    offered: u64,
    failed: u64,
}

impl World {
    /// Creates a world of isolates that have seen nothing yet.
    pub fn new(isolates: usize, per_minute: u32) -> Self {
        Self {
            random: fastrand::Rng::with_seed(1),
            limits: Limits { per_minute, month_cap: None, included: None },
            ledger: Ledger::default(),
            isolates: (0..isolates).map(|_| Isolate::default()).collect(),
            events: BinaryHeap::new(),
            kept: Vec::new(),
            free_us: 0,
            questions: 0,
            window: VecDeque::new(),
            worst: 0,
            waits_ms: Vec::new(),
            offered: 0,
            failed: 0,
        }
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Figures {
        let every_us = self.isolates.len() as f64 * 1e6 / PER_SECOND;
        for at in 0..self.isolates.len() {
            let first_us = (self.random.f64() * every_us) as u64;
            self.at(first_us, Event::Arrival(at));
        }
        while let Some(Reverse((us, number))) = self.events.pop() {
            if us >= LASTS_MS * 1_000 {
                break;
            }
            let event = self.kept[number].take().expect("an event happens once");
            self.happen(us, event, every_us);
        }
        self.figures()
    }

    fn figures(mut self) -> Figures {
        let seconds = LASTS_MS as f64 / 1_000.0;
        let limit = self.limits.per_minute;
        // At twice the limit, an exact log admits a limit in the first half of each minute, and nothing in the second.
        let exact = (f64::from(limit) * (LASTS_MS / WINDOW_MS + 1) as f64).min(self.offered as f64);
        self.waits_ms.sort_unstable();
        let quantile = |share: f64| self.waits_ms[((self.waits_ms.len() - 1) as f64 * share) as usize];
        Figures {
            isolates: self.isolates.len(),
            limit,
            worst: self.worst as u64,
            share: self.waits_ms.len() as f64 / exact,
            failed: self.failed as f64 / self.offered as f64,
            questions_per_s: self.questions as f64 / seconds,
            object_busy: (self.questions * SERVICE_US) as f64 / 1e6 / seconds,
            wait_p50_ms: quantile(0.5),
            wait_p99_ms: quantile(0.99),
        }
    }

    fn at(&mut self, us: u64, event: Event) {
        self.events.push(Reverse((us, self.kept.len())));
        self.kept.push(Some(event));
    }

    fn answer(&mut self, since_us: u64, now_us: u64) {
        self.waits_ms.push((now_us - since_us) / 1_000);
    }

    /// Counts a unit when it is admitted: by the object when it charges it, by an isolate when it takes it from a
    /// lease.
    fn admit(&mut self, now_ms: u64) {
        self.window.push_back(now_ms);
        while self.window.front().is_some_and(|at| at + WINDOW_MS <= now_ms) {
            self.window.pop_front();
        }
        self.worst = self.worst.max(self.window.len());
    }

    /// Takes a request of an isolate as far as it comes without the object.
    fn serve(&mut self, at: usize, since_us: u64, now_us: u64) {
        let now_ms = NOON + now_us / 1_000;
        let isolate = &mut self.isolates[at];
        if isolate.leases.take(1, Kind::Other, now_ms).is_some() {
            self.admit(now_ms);
            return self.answer(since_us, now_us);
        }
        if now_ms < isolate.refused_ms {
            return;
        }
        if isolate.leases.is_silent(now_ms) || now_us > since_us + PATIENCE_MS * 1_000 {
            self.failed += 1;
            return;
        }
        if isolate.leases.is_asking(now_ms) {
            return isolate.waiting.push_back(since_us);
        }
        isolate.asker = Some(since_us);
        self.ask(at, 1, now_us);
    }

    fn ask(&mut self, at: usize, cost: u32, now_us: u64) {
        let id = self.random.u64(..);
        let question = self.isolates[at].leases.ask(id, Kind::Other, NOON + now_us / 1_000);
        self.at(now_us + OBJECT_DEADLINE_MS * 1_000, Event::Deadline(at, question.clone()));
        let question = Sent { isolate: at, question, cost, asked_us: now_us };
        self.at(now_us + way_us(at), Event::Question(question));
    }

    fn happen(&mut self, now_us: u64, event: Event, every_us: f64) {
        let now_ms = NOON + now_us / 1_000;
        match event {
            Event::Arrival(at) => {
                let next_us = -every_us * (1.0 - self.random.f64()).ln();
                self.at(now_us + next_us as u64 + 1, Event::Arrival(at));
                self.offered += 1;
                self.isolates[at].leases.note(1, now_ms);
                self.serve(at, now_us, now_us);
            }
            Event::Question(question) => {
                self.questions += 1;
                let begins_us = self.free_us.max(now_us);
                self.free_us = begins_us + SERVICE_US;
                self.at(begins_us, Event::Decision(question));
            }
            Event::Decision(question) => self.decide(question, now_us),
            Event::Answer { question, lease, is_admitted } => self.apply_reply(&question, lease, is_admitted, now_us),
            Event::Deadline(at, question) => self.give_up(at, &question, now_ms),
            Event::Tend(at) => {
                if self.isolates[at].leases.due_ms(now_ms).is_some_and(|due_ms| due_ms <= now_ms) {
                    self.ask(at, 0, now_us);
                }
            }
        }
    }

    fn decide(&mut self, question: Sent, now_us: u64) {
        let now_ms = NOON + now_us / 1_000;
        let back_us = now_us + SERVICE_US + way_us(question.isolate);
        if now_us > question.asked_us + CHARGE_WITHIN_MS * 1_000 {
            return self.at(back_us, Event::Answer { question, lease: None, is_admitted: false });
        }
        self.ledger.lapse(now_ms);
        for used in &question.question.reports {
            self.ledger.settle(*used, now_ms);
        }
        let (charged, _) = self.ledger.charge(&self.limits, question.cost, now_ms);
        let is_admitted = charged.is_ok();
        if is_admitted && question.cost > 0 {
            self.admit(now_ms);
        }
        let lease = self.ledger.lease(&self.limits, &Question { types: false, ..question.question.clone() }, now_ms);
        let lease = Lease { is_crowded: self.ledger.is_crowded(now_ms), ..lease };
        self.at(back_us, Event::Answer { question, lease: Some(lease), is_admitted });
    }

    fn apply_reply(&mut self, question: &Sent, lease: Option<Lease>, is_admitted: bool, now_us: u64) {
        let now_ms = NOON + now_us / 1_000;
        let Sent { isolate: at, question, cost, .. } = question;
        if lease.is_none() {
            return self.give_up(*at, question, now_ms);
        }
        let isolate = &mut self.isolates[*at];
        let is_awaited = isolate.leases.is_asking(now_ms);
        isolate.leases.apply_reply(question, lease, now_ms);
        if !is_awaited {
            return;
        }
        if let Some(since_us) = isolate.asker.take_if(|_| *cost > 0).filter(|_| is_admitted) {
            self.answer(since_us, now_us);
        }
        if !is_admitted {
            self.isolates[*at].refused_ms = now_ms + pace_ms(lease.is_some_and(|lease| lease.is_crowded));
        }
        for since_us in std::mem::take(&mut self.isolates[*at].waiting) {
            self.serve(*at, since_us, now_us);
        }
        self.tend(*at, now_ms);
    }

    /// Ends the requests that wait for the answer to `ask`, unless it has come.
    fn give_up(&mut self, at: usize, question: &Question, now_ms: u64) {
        let isolate = &mut self.isolates[at];
        isolate.leases.fail(question, now_ms);
        if !isolate.leases.is_silent(now_ms) {
            return;
        }
        self.failed += u64::from(isolate.asker.take().is_some()) + isolate.waiting.len() as u64;
        isolate.waiting.clear();
        self.tend(at, now_ms);
    }

    fn tend(&mut self, at: usize, now_ms: u64) {
        if let Some(due_ms) = self.isolates[at].leases.due_ms(now_ms) {
            self.at((due_ms.max(now_ms) - NOON) * 1_000, Event::Tend(at));
        }
    }
}

fn way_us(isolate: usize) -> u64 {
    WAYS_MS[isolate % WAYS_MS.len()] * 1_000
}
