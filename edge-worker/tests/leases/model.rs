//! The rule of `toponym_edge::meter::lease` in small numbers, checked in every state that it can reach: messages are
//! lost, doubled, late and reordered, isolates die, clocks drift. With each of some mistakes the same check fails.
//!
//! Time is counted in ticks. Instants are stored as ages, so that equal states are found equal at any time.

use stateright::{Checker, Model, Property};

/// Length of the window, ticks.
const WINDOW: u8 = 3;

/// Time of a lease, ticks.
const TTL: u8 = 2;

/// How much earlier isolates stop, ticks: a clock may lose as much from a question to the end of its lease.
const MARGIN: u8 = 1;

/// Units of a lease.
const LEASE: u8 = 1;

/// How far the check goes.
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
}

/// Some seconds of checking.
const SMALL: Extent = Extent { limit: 1, ticks: 5, asks: 2, doubles: 1, deaths: 1 };

/// Many minutes: `TOPONYM_MODEL=large`.
const LARGE: Extent = Extent { limit: 2, ticks: 6, asks: 3, doubles: 1, deaths: 1 };

/// What is changed about the rule.
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
    isolates: [Isolate; 2],
    network: Vec<Message>,
    /// Ages of the units that were admitted within a window.
    admitted: Vec<u8>,
    ticks: u8,
    doubles: u8,
    deaths: u8,
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
    /// A message arrives, and may arrive again. One that is lost never does.
    Arrive { message: usize, again: bool },
    /// The object admits a unit by itself.
    Charge,
}

impl State {
    fn counts(&self) -> u8 {
        self.counted.iter().map(|counted| counted.units).sum()
    }

    fn count(&mut self, units: u8, leaves_in: u8, lease: Option<Id>) {
        self.counted.push(Counted { leaves_in, units, lease });
    }

    /// Order has no meaning: equal states are to be equal.
    fn sorted(mut self) -> Self {
        self.counted.sort();
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
    /// Whether a lease may be used.
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

    /// The object: takes the reports, then leases.
    fn answer(&self, state: &mut State, id: Id, used: &[(Id, u8)]) {
        for (lease, units) in used {
            if let Some(at) = state.counted.iter().position(|counted| counted.lease == Some(*lease)) {
                let Counted { leaves_in, .. } = state.counted.swap_remove(at);
                if *units > 0 {
                    state.count(*units, leaves_in.min(WINDOW), None);
                }
            }
        }
        let is_known = state.counted.iter().any(|counted| counted.lease == Some(id));
        let units = if is_known { 0 } else { LEASE.min(self.extent.limit - state.counts()) };
        if units > 0 {
            let ttl = if self.mistake == Mistake::CountsFromGrant { 0 } else { TTL };
            state.count(units, ttl + WINDOW, Some(id));
        }
        state.network.push(Message::Answer { id, units, reported: used.to_vec() });
    }

    /// The isolate: takes its answer.
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
        let Extent { doubles, deaths, .. } = self.extent;
        vec![State {
            counted: Vec::new(),
            isolates: Default::default(),
            network: Vec::new(),
            admitted: Vec::new(),
            ticks: 0,
            doubles,
            deaths,
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
        for message in 0..state.network.len() {
            actions.push(Action::Arrive { message, again: false });
            if state.doubles > 0 {
                actions.push(Action::Arrive { message, again: true });
            }
        }
        if state.counts() < self.extent.limit {
            actions.push(Action::Charge);
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Tick(drifts) => {
                state.ticks += 1;
                state.counted.iter_mut().for_each(|counted| counted.leaves_in -= 1);
                state.counted.retain(|counted| counted.leaves_in > 0);
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
            Action::Arrive { message, again } => {
                let arrived = if again { state.network[message].clone() } else { state.network.remove(message) };
                state.doubles -= u8::from(again);
                match arrived {
                    Message::Ask { id, used } => self.answer(&mut state, id, &used),
                    Message::Answer { id, units, reported } => self.learn(&mut state, id, units, &reported),
                }
            }
            Action::Charge => {
                state.count(1, WINDOW, None);
                state.admitted.push(0);
            }
        }
        Some(state.sorted())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::<Self>::always("never more than the limit", |model, state| {
                state.admitted.len() <= usize::from(model.extent.limit)
            }),
            Property::<Self>::sometimes("the whole limit, and a lease used up", |model, state| {
                let is_spent = |isolate: &Isolate| isolate.held.as_ref().is_some_and(|held| held.left == 0);
                state.admitted.len() == usize::from(model.extent.limit) && state.isolates.iter().any(is_spent)
            }),
        ]
    }
}

/// Number of checking threads.
const THREADS: usize = 2;

#[test]
fn no_order_of_events_admits_more_than_the_limit() {
    let is_large = std::env::var("TOPONYM_MODEL").is_ok_and(|extent| extent == "large");
    let extent = if is_large { LARGE } else { SMALL };
    let checker = Leases { mistake: Mistake::None, extent }.checker().threads(THREADS).spawn_bfs().join();
    eprintln!("{} states", checker.unique_state_count());
    checker.assert_properties();
}

#[test]
fn each_mistake_is_found() {
    for mistake in [
        Mistake::CountsFromGrant,
        Mistake::ClockAfterAnswer,
        Mistake::UsedAfterReport,
        Mistake::TakesAnyAnswer,
        Mistake::NoMargin,
    ] {
        let checker = Leases { mistake, extent: SMALL }.checker().threads(THREADS).spawn_bfs().join();
        let found = checker.discovery("never more than the limit");
        let actions = found.unwrap_or_else(|| panic!("{mistake:?} is not found")).into_actions();
        eprintln!("{mistake:?}: {actions:?}");
    }
}
