//! Numbers as JavaScript writes them, and decimals as the nearest double.
//!
//! The standard library does both, faster, with tables and special cases that would be a tenth of the
//! WebAssembly module. Here both are exact by plain arithmetic on long integers, with a short way for
//! the numbers that files are made of.

use std::cmp::Ordering;

/// A double has this many bits of precision.
const PRECISION: i32 = 53;
/// The power of two that the lowest bit of the smallest double stands for.
const LOWEST: i32 = -1074;
/// Whole numbers up to here are doubles, each of them.
const EXACT: u64 = 1 << PRECISION;
/// More significant digits than this tell no two decimals apart that are nearest to different doubles,
/// but for whether something follows.
const MOST_DIGITS: usize = 800;

/// `n` as JavaScript's `String(n)` gives it: the fewest digits that are read as `n` again.
pub fn to_text(n: f64) -> String {
    let mut text = Vec::new();
    write(n, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// The digits of `n`.
pub(crate) fn whole_to_text(n: u64) -> String {
    let mut text = Vec::new();
    write_whole(n, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

/// Puts `n` at the end of `out`, as [`to_text`] gives it. Bytes are put down one by one: to copy a few of
/// them costs a call.
pub(crate) fn write(n: f64, out: &mut Vec<u8>) {
    if n.is_nan() {
        return out.extend_from_slice(b"NaN");
    }
    if n < 0.0 {
        out.push(b'-');
    }
    let magnitude = n.abs();
    if magnitude.is_infinite() {
        out.extend_from_slice(b"Infinity");
    } else if magnitude == f64::MAX {
        // What saturates is told often, and would take the longest arithmetic of all.
        out.extend_from_slice(b"1.7976931348623157e+308");
    } else if magnitude < EXACT as f64 && magnitude.fract() == 0.0 {
        write_whole(magnitude as u64, out);
    } else {
        let (digits, point) = shortest(magnitude);
        lay_out(&digits, point, out);
    }
}

/// Puts the digits of `n` at the end of `out`.
fn write_whole(n: u64, out: &mut Vec<u8>) {
    let Ok(small) = u32::try_from(n) else {
        write_whole(n / 10, out);
        return out.push(b'0' + (n % 10) as u8);
    };
    let start = out.len();
    let mut rest = small;
    while rest >= 10 {
        out.push(b'0' + (rest % 10) as u8);
        rest /= 10;
    }
    out.push(b'0' + rest as u8);
    out[start..].reverse();
}

/// The double nearest to `text`: digits with an optional point and an optional exponent, and at least
/// one digit before the exponent. Above the largest double it is infinite. `None` for any other text.
pub fn from_decimal(text: &str) -> Option<f64> {
    let (mut digits, mut significant, mut power) = (0, 0, 0);
    let (mut point, mut end) = (None, text.len());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                significant += usize::from(significant > 0 || byte > b'0');
            }
            b'.' if point.is_none() => point = Some(digits),
            b'e' | b'E' => {
                power = exponent(&text[at + 1..])?;
                end = at;
                break;
            }
            _ => return None,
        }
    }
    if digits == 0 {
        return None;
    }
    let power = power.saturating_sub(point.map_or(0, |point| digits - point));
    Some(nearest_to_decimal(&text[..end], significant, power))
}

/// The exponent as written; one far beyond any double is as good as any other.
fn exponent(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut magnitude = 0_i32;
    for digit in digits.bytes() {
        if !digit.is_ascii_digit() {
            return None;
        }
        magnitude = magnitude.saturating_mul(10).saturating_add((digit - b'0').into());
    }
    (!digits.is_empty()).then_some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// The double nearest to the number with the digits of `text`, of which so many are `significant`, times ten
/// to the `exponent`.
fn nearest_to_decimal(text: &str, significant: usize, exponent: i32) -> f64 {
    if significant == 0 {
        return 0.0;
    }
    let mut exponent = exponent.saturating_add(significant.saturating_sub(MOST_DIGITS) as i32);
    // Far beyond the largest and the smallest double, whatever the digits are.
    if exponent > 400 {
        return f64::INFINITY;
    }
    if exponent < -400 - MOST_DIGITS as i32 {
        return 0.0;
    }
    let digits = text.bytes().filter(|byte| *byte != b'.').map(|byte| byte - b'0');
    if significant <= 15 && (-22..=22).contains(&exponent) {
        // Both factors are exact, so that the one operation rounds right.
        let (mut whole, mut power) = (0.0, 1.0);
        for digit in digits {
            whole = whole * 10.0 + f64::from(digit);
        }
        for _ in 0..exponent.abs() {
            power *= 10.0;
        }
        return if exponent < 0 { whole / power } else { whole * power };
    }
    let (mut whole, mut taken, mut more) = (Natural::from(0), 0, false);
    for digit in digits {
        if taken < MOST_DIGITS {
            whole.times_plus(10, digit.into());
            taken += usize::from(taken > 0 || digit > 0);
        } else {
            more |= digit > 0;
        }
    }
    if more {
        whole.times_plus(10, 1);
        exponent -= 1;
    }
    let mut divisor = Natural::from(1);
    if exponent < 0 { &mut divisor } else { &mut whole }.times_ten_to(exponent.unsigned_abs());
    nearest_to_fraction(whole, divisor)
}

/// The double nearest to `numerator / divisor`, both above zero; of two, the even one.
fn nearest_to_fraction(mut numerator: Natural, mut divisor: Natural) -> f64 {
    // numerator / divisor is brought to at least 1 and below 2, times two to the `exponent`.
    let mut exponent = numerator.bits() - divisor.bits();
    if exponent > 0 { &mut divisor } else { &mut numerator }.shift(exponent.unsigned_abs());
    if numerator < divisor {
        numerator.shift(1);
        exponent -= 1;
    }
    if exponent >= f64::MAX_EXP {
        return f64::INFINITY;
    }
    if exponent < LOWEST - 1 {
        return 0.0;
    }
    let mut mantissa = 0;
    for _ in 0..PRECISION.min(exponent - LOWEST + 1) {
        mantissa *= 2;
        if numerator >= divisor {
            numerator.minus(&divisor);
            mantissa += 1;
        }
        numerator.shift(1);
    }
    mantissa += match numerator.cmp(&divisor) {
        Ordering::Less => 0,
        Ordering::Equal => mantissa % 2,
        Ordering::Greater => 1,
    };
    // The mantissa's own highest bit counts the exponent up by one, and so does a carry.
    let below = (exponent - LOWEST - PRECISION + 1).max(0) as u64;
    f64::from_bits((below << (PRECISION - 1)) + mantissa)
}

/// The fewest digits between `n`'s neighbours, of these the nearest to `n`, of two the even one; and
/// the place of the point after the first of them. After Steele and White (1990).
fn shortest(n: f64) -> (String, i32) {
    let bits = n.to_bits();
    let biased = (bits >> (PRECISION - 1)) as i32;
    let fraction = bits % (EXACT / 2);
    let mantissa = if biased == 0 { fraction } else { fraction + EXACT / 2 };
    let exponent = LOWEST + (biased - 1).max(0);
    // Just below a power of two doubles lie closer.
    let closer = u32::from(fraction == 0 && biased > 1);
    // Everything is in units of half the gap below `n`, or of its fraction where that is below one.
    let up = exponent.max(0).unsigned_abs();
    let mut rest = Natural::from(mantissa).shifted(up + 1 + closer);
    let mut above = Natural::from(1).shifted(up + closer);
    let mut below = Natural::from(1).shifted(up);
    let mut unit = Natural::from(1).shifted(exponent.min(0).unsigned_abs() + 1 + closer);
    let inclusive = mantissa % 2 == 0;
    let reaches = |sum: &Natural, limit: &Natural| sum > limit || (inclusive && sum == limit);

    // By the place of the highest bit: at most one too small.
    let highest = exponent + mantissa.ilog2() as i32;
    let mut point = (f64::from(highest) * std::f64::consts::LOG10_2 - 1e-10).ceil() as i32;
    if point > 0 {
        unit.times_ten_to(point.unsigned_abs());
    } else {
        for part in [&mut rest, &mut above, &mut below] {
            part.times_ten_to(point.unsigned_abs());
        }
    }
    if reaches(&rest.plus(&above), &unit) {
        unit.times_plus(10, 0);
        point += 1;
    }
    let mut digits = String::new();
    loop {
        for part in [&mut rest, &mut above, &mut below] {
            part.times_plus(10, 0);
        }
        let mut digit = b'0';
        while rest >= unit {
            rest.minus(&unit);
            digit += 1;
        }
        let (low, high) = (reaches(&below, &rest), reaches(&rest.plus(&above), &unit));
        if low || high {
            let half = rest.plus(&rest).cmp(&unit);
            let nearer_above = half == Ordering::Greater || (half == Ordering::Equal && digit % 2 == 1);
            let up = high && (!low || nearer_above);
            digits.push(char::from(digit + u8::from(up)));
            return (digits, point);
        }
        digits.push(char::from(digit));
    }
}

/// Puts digits down with the point after the first `point` of them, as ECMAScript lays them out.
fn lay_out(digits: &str, point: i32, out: &mut Vec<u8>) {
    let zeros = |count: i32, out: &mut Vec<u8>| {
        for _ in 0..count {
            out.push(b'0');
        }
    };
    let large = !(-5..22).contains(&point);
    // How many digits stand before the point.
    let whole = if large { 1 } else { point };
    if whole <= 0 {
        out.extend_from_slice(b"0.");
        zeros(-whole, out);
    }
    for (at, digit) in (0..).zip(digits.bytes()) {
        if at == whole && at > 0 {
            out.push(b'.');
        }
        out.push(digit);
    }
    zeros(whole - digits.len() as i32, out);
    if large {
        out.extend_from_slice(if point < 1 { b"e-" } else { b"e+" });
        write_whole((point - 1).unsigned_abs().into(), out);
    }
}

/// A whole number of any length, in digits to the base 2³², the lowest first, the highest not zero.
#[derive(Clone, PartialEq, Eq)]
struct Natural(Vec<u32>);

impl From<u64> for Natural {
    fn from(n: u64) -> Self {
        Self(vec![n as u32, (n >> 32) as u32]).trimmed()
    }
}

impl Natural {
    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    /// How many bits it has.
    fn bits(&self) -> i32 {
        self.0.last().map_or(0, |top| self.0.len() as i32 * 32 - top.leading_zeros() as i32)
    }

    fn times_plus(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for digit in &mut self.0 {
            carry += u64::from(*digit) * u64::from(factor);
            *digit = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    fn times_ten_to(&mut self, exponent: u32) {
        for _ in 0..exponent / 9 {
            self.times_plus(1_000_000_000, 0);
        }
        self.times_plus(10_u32.pow(exponent % 9), 0);
    }

    /// Times two to the `bits`.
    fn shift(&mut self, bits: u32) {
        self.times_plus(1 << (bits % 32), 0);
        if bits >= 32 {
            let mut shifted = vec![0; bits as usize / 32];
            shifted.append(&mut self.0);
            self.0 = shifted;
        }
    }

    fn shifted(mut self, bits: u32) -> Self {
        self.shift(bits);
        self
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = Vec::new();
        let mut carry = 0;
        for at in 0..=self.0.len().max(other.0.len()) {
            let digit = |number: &Self| number.0.get(at).copied().map_or(0, u64::from);
            carry += digit(self) + digit(other);
            sum.push(carry as u32);
            carry >>= 32;
        }
        Self(sum).trimmed()
    }

    /// Takes away `other`, which is not larger.
    fn minus(&mut self, other: &Self) {
        let mut borrowed = false;
        for (at, digit) in self.0.iter_mut().enumerate() {
            let (less, first) = digit.overflowing_sub(other.0.get(at).copied().unwrap_or_default());
            let (less, second) = less.overflowing_sub(u32::from(borrowed));
            *digit = less;
            borrowed = first || second;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let lengths = self.0.len().cmp(&other.0.len());
        lengths.then_with(|| {
            let differ = (0..self.0.len()).rfind(|at| self.0[*at] != other.0[*at]);
            differ.map_or(Ordering::Equal, |at| self.0[at].cmp(&other.0[at]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_written_as_javascript_writes_them() {
        for (n, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (1_000_000.125, "1000000.125"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1.0 / 3.0, "0.3333333333333333"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (1e20, "100000000000000000000"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e21, "1e+21"),
            (1.5e300, "1.5e+300"),
            (0.000_001, "0.000001"),
            (1e-7, "1e-7"),
            (-1.25e-9, "-1.25e-9"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(to_text(n), text);
        }
    }

    #[test]
    #[allow(clippy::excessive_precision, reason = "exact halves between two texts are the point")]
    fn of_two_texts_as_near_the_even_one_is_written() {
        for (n, text) in [
            (1_185_576.141_113_281_25, "1185576.1411132812"),
            (25_256_139_082_872.312_5, "25256139082872.312"),
            (1_125_899_906_842_624.75, "1125899906842624.8"),
        ] {
            assert_eq!(to_text(n), text);
        }
    }

    #[test]
    fn a_decimal_is_the_nearest_double() {
        let long = "9".repeat(2_000);
        for (text, n) in [
            ("0", 0.0),
            ("007", 7.0),
            ("3.", 3.0),
            (".5", 0.5),
            ("1E+3", 1000.0),
            ("25e-1", 2.5),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("9007199254740993.00000000000000000000000000000000000001", 9_007_199_254_740_994.0),
            ("2.4703282292062327e-324", 0.0),
            ("2.4703282292062328e-324", 5e-324),
            ("1.7976931348623158e308", f64::MAX),
            ("1.7976931348623159e308", f64::INFINITY),
            ("1e99999999999", f64::INFINITY),
            ("1e-99999999999", 0.0),
            (&format!("{long}.{long}e-2000"), 1.0),
            (&format!("0.{}1e2001", "0".repeat(2_000)), 1.0),
        ] {
            assert_eq!(from_decimal(text), Some(n), "{text}");
        }
        for text in ["", ".", "e5", "1e", "1e+", "1.2.3", "-1", "+1", "1_0", "0x1", " 1", "1 ", "٣", "NaN"] {
            assert_eq!(from_decimal(text), None, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_number_is_read_again_from_the_fewest_digits(bits: u64) {
            let n = f64::from_bits(bits).abs();
            prop_assume!(n.is_finite());
            let text = to_text(n);
            prop_assert_eq!(from_decimal(&text), Some(n), "{}", text);
            let digits = |text: &str| {
                let mantissa = text.split('e').next().unwrap_or_default().replace('.', "");
                mantissa.trim_matches('0').len()
            };
            prop_assert_eq!(digits(&text), digits(&format!("{n:e}")), "{}", text);
        }

        #[test]
        fn any_decimal_is_read_as_the_standard_library_reads_it(
            text in "[0-9]{1,25}(\\.[0-9]{0,25})?(e-?[0-9]{1,3})?"
        ) {
            prop_assert_eq!(from_decimal(&text), text.parse().ok());
        }
    }
}
