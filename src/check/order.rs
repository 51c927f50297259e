//! Which step comes before which: names that must exist, and no way back to where one came from.

use super::context::At;
use super::step::{Step, Workflow};
use super::{Context, mend};
use crate::codes;
use crate::keys::{self, Kind, Rule};
use crate::text::{concat, push, text};
use crate::value::{Outline, PathItem};
use crate::workflow::Names;

/// The `depends_on` of one step, unless its kind refuses the key.
pub(super) fn depends_on(cx: &mut Context<'_>, step: &Step<'_>, workflow: &Workflow<'_>) {
    let Some(field) = step.block.field("depends_on") else { return };
    if step.kind == Some(Kind::Finalizer) {
        return;
    }
    if !Rule::StepNames.accepts(field.outline) {
        let message = keys::demand("", "depends_on", Rule::StepNames);
        let mut finding = step.block.on_value(codes::INVALID_VALUE, field, message);
        if let Outline::Text(name) = field.outline
            && workflow.comes_before(name, step.name)
        {
            finding.offer(mend::replace_value(&step.block, field, &text!["[", name, "]"]));
        }
        cx.say(step, At::Step, finding);
        return;
    }
    for (at, item) in cx.items(field).into_iter().enumerate() {
        let name = cx.js_text(item);
        let mut meant = None;
        let (code, message) = if !matches!(cx.tree.outline(item), Outline::Text(_)) {
            (codes::INVALID_VALUE, keys::demand("", "depends_on", Rule::StepNames))
        } else if name == step.name {
            (codes::SELF_DEPENDENCY, "'depends_on' names the step itself — remove it.".to_owned())
        } else if workflow.names.first(&name).is_none() {
            meant = workflow.nearest(&name, step.name);
            let hint = match meant {
                Some(meant) => concat(&["did you mean '", meant, "'?"]),
                None => "no step has that name".to_owned(),
            };
            let message = concat(&["'depends_on' names the unknown step '", &name, "' — ", &hint]);
            (codes::UNKNOWN_DEPENDENCY, message)
        } else {
            continue;
        };
        let mut finding = step.block.on_value(code, field, message);
        finding.span = cx.tree.span(item);
        finding.path.push(PathItem::Index(at));
        finding.suggestion = meant.map(str::to_owned);
        if let Some(meant) = meant.filter(|meant| workflow.comes_before(meant, step.name)) {
            finding.offer(mend::replace_item(&step.block, field, item, meant));
        }
        cx.say(step, At::Step, finding);
    }
}

/// What is true of the workflow as a whole.
pub(super) fn whole(cx: &mut Context<'_>, steps: &[&Step<'_>]) {
    only_finalizers(cx, steps);
    cycles(cx, steps);
}

fn only_finalizers(cx: &mut Context<'_>, steps: &[&Step<'_>]) {
    let Some(first) = steps.first().copied() else { return };
    if steps.iter().all(|step| step.kind == Some(Kind::Finalizer)) {
        let message = "Workflow has only finalizer steps — they run when others have ended, and there are none; add a step of another kind.";
        let finding = first.block.on_lack(codes::ONLY_FINALIZERS, "steps", first.name_span, message.into());
        cx.tell(first, finding);
    }
}

/// Tells each cycle once, from its first step in the file on.
fn cycles(cx: &mut Context<'_>, steps: &[&Step<'_>]) {
    let graph = graph(cx, steps);
    for cycle in find_cycles(&graph) {
        let (step, next) = (steps[cycle[0]], steps[cycle[1]].name);
        let mut names = String::new();
        for at in &cycle {
            push(&mut names, &concat(&[steps[*at].name, " → "]));
        }
        let message = text![
            "Steps depend on each other in a circle: ",
            names,
            step.name,
            " — none of them can ever start; remove one of these dependencies."
        ];
        let Some(field) = step.block.field("depends_on") else { continue };
        let mut finding = step.block.on_value(codes::DEPENDENCY_CYCLE, field, message);
        let mut items = cx.tree.items(cx.tree.resolve(field.entry.value));
        if let Some(item) = items.find(|item| cx.tree.outline(*item) == Outline::Text(next)) {
            finding.span = cx.tree.span(item);
        }
        cx.tell(step, finding);
    }
}

/// Which steps each step waits for, by their places in the file.
fn graph(cx: &mut Context<'_>, steps: &[&Step<'_>]) -> Vec<Vec<usize>> {
    let mut names = Vec::with_capacity(steps.len());
    for step in steps {
        names.push(step.name);
    }
    let names = Names::new(names);
    let mut waits_for = Vec::with_capacity(steps.len());
    for (at, step) in steps.iter().enumerate() {
        let mut others = Vec::new();
        if let Some(field) = step.block.field("depends_on").filter(|_| step.kind != Some(Kind::Finalizer)) {
            for item in cx.items(field) {
                if let Outline::Text(name) = cx.tree.outline(item)
                    && let Some(other) = names.first(name).filter(|other| *other != at)
                {
                    others.push(other);
                }
            }
        }
        waits_for.push(others);
    }
    waits_for
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    OnTheWay,
    Done,
}

/// Cycles that share no step, each from its earliest step on.
fn find_cycles(waits_for: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut marks = vec![Mark::New; waits_for.len()];
    let mut told = vec![false; waits_for.len()];
    let mut cycles = Vec::new();
    for start in 0..waits_for.len() {
        if marks[start] != Mark::New {
            continue;
        }
        // The way from `start`: each step with how many of its edges have been followed.
        let mut way = vec![(start, 0)];
        marks[start] = Mark::OnTheWay;
        while let Some((at, followed)) = way.last_mut() {
            let Some(&next) = waits_for[*at].get(*followed) else {
                marks[*at] = Mark::Done;
                way.pop();
                continue;
            };
            *followed += 1;
            if marks[next] == Mark::New {
                marks[next] = Mark::OnTheWay;
                way.push((next, 0));
            } else if marks[next] == Mark::OnTheWay {
                cycles.extend(cycle(&way, next, &mut told));
            }
        }
    }
    cycles
}

/// The steps of the way from `from` on, the earliest first; none where one of them is told already.
fn cycle(way: &[(usize, usize)], from: usize, told: &mut [bool]) -> Option<Vec<usize>> {
    let (mut begin, mut first) = (0, 0);
    for (place, (step, _)) in way.iter().enumerate() {
        if *step == from {
            (begin, first) = (place, place);
        }
        if way[first].0 > *step {
            first = place;
        }
    }
    let around = way[first..].iter().chain(&way[begin..first]);
    let mut cycle = Vec::new();
    for (step, _) in around {
        cycle.push(*step);
    }
    if cycle.iter().any(|step| told[*step]) {
        return None;
    }
    for step in &cycle {
        told[*step] = true;
    }
    Some(cycle)
}
