//! The YAML parser, held against the test suite of YAML and against another parser.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod errors;
mod hostile;
mod mutations;
mod oracle;
mod suite;
