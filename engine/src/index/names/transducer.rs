//! Reading an fst that nobody vouches for. The fst crate writes it (`MapBuilder`), but it trusts what it reads, and panics on
//! anything that it did not write. Here, a part that makes no sense has no transitions, at the same cost.
//!
//! The layout is that of fst 0.4 (format version 3): u64 version, u64 type, the nodes, u64 number of keys, u64 address of
//! the root, u32 checksum. A node is read backwards from its address, its last byte, and lies behind all nodes that it
//! leads to: every walk comes to an end. Outputs at the end of a key are not read: no key of an index has one, because
//! those that begin others have lesser values.

use bytes::Bytes;

use crate::index::format::OpenError;

/// Where a node is: its last byte.
pub(crate) type Address = usize;

/// Address of the node without transitions that ends a key; it has no bytes.
const END_OF_KEY: Address = 0;

/// No node's address.
const NOWHERE: Address = usize::MAX;

/// What stands before and behind the nodes.
const HEAD: usize = 16;
const TAIL: usize = 20;

const VERSION: u64 = 3;

/// A node of more transitions has a table of their numbers by letter.
const MOST_UNLISTED: usize = 32;
const LETTERS: usize = 256;

/// Widest number.
const MAX_WIDTH: usize = 8;

/// The letters that a node of one transition keeps in its last byte, from 1 on; 0: the letter has a byte of its own.
const COMMON: [u8; 63] = *b"te/oasripcnw.hlm-du012g=:bf3y5&_4v9678k%?xCDASFIBEjPTzRNM+LOqHG";

/// The bytes of an fst.
#[derive(Debug)]
pub(crate) struct Transducer {
    /// Up to the last node.
    bytes: Bytes,
    root: Address,
    keys: u64,
}

/// A node, as far as it is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'f> {
    bytes: &'f [u8],
    /// First byte.
    start: usize,
    /// Where letters, addresses and outputs begin, each with those of the last transition first.
    letters: Letters,
    addresses: usize,
    outputs: usize,
    /// Bytes of an address, 0 where the one transition leads to the node before, and of an output.
    address_width: usize,
    output_width: usize,
    transitions: usize,
    is_final: bool,
}

#[derive(Clone, Copy, Debug)]
enum Letters {
    One(u8),
    From(usize),
}

/// Where a letter leads, and what it adds to the value of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transition {
    pub letter: u8,
    pub output: u64,
    pub to: Address,
}

impl Transducer {
    /// Reads both ends; `part` is what to call it when they are not those of an fst.
    pub fn open(bytes: Bytes, part: &'static str) -> Result<Self, OpenError> {
        let tail = bytes.len().checked_sub(TAIL).filter(|&tail| tail >= HEAD).ok_or(OpenError::Malformed(part))?;
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        let (version, keys, root) = (word(0), word(tail), word(tail + 8) as Address);
        let is_last = root == if tail == HEAD { END_OF_KEY } else { tail - 1 };
        if version != VERSION || !is_last {
            return Err(OpenError::Malformed(part));
        }
        Ok(Self { bytes: bytes.slice(..tail), root, keys })
    }

    /// How many keys there are, by its own account.
    pub fn len(&self) -> u64 {
        self.keys
    }

    pub fn root(&self) -> Address {
        self.root
    }

    /// The node at an address, without transitions where there is none.
    #[inline]
    pub fn node(&self, at: Address) -> Node<'_> {
        let node = if at == END_OF_KEY { None } else { Node::read(&self.bytes, at) };
        node.unwrap_or(Node { is_final: at == END_OF_KEY, ..NOTHING })
    }
}

const NOTHING: Node<'_> = Node {
    bytes: &[],
    start: 0,
    letters: Letters::From(0),
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
        if state & 0x80 == 0 { Self::read_any(bytes, at, state) } else { Self::read_one(bytes, at, state) }
    }

    /// Backwards: state, letter if it is not common, and unless the node before is next: widths, address, output.
    fn read_one(bytes: &'f [u8], at: Address, state: u8) -> Option<Self> {
        let (letter, end) = match usize::from(state & 0x3f).checked_sub(1) {
            Some(common) => (COMMON[common], at),
            None => (*bytes.get(at.checked_sub(1)?)?, at - 1),
        };
        let (address_width, output_width, end) = match state & 0x40 {
            0 => widths(bytes, end)?,
            _ => (0, 0, end),
        };
        let start = end.checked_sub(address_width + output_width)?;
        Some(Self {
            bytes,
            start,
            letters: Letters::One(letter),
            addresses: start + output_width,
            outputs: start,
            address_width,
            output_width,
            transitions: 1,
            is_final: false,
        })
    }

    /// Backwards: state with a flag and the number of transitions, that number if it is too large for the state, widths,
    /// table of numbers if there are many, letters, addresses, outputs, output of the key that ends here.
    fn read_any(bytes: &'f [u8], at: Address, state: u8) -> Option<Self> {
        let (transitions, end) = match usize::from(state & 0x3f) {
            0 => match *bytes.get(at.checked_sub(1)?)? {
                // The state can tell of one transition, so that 1 is free for what is too large for a byte.
                1 => (LETTERS, at - 1),
                many => (usize::from(many), at - 1),
            },
            few => (few, at),
        };
        let (address_width, output_width, end) = widths(bytes, end)?;
        let is_final = state & 0x40 != 0;
        let table = if transitions > MOST_UNLISTED { LETTERS } else { 0 };
        let letters = end.checked_sub(table + transitions)?;
        let addresses = letters.checked_sub(transitions * address_width)?;
        let outputs = addresses.checked_sub(transitions * output_width)?;
        let start = outputs.checked_sub(if is_final { output_width } else { 0 })?;
        Some(Self {
            bytes,
            start,
            letters: Letters::From(letters),
            addresses,
            outputs,
            address_width,
            output_width,
            transitions,
            is_final,
        })
    }

    /// How many transitions there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.transitions
    }

    /// Whether a key ends here.
    #[inline]
    pub fn is_final(&self) -> bool {
        self.is_final
    }

    /// Number of the transition of a letter.
    #[inline]
    pub fn find(&self, letter: u8) -> Option<usize> {
        match self.letters {
            Letters::One(only) => (only == letter).then_some(0),
            Letters::From(first) if self.transitions > MOST_UNLISTED => {
                let number = usize::from(self.bytes[first + self.transitions + usize::from(letter)]);
                (number < self.transitions).then_some(number)
            }
            Letters::From(first) => {
                let letters = &self.bytes[first..first + self.transitions];
                letters.iter().position(|&other| other == letter).map(|at| self.transitions - 1 - at)
            }
        }
    }

    /// A transition by its number, which is less than [`Self::len`].
    #[inline]
    pub fn transition(&self, number: usize) -> Transition {
        let from_last = self.transitions - 1 - number;
        let letter = match self.letters {
            Letters::One(only) => only,
            Letters::From(first) => self.bytes[first + from_last],
        };
        let output = self.number(self.outputs + from_last * self.output_width, self.output_width);
        let to = match self.address_width {
            0 => self.before(1),
            width => match self.number(self.addresses + from_last * width, width) {
                0 => END_OF_KEY,
                bytes => self.before(bytes),
            },
        };
        Transition { letter, output, to }
    }

    /// So many bytes before this node.
    fn before(&self, bytes: u64) -> Address {
        usize::try_from(bytes).ok().and_then(|bytes| self.start.checked_sub(bytes)).unwrap_or(NOWHERE)
    }

    #[inline]
    fn number(&self, at: usize, width: usize) -> u64 {
        self.bytes[at..at + width].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

/// Widths of addresses and outputs, in the byte before `end`, and where that byte is.
#[inline]
fn widths(bytes: &[u8], end: usize) -> Option<(usize, usize, usize)> {
    let at = end.checked_sub(1)?;
    let byte = usize::from(*bytes.get(at)?);
    let (address, output) = (byte >> 4, byte & 0xf);
    (address <= MAX_WIDTH && output <= MAX_WIDTH).then_some((address, output, at))
}

/// A forged fst of few bytes with very many keys: each of `depth` nodes leads by every letter to the one before.
#[cfg(test)]
pub(crate) fn wide(depth: usize, keys: u64) -> Vec<u8> {
    let mut bytes = [VERSION.to_le_bytes(), [0; 8]].concat();
    let mut before = END_OF_KEY;
    for _ in 0..depth {
        // Of two bytes: how far before this node the other one is.
        let to = if before == END_OF_KEY { 0 } else { bytes.len() - before } as u16;
        (0..LETTERS).for_each(|_| bytes.extend(to.to_le_bytes()));
        bytes.extend((0..=u8::MAX).rev());
        bytes.extend(0..=u8::MAX);
        // Widths of 2 and 0, 256 transitions, a state that says that their number stands before it.
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

    use fastrand::Rng;
    use fst::MapBuilder;

    use super::*;

    fn written(keys: &BTreeMap<Vec<u8>, u64>) -> Vec<u8> {
        let mut builder = MapBuilder::memory();
        keys.iter().for_each(|(key, value)| builder.insert(key, *value).expect("keys are sorted and distinct"));
        builder.into_inner().expect("memory does not fail")
    }

    /// Keys with their values, by walking through all of it; no more than `most` steps.
    fn keys(fst: &Transducer, most: usize) -> BTreeMap<Vec<u8>, u64> {
        let (mut found, mut steps) = (BTreeMap::new(), 0);
        let mut ahead = vec![(Vec::new(), fst.root(), 0u64)];
        while let Some((key, at, value)) = ahead.pop() {
            let node = fst.node(at);
            steps += 1;
            if steps > most {
                return found;
            }
            for number in 0..node.len() {
                let Transition { letter, output, to } = node.transition(number);
                assert!(to < at || to == NOWHERE, "every walk comes to an end: {at} leads to {to}");
                ahead.push(([key.as_slice(), &[letter]].concat(), to, value.wrapping_add(output)));
            }
            if node.is_final() {
                found.insert(key, value);
            }
        }
        found
    }

    /// Maps of all shapes: no key, the empty key, long keys, nodes of 32, 33, 255 and 256 transitions, letters of all bytes.
    /// The values are numbers in the order of the keys, so that nothing is added at the end of a key.
    fn maps(rng: &mut Rng) -> Vec<BTreeMap<Vec<u8>, u64>> {
        let mut maps = vec![Vec::new(), vec![Vec::new()], vec![vec![0]], vec![vec![b'a'; 300], vec![255; 3]]];
        for wide in [1, 2, 31, 32, 33, 63, 64, 65, 255, 256] {
            maps.push((0..wide).map(|letter| vec![b'x', letter as u8]).collect());
            maps.push(
                (0..wide).flat_map(|letter| [vec![letter as u8], vec![letter as u8, b'e', letter as u8]]).collect(),
            );
        }
        for size in [10, 300, 5_000] {
            let mut key = || (0..rng.usize(0..9)).map(|_| rng.u8(b'a'..b'i')).collect::<Vec<u8>>();
            maps.push((0..size).map(|_| key()).collect());
            let mut key = || (0..rng.usize(0..4)).map(|_| rng.u8(..)).collect::<Vec<u8>>();
            maps.push((0..size).map(|_| key()).collect());
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
                let (mut at, mut value) = (fst.root(), 0);
                for &letter in key {
                    let node = fst.node(at);
                    let Transition { letter: found, output, to } =
                        node.transition(node.find(letter).expect("it is there"));
                    assert_eq!(found, letter);
                    (at, value) = (to, value + output);
                }
                assert_eq!((value, fst.node(at).is_final()), (map[key], true));
            }
            let node = fst.node(fst.root());
            let known: Vec<u8> = (0..node.len()).map(|number| node.transition(number).letter).collect();
            assert!(known.is_sorted());
            assert!((0..=u8::MAX).all(|letter| node.find(letter).is_some() == known.contains(&letter)));
        }
    }

    #[test]
    fn a_forged_fst_may_have_more_keys_than_bytes() {
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
                let node = fst.node(rng.usize(0..end + 40));
                for number in (0..=u8::MAX).filter_map(|letter| node.find(letter)) {
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
