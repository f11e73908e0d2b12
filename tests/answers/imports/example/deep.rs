pub fn two() -> u8 {
    crate::paths::one() + 1
}
