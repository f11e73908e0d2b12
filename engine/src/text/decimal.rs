//! Reads decimal numbers. The parser of the standard library, which reads every number to the last bit, has tables of 10 kB.

/// Numbers below this can take another digit and stay exact: with it, fewer than 2^53.
const ROOM_FOR_A_DIGIT: u64 = 100_000_000_000_000;

/// The greatest power of ten that counts: no number of a place is as great, or its inverse as small.
const MAX_POWER: u32 = 300;

/// Returns the number that a text is, which may have a sign, a fraction and an exponent. Digits behind the fifteenth are read as
/// zeros.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (digits, mut power) = match unsigned.split_once(['e', 'E']) {
        Some((digits, power)) => (digits, power.parse::<i32>().ok()?),
        None => (unsigned, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + fraction.len() == 0 {
        return None;
    }
    let mut value = 0u64;
    power = power.saturating_sub(fraction.len() as i32);
    for byte in whole.bytes().chain(fraction.bytes()) {
        if !byte.is_ascii_digit() {
            return None;
        }
        if value < ROOM_FOR_A_DIGIT {
            value = value * 10 + u64::from(byte - b'0');
        } else {
            power = power.saturating_add(1);
        }
    }
    // Up to 10^22 a power is exact, so that a product or a quotient is rounded once, as the number itself would be.
    let scale = (0..power.unsigned_abs().min(MAX_POWER)).fold(1.0, |scale, _| scale * 10.0);
    let value = if power < 0 { value as f64 / scale } else { value as f64 * scale };
    Some(if text.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_equal_the_standard_library() {
        let mut rng = fastrand::Rng::with_seed(12);
        fn check(text: &str) {
            assert_eq!(decimal(text), text.parse().ok(), "{text}")
        }
        for _ in 0..20_000 {
            let fraction = rng.usize(0..=12);
            let number = (rng.f64() - 0.5) * 400.0;
            check(&format!("{number:.fraction$}"));
            check(&format!("{number:+.fraction$}"));
            check(&format!("{number:.fraction$e}"));
        }
        for text in ["007.50", "5.", ".5", "-.5", "1e-7", "1E3", "1e+3", "0", "-0", "0e999", "1e22", "180.00000006"] {
            check(text);
        }
        for text in
            ["", ".", "+", "-", "--1", "+-1", "e5", ".e5", "1e", "1e+", "1e5.0", "1.2.3", "5km", " 1", "1_0", "٥"]
        {
            check(text);
        }
        // The standard library reads these, which no coordinate is.
        assert_eq!((decimal("inf"), decimal("NaN")), (None, None));
    }

    #[test]
    fn digits_behind_the_fifteenth_are_zeros() {
        fn check(text: &str, expect: f64) {
            assert_eq!(decimal(text), Some(expect), "{text}")
        }
        check("48.123456789012345678", 48.123_456_789_012_3);
        check("1234567890123456", 1_234_567_890_123_450.0);
        check("1.00000000000000000000", 1.0);
        check("00000000000000000000.5", 0.5);
        check("-99999999999999999999", -999_999_999_999_999e5);
    }
}
