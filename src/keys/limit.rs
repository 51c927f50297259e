//! The keys that a step's limits are made of.

use super::{Key, RETRY, Rule, STEP};

/// A key that says something about limits, in the order in which they are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// `retry`
    Retry,
    /// `retry.backoff`
    Backoff,
    /// `retry.max_attempts`
    MaxAttempts,
    /// `retry.base_delay_ms`
    BaseDelay,
    /// `retry.max_delay_ms`
    MaxDelay,
    /// `retry.on_timeout`
    OnTimeout,
    /// `retry.total_timeout_seconds`
    Total,
    /// `idempotent`
    Idempotent,
    /// `timeout_seconds`
    Timeout,
}

const COUNT: usize = 9;

/// The rows of the keys.
const ROWS: [Key; COUNT] = [
    row(STEP, "retry"),
    row(RETRY, "backoff"),
    row(RETRY, "max_attempts"),
    row(RETRY, "base_delay_ms"),
    row(RETRY, "max_delay_ms"),
    row(RETRY, "on_timeout"),
    row(RETRY, "total_timeout_seconds"),
    row(STEP, "idempotent"),
    row(STEP, "timeout_seconds"),
];

/// What is asked of them at each check: their ways from the step, and what their values have to be.
static FACTS: [([&str; 2], Rule); COUNT] = facts();

impl Limit {
    /// All of them.
    pub const ALL: [Self; COUNT] = [
        Self::Retry,
        Self::Backoff,
        Self::MaxAttempts,
        Self::BaseDelay,
        Self::MaxDelay,
        Self::OnTimeout,
        Self::Total,
        Self::Idempotent,
        Self::Timeout,
    ];

    /// The one of the retry block called `name`.
    pub fn in_retry(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.is_in_retry() && limit.name() == name)
    }

    /// Whether it stands in the retry block.
    pub const fn is_in_retry(self) -> bool {
        !matches!(self, Self::Retry | Self::Idempotent | Self::Timeout)
    }

    /// The way to it from the step.
    pub fn path(self) -> &'static [&'static str] {
        let path = &FACTS[self as usize].0;
        if self.is_in_retry() { path } else { &path[1..] }
    }

    /// The key's spelling.
    pub fn name(self) -> &'static str {
        FACTS[self as usize].0[1]
    }

    /// What its value has to be.
    pub fn rule(self) -> Rule {
        FACTS[self as usize].1
    }

    /// How the block that it stands in is put before its name.
    pub const fn prefix(self) -> &'static str {
        if self.is_in_retry() { "retry." } else { "" }
    }
}

const fn row(table: &[Key], name: &str) -> Key {
    let mut at = 0;
    while !same(table[at].name.as_bytes(), name.as_bytes()) {
        at += 1;
    }
    table[at]
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

const fn facts() -> [([&'static str; 2], Rule); COUNT] {
    let mut facts = [(["retry", ""], Rule::Any); COUNT];
    let mut at = 0;
    while at < COUNT {
        facts[at].0[1] = ROWS[at].name;
        facts[at].1 = ROWS[at].rule;
        at += 1;
    }
    facts
}
