//! Advice on limits.
