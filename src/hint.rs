//! How long a server asks to be left alone: `Retry-After` and its relatives, read strictly. A header
//! that is not what its document says is as good as absent, and the next one is asked.

mod http_date;

use crate::millis::Millis;
use crate::text::text;

/// A reset header above this many seconds is a moment, not a span: no service asks for a wait of a
/// year.
const LONGEST_SPAN_SECONDS: f64 = 366.0 * 86_400.0;
/// A moment above this is in milliseconds: as seconds it lies thirty thousand years ahead.
const LATEST_SECONDS: f64 = 1e12;
/// Digits of a fraction that say something.
const PRECISION: usize = 12;

/// The wait that a server asks for, from now; `None` where it asks for none. `header` gives a
/// header's value by its lower-case name, `wall_clock` is the time in milliseconds since 1970.
pub fn retry_after(header: &dyn Fn(&str) -> Option<String>, wall_clock: f64) -> Option<Millis> {
    let millis = header("retry-after-ms").and_then(|value| decimal(&value)).map(Millis::saturating);
    millis
        .or_else(|| header("retry-after").and_then(|value| seconds_or_date(value.trim_ascii(), wall_clock)))
        .or_else(|| header("ratelimit").and_then(|value| rate_limit(&value)))
        .or_else(|| reset(header, "ratelimit", wall_clock))
        .or_else(|| reset(header, "x-ratelimit", wall_clock))
}

/// `Retry-After` by RFC 9110: digits alone, in seconds, or one of the three forms of a date. Digits
/// are never a moment, however many.
fn seconds_or_date(value: &str, wall_clock: f64) -> Option<Millis> {
    match digits(value) {
        Some(seconds) => Some(Millis::from_seconds(seconds)),
        None => http_date::parse(value, wall_clock).map(|date| Millis::saturating(date - wall_clock)),
    }
}

/// The structured `RateLimit` field: the longest `t` of its exhausted policies, in seconds. A policy
/// with something left asks for no wait.
fn rate_limit(value: &str) -> Option<Millis> {
    let (mut longest, mut policies) = (None, Some(value));
    while let Some(policy) = next_part(&mut policies, b',') {
        if let Some(wait) = exhausted_policy(policy) {
            longest = Some(wait.max(longest.unwrap_or_default()));
        }
    }
    longest
}

/// The `t` of one policy, where its `r` does not say that something is left.
fn exhausted_policy(policy: &str) -> Option<Millis> {
    let (mut remaining, mut reset, mut parameters) = (None, None, Some(policy));
    // The first part is the policy's name.
    next_part(&mut parameters, b';');
    while let Some(parameter) = next_part(&mut parameters, b';') {
        match cut(parameter, b'=').map(|(name, value)| (name.trim_ascii(), value.trim_ascii())) {
            Some(("r", value)) => remaining = digits(value),
            Some(("t", value)) => reset = digits(value),
            _ => {}
        }
    }
    reset.filter(|_| remaining.is_none_or(|left| left == 0.0)).map(Millis::from_seconds)
}

/// What stands before the next separator, which is left out of `rest`; one inside of quotes is none.
fn next_part<'a>(rest: &mut Option<&'a str>, separator: u8) -> Option<&'a str> {
    let (value, mut quoted) = (rest.take()?, false);
    for (at, byte) in value.bytes().enumerate() {
        quoted ^= byte == b'"';
        if byte == separator && !quoted {
            *rest = value.get(at + 1..);
            return value.get(..at);
        }
    }
    Some(value)
}

/// `…-Reset`, where `…-Remaining` does not say that something is left: a span in seconds, or a moment
/// in seconds or milliseconds since 1970.
fn reset(header: &dyn Fn(&str) -> Option<String>, family: &str, wall_clock: f64) -> Option<Millis> {
    let number = |name: &str| header(&text![family, name]).and_then(|value| decimal(&value));
    let value = number("-reset")?;
    let remaining = number("-remaining");
    if remaining.is_some_and(|left| left > 0.0) {
        return None;
    }
    Some(if value <= LONGEST_SPAN_SECONDS {
        Millis::from_seconds(value)
    } else if value < LATEST_SECONDS {
        Millis::saturating(value * 1000.0 - wall_clock)
    } else {
        Millis::saturating(value - wall_clock)
    })
}

/// What stands before and after a mark. The standard library's own search is ten times as much code.
fn cut(text: &str, mark: u8) -> Option<(&str, &str)> {
    let place = text.bytes().position(|byte| byte == mark)?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

/// A number of digits alone.
fn digits(value: &str) -> Option<f64> {
    let mut number = 0.0;
    for byte in value.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        // More digits than a number holds are a very long time, not an error.
        number = number * 10.0 + f64::from(byte - b'0');
    }
    (!value.is_empty()).then_some(number)
}

/// Digits, with a fraction if need be, between blanks.
fn decimal(value: &str) -> Option<f64> {
    let value = value.trim_ascii();
    let (whole, fraction) = cut(value, b'.').unwrap_or((value, "0"));
    let fraction = digits(fraction).map(|_| fraction.get(..PRECISION).unwrap_or(fraction))?;
    Some(digits(whole)? + digits(fraction)? / 10f64.powi(fraction.len() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-30T12:00:00Z
    const NOW: f64 = 1_796_040_000_000.0;

    fn asked(headers: &[(&str, &str)]) -> Option<f64> {
        let header = |name: &str| {
            headers.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        retry_after(&header, NOW).map(Millis::get)
    }

    #[test]
    fn traps_65_67_69_72_79_retry_after_is_digits_in_seconds() {
        for (value, expected) in [
            ("120", Some(120_000.0)),
            ("0", Some(0.0)),
            (" 5 ", Some(5_000.0)),
            ("2592000", Some(2_592_000_000.0)),
            ("1796040000", Some(1_796_040_000_000.0)),
            ("-1", None),
            ("-3", None),
            ("+3", None),
            ("1.5", None),
            ("1e3", None),
            ("0x10", None),
            ("", None),
            (" ", None),
            ("abc", None),
            ("5 seconds", None),
            ("NaN", None),
            ("Infinity", None),
        ] {
            assert_eq!(asked(&[("retry-after", value)]), expected, "{value:?}");
        }
    }

    #[test]
    fn retry_after_may_be_a_date_in_three_forms() {
        for (value, expected) in [
            ("Mon, 30 Nov 2026 12:00:30 GMT", Some(30_000.0)),
            ("Monday, 30-Nov-26 12:00:30 GMT", Some(30_000.0)),
            ("Mon Nov 30 12:00:30 2026", Some(30_000.0)),
            ("Tue Dec  1 12:00:00 2026", Some(86_400_000.0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(0.0)),
            ("Monday, 30-Nov-94 12:00:30 GMT", Some(0.0)),
            ("Mon, 30 Nov 2026 12:00:30", None),
            ("Mon, 30 Nov 2026 12:00:30 CET", None),
            ("30 Nov 2026 12:00:30 GMT", None),
            ("Mon, 31 Nov 2026 12:00:30 GMT", None),
            ("Mon, 30 Nov 2026 25:00:30 GMT", None),
            ("2026-11-30T12:00:30Z", None),
        ] {
            assert_eq!(asked(&[("retry-after", value)]), expected, "{value:?}");
        }
    }

    #[test]
    fn trap_74_a_reset_is_a_span_or_a_moment_by_its_size() {
        for (value, expected) in [
            ("30", Some(30_000.0)),
            ("1796040030", Some(30_000.0)),
            ("1796040030000", Some(30_000.0)),
            ("1700000000", Some(0.0)),
            ("-30", None),
            ("", None),
        ] {
            assert_eq!(asked(&[("x-ratelimit-reset", value)]), expected, "{value:?}");
            assert_eq!(asked(&[("ratelimit-reset", value)]), expected, "{value:?}");
        }
    }

    #[test]
    fn what_is_left_needs_no_wait() {
        assert_eq!(asked(&[("x-ratelimit-reset", "30"), ("x-ratelimit-remaining", "7")]), None);
        assert_eq!(asked(&[("x-ratelimit-reset", "30"), ("x-ratelimit-remaining", "0")]), Some(30_000.0));
        assert_eq!(asked(&[("ratelimit", "\"burst\";r=12;t=30")]), None);
        assert_eq!(asked(&[("ratelimit", "\"burst\";r=12;t=3, \"day\";r=0;t=60")]), Some(60_000.0));
        assert_eq!(asked(&[("ratelimit", "\"burst\";r=0; t=30")]), Some(30_000.0));
        assert_eq!(asked(&[("ratelimit", "\"day\";r=0;t=60, \"burst\";r=0;t=3")]), Some(60_000.0));
        assert_eq!(asked(&[("ratelimit", "\"a,b;t=9\";r=0;t=30")]), Some(30_000.0));
        assert_eq!(asked(&[("ratelimit", "limit=100, remaining=0, reset=50")]), None);
    }

    #[test]
    fn the_more_exact_header_counts_and_a_broken_one_does_not() {
        let later = ("x-ratelimit-reset", "60");
        assert_eq!(asked(&[("retry-after-ms", "1500.5"), ("retry-after", "9")]), Some(1500.5));
        assert_eq!(asked(&[("retry-after", "9"), ("ratelimit", "\"a\";r=0;t=30"), later]), Some(9_000.0));
        assert_eq!(asked(&[("retry-after-ms", "-1"), ("retry-after", "soon"), later]), Some(60_000.0));
        assert_eq!(asked(&[]), None);
        let endless = format!("1.{}", "9".repeat(400));
        assert_eq!(asked(&[("retry-after-ms", &endless)]).map(f64::round), Some(2.0));
    }
}
