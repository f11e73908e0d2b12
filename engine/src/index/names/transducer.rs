//! A reader for untrusted fsts. The fst crate writes them (`MapBuilder`), but its reader panics on malformed data. Here, a
//! malformed node has no transitions. This reader is as fast.
//!
//! The layout is that of fst 0.4 (format version 3): u64 version, u64 type, the nodes, u64 number of keys, u64 address of
//! the root, u32 checksum. A node is read backwards from its address, which is its last byte. All nodes that it leads to have
//! lower addresses, so every walk ends. Final outputs are not read: no key of an index has one, because a key has a lower
//! value than the keys it is a prefix of.

use std::sync::OnceLock;

use bytes::Bytes;
use fst::MapBuilder;

use crate::index::format::OpenError;

/// The position of the last byte of a node.
pub(crate) type Address = usize;

/// Address of the final node without transitions, which has no bytes.
const END_OF_KEY: Address = 0;

/// An address that no node has.
const INVALID: Address = usize::MAX;

/// Bytes before and after the nodes.
const HEAD: usize = 16;
const TAIL: usize = 20;

const VERSION: u64 = 3;

/// A node with more transitions has a table from input to transition.
const MAX_WITHOUT_TABLE: usize = 32;
const MAX_TRANSITIONS: usize = 256;

/// Maximum width of a number in bytes.
const MAX_WIDTH: usize = 8;

/// Size of the widths of addresses and outputs.
const WIDTHS: usize = 1;

/// The bit of a state that marks a node with one transition.
const ONE: u8 = 0x80;

/// Inputs that a node with one transition stores in its last byte, numbered from 1; with 0 the input has its own byte.
const COMMON_INPUTS: [u8; 63] = *b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG";

/// The bytes of an fst.
#[derive(Debug)]
pub(crate) struct Transducer {
    /// Up to the last node.
    bytes: Bytes,
    root: Address,
    keys: u64,
}

/// Encodes keys, which are in order and distinct, each with its value.
pub(crate) fn encode_fst<K: AsRef<[u8]>>(keys: impl IntoIterator<Item = (K, u64)>) -> Vec<u8> {
    // Most tables of pages have no keys, and a builder takes a megabyte.
    static WITHOUT_KEYS: OnceLock<Vec<u8>> = OnceLock::new();
    let mut keys = keys.into_iter().peekable();
    if keys.peek().is_none() {
        return WITHOUT_KEYS.get_or_init(|| finish(MapBuilder::memory())).clone();
    }
    let mut builder = MapBuilder::memory();
    for (key, value) in keys {
        builder.insert(key, value).expect("keys are in order and distinct");
    }
    finish(builder)
}

fn finish(builder: MapBuilder<Vec<u8>>) -> Vec<u8> {
    builder.into_inner().expect("memory does not fail")
}

/// A decoded node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'f> {
    bytes: &'f [u8],
    /// Position of its first byte.
    start: usize,
    /// Positions of inputs, addresses and outputs, each with the last transition first.
    inputs: Inputs,
    addresses: usize,
    outputs: usize,
    /// Width in bytes of addresses (0: the only transition leads to the preceding node) and of outputs.
    address_width: usize,
    output_width: usize,
    transitions: usize,
    is_final: bool,
}

#[derive(Clone, Copy, Debug)]
enum Inputs {
    One(u8),
    From(usize),
}

/// Some input bytes, by their last six bits, which no two letters of a script share: it may have further ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct InputSet(u64);

impl InputSet {
    /// Adds an input.
    pub fn add(&mut self, input: u8) {
        self.0 |= Self::bit(input);
    }

    /// Tells whether an input may be in the set; `false` if it is not.
    pub fn may_have(self, input: u8) -> bool {
        self.0 & Self::bit(input) != 0
    }

    fn bit(input: u8) -> u64 {
        1 << (input & 0x3f)
    }
}

/// A transition: its input byte, what it adds to the value of a key, and the node it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub input: u8,
    pub output: u64,
    pub to: Address,
}

impl Transducer {
    /// Reads both ends of an fst. `part` names it in the error.
    pub fn open(bytes: Bytes, part: &'static str) -> Result<Self, OpenError> {
        let tail = bytes.len().checked_sub(TAIL).filter(|&tail| tail >= HEAD).ok_or(OpenError::Malformed(part))?;
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let version = word(0);
        let keys = word(tail);
        let root = word(tail + 8) as Address;
        let is_last = root == if tail == HEAD { END_OF_KEY } else { tail - 1 };
        if version != VERSION || !is_last {
            return Err(OpenError::Malformed(part));
        }
        Ok(Self { bytes: bytes.slice(..tail), root, keys })
    }

    /// Returns the number of keys that the fst declares.
    pub fn len(&self) -> u64 {
        self.keys
    }

    pub fn root(&self) -> Address {
        self.root
    }

    /// Returns the node at an address; an empty one if there is none.
    #[inline]
    pub fn node(&self, at: Address) -> Node<'_> {
        let node = if at == END_OF_KEY { None } else { Node::read(&self.bytes, at) };
        node.unwrap_or(Node { is_final: at == END_OF_KEY, ..EMPTY })
    }

    /// Tells whether the node at an address may have a transition for one of some inputs; `false` if it has none. Most nodes have
    /// none, and this decodes nothing else of them.
    pub fn may_go_on(&self, at: Address, inputs: InputSet) -> bool {
        let Some(&state) = self.bytes.get(at).filter(|_| at != END_OF_KEY) else { return false };
        if state & ONE != 0 {
            return only_input(&self.bytes, at, state).is_some_and(|(input, _)| inputs.may_have(input));
        }
        let of_node = transitions(&self.bytes, at, state).and_then(|(count, end)| {
            let last = end.checked_sub(WIDTHS + table_size(count))?;
            self.bytes.get(last.checked_sub(count)?..last)
        });
        of_node.is_some_and(|of_node| of_node.iter().any(|&input| inputs.may_have(input)))
    }
}

const EMPTY: Node<'_> = Node {
    bytes: &[],
    start: 0,
    inputs: Inputs::From(0),
    addresses: 0,
    outputs: 0,
    address_width: 0,
    output_width: 0,
    transitions: 0,
    is_final: false,
};

impl<'f> Node<'f> {
    fn read(bytes: &'f [u8], at: Address) -> Option<Self> {
        let state = *bytes.get(at)?;
        if state & ONE == 0 { Self::read_any(bytes, at, state) } else { Self::read_one(bytes, at, state) }
    }

    /// Reads backwards: state, input if it is not common, and unless it leads to the preceding node: widths, address, output.
    fn read_one(bytes: &'f [u8], at: Address, state: u8) -> Option<Self> {
        let (input, end) = only_input(bytes, at, state)?;
        let (address_width, output_width, end) = match state & 0x40 {
            0 => widths(bytes, end)?,
            _ => (0, 0, end),
        };
        let start = end.checked_sub(address_width + output_width)?;
        Some(Self {
            bytes,
            start,
            inputs: Inputs::One(input),
            addresses: start + output_width,
            outputs: start,
            address_width,
            output_width,
            transitions: 1,
            is_final: false,
        })
    }

    /// Reads backwards: state with the final flag and the number of transitions, that number if it is too large for the state,
    /// widths, table if there are many transitions, inputs, addresses, outputs, final output.
    fn read_any(bytes: &'f [u8], at: Address, state: u8) -> Option<Self> {
        let (transitions, end) = transitions(bytes, at, state)?;
        let (address_width, output_width, end) = widths(bytes, end)?;
        let is_final = state & 0x40 != 0;
        let inputs = end.checked_sub(table_size(transitions) + transitions)?;
        let addresses = inputs.checked_sub(transitions * address_width)?;
        let outputs = addresses.checked_sub(transitions * output_width)?;
        let start = outputs.checked_sub(if is_final { output_width } else { 0 })?;
        Some(Self {
            bytes,
            start,
            inputs: Inputs::From(inputs),
            addresses,
            outputs,
            address_width,
            output_width,
            transitions,
            is_final,
        })
    }

    /// Returns the number of transitions.
    #[inline]
    pub fn len(&self) -> usize {
        self.transitions
    }

    /// Tells whether a key ends at this node.
    #[inline]
    pub fn is_final(&self) -> bool {
        self.is_final
    }

    /// Finds the number of the transition for an input.
    #[inline]
    pub fn find(&self, input: u8) -> Option<usize> {
        match self.inputs {
            Inputs::One(only) => (only == input).then_some(0),
            Inputs::From(first) if self.transitions > MAX_WITHOUT_TABLE => {
                let number = usize::from(self.bytes[first + self.transitions + usize::from(input)]);
                (number < self.transitions).then_some(number)
            }
            Inputs::From(first) => {
                let inputs = &self.bytes[first..first + self.transitions];
                inputs.iter().position(|&other| other == input).map(|at| self.transitions - 1 - at)
            }
        }
    }

    /// Returns the transition with a number below [`Self::len`].
    #[inline]
    pub fn transition(&self, number: usize) -> Transition {
        let from_last = self.transitions - 1 - number;
        let input = match self.inputs {
            Inputs::One(only) => only,
            Inputs::From(first) => self.bytes[first + from_last],
        };
        let output = self.number(self.outputs + from_last * self.output_width, self.output_width);
        let to = match self.address_width {
            0 => self.back(1),
            width => match self.number(self.addresses + from_last * width, width) {
                0 => END_OF_KEY,
                bytes => self.back(bytes),
            },
        };
        Transition { input, output, to }
    }

    /// Returns the address this many bytes before the node.
    fn back(&self, bytes: u64) -> Address {
        usize::try_from(bytes).ok().and_then(|bytes| self.start.checked_sub(bytes)).unwrap_or(INVALID)
    }

    #[inline]
    fn number(&self, at: usize, width: usize) -> u64 {
        // Behind nearly every number there are further bytes, so that eight are read at once.
        match self.bytes[at..].first_chunk::<MAX_WIDTH>() {
            Some(_) if width == 0 => 0,
            Some(&bytes) => u64::from_le_bytes(bytes) & u64::MAX >> (u8::BITS as usize * (MAX_WIDTH - width)),
            None => self.bytes[at..at + width].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
        }
    }
}

/// Returns the input of a node with one transition, and the position behind what follows.
#[inline]
fn only_input(bytes: &[u8], at: Address, state: u8) -> Option<(u8, usize)> {
    match usize::from(state & 0x3f).checked_sub(1) {
        Some(common) => Some((COMMON_INPUTS[common], at)),
        None => Some((*bytes.get(at.checked_sub(1)?)?, at - 1)),
    }
}

/// Returns the number of transitions of a node that may have several, and the position behind the widths.
#[inline]
fn transitions(bytes: &[u8], at: Address, state: u8) -> Option<(usize, usize)> {
    Some(match usize::from(state & 0x3f) {
        0 => match *bytes.get(at.checked_sub(1)?)? {
            // A single transition fits the state, so 1 stands for 256 here, which does not fit a byte.
            1 => (MAX_TRANSITIONS, at - 1),
            many => (usize::from(many), at - 1),
        },
        few => (few, at),
    })
}

/// Returns the size of the table from input to transition.
fn table_size(transitions: usize) -> usize {
    if transitions > MAX_WITHOUT_TABLE { MAX_TRANSITIONS } else { 0 }
}

/// Reads the widths of addresses and outputs from the byte before `end`. Returns them and the position of the byte.
#[inline]
fn widths(bytes: &[u8], end: usize) -> Option<(usize, usize, usize)> {
    let at = end.checked_sub(1)?;
    let byte = usize::from(*bytes.get(at)?);
    let (address, output) = (byte >> 4, byte & 0xf);
    (address <= MAX_WIDTH && output <= MAX_WIDTH).then_some((address, output, at))
}

/// Creates a small forged fst with very many keys: in each of `depth` nodes, all 256 transitions lead to the previous
/// one.
#[cfg(test)]
pub(crate) fn wide(depth: usize, keys: u64) -> Vec<u8> {
    let mut bytes = [VERSION.to_le_bytes(), [0; 8]].concat();
    let mut before = END_OF_KEY;
    for _ in 0..depth {
        // The distance to the previous node, in two bytes.
        let to = if before == END_OF_KEY { 0 } else { bytes.len() - before } as u16;
        (0..MAX_TRANSITIONS).for_each(|_| bytes.extend(to.to_le_bytes()));
        bytes.extend((0..=u8::MAX).rev());
        bytes.extend(0..=u8::MAX);
        // Widths 2 and 0; 256 transitions; a state that refers to that number.
        bytes.extend([0x20, 1, 0]);
        before = bytes.len() - 1;
    }
    bytes.extend(keys.to_le_bytes());
    bytes.extend((before as u64).to_le_bytes());
    bytes.extend([0; 4]);
    bytes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ops::RangeInclusive;

    use fastrand::Rng;
    use fst::MapBuilder;

    use super::*;

    fn written(keys: &BTreeMap<Vec<u8>, u64>) -> Vec<u8> {
        let mut builder = MapBuilder::memory();
        keys.iter().for_each(|(key, value)| builder.insert(key, *value).expect("keys are sorted and distinct"));
        builder.into_inner().expect("memory does not fail")
    }

    /// Collects all keys with their values, from a walk of at most `most` steps.
    fn keys(fst: &Transducer, most: usize) -> BTreeMap<Vec<u8>, u64> {
        let mut found = BTreeMap::new();
        let mut steps = 0;
        let mut ahead = vec![(Vec::new(), fst.root(), 0u64)];
        while let Some((key, at, value)) = ahead.pop() {
            let node = fst.node(at);
            steps += 1;
            if steps > most {
                return found;
            }
            for number in 0..node.len() {
                let Transition { input, output, to } = node.transition(number);
                assert!(to < at || to == INVALID, "every walk comes to an end: {at} leads to {to}");
                ahead.push(([key.as_slice(), &[input]].concat(), to, value.wrapping_add(output)));
            }
            if node.is_final() {
                found.insert(key, value);
            }
        }
        found
    }

    fn only(input: u8) -> InputSet {
        let mut inputs = InputSet::default();
        inputs.add(input);
        inputs
    }

    /// Creates a key of fewer than `most` bytes.
    fn random_key(rng: &mut Rng, most: usize, bytes: RangeInclusive<u8>) -> Vec<u8> {
        (0..rng.usize(0..most)).map(|_| rng.u8(bytes.clone())).collect()
    }

    /// Creates maps of all shapes: no key, the empty key, long keys, nodes of 32, 33, 255 and 256 transitions, inputs
    /// of all bytes. The values are numbers in the order of the keys, so that nothing is added at the end of a key.
    fn maps(rng: &mut Rng) -> Vec<BTreeMap<Vec<u8>, u64>> {
        let mut maps = vec![Vec::new(), vec![Vec::new()], vec![vec![0]], vec![vec![b'a'; 300], vec![255; 3]]];
        for wide in [1, 2, 31, 32, 33, 63, 64, 65, 255, 256] {
            maps.push((0..wide).map(|input| vec![b'x', input as u8]).collect());
            maps.push((0..wide).flat_map(|input| [vec![input as u8], vec![input as u8, b'e', input as u8]]).collect());
        }
        for size in [10, 300, 5_000] {
            maps.push((0..size).map(|_| random_key(rng, 9, b'a'..=b'h')).collect());
            maps.push((0..size).map(|_| random_key(rng, 4, 0..=u8::MAX)).collect());
        }
        maps.into_iter()
            .map(|mut keys| {
                keys.sort();
                keys.dedup();
                let step = rng.u64(1..100_000);
                keys.into_iter().zip((0..).map(|number| number * step)).collect()
            })
            .collect()
    }

    #[test]
    fn what_the_crate_writes_is_read() {
        let mut rng = Rng::with_seed(11);
        for map in maps(&mut rng) {
            let fst = Transducer::open(written(&map).into(), "fst").expect("it is whole");
            assert_eq!(fst.len(), map.len() as u64);
            assert_eq!(keys(&fst, usize::MAX), map);
            for key in map.keys() {
                let mut at = fst.root();
                let mut value = 0;
                for &input in key {
                    let node = fst.node(at);
                    let Transition { input: found, output, to } =
                        node.transition(node.find(input).expect("it is there"));
                    assert_eq!(found, input);
                    assert!(fst.may_go_on(at, only(input)));
                    (at, value) = (to, value + output);
                }
                assert_eq!((value, fst.node(at).is_final()), (map[key], true));
            }
            let node = fst.node(fst.root());
            let known: Vec<u8> = (0..node.len()).map(|number| node.transition(number).input).collect();
            assert!(known.is_sorted());
            assert!((0..=u8::MAX).all(|input| node.find(input).is_some() == known.contains(&input)));
            // Inputs with the same last six bits are not told apart.
            let may_be = |input: u8| known.iter().any(|other| other & 0x3f == input & 0x3f);
            assert!((0..=u8::MAX).all(|input| fst.may_go_on(fst.root(), only(input)) == may_be(input)));
        }
    }

    #[test]
    fn a_forged_fst_claims_more_keys_safely() {
        let fst = Transducer::open(wide(3, 1).into(), "fst").expect("both ends are right");
        let mut ahead = vec![(fst.root(), 0)];
        for depth in 0..3 {
            let (at, before) = ahead[0];
            assert_eq!((fst.node(at).len(), before), (256, depth));
            ahead = (0..256).map(|number| (fst.node(at).transition(number).to, depth + 1)).collect();
            assert!(ahead.iter().all(|next| *next == ahead[0]));
        }
        assert!(fst.node(ahead[0].0).is_final());
    }

    #[test]
    fn anything_is_read_without_a_panic() {
        let mut rng = Rng::with_seed(12);
        let whole: Vec<Vec<u8>> = maps(&mut rng).iter().map(written).collect();
        for _ in 0..5_000 {
            let mut bytes = whole[rng.usize(0..whole.len())].clone();
            let end = bytes.len() - TAIL;
            for _ in 0..rng.usize(0..8) {
                let at = rng.usize(0..end.max(1));
                bytes[at] =
                    if rng.bool() { rng.u8(..) } else { [0, 1, 0x0f, 0x3f, 0x40, 0x7f, 0x80, 0xff][rng.usize(0..8)] };
            }
            let Ok(fst) = Transducer::open(bytes.into(), "fst") else { continue };
            keys(&fst, 300);
            for _ in 0..100 {
                let at = rng.usize(0..end + 40);
                fst.may_go_on(at, only(rng.u8(..)));
                let node = fst.node(at);
                for number in (0..=u8::MAX).filter_map(|input| node.find(input)) {
                    node.transition(number);
                }
            }
        }
        for length in 0..100 {
            let bytes: Vec<u8> = (0..length).map(|_| rng.u8(..)).collect();
            assert!(Transducer::open(bytes.into(), "fst").is_err());
        }
    }
}
