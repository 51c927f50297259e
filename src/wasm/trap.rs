//! Faults on purpose, in the module that only tests have.

/// Traps where `name` says so, as `trap in fail` does for `fail`.
pub(super) fn trap_in(place: &str, name: &str) {
    if cfg!(feature = "trap") && name.strip_prefix("trap in ") == Some(place) {
        std::process::abort();
    }
}
