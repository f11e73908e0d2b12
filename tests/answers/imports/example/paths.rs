use crate::deep;

pub fn one() -> u8 {
    deep::two() - 1
}
