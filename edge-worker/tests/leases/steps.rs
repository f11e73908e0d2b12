//! A million steps of the code itself against an exact log of admitted units and an exact bill: isolates with drifting clocks
//! ask one ledger by messages that are late, lost, doubled and reordered; requests that ask are dropped or never go on; isolates
//! die; the object of the ledger sleeps, or ends without a word, and is restored from its row.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, VecDeque};

use toponym_edge::meter::lease::granted::is_demand;
use toponym_edge::meter::lease::held::{IsolateLeases, Kind};
use toponym_edge::meter::lease::{IsolateQuestion, Lease};
use toponym_edge::meter::ledger::{Ledger, Saved};
use toponym_edge::meter::plan::Limits;
use toponym_edge::meter::window::WINDOW_MS;

/// 2026-11-20T12:00:00Z.
const NOON: u64 = 1_795_176_000_000;

/// Steps in each of the traces.
const STEPS: usize = 10_000;

const TRACES: u64 = 100;

/// Time for which a charge can be given back, milliseconds: as the ledger keeps it.
const KEPT_MS: u64 = 30_000;

/// Longest wait of an isolate for an answer, milliseconds.
const PATIENCE_MS: u64 = 1_500;

struct World {
    random: fastrand::Rng,
    limits: Limits,
    now_ms: u64,
    ledger: Ledger,
    /// The row that is stored, and when its alarm comes.
    saved: Saved,
    /// Units of leases that were not reported, with the instant from which on a report comes too late.
    granted: HashMap<u64, (u32, u64)>,
    /// Units to bill: single charges, and what was reported in time.
    billed: u64,
    /// Units of all reserves that ended without a word, and charges that were forgotten with them.
    reserved: u64,
    /// Charges by their names, with their instants.
    charged: HashMap<u64, (u32, u64)>,
    given_back: u64,
    /// When the object last ended without a word, or in its sleep.
    ended_ms: u64,
    is_large: bool,
    questions: u64,
    writes: u64,
    isolates: Vec<Isolate>,
    /// Messages on their way, by arrival; the numbers order what arrives at once.
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
    leases: IsolateLeases,
    /// Thousandths that its clock is fast, and milliseconds that it is ahead.
    drift: i64,
    ahead_ms: i64,
}

/// The end of a request that asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asker {
    /// The request waits for the answer, as long as requests do.
    Stays,
    /// The request is dropped before the answer comes.
    Dropped,
    /// The request never goes on, and nobody notices.
    Lost,
}

#[derive(Clone)]
enum Message {
    Ask { isolate: usize, life: u32, question: IsolateQuestion, cost: u32, asker: Asker },
    Answer { isolate: usize, life: u32, question: IsolateQuestion, lease: Option<Lease> },
    GiveUp { isolate: usize, life: u32, question: IsolateQuestion },
    Abandon { isolate: usize, life: u32, question: IsolateQuestion },
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
            saved: Saved::default(),
            granted: HashMap::new(),
            billed: 0,
            reserved: 0,
            charged: HashMap::new(),
            given_back: 0,
            ended_ms: 0,
            is_large: seed.is_multiple_of(2),
            questions: 0,
            writes: 0,
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

    /// Draws the time of a way, mostly some milliseconds, and sometimes longer than a lease.
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

    /// Forgets an admitted request that was not answered well.
    fn take_back(&mut self, at_ms: u64, units: u32) {
        if let Some(admitted) = self.admitted.iter_mut().find(|admitted| **admitted == (at_ms, units)) {
            admitted.1 = 0;
            self.in_window -= units;
        }
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
            Message::Ask { isolate, life, question, cost, asker } => self.answer(isolate, life, question, cost, asker),
            Message::Answer { isolate, life, question, lease } => {
                let at_ms = self.local_ms(isolate);
                let isolate = &mut self.isolates[isolate];
                if isolate.life == life {
                    isolate.leases.apply_reply(&question, lease, at_ms);
                }
            }
            Message::GiveUp { isolate, life, question } => {
                let at_ms = self.local_ms(isolate);
                let isolate = &mut self.isolates[isolate];
                if isolate.life == life {
                    isolate.leases.fail(&question, at_ms);
                }
            }
            Message::Abandon { isolate, life, question } => {
                let at_ms = self.local_ms(isolate);
                let isolate = &mut self.isolates[isolate];
                if isolate.life == life && isolate.leases.abandon(&question) {
                    assert!(!isolate.leases.is_asking(at_ms), "nobody waits for it any more");
                }
            }
        }
    }

    /// Answers a question for the object.
    fn answer(&mut self, isolate: usize, life: u32, question: IsolateQuestion, cost: u32, asker: Asker) {
        let now_ms = self.now_ms;
        self.questions += 1;
        self.ledger.lapse(now_ms);
        for used in &question.reports {
            let in_time = self.granted.remove(&used.id).filter(|(_, late_ms)| now_ms < *late_ms);
            self.billed += in_time.map_or(0, |(units, _)| u64::from(units.min(used.units)));
            assert_eq!(self.ledger.settle(*used, now_ms), None, "the month goes on");
        }
        for id in &question.back {
            assert_eq!(self.ledger.give_back(*id, now_ms), None, "the month goes on");
            // Whoever ended without a word knows no charge any more: that one stays billed.
            let charged = self.charged.remove(id).filter(|(_, at_ms)| now_ms < at_ms + KEPT_MS);
            let (known, forgotten) =
                charged.map_or((0, 0), |(units, at_ms)| if at_ms < self.ended_ms { (0, units) } else { (units, 0) });
            self.billed -= u64::from(known + forgotten);
            self.reserved += u64::from(forgotten);
            self.given_back += u64::from(known);
            if let Some((_, at_ms)) = charged.filter(|_| known > 0) {
                self.take_back(at_ms, known);
            }
        }
        if self.ledger.charge(&self.limits, cost, now_ms).0.is_ok() {
            self.admit(cost);
            self.ledger.name(question.id, cost);
            // One that comes twice is charged twice, and given back once.
            let charged = self.charged.entry(question.id).or_insert((cost, now_ms));
            if charged.1 + KEPT_MS <= now_ms || charged.1 < self.ended_ms {
                *charged = (cost, now_ms);
            }
            self.billed += u64::from(cost);
        }
        let seen = if self.is_large { question.seen } else { 0 };
        let wish = IsolateQuestion { id: question.id, seen, types: question.types, ..IsolateQuestion::default() };
        let lease = self.ledger.lease(&self.limits, &wish, now_ms);
        if lease.units > 0 {
            let grant = self.ledger.grants().last().expect("it was just granted");
            self.granted.insert(lease.id, (lease.units, grant.slot().leaves_ms()));
            self.leased += 1;
        }
        self.store();
        let is_for_typing = lease.units > 0 && !(self.is_large && is_demand(question.seen));
        let lease = Lease { is_for_typing, ..lease };
        let lease = Some(lease).filter(|lease| self.is_large || lease.units > 0);
        // The answer to a request that was dropped finds nobody, but may come all the same.
        if asker != Asker::Lost {
            self.send_badly(Message::Answer { isolate, life, question, lease });
        }
    }

    /// Stores what is to be stored before an answer. The bill is never too low, and too high by what was in reserve when the
    /// object ended without a word.
    fn store(&mut self) {
        if let Some(saved) = self.ledger.take_unsaved(&self.limits) {
            self.saved = saved;
            self.writes += 1;
        }
        let (_, used) = self.ledger.month();
        let bill = self.billed..=self.billed + self.reserved;
        assert!(bill.contains(&used), "{used} are counted, {bill:?} are to be billed");
    }

    /// Ends the object without a word: another one begins with what is stored.
    fn end(&mut self) {
        self.reserved += u64::from(self.saved.reserve);
        self.ended_ms = self.now_ms + 1;
        self.ledger = Ledger::restore(self.saved.clone());
    }

    /// Lets the alarm come, if its time has come, and ends the object as the platform does in its sleep.
    fn sleep(&mut self) {
        if self.ledger.alarm_ms().is_some_and(|alarm_ms| self.now_ms < alarm_ms) {
            return;
        }
        // A busy key renews its reserve.
        let limits = self.random.bool().then_some(&self.limits);
        if let Some(saved) = self.ledger.wake(limits, self.now_ms) {
            self.saved = saved;
            self.writes += 1;
        }
        if self.saved.reserve > 0 {
            return;
        }
        let before = (self.ledger.month(), self.ledger.look(&self.limits, self.now_ms), self.ledger.grants().to_vec());
        self.ended_ms = self.now_ms + 1;
        self.ledger = Ledger::restore(self.saved.clone());
        let after = (self.ledger.month(), self.ledger.look(&self.limits, self.now_ms), self.ledger.grants().to_vec());
        assert_eq!(after, before, "sleep changes nothing");
    }

    fn local_ms(&self, isolate: usize) -> u64 {
        let Isolate { drift, ahead_ms, .. } = self.isolates[isolate];
        let since = (self.now_ms - NOON).cast_signed();
        NOON.strict_add_signed(since + since * drift / 1_000 + ahead_ms)
    }

    fn request(&mut self) {
        let at = self.random.usize(..self.isolates.len());
        let cost = if self.random.u8(..) < 10 { self.random.u32(1..=20) } else { 1 };
        let local_ms = self.local_ms(at);
        let id = self.random.u64(..);
        let Isolate { life, leases, .. } = &mut self.isolates[at];
        let life = *life;
        let kind = match self.random.u8(..8) {
            0 => Kind::Other,
            n => Kind::Typed { begins: n == 1 },
        };
        leases.note(cost, local_ms);
        if leases.take(cost, kind, local_ms).is_some() {
            return self.admit(cost);
        }
        if leases.is_asking(local_ms) && self.random.bool() {
            return;
        }
        let question = self.isolates[at].leases.ask(id, kind, local_ms);
        // Its request fails.
        if self.random.u8(..) < 16 {
            self.isolates[at].leases.give_back(id);
        }
        let asker = match self.random.u8(..) {
            0..16 => Asker::Dropped,
            16..24 => Asker::Lost,
            _ => Asker::Stays,
        };
        match asker {
            Asker::Stays => self.send(Message::GiveUp { isolate: at, life, question: question.clone() }, PATIENCE_MS),
            Asker::Dropped => {
                let after_ms = self.random.u64(..PATIENCE_MS);
                self.send(Message::Abandon { isolate: at, life, question: question.clone() }, after_ms);
            }
            Asker::Lost => {}
        }
        self.send_badly(Message::Ask { isolate: at, life, question, cost, asker });
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
            200..300 => self.end(),
            300..500 => self.sleep(),
            _ => self.request(),
        }
    }
}

impl Isolate {
    fn new(random: &mut fastrand::Rng) -> Self {
        Self {
            life: 0,
            leases: IsolateLeases::default(),
            drift: random.i64(-9..=9),
            ahead_ms: random.i64(-5_000..5_000),
        }
    }
}

#[test]
fn a_million_steps_keep_limit_and_bill() {
    let mut total = 0;
    let mut leased = 0;
    let mut questions = 0;
    let mut writes = 0;
    let mut reserved = 0;
    let mut back = 0;
    for seed in 0..TRACES {
        let mut world = World::new(seed);
        // From far below the limit to far above it.
        let pace_ms = 1 + world.random.u64(..200_000 / u64::from(world.limits.per_minute));
        (0..STEPS).for_each(|_| world.step(pace_ms));
        (total, leased, back) = (total + world.total, leased + world.leased, back + world.given_back);
        (questions, writes, reserved) = (questions + world.questions, writes + world.writes, reserved + world.reserved);
    }
    eprintln!("{total} units in {leased} leases and by single charges, {writes} writes for {questions} questions");
    assert!(total > 100_000 && leased > 10_000, "{total} units, {leased} leases");
    assert!(writes < questions && reserved > 0, "{writes} writes, {reserved} units in reserve");
    assert!(back > 10_000, "{back} units are given back");
}
