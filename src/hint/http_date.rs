//! The three forms of a date in HTTP (RFC 9110, section 5.6.7).

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MS_PER_DAY: f64 = 86_400_000.0;
const MS_PER_YEAR: f64 = 365.25 * MS_PER_DAY;

/// A date in milliseconds since 1970; `None` for anything that is not exactly one of the forms. The
/// wall clock decides the century of a two-digit year.
pub(super) fn parse(text: &str, wall_clock: f64) -> Option<f64> {
    preferred(text).or_else(|| with_short_year(text, wall_clock)).or_else(|| of_the_c_library(text))
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`
fn preferred(text: &str) -> Option<f64> {
    let [day_name, day, month, year, time, "GMT"] = parts(text, ' ')? else {
        return None;
    };
    short_day(day_name.strip_suffix(',')?)?;
    moment(number(year, 4)?, month, number(day, 2)?, time)
}

/// `Sunday, 06-Nov-94 08:49:37 GMT`
fn with_short_year(text: &str, wall_clock: f64) -> Option<f64> {
    let [day_name, date, time, "GMT"] = parts(text, ' ')? else {
        return None;
    };
    let [day, month, year] = parts(date, '-')?;
    DAYS.contains(&day_name.strip_suffix(',')?).then_some(())?;
    let (day, year) = (number(day, 2)?, number(year, 2)?);
    // More than fifty years ahead is the century before.
    let this_century = moment(2000 + year, month, day, time)?;
    if this_century > wall_clock + 50.0 * MS_PER_YEAR {
        return moment(1900 + year, month, day, time);
    }
    Some(this_century)
}

/// `Sun Nov  6 08:49:37 1994`
fn of_the_c_library(text: &str) -> Option<f64> {
    // A day of one digit has a blank in the place of the first.
    let (day, [day_name, month, time, year]) = if let Some(parts) = parts(text, ' ') {
        let [day_name, month, "", day, time, year] = parts else { return None };
        (number(day, 1)?, [day_name, month, time, year])
    } else {
        let [day_name, month, day, time, year] = parts(text, ' ')?;
        (number(day, 2)?, [day_name, month, time, year])
    };
    short_day(day_name)?;
    moment(number(year, 4)?, month, day, time)
}

/// The parts of a text, exactly so many.
fn parts<const N: usize>(text: &str, separator: char) -> Option<[&str; N]> {
    let parts: Vec<&str> = text.split(separator).collect();
    parts.try_into().ok()
}

fn short_day(name: &str) -> Option<()> {
    DAYS.iter().any(|day| day.get(..3) == Some(name)).then_some(())
}

fn number(text: &str, length: usize) -> Option<i64> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())).then_some(())?;
    text.parse().ok()
}

fn moment(year: i64, month: &str, day: i64, time: &str) -> Option<f64> {
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    let [hours, minutes, seconds] = parts(time, ':')?;
    let (hours, minutes, seconds) = (number(hours, 2)?, number(minutes, 2)?, number(seconds, 2)?);
    // A leap second is written as the sixtieth.
    let in_range = (1..=days_in(year, month)).contains(&day) && hours < 24 && minutes < 60 && seconds <= 60;
    in_range.then(|| {
        let of_day = (hours * 60 + minutes) * 60 + seconds;
        days_since_1970(year, month, day) as f64 * MS_PER_DAY + of_day as f64 * 1000.0
    })
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400;
    let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
    /// The days from the year 1 to 1970.
    const TO_1970: i64 = 719_162;
    years + months + day - 1 - TO_1970
}
