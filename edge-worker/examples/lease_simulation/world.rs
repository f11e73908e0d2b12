//! One key, its object and its isolates, event by event. Both sides are the code of the service: [`Admissions`] decides in each
//! isolate as src/router.rs lets it, [`Object`] by src/durable/key.rs.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, VecDeque};
use std::rc::Rc;

use toponym_edge::admission::{Admissions, Charge, Decision, Denial, Sent, TENDS_MS};
use toponym_edge::auth::restriction::Caller;
use toponym_edge::durable::OBJECT_DEADLINE_MS;
use toponym_edge::durable::message::{CHARGE_WITHIN_MS, Command, Reply};
use toponym_edge::meter::lease::held::Kind;
use toponym_edge::meter::lease::id_of;
use toponym_edge::meter::window::WINDOW_MS;

use super::figures::Figures;
use super::object::{KEY, Object};
use super::traffic::{Case, JITTER_MS, KEYSTROKE_MS};

/// One way between an isolate and the object, by region, milliseconds.
const WAYS_MS: [u64; 5] = [3, 25, 50, 80, 125];

/// Time that a question takes the object, microseconds: it answers 1,250 a second. An assumption: one object is said to
/// answer some hundreds to a thousand requests a second.
pub const SERVICE_US: u64 = 800;

/// Longest wait of a request for the answer to another one, milliseconds: as src/router.rs has it.
const PATIENCE_MS: u64 = 2 * OBJECT_DEADLINE_MS;

/// Largest difference between the clock of an isolate and that of the object when it was set, milliseconds.
const AHEAD_MS: i64 = 100;

/// Largest drift of the clock of an isolate, thousandths, and how often it is set, milliseconds.
const DRIFT: i64 = 9;
const SET_MS: u64 = 10_000;

/// Times between two crashes of the object, and between two deaths of isolates, milliseconds, if there are faults.
const CRASHES_MS: u64 = 10_000;
const DEATHS_MS: u64 = 7_000;

/// Of 256 answers, those that are lost and those that take up to [`LATE_MS`] longer, if there are faults.
const LOST: u8 = 5;
const LATE: u8 = 10;
const LATE_MS: u64 = 3_000;

/// Time after the last arrival, milliseconds: all leases have left the minute, and whatever is reported was.
const REST_MS: u64 = 2 * WINDOW_MS;

/// 2026-11-20T12:00:00Z.
const NOON: u64 = 1_795_176_000_000;

enum Event {
    Arrival,
    Request(usize, Request),
    /// A question reaches the object.
    Question(Rc<Call>),
    /// The object comes to a question that waited its turn.
    Decision(Rc<Call>),
    Answer(Rc<Call>, Box<Reply>),
    /// Nobody waits longer for the answer.
    Deadline(Rc<Call>),
    Tend(Tending),
    Alarm,
    Crash,
    Death,
}

/// An event with its time. Those of one time happen in the order of their numbers.
struct Timed {
    us: u64,
    number: u64,
    event: Event,
}

#[derive(Clone, Copy)]
struct Request {
    arrived_us: u64,
    cost: u32,
    kind: Kind,
    has_waited: bool,
}

/// Work behind a request that asks for leases and reports them.
#[derive(Clone, Copy)]
struct Tending {
    isolate: usize,
    life: u32,
    since_us: u64,
}

/// A question on its way.
struct Call {
    number: u64,
    isolate: usize,
    life: u32,
    sent: Sent,
    cost: u32,
    not_after_ms: u64,
    /// The request, unless it is that of somebody who tends leases.
    request: Option<Request>,
    tending: Option<Tending>,
}

struct Isolate {
    /// Increases when one dies and another takes its place.
    life: u32,
    admissions: Admissions,
    waiting: Vec<Request>,
    ahead_ms: i64,
    drift: i64,
}

/// The state of a simulation.
pub struct World {
    case: Case,
    random: fastrand::Rng,
    caller: Caller,
    object: Object,
    /// The alarm that is to come.
    alarm_ms: Option<u64>,
    isolates: Vec<Isolate>,
    events: BinaryHeap<Timed>,
    /// Number of events so far.
    numbered: u64,
    /// The calls whose answer is awaited, with the instant at which their units were admitted.
    open: HashMap<u64, Option<u64>>,
    /// When the object has answered all questions so far.
    free_us: u64,
    /// Admitted units within the last 60 s, by instant.
    window: VecDeque<(u64, u32)>,
    in_window: u32,
    figures: Figures,
    waits_ms: Vec<u64>,
}

impl World {
    /// Creates a world of isolates that have seen nothing yet.
    pub fn new(case: Case) -> Self {
        let mut random = fastrand::Rng::with_seed(1);
        let isolates = (0..case.isolates).map(|_| Isolate::new(0, &mut random)).collect();
        Self {
            case,
            random,
            caller: Caller::default(),
            object: Object::new(case.plan, case.limit),
            alarm_ms: None,
            isolates,
            events: BinaryHeap::new(),
            numbered: 0,
            open: HashMap::new(),
            free_us: 0,
            window: VecDeque::new(),
            in_window: 0,
            figures: Figures::new(case),
            waits_ms: Vec::new(),
        }
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Figures {
        self.at(0, Event::Arrival);
        if self.case.faults {
            self.at(CRASHES_MS * 1_000, Event::Crash);
            self.at(DEATHS_MS * 1_000, Event::Death);
        }
        let mut now_us = 0;
        while let Some(Timed { us, event, .. }) = self.events.pop() {
            now_us = us;
            self.happen(event, us);
        }
        self.figures.finish(&mut self.object, ms(now_us) + REST_MS, self.waits_ms)
    }

    fn at(&mut self, us: u64, event: Event) {
        self.numbered += 1;
        self.events.push(Timed { us, number: self.numbered, event });
    }

    /// Lets something happen again as long as requests arrive.
    fn again(&mut self, us: u64, event: Event) {
        if us < self.case.seconds * 1_000_000 {
            self.at(us, event);
        }
    }

    fn happen(&mut self, event: Event, now_us: u64) {
        match event {
            Event::Arrival => self.arrive(now_us),
            Event::Request(at, request) => {
                self.figures.offered += 1;
                let now_ms = self.local_ms(at, now_us);
                let admissions = &mut self.isolates[at].admissions;
                if admissions.refusal_of(KEY, &self.caller, now_ms).is_some() {
                    self.figures.refused += 1;
                    return;
                }
                admissions.note(request.charge(&self.caller), now_ms);
                self.serve(at, request, now_us);
            }
            Event::Question(call) => {
                let begins_us = self.free_us.max(now_us);
                self.free_us = begins_us + SERVICE_US;
                self.at(begins_us, Event::Decision(call));
            }
            Event::Decision(call) => self.decide(call, now_us),
            Event::Answer(call, reply) => self.answer(&call, &reply, now_us),
            Event::Deadline(call) => self.give_up(&call, now_us),
            Event::Tend(tending) => self.tend(tending, now_us),
            Event::Alarm => {
                self.object.alarm(ms(now_us));
                self.set_alarm();
            }
            Event::Crash => {
                self.object.crash();
                self.again(now_us + CRASHES_MS * 1_000, Event::Crash);
            }
            Event::Death => {
                let isolate = self.random.choice(&mut self.isolates).expect("there is one");
                self.figures.failed += isolate.waiting.len() as u64;
                *isolate = Isolate::new(isolate.life + 1, &mut self.random);
                self.again(now_us + DEATHS_MS * 1_000, Event::Death);
            }
        }
    }

    /// Sends the requests of an arrival to one isolate, and lets the next one come.
    fn arrive(&mut self, now_us: u64) {
        let at = self.random.usize(..self.isolates.len());
        for (n, (cost, kind)) in self.case.traffic.requests().into_iter().enumerate() {
            let late_ms = if n > 0 { n as u64 * KEYSTROKE_MS + self.random.u64(..JITTER_MS) } else { 0 };
            let arrived_us = now_us + late_ms * 1_000;
            self.at(arrived_us, Event::Request(at, Request { arrived_us, cost, kind, has_waited: false }));
        }
        let next_us = 1e6 / self.case.traffic.arrivals_per_s() * (0.5 + self.random.f64());
        self.again(now_us + next_us as u64 + 1, Event::Arrival);
    }

    /// Takes a request of an isolate as far as it comes without the object.
    fn serve(&mut self, at: usize, request: Request, now_us: u64) {
        let now_ms = self.local_ms(at, now_us);
        let isolate = &mut self.isolates[at];
        let charge = request.charge(&self.caller);
        match isolate.admissions.decide(charge, now_ms) {
            Decision::Refuse(Denial::Silent) => self.figures.failed += 1,
            Decision::Refuse(_) => self.figures.refused += 1,
            Decision::Alone => {
                isolate.admissions.take(charge, now_ms).expect("the lease has just been looked at");
                self.admit(request.cost, now_us);
                self.end(at, Some(request), now_us);
            }
            Decision::Wait if now_us < request.arrived_us + PATIENCE_MS * 1_000 => {
                isolate.waiting.push(Request { has_waited: true, ..request });
            }
            Decision::Wait | Decision::Meanwhile | Decision::First => {
                self.send(at, Some(Request { has_waited: true, ..request }), None, now_us);
            }
        }
    }

    fn send(&mut self, at: usize, request: Option<Request>, tending: Option<Tending>, now_us: u64) {
        let now_ms = self.local_ms(at, now_us);
        let Isolate { life, admissions, .. } = &mut self.isolates[at];
        let nobody = Request { arrived_us: 0, cost: 0, kind: Kind::Other, has_waited: false };
        let charge = request.unwrap_or(nobody).charge(&self.caller);
        let sent = admissions.ask(charge, id_of(self.random.u64(..)), now_ms);
        let number = self.numbered;
        let life = *life;
        let cost = charge.cost;
        let not_after_ms = now_ms + CHARGE_WITHIN_MS;
        let call = Rc::new(Call { number, isolate: at, life, sent, cost, not_after_ms, request, tending });
        self.open.insert(number, None);
        self.at(now_us + way_us(at), Event::Question(call.clone()));
        self.at(now_us + OBJECT_DEADLINE_MS * 1_000, Event::Deadline(call));
    }

    fn decide(&mut self, call: Rc<Call>, now_us: u64) {
        let question = Some(Box::new(call.sent.question.clone()));
        let command = Command::Charge { cost: call.cost, caller: self.caller.clone(), question };
        let reply = self.object.reply(command, call.not_after_ms, ms(now_us));
        self.set_alarm();
        if call.cost > 0 && matches!(reply, Reply::Admitted { .. }) {
            self.admit(call.cost, now_us);
            if let Some(admitted) = self.open.get_mut(&call.number) {
                *admitted = Some(ms(now_us));
            } else {
                self.figures.unanswered += u64::from(call.cost);
            }
        }
        let fault = if self.case.faults { self.random.u8(..) } else { u8::MAX };
        let late_ms = if fault < LATE { self.random.u64(..LATE_MS) } else { 0 };
        let is_lost = (LATE..LATE + LOST).contains(&fault);
        if !is_lost {
            let back_us = now_us + SERVICE_US + way_us(call.isolate) + late_ms * 1_000;
            self.at(back_us, Event::Answer(call, Box::new(reply)));
        }
    }

    /// Lets the alarm of the object come, if it has set another one.
    fn set_alarm(&mut self) {
        let alarm_ms = self.object.alarm_ms();
        if let Some(alarm_ms) = alarm_ms.filter(|_| alarm_ms != self.alarm_ms) {
            self.at((alarm_ms - NOON) * 1_000, Event::Alarm);
        }
        self.alarm_ms = alarm_ms;
    }

    fn answer(&mut self, call: &Call, reply: &Reply, now_us: u64) {
        let Some(admitted) = self.open.remove(&call.number) else { return };
        let now_ms = self.local_ms(call.isolate, now_us);
        let isolate = &mut self.isolates[call.isolate];
        if isolate.life != call.life {
            self.figures.unanswered += admitted.map_or(0, |_| u64::from(call.cost));
            return;
        }
        isolate.admissions.apply_reply(KEY, &call.sent, reply, now_ms);
        match (call.request, reply) {
            (None, _) => {}
            (Some(_), Reply::Refused { .. }) => self.figures.refused += 1,
            (Some(_), Reply::Admitted { .. }) => {}
            (Some(_), _) => self.figures.failed += 1,
        }
        let served = call.request.filter(|_| admitted.is_some());
        self.go_on(call.isolate, served, call.tending, now_us);
    }

    fn give_up(&mut self, call: &Call, now_us: u64) {
        let Some(admitted) = self.open.remove(&call.number) else { return };
        let now_ms = self.local_ms(call.isolate, now_us);
        if let Some(at_ms) = admitted {
            self.take_back(at_ms, call.cost);
            self.figures.unanswered += u64::from(call.cost);
        }
        let isolate = &mut self.isolates[call.isolate];
        if isolate.life != call.life {
            return;
        }
        isolate.admissions.fail(KEY, &call.sent, now_ms);
        if call.request.is_some() {
            self.figures.failed += 1;
            isolate.admissions.give_back(KEY, call.sent.question.id);
        }
        if call.tending.is_some() {
            isolate.admissions.end_tending();
        }
        self.go_on(call.isolate, None, None, now_us);
    }

    /// Lets those go on who waited for the end of a call.
    fn go_on(&mut self, at: usize, served: Option<Request>, tending: Option<Tending>, now_us: u64) {
        for request in std::mem::take(&mut self.isolates[at].waiting) {
            self.serve(at, request, now_us);
        }
        match tending {
            Some(tending) => self.at(now_us, Event::Tend(tending)),
            None => self.end(at, served, now_us),
        }
    }

    /// Ends a request, and begins the work behind it, if there is any.
    fn end(&mut self, at: usize, served: Option<Request>, now_us: u64) {
        if let Some(Request { arrived_us, cost, has_waited, .. }) = served {
            self.figures.served += u64::from(cost);
            self.figures.waited += u64::from(has_waited);
            self.waits_ms.push((now_us - arrived_us) / 1_000);
        }
        let now_ms = self.local_ms(at, now_us);
        let Isolate { life, admissions, .. } = &mut self.isolates[at];
        if admissions.wants_tending(now_ms) {
            let tending = Tending { isolate: at, life: *life, since_us: now_us };
            self.at(now_us, Event::Tend(tending));
        }
    }

    fn tend(&mut self, tending: Tending, now_us: u64) {
        let Tending { isolate: at, life, since_us } = tending;
        if self.isolates[at].life != life {
            return;
        }
        let now_ms = self.local_ms(at, now_us);
        let until_ms = now_ms + (since_us + TENDS_MS * 1_000).saturating_sub(now_us) / 1_000;
        let due_ms = self.isolates[at].admissions.due(now_ms).map(|(due_ms, _)| due_ms);
        match due_ms.filter(|due_ms| now_ms.max(*due_ms) <= until_ms) {
            None => self.isolates[at].admissions.end_tending(),
            Some(due_ms) if due_ms > now_ms => self.at(now_us + (due_ms - now_ms) * 1_000, Event::Tend(tending)),
            Some(_) => self.send(at, None, Some(tending), now_us),
        }
    }

    /// Counts units when they are admitted: by the object when it charges them, by an isolate when it takes them from a lease.
    fn admit(&mut self, units: u32, now_us: u64) {
        let now_ms = ms(now_us);
        self.window.push_back((now_ms, units));
        self.in_window += units;
        while let Some((_, units)) = self.window.pop_front_if(|(at_ms, _)| *at_ms + WINDOW_MS <= now_ms) {
            self.in_window -= units;
        }
        self.figures.worst = self.figures.worst.max(self.in_window.into());
    }

    /// Forgets units whose request was not answered.
    fn take_back(&mut self, at_ms: u64, units: u32) {
        let place = self.window.partition_point(|(known_ms, _)| *known_ms < at_ms);
        let same = self.window.range_mut(place..).take_while(|(known_ms, _)| *known_ms == at_ms);
        if let Some((_, admitted)) = same.into_iter().find(|(_, admitted)| *admitted == units) {
            *admitted = 0;
            self.in_window -= units;
        }
    }

    fn local_ms(&self, at: usize, now_us: u64) -> u64 {
        let Isolate { ahead_ms, drift, .. } = self.isolates[at];
        let since_set_ms = (now_us / 1_000 % SET_MS).cast_signed();
        ms(now_us).strict_add_signed(ahead_ms + since_set_ms * drift / 1_000)
    }
}

impl Isolate {
    fn new(life: u32, random: &mut fastrand::Rng) -> Self {
        let ahead_ms = random.i64(-AHEAD_MS..=AHEAD_MS);
        let drift = random.i64(-DRIFT..=DRIFT);
        Self { life, admissions: Admissions::default(), waiting: Vec::new(), ahead_ms, drift }
    }
}

impl Request {
    fn charge<'a>(&self, caller: &'a Caller) -> Charge<'a> {
        Charge { key: KEY, caller, cost: self.cost, kind: self.kind }
    }
}

/// Returns the time of the object's clock.
fn ms(us: u64) -> u64 {
    NOON + us / 1_000
}

fn way_us(isolate: usize) -> u64 {
    WAYS_MS[isolate % WAYS_MS.len()] * 1_000
}

impl Ord for Timed {
    /// Orders the next event last, where a heap takes from.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.us, other.number).cmp(&(self.us, self.number))
    }
}

impl PartialOrd for Timed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Timed {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Timed {}
