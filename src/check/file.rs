//! The file itself: its top-level keys, and its steps one after the other.

use super::block::{Block, Field};
use super::context::{Table, short};
use super::finding::Finding;
use super::step::{self, Step, Workflow};
use super::{Context, is_integer_like, mend, order};
use crate::codes;
use crate::keys::{self, Kind, Rule};
use crate::number;
use crate::text::text;
use crate::value::Outline;
use crate::workflow::{Names, Span, Tree, places};

/// The file's mapping; `None` where it is none.
pub(super) fn root<'t>(tree: &'t Tree<'t>) -> Option<Block<'t>> {
    let root = tree.root().filter(|root| tree.outline(*root) == Outline::Map)?;
    Some(Block::root(tree, root))
}

/// Tells that the file is no mapping.
pub(super) fn not_a_workflow(cx: &mut Context<'_>) {
    let span = cx.tree.root().map_or(Span::at(0), |root| cx.tree.span(root));
    let message = "Workflow must be a non-null object";
    let mut finding = Finding::new(codes::WORKFLOW_NOT_A_MAP, span, message.into());
    finding.lacks_in = Some(Span::new(0, cx.tree.source().len() as u32));
    cx.put(finding);
}

/// What stands under one name of `steps`.
pub(super) struct Named<'t> {
    pub(super) name: &'t str,
    pub(super) field: Field<'t>,
    /// The step, where it is a mapping.
    pub(super) step: Option<Step<'t>>,
}

/// The steps as JavaScript goes through them: names that look like integers first, in their order,
/// then the others as they are written.
pub(super) fn steps<'t>(cx: &mut Context<'t>, root: &Block<'t>, most: usize) -> Vec<Named<'t>> {
    let Some(block) = root.field("steps").and_then(|field| cx.enter(root, field)) else { return Vec::new() };
    let count = block.fields.len().min(most);
    if let Some(beyond) = block.fields.get(most) {
        let message = text!["the file has more than the ", most, " steps that are looked at"];
        let finding = block.on_key(codes::LIMIT_STEPS, beyond, message);
        cx.put(finding);
    }
    let mut order = Vec::new();
    if block.fields.iter().any(|field| is_integer_like(field.name)) {
        order = places(count, &|a, b| index(block.fields[a].name).cmp(&index(block.fields[b].name)));
    }
    let mut steps = Vec::with_capacity(count);
    for at in 0..count {
        let field = &block.fields[order.get(at).copied().unwrap_or(at)];
        let inner = cx.enter(&block, field);
        let step = inner.map(|inner| Step::new(field.name, block.key_span(field), inner));
        steps.push(Named { name: field.name, field: *field, step });
    }
    steps
}

/// Where JavaScript puts a name; those that are no index come last.
fn index(name: &str) -> u32 {
    let index = if is_integer_like(name) { name.parse().ok() } else { None };
    index.unwrap_or(u32::MAX)
}

/// All rules, in the order of the reference. Where a top-level rule is broken, no step is looked
/// at; but what could not be read may have held what is missing.
pub(super) fn check<'t>(cx: &mut Context<'t>, root: &Block<'t>, steps: &[Named<'t>], all_read: bool) {
    unknown_keys(cx, root);
    let errors = cx.found.errors.len();
    top_level(cx, root);
    if cx.found.errors.len() > errors && all_read {
        return;
    }
    let (mut present, mut names, mut has_finalizer) = (Vec::new(), Vec::new(), false);
    for named in steps {
        names.push(named.name);
        if let Some(step) = &named.step {
            present.push(step);
            has_finalizer |= step.kind == Some(Kind::Finalizer);
        }
    }
    let workflow = Workflow { names: Names::new(names), has_finalizer };
    for named in steps {
        if cx.found.full() {
            return;
        }
        match &named.step {
            Some(step) => step::check(cx, step, &workflow),
            None if named.field.outline != Outline::Map => not_a_map(cx, root, named),
            None => {}
        }
    }
    order::whole(cx, &present);
}

fn unknown_keys(cx: &mut Context<'_>, root: &Block<'_>) {
    let subject = match root.value("id") {
        Some(Outline::Text(id)) => text!["workflow '", short(id), "'"],
        _ => "workflow '<unknown>'".to_owned(),
    };
    for field in &root.fields {
        let name = field.name;
        if keys::find(keys::WORKFLOW, name).is_some() || is_extension(name) || cx.found.full() {
            continue;
        }
        let lower = name.to_ascii_lowercase();
        let special = |why| cx.misplaced_key(&Table::WORKFLOW, root, field, &subject, why);
        let finding = if lower.starts_with("x-realm-") {
            special("names that begin with x-realm- are kept for the engine; choose another one.")
        } else if let Some(rest) = name.strip_prefix("X-") {
            let mut finding = special("an extension key begins with a lower-case x-; rename it.");
            finding.offer(mend::rename_key(root, field, &text!["x-", rest]));
            finding
        } else {
            let fits = |meant: &str| !matches!(meant, "steps" | "version" | "id");
            cx.unknown_key(&Table::WORKFLOW, root, field, &subject, &fits)
        };
        cx.put(finding);
    }
}

/// Whether the key is the author's own, which the engine carries and never reads.
pub(super) fn is_extension(name: &str) -> bool {
    name.starts_with("x-") && !name.to_ascii_lowercase().starts_with("x-realm-")
}

fn top_level(cx: &mut Context<'_>, root: &Block<'_>) {
    for key in keys::REQUIRED {
        if !root.has(key) {
            let message = text!["Missing required field: '", key, "'"];
            let first = root.fields.first().map_or(Span::at(0), |field| root.key_span(field));
            cx.put(root.on_lack(codes::MISSING_FIELD, key, first, message));
        }
    }
    if let Some(field) = root.field("version").filter(|field| !Rule::Number.accepts(field.outline)) {
        let message = text!["'version' ", Rule::Number.demand()];
        let mut finding = root.on_value(codes::INVALID_VERSION, field, message);
        if let Outline::Text(text) = field.outline
            && number::from_decimal(text.trim_start_matches(['+', '-'])).is_some_and(f64::is_finite)
        {
            finding.offer(mend::replace_value(root, field, text));
        }
        cx.put(finding);
    }
    if let Some(field) = root.field("steps").filter(|field| field.outline != Outline::Map) {
        let message = "'steps' must be a non-null object".to_owned();
        cx.put(root.on_value(codes::INVALID_STEPS, field, message));
    }
}

fn not_a_map(cx: &mut Context<'_>, root: &Block<'_>, named: &Named<'_>) {
    let line = cx.tree.places().line(cx.tree.span(named.field.entry.key).start);
    let message = text!["Step '", short(named.name), "' must be an object (step at line ", line, ")"];
    let mut finding = root.on_value(codes::STEP_NOT_A_MAP, &named.field, message);
    finding.path.insert(0, "steps".into());
    finding.step = Some(named.name.to_owned());
    finding.key = None;
    cx.put(finding);
}
