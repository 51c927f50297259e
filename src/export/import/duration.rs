//! Spans of time as others write them.

use crate::argument::{Arguments, Misuse};
use crate::millis::Millis;
use crate::number;
use crate::value::Value;

/// The units of the npm package `ms`, which Temporal's texts are read with.
const UNITS: [(&[&str], f64); 8] = [
    (&["milliseconds", "millisecond", "msecs", "msec", "ms", ""], 1.0),
    (&["seconds", "second", "secs", "sec", "s"], 1_000.0),
    (&["minutes", "minute", "mins", "min", "m"], 60_000.0),
    (&["hours", "hour", "hrs", "hr", "h"], 3_600_000.0),
    (&["days", "day", "d"], 86_400_000.0),
    (&["weeks", "week", "w"], 604_800_000.0),
    (&["months", "month", "mo"], 2_629_800_000.0),
    (&["years", "year", "yrs", "yr", "y"], 31_557_600_000.0),
];

/// A number of milliseconds, or a text such as `30 seconds` or `1m`.
pub(crate) fn milliseconds(from: &Arguments<'_>, key: &str) -> Result<Option<Millis>, Misuse> {
    match from.value(key) {
        Some(Value::Text(text)) => match spoken(text) {
            Some(span) => Ok(Some(span)),
            None => Err(from.refuse(key, "must be a number of milliseconds or a text such as '30 seconds'")),
        },
        _ => from.millis(key),
    }
}

fn spoken(text: &str) -> Option<Millis> {
    let text = text.trim().to_ascii_lowercase();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let (_, ms) = UNITS.iter().find(|(names, _)| names.contains(&unit.trim()))?;
    Millis::new(number::from_decimal(digits)? * ms)
}

/// A span as .NET writes it: `[d.]hh:mm:ss[.fff]`.
pub(crate) fn time_span(from: &Arguments<'_>, key: &str) -> Result<Option<Millis>, Misuse> {
    let Some(value) = from.value(key) else { return Ok(None) };
    match clock(value.text()) {
        Some(span) => Ok(Some(span)),
        None => Err(from.refuse(key, "must be a text such as '00:00:02.5'")),
    }
}

fn clock(text: &str) -> Option<Millis> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let (days, hours) = hours.split_once('.').unwrap_or(("0", hours));
    if parts.next().is_some() {
        return None;
    }
    let read = |text: &str, most: f64| number::from_decimal(text).filter(|number| *number < most);
    let days = read(days, 1e9)?;
    let (hours, minutes, seconds) = (read(hours, 24.0)?, read(minutes, 60.0)?, read(seconds, 60.0)?);
    Millis::new((((days * 24.0 + hours) * 60.0 + minutes) * 60.0 + seconds) * 1_000.0)
}

/// A number of seconds, 0 or more.
pub(crate) fn seconds(from: &Arguments<'_>, key: &str) -> Result<Option<Millis>, Misuse> {
    match from.value(key) {
        None => Ok(None),
        Some(Value::Number(number)) if number.is_finite() && *number >= 0.0 => {
            Ok(Some(Millis::from_seconds(*number)))
        }
        _ => Err(from.refuse(key, "must be a number of seconds, 0 or more")),
    }
}
