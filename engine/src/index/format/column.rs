//! Columns: arrays of fixed-width little-endian values, read in place.

use std::marker::PhantomData;
use std::ops::Range;

use bytes::Bytes;

/// A number with a fixed width in the file.
pub(crate) trait Value: Copy + Default {
    const WIDTH: usize;
    fn read(bytes: &[u8]) -> Self;
    fn append(self, out: &mut Vec<u8>);
}

macro_rules! value {
    ($($number:ty),*) => {$(
        impl Value for $number {
            const WIDTH: usize = size_of::<$number>();
            #[inline]
            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map(<$number>::from_le_bytes).unwrap_or_default()
            }
            fn append(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

value!(u8, u16, u32, u64, i16, i32, f32);

/// One value per row.
#[derive(Clone, Debug)]
pub(crate) struct Column<T> {
    bytes: Bytes,
    value: PhantomData<T>,
}

impl<T: Value> Column<T> {
    /// Creates a view of `bytes`; ignores an incomplete value at the end.
    pub fn new(bytes: Bytes) -> Self {
        Self { bytes, value: PhantomData }
    }

    pub fn len(&self) -> usize {
        self.bytes.len() / T::WIDTH
    }

    /// Returns the value of `row`. Past the end, which only a damaged index leads to, it is 0.
    #[inline]
    pub fn get(&self, row: u32) -> T {
        self.bytes.get(span::<T>(row, 1)).map(T::read).unwrap_or_default()
    }

    /// Returns `N` values from `first` on, if the column has them all.
    #[inline]
    pub fn array<const N: usize>(&self, first: u32) -> Option<[T; N]> {
        let bytes = self.bytes.get(span::<T>(first, N))?;
        Some(std::array::from_fn(|at| T::read(&bytes[at * T::WIDTH..(at + 1) * T::WIDTH])))
    }

    /// Iterates over the values of a range of rows, in order. Faster than one by one; none if the column does not have
    /// them all.
    #[inline]
    pub fn range(&self, rows: Range<u32>) -> impl Iterator<Item = T> + '_ {
        let bytes = self.bytes.get(span::<T>(rows.start, rows.len())).unwrap_or_default();
        bytes.chunks_exact(T::WIDTH).map(T::read)
    }

    /// Iterates over all values, in order.
    pub fn values(&self) -> impl Iterator<Item = T> + '_ {
        self.bytes.chunks_exact(T::WIDTH).map(T::read)
    }

    /// Returns the row of the first value for which `before` is false, as in [`slice::partition_point`].
    pub fn partition_point(&self, mut before: impl FnMut(T) -> bool) -> u32 {
        let mut low = 0;
        let mut high = self.len() as u32;
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.get(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }
}

/// Returns the byte range of `values` values from `first` on. It may wrap around on 32-bit targets, but only for a row
/// that the column does not have.
#[inline]
fn span<T: Value>(first: u32, values: usize) -> Range<usize> {
    let start = (first as usize).wrapping_mul(T::WIDTH);
    start..start.wrapping_add(values * T::WIDTH)
}

impl<T: Value + Ord> Column<T> {
    /// Finds the row of `value` in a column in ascending order.
    pub fn find(&self, value: T) -> Option<u32> {
        let at = self.partition_point(|other| other < value);
        ((at as usize) < self.len() && self.get(at) == value).then_some(at)
    }
}

/// Encodes the bytes of a column.
pub(crate) fn encode<T: Value>(values: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut out = Vec::new();
    values.into_iter().for_each(|value| value.append(&mut out));
    out
}
