//! The rules of `toponym_edge::meter::lease` and of the reserve of `toponym_edge::meter::ledger` in small numbers, checked in
//! every state that they can reach: messages are lost, doubled, late and reordered, isolates die, objects end without a word,
//! clocks drift. With each of some mistakes the same check fails.
//!
//! Time is counted in ticks. Instants are stored as ages, so that equal states are found equal at any time.

use stateright::{Checker, Model, Property};

/// Length of the window, ticks.
const WINDOW: u8 = 3;

/// Time of a lease, ticks.
const TTL: u8 = 2;

/// Ticks by which isolates stop earlier: a clock may lose as much from a question to the end of its lease.
const MARGIN: u8 = 1;

/// Units of a lease.
const LEASE: u8 = 1;

/// Units of a reserve, if there is one.
const RESERVE: u8 = 1;

/// Time that a reserve lasts, ticks.
const RESERVED: u8 = 2;

/// Extent of the check.
#[derive(Clone, Copy)]
struct Extent {
    /// Units in any window.
    limit: u8,
    /// Ticks.
    ticks: u8,
    /// Questions of all isolates.
    asks: u8,
    /// Messages that arrive twice.
    doubles: u8,
    /// Isolates that die.
    deaths: u8,
    /// Objects that end without a word.
    ends: u8,
}

/// Some seconds of checking.
const SMALL: Extent = Extent { limit: 1, ticks: 5, asks: 2, doubles: 1, deaths: 1, ends: 1 };

/// Some seconds of checking with a reserve, for which there has to be room.
const RESERVING: Extent = Extent { limit: 2, ticks: 5, asks: 1, doubles: 0, deaths: 0, ends: 1 };

/// Many minutes: `TOPONYM_MODEL=large`.
const LARGE: Extent = Extent { limit: 2, ticks: 6, asks: 3, doubles: 1, deaths: 1, ends: 1 };

/// Change of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    /// Nothing.
    None,
    /// The object counts a lease from its grant, and not from its end.
    CountsFromGrant,
    /// The isolate starts its time with the answer, and not with the question.
    ClockAfterAnswer,
    /// The isolate goes on using a lease that it reported.
    UsedAfterReport,
    /// The isolate takes an answer that it does not wait for.
    TakesAnyAnswer,
    /// The isolate trusts the rate of its clock.
    NoMargin,
    /// An object forgets the reserve of the one before.
    ForgetsReserve,
    /// The object counts the reserve from when it was written, and not from its end.
    CountsReserveFromWrite,
    /// The object goes on with a reserve that is over.
    OverdrawsReserve,
}

struct Leases {
    mistake: Mistake,
    extent: Extent,
}

/// Name of a lease: its isolate, and the number of the question.
type Id = (u8, u8);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    counted: Vec<Counted>,
    /// Storage: what was counted at the last write, and the reserve.
    stored: Vec<Counted>,
    reserve: Reserve,
    isolates: [Isolate; 2],
    network: Vec<Message>,
    /// Ages of the units that were admitted within a window.
    admitted: Vec<u8>,
    ticks: u8,
    doubles: u8,
    deaths: u8,
    ends: u8,
}

/// Units that the object may count without a write, and for how many ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Reserve {
    left: u8,
    ticks: u8,
}

/// Units that the object counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Counted {
    leaves_in: u8,
    units: u8,
    /// The lease, while it is not reported.
    lease: Option<Id>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Isolate {
    asks: u8,
    /// The question under way, and the time since by the isolate's clock.
    asked: Option<(Id, Time)>,
    held: Option<Held>,
    /// Leases to report, with the used units.
    used: Vec<(Id, u8)>,
}

/// Time by an isolate's clock, and whether it drifted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Time {
    ticks: u8,
    drifted: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Held {
    id: Id,
    left: u8,
    units: u8,
    time: Time,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Message {
    Ask { id: Id, used: Vec<(Id, u8)> },
    Answer { id: Id, units: u8, reported: Vec<(Id, u8)> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drift {
    None,
    Slow,
    Fast,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    /// A tick passes; the clocks of the isolates may drift.
    Tick([Drift; 2]),
    /// An isolate asks for a lease.
    Ask(usize),
    /// An isolate waits no longer: the object is late, or the request that asked has ended.
    GiveUp(usize),
    /// An isolate admits a unit alone.
    Use(usize),
    /// An isolate ends and forgets everything; another one begins.
    Die(usize),
    /// A message arrives, and may arrive again. One that is lost never does. The object may make a reserve.
    Arrive { message: usize, again: bool, reserves: bool },
    /// The object admits a unit by itself, and may make a reserve.
    Charge { reserves: bool },
    /// The object ends without a word, and another one begins with what is stored.
    End,
}

impl State {
    fn counts(&self) -> u8 {
        self.counted.iter().map(|counted| counted.units).sum()
    }

    fn count(&mut self, units: u8, leaves_in: u8, lease: Option<Id>) {
        self.counted.push(Counted { leaves_in, units, lease });
    }

    fn end(&mut self) {
        self.counted = self.stored.clone();
        self.reserve = Reserve::default();
    }

    /// Sorts the parts whose order has no meaning: equal states are to be equal.
    fn sort(mut self) -> Self {
        self.counted.sort();
        self.stored.sort();
        self.network.sort();
        self.admitted.sort();
        self.isolates.iter_mut().for_each(|isolate| isolate.used.sort());
        self
    }
}

impl Isolate {
    fn end(&mut self) {
        if let Some(Held { id, left, units, .. }) = self.held.take() {
            self.used.push((id, units - left));
        }
    }

    fn tick(&mut self, drift: Drift) {
        let pass = |time: &mut Time| {
            let drift = if time.drifted { Drift::None } else { drift };
            time.ticks = (time.ticks + [1, 0, 2][drift as usize]).min(TTL + 1);
            time.drifted |= drift != Drift::None;
        };
        if let Some((_, time)) = &mut self.asked {
            pass(time);
        }
        if let Some(held) = &mut self.held {
            pass(&mut held.time);
        }
    }
}

impl Leases {
    /// Tells whether a lease may be used.
    fn holds(&self, held: &Held) -> bool {
        let margin = if self.mistake == Mistake::NoMargin { 0 } else { MARGIN };
        held.left > 0 && held.time.ticks <= TTL - margin
    }

    fn ask(&self, state: &mut State, at: usize) {
        let isolate = &mut state.isolates[at];
        let id = (at as u8, isolate.asks);
        isolate.asks += 1;
        isolate.asked = Some((id, Time::default()));
        let mut used = Vec::new();
        if self.mistake == Mistake::UsedAfterReport {
            used.extend(isolate.held.iter().map(|held| (held.id, held.units - held.left)));
        } else if isolate.held.as_ref().is_some_and(|held| !self.holds(held)) {
            isolate.end();
        }
        used.extend(isolate.used.iter().copied());
        state.network.push(Message::Ask { id, used });
    }

    /// Stores for the object what the reserve does not cover, of `units` that are used within `ticks`.
    fn store(&self, state: &mut State, units: u8, ticks: u8, reserves: bool) {
        let lasts = self.mistake == Mistake::OverdrawsReserve || ticks < state.reserve.ticks;
        if lasts && units <= state.reserve.left {
            state.reserve.left -= units;
            return;
        }
        let left = if reserves { RESERVE.min(self.extent.limit - state.counts()) } else { 0 };
        state.reserve = Reserve { left, ticks: RESERVED };
        state.stored = state.counted.clone();
        let ticks = if self.mistake == Mistake::CountsReserveFromWrite { 0 } else { RESERVED };
        if left > 0 && self.mistake != Mistake::ForgetsReserve {
            state.stored.push(Counted { leaves_in: ticks + WINDOW, units: left, lease: None });
        }
    }

    /// Answers for the object: takes the reports, then leases.
    fn answer(&self, state: &mut State, id: Id, used: &[(Id, u8)], reserves: bool) {
        for (lease, units) in used {
            if let Some(at) = state.counted.iter().position(|counted| counted.lease == Some(*lease)) {
                let Counted { leaves_in, .. } = state.counted.swap_remove(at);
                if *units > 0 {
                    state.count(*units, leaves_in.min(WINDOW), None);
                }
                self.store(state, *units, 0, reserves);
            }
        }
        let is_known = state.counted.iter().any(|counted| counted.lease == Some(id));
        let units = if is_known { 0 } else { LEASE.min(self.extent.limit - state.counts()) };
        if units > 0 {
            let ttl = if self.mistake == Mistake::CountsFromGrant { 0 } else { TTL };
            state.count(units, ttl + WINDOW, Some(id));
            self.store(state, units, ttl, reserves);
        }
        state.network.push(Message::Answer { id, units, reported: used.to_vec() });
    }

    /// Takes an answer for the isolate.
    fn learn(&self, state: &mut State, id: Id, units: u8, reported: &[(Id, u8)]) {
        let isolate = &mut state.isolates[usize::from(id.0)];
        isolate.used.retain(|used| !reported.contains(used));
        let time = match isolate.asked.filter(|(asked, _)| *asked == id) {
            Some((_, time)) => time,
            None if self.mistake == Mistake::TakesAnyAnswer => Time::default(),
            None => return,
        };
        let time = if self.mistake == Mistake::ClockAfterAnswer { Time::default() } else { time };
        isolate.asked = None;
        if units > 0 {
            isolate.end();
            isolate.held = Some(Held { id, left: units, units, time });
        }
    }
}

impl Model for Leases {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let Extent { doubles, deaths, ends, .. } = self.extent;
        vec![State {
            counted: Vec::new(),
            stored: Vec::new(),
            reserve: Reserve::default(),
            isolates: Default::default(),
            network: Vec::new(),
            admitted: Vec::new(),
            ticks: 0,
            doubles,
            deaths,
            ends,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.ticks < self.extent.ticks {
            let can_drift = |at: usize| {
                let Isolate { asked, held, .. } = &state.isolates[at];
                let times = asked.iter().map(|(_, time)| time).chain(held.iter().map(|held| &held.time));
                times.into_iter().any(|time| !time.drifted && time.ticks <= TTL)
            };
            let drifts = |at| if can_drift(at) { &[Drift::None, Drift::Slow, Drift::Fast][..] } else { &[Drift::None] };
            for first in drifts(0) {
                actions.extend(drifts(1).iter().map(|second| Action::Tick([*first, *second])));
            }
        }
        let asks: u8 = state.isolates.iter().map(|isolate| isolate.asks).sum();
        for (at, isolate) in state.isolates.iter().enumerate() {
            match isolate.asked {
                Some(_) => actions.push(Action::GiveUp(at)),
                None if asks < self.extent.asks => actions.push(Action::Ask(at)),
                None => {}
            }
            if isolate.held.as_ref().is_some_and(|held| self.holds(held)) {
                actions.push(Action::Use(at));
            }
            if state.deaths > 0 && isolate.asks > 0 {
                actions.push(Action::Die(at));
            }
        }
        // Whether the object makes a reserve matters where there is room for one.
        let reserves = if self.extent.limit > LEASE { &[false, true][..] } else { &[false] };
        for (message, arriving) in state.network.iter().enumerate() {
            let reserves = if matches!(arriving, Message::Ask { .. }) { reserves } else { &[false] };
            for reserves in reserves.iter().copied() {
                actions.push(Action::Arrive { message, again: false, reserves });
                if state.doubles > 0 {
                    actions.push(Action::Arrive { message, again: true, reserves });
                }
            }
        }
        if state.counts() < self.extent.limit {
            actions.extend(reserves.iter().map(|reserves| Action::Charge { reserves: *reserves }));
        }
        if state.ends > 0 {
            actions.push(Action::End);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Tick(drifts) => {
                state.ticks += 1;
                for counted in [&mut state.counted, &mut state.stored] {
                    counted.iter_mut().for_each(|counted| counted.leaves_in -= 1);
                    counted.retain(|counted| counted.leaves_in > 0);
                }
                state.reserve.ticks = state.reserve.ticks.saturating_sub(1);
                state.admitted.iter_mut().for_each(|age| *age += 1);
                state.admitted.retain(|age| *age < WINDOW);
                state.isolates.iter_mut().zip(drifts).for_each(|(isolate, drift)| isolate.tick(drift));
            }
            Action::Ask(at) => self.ask(&mut state, at),
            Action::GiveUp(at) => {
                let isolate = &mut state.isolates[at];
                // What may have been leased is not used.
                isolate.used.extend(isolate.asked.take().map(|(id, _)| (id, 0)));
            }
            Action::Use(at) => {
                state.isolates[at].held.as_mut()?.left -= 1;
                state.admitted.push(0);
            }
            Action::Die(at) => {
                state.deaths -= 1;
                state.isolates[at] = Isolate { asks: state.isolates[at].asks, ..Isolate::default() };
            }
            Action::Arrive { message, again, reserves } => {
                let arrived = if again { state.network[message].clone() } else { state.network.remove(message) };
                state.doubles -= u8::from(again);
                match arrived {
                    Message::Ask { id, used } => self.answer(&mut state, id, &used, reserves),
                    Message::Answer { id, units, reported } => self.learn(&mut state, id, units, &reported),
                }
            }
            Action::Charge { reserves } => {
                state.count(1, WINDOW, None);
                self.store(&mut state, 1, 0, reserves);
                state.admitted.push(0);
            }
            Action::End => {
                state.ends -= 1;
                state.end();
            }
        }
        Some(state.sort())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::<Self>::always("never more than the limit", |model, state| {
                state.admitted.len() <= usize::from(model.extent.limit)
            }),
            Property::<Self>::sometimes("the whole limit, and a lease used up", |model, state| {
                state.admitted.len() == usize::from(model.extent.limit)
                    && state.isolates.iter().any(|isolate| isolate.held.as_ref().is_some_and(|held| held.left == 0))
            }),
        ]
    }
}

/// Number of checking threads.
const THREADS: usize = 2;

#[test]
fn no_order_of_events_exceeds_the_limit() {
    let is_large = std::env::var("TOPONYM_MODEL").is_ok_and(|extent| extent == "large");
    for extent in if is_large { [LARGE, RESERVING] } else { [SMALL, RESERVING] } {
        let checker = Leases { mistake: Mistake::None, extent }.checker().threads(THREADS).spawn_bfs().join();
        eprintln!("{} states", checker.unique_state_count());
        checker.assert_properties();
    }
}

#[test]
fn each_mistake_is_found() {
    for (mistake, extent) in [
        (Mistake::CountsFromGrant, SMALL),
        (Mistake::ClockAfterAnswer, SMALL),
        (Mistake::UsedAfterReport, SMALL),
        (Mistake::TakesAnyAnswer, SMALL),
        (Mistake::NoMargin, SMALL),
        (Mistake::ForgetsReserve, RESERVING),
        (Mistake::CountsReserveFromWrite, RESERVING),
        (Mistake::OverdrawsReserve, RESERVING),
    ] {
        let checker = Leases { mistake, extent }.checker().threads(THREADS).spawn_bfs().join();
        let found = checker.discovery("never more than the limit");
        let actions = found.unwrap_or_else(|| panic!("{mistake:?} is not found")).into_actions();
        eprintln!("{mistake:?}: {actions:?}");
    }
}
