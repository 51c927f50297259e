//! How many workers there are, and what becomes of their calls.

use crate::argument::{Arguments, Kind, Misuse};
use crate::millis::Millis;
use crate::text::text;
use crate::value::Value;

/// A fleet and the service that it calls.
#[derive(Debug, Clone, PartialEq)]
pub struct FleetOptions {
    /// How many workers make their first call at time zero.
    pub workers: u32,
    /// How long the service is down from then on: every call fails.
    pub outage: Millis,
    /// How many calls a second it takes after that.
    pub capacity: f64,
    /// How long a call takes that fails or is refused.
    pub fail: Millis,
    /// How long a call takes that is served.
    pub service: Millis,
    /// The length of a bucket in which calls are counted.
    pub bucket: Millis,
    /// What the workers' waits are drawn from.
    pub seed: f64,
}

const MOST_WORKERS: u64 = 1_000_000;

impl FleetOptions {
    /// So many workers on a service that is down for `outage_ms` and then takes `capacity` calls a
    /// second; all else as by default.
    pub const fn new(workers: u32, outage_ms: f64, capacity: f64) -> Self {
        Self {
            workers,
            outage: Millis::saturating(outage_ms),
            capacity,
            fail: Millis::ZERO,
            service: Millis::ZERO,
            bucket: Millis::from_seconds(1.0),
            seed: 0.0,
        }
    }

    /// Reads the options by their public names.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` with the path of a value that is not what it has to be.
    pub fn read(options: &Value) -> Result<Self, Misuse> {
        let options = Arguments::new("INVALID_ARGUMENT", "options", options)?;
        let number = |key: &str| options.get(key, Kind::Number).map(|found| found.and_then(Value::number));
        let workers = options.required("workers", options.whole("workers", 1)?)?;
        if workers > MOST_WORKERS {
            return Err(options.refuse("workers", &text!["must be at most ", MOST_WORKERS]));
        }
        let outage = options.required("outageMs", options.millis("outageMs")?)?;
        let capacity = options.required("capacityPerSecond", number("capacityPerSecond")?)?;
        if capacity < 0.0 {
            return Err(options.refuse("capacityPerSecond", "must be a number of calls a second, 0 or more"));
        }
        let standard = Self::new(workers as u32, outage.get(), capacity);
        let bucket = options.millis("bucketMs")?.unwrap_or(standard.bucket);
        if bucket < Millis::saturating(1.0) {
            return Err(options.refuse("bucketMs", "must be a number of milliseconds, 1 or more"));
        }
        Ok(Self {
            fail: options.millis("failMs")?.unwrap_or(standard.fail),
            service: options.millis("serviceMs")?.unwrap_or(standard.service),
            seed: number("seed")?.unwrap_or(standard.seed),
            bucket,
            ..standard
        })
    }
}
