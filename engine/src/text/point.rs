//! Reads a text that is a pair of coordinates, as people copy them from maps: `48.85, 2.35`, `48°51'24"N 2°21'E`, `geo:48.85,2.35`.

use super::decimal::decimal;
use crate::geo::Coordinate;

/// Longest such text. A longer one is a name or an address.
const MAX_CHARS: usize = 64;

/// Minutes and seconds of an angle.
const SIXTIETH: f64 = 60.0;

/// Returns the point of a text that has nothing but two angles: latitude first, unless letters say otherwise. Numbers alone are
/// coordinates only if one has a fraction, a degree sign or a letter for its direction, so that `10 115` is not.
pub(crate) fn point_of(text: &str) -> Option<Coordinate> {
    if text.chars().nth(MAX_CHARS).is_some() {
        return None;
    }
    let text = text.trim();
    let uri = text.get(..4).filter(|scheme| scheme.eq_ignore_ascii_case("geo:")).map(|_| &text[4..]);
    let text = uri.map_or(text, |rest| rest.split([';', '?']).next().unwrap_or(rest));
    let mut rest = text.trim_start_matches(['(', '[']).trim_end_matches([')', ']']);
    let first = Angle::read(&mut rest)?;
    rest = rest.trim_start();
    rest = rest.strip_prefix([',', ';', '/']).unwrap_or(rest);
    let second = Angle::read(&mut rest)?;
    let is_surely_one = uri.is_some() || first.is_marked || second.is_marked;
    if !rest.trim().is_empty() || !is_surely_one {
        return None;
    }
    match (first.axis, second.axis) {
        (Some(Axis::Longitude), Some(Axis::Latitude)) => Coordinate::new(second.degrees, first.degrees),
        (None | Some(Axis::Latitude), None | Some(Axis::Longitude)) => Coordinate::new(first.degrees, second.degrees),
        _ => None,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    Latitude,
    Longitude,
}

/// An angle with what was written beside its number.
struct Angle {
    degrees: f64,
    axis: Option<Axis>,
    /// `true` if a fraction, a sign for degrees or a letter marks the number as an angle.
    is_marked: bool,
}

impl Angle {
    /// Reads an angle from the beginning of a text, and moves the text behind it.
    fn read(text: &mut &str) -> Option<Self> {
        let before = direction(text);
        let sign = text.trim_start();
        let is_negative = sign.starts_with(['-', '−']);
        *text = sign.trim_start_matches(['-', '−', '+']);
        let (mut degrees, mut is_marked) = number(text)?;
        let mut unit = 1.0;
        for signs in [&['°', 'º', 'd'][..], &['\'', '′', '’'][..], &['"', '″', '”'][..]] {
            let behind = text.trim_start();
            if unit > 1.0 {
                let mut part = behind;
                let Some((value, _)) = number(&mut part) else { break };
                let Some(rest) = part.strip_prefix(signs) else { break };
                if value >= SIXTIETH {
                    return None;
                }
                degrees += value / unit;
                *text = rest;
            } else if let Some(rest) = behind.strip_prefix(signs) {
                is_marked = true;
                *text = rest;
            } else {
                break;
            }
            unit *= SIXTIETH;
        }
        let direction = before.or_else(|| direction(text));
        let (axis, is_south_or_west) = direction.map_or((None, false), |(axis, negative)| (Some(axis), negative));
        let degrees = if is_negative != is_south_or_west { -degrees } else { degrees };
        Some(Self { degrees, axis, is_marked: is_marked || direction.is_some() })
    }
}

/// Reads a letter for a direction: its axis, and whether it is south or west.
fn direction(text: &mut &str) -> Option<(Axis, bool)> {
    let rest = text.trim_start();
    let (axis, negative) = match rest.chars().next()? {
        'N' | 'n' => (Axis::Latitude, false),
        'S' | 's' => (Axis::Latitude, true),
        'E' | 'e' => (Axis::Longitude, false),
        'W' | 'w' => (Axis::Longitude, true),
        _ => return None,
    };
    let behind = &rest[1..];
    if behind.starts_with(|letter: char| letter.is_alphabetic()) {
        return None;
    }
    *text = behind;
    Some((axis, negative))
}

/// Reads a decimal number: its value, and whether it has a fraction.
fn number(text: &mut &str) -> Option<(f64, bool)> {
    let rest = text.trim_start();
    let whole = rest.bytes().take_while(u8::is_ascii_digit).count();
    let fraction =
        rest[whole..].strip_prefix('.').map_or(0, |digits| digits.bytes().take_while(u8::is_ascii_digit).count());
    let length = if fraction > 0 { whole + 1 + fraction } else { whole };
    let value = decimal(&rest[..length]).filter(|_| whole > 0)?;
    *text = &rest[length..];
    Some((value, fraction > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_a_point() {
        fn check(text: &str, lat: f64, lon: f64) {
            let point = point_of(text).unwrap_or_else(|| panic!("{text:?} is a point"));
            assert!((point.lat - lat).abs() < 1e-9 && (point.lon - lon).abs() < 1e-9, "{text:?} {point:?}");
        }
        check("48.85, 2.35", 48.85, 2.35);
        check("48.85 2.35", 48.85, 2.35);
        check(" (-33.9,18.4) ", -33.9, 18.4);
        check("geo:48.85,2.35;u=10", 48.85, 2.35);
        check("geo:48,2", 48.0, 2.0);
        check("48°51'N 2°21'E", 48.85, 2.35);
        check("48° 51′ 0″ N, 2° 21′ 0″ W", 48.85, -2.35);
        check("2°21'E 48°51'N", 48.85, 2.35);
        check("N 48.85 E 2.35", 48.85, 2.35);
        check("48.85S/2.35W", -48.85, -2.35);
        check("48N 2E", 48.0, 2.0);
        check("30.17, 31.40", 30.17, 31.4);
    }

    #[test]
    fn texts_that_are_none() {
        fn check(text: &str) {
            assert_eq!(point_of(text), None, "{text:?}")
        }
        check("");
        check("10 115");
        check("48.85");
        check("Paris 48.85, 2.35");
        check("48.85, 2.35, Paris");
        check("91.5, 2.35");
        check("48.85, 181.5");
        check("48°61'N 2°21'E");
        check("N 48.85 N 2.35");
        check("48.85 North");
        check(&"1.0 ".repeat(40));
    }
}
