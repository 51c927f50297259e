//! The three forms of a date in HTTP (RFC 9110, section 5.6.7).

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const MS_PER_DAY: f64 = 86_400_000.0;
const MS_PER_YEAR: f64 = 365.25 * MS_PER_DAY;

/// The forms: `a` is a day of the week in three letters, `A` in full, `b` a month, a digit so many digits.
const PREFERRED: &str = "a, 2 b 4 2:2:2 GMT";
const SHORT_YEAR: &str = "A, 2-b-2 2:2:2 GMT";
const OF_THE_C_LIBRARY: [&str; 2] = ["a b  1 2:2:2 4", "a b 2 2:2:2 4"];

/// A date in milliseconds since 1970; `None` for anything that is not exactly one of the forms. The
/// wall clock decides the century of a two-digit year.
pub(super) fn parse(text: &str, wall_clock: f64) -> Option<f64> {
    if let Some((month, [day, year, time @ ..])) = read(PREFERRED, text) {
        return moment(year, month, day, time);
    }
    if let Some((month, [day, year, time @ ..])) = read(SHORT_YEAR, text) {
        // More than fifty years ahead is the century before.
        let this_century = moment(2000 + year, month, day, time)?;
        return match this_century > wall_clock + 50.0 * MS_PER_YEAR {
            true => moment(1900 + year, month, day, time),
            false => Some(this_century),
        };
    }
    let (month, [day, hours, minutes, seconds, year]) =
        OF_THE_C_LIBRARY.iter().find_map(|form| read(form, text))?;
    moment(year, month, day, [hours, minutes, seconds])
}

/// The month and the numbers of a text that is of this form from end to end.
fn read(form: &str, text: &str) -> Option<(i32, [i32; 5])> {
    let (mut month, mut numbers, mut found) = (0, [0; 5], 0);
    let mut rest = text;
    for part in form.bytes() {
        match part {
            b'a' => rest = after(&DAYS, 3, rest)?.1,
            b'A' => rest = after(&DAYS, usize::MAX, rest)?.1,
            b'b' => (month, rest) = after(&MONTHS, 3, rest)?,
            b'0'..=b'9' => {
                let (digits, behind) = rest.split_at_checked(usize::from(part - b'0'))?;
                *numbers.get_mut(found)? = number(digits)?;
                found += 1;
                rest = behind;
            }
            _ => {
                let (first, behind) = rest.split_at_checked(1)?;
                (first.as_bytes() == [part]).then_some(())?;
                rest = behind;
            }
        }
    }
    rest.is_empty().then_some((month, numbers))
}

/// The number of the name that `text` begins with, from 1, and what follows; of each name so many letters count.
fn after<'t>(names: &[&str], letters: usize, text: &'t str) -> Option<(i32, &'t str)> {
    for (name, number) in names.iter().zip(1..) {
        if let Some(rest) = text.strip_prefix(name.get(..letters).unwrap_or(name)) {
            return Some((number, rest));
        }
    }
    None
}

fn number(digits: &str) -> Option<i32> {
    digits
        .bytes()
        .try_fold(0, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i32::from(digit - b'0')))
}

fn moment(year: i32, month: i32, day: i32, [hours, minutes, seconds]: [i32; 3]) -> Option<f64> {
    // A leap second is written as the sixtieth.
    let in_range = (1..=days_in(year, month)).contains(&day) && hours < 24 && minutes < 60 && seconds <= 60;
    in_range.then(|| {
        let of_day = (hours * 60 + minutes) * 60 + seconds;
        days_since_1970(year, month, day) as f64 * MS_PER_DAY + of_day as f64 * 1000.0
    })
}

const fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in(year: i32, month: i32) -> i32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_since_1970(year: i32, month: i32, day: i32) -> i32 {
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400;
    let months: i32 = (1..month).map(|month| days_in(year, month)).sum();
    /// The days from the year 1 to 1970.
    const TO_1970: i32 = 719_162;
    years + months + day - 1 - TO_1970
}
