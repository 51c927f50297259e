//! The rules of a workflow file, as diagnostics in the order of the reference: the loader's warnings,
//! then errors, then advice of ours.
//!
//! A rule is a row of [`crate::keys`] wherever it is about one key, and else a small function with
//! its mending beside it. Blocks whose inside is another matter are left alone.

mod agent;
mod block;
mod context;
mod diagnostic;
mod docs;
mod file;
mod finding;
mod gate;
mod key_list;
mod kinds;
mod mend;
mod order;
mod report;
mod retry;
mod schema;
mod step;

pub use crate::workflow::Limits;
pub use diagnostic::{Diagnostic, Edit, Fix, Related};
pub use docs::docs;
pub use key_list::key_list;
pub use report::{Heading, Report, StepSummary};
pub use schema::schema;

use crate::workflow::{self, Source};
use context::Context;
use finding::Findings;

/// How a file is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Warnings make the file invalid too.
    pub strict: bool,
    /// After a YAML error the rest is checked as well, as an editor wants it.
    pub recover: bool,
    /// How much is looked at.
    pub limits: Limits,
}

/// Checks a workflow file. Any text gives a report.
pub fn check(source: &str, options: &Options) -> Report {
    let limits = &options.limits;
    let Source { tree, problems, skipped, .. } = workflow::read(source, options.recover, limits);
    let mut cx = Context {
        tree: &tree,
        found: Findings::with_room(limits.diagnostics),
        alias_allowance: Some(limits.alias_visits),
    };
    let root = file::root(&tree);
    let steps = root.as_ref().map(|root| file::steps(&mut cx, root, limits.steps)).unwrap_or_default();
    match &root {
        Some(root) => file::check(&mut cx, root, &steps, skipped.is_empty()),
        None => file::not_a_workflow(&mut cx),
    }
    let mut found = cx.found;
    if !problems.is_empty() {
        if options.recover {
            let mut unread = skipped;
            for problem in &problems {
                unread.push(workflow::line_of(source, problem.span));
            }
            found.forget_unread(&unread)
        } else {
            found = Findings::default()
        };
    }
    let mut broken = Vec::new();
    for problem in problems {
        broken.push(report::broken(*problem, &tree));
    }
    found.put_first(broken);
    Report::new(found, root.as_ref(), &steps, tree.places(), options.strict)
}

/// Whether JavaScript would take the name for an index, and sort it before the others.
fn is_integer_like(name: &str) -> bool {
    name.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() && (name == "0" || !name.starts_with('0'))
}
