//! jitter
