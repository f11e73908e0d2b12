pub fn three() -> u8 {
    3
}

#[cfg(test)]
mod tests {
    use crate::paths::one;

    #[test]
    fn calls_what_is_above() {
        assert_eq!(super::three(), one() + 2);
    }
}
