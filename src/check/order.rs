//! Which step comes before which: names that must exist, and no way back to where one came from.

use super::context::At;
use super::step::{Step, Workflow};
use super::{Context, mend};
use crate::codes;
use crate::keys::{self, Kind, Rule};
use crate::text::joined;
use crate::value::Outline;
use crate::workflow::Names;

/// Among how many steps the one that was meant is looked for.
const NEAR: usize = 1000;

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
            && workflow.comes_before(name, &step.name)
        {
            finding.fixes.extend(mend::replace_value(&step.block, field, &format!("[{name}]")));
        }
        cx.say(step, At::Step, finding);
        return;
    }
    for (at, item) in cx.items(field).into_iter().enumerate() {
        let name = cx.js_text(item);
        let problem = if !matches!(cx.tree.outline(item), Outline::Text(_)) {
            Some((codes::INVALID_VALUE, keys::demand("", "depends_on", Rule::StepNames), None))
        } else if name == step.name {
            Some((codes::SELF_DEPENDENCY, "'depends_on' names the step itself — remove it.".into(), None))
        } else if workflow.names.first(&name).is_none() {
            let others = workflow.names.iter().filter(|other| *other != step.name);
            let meant = keys::nearest(&name, &mut others.take(NEAR));
            let hint =
                meant.map_or("no step has that name".into(), |meant| format!("did you mean '{meant}'?"));
            let message = format!("'depends_on' names the unknown step '{name}' — {hint}");
            Some((codes::UNKNOWN_DEPENDENCY, message, meant))
        } else {
            None
        };
        let Some((code, message, meant)) = problem else { continue };
        let mut finding = step.block.on_value(code, field, message);
        finding.span = cx.tree.span(item);
        finding.path.push(crate::advice::PathItem::Index(at as u32));
        finding.suggestion = meant.map(str::to_owned);
        if let Some(meant) = meant.filter(|meant| workflow.comes_before(meant, &step.name)) {
            finding.fixes.extend(mend::replace_item(&step.block, field, item, meant));
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
    let graph = Graph::of(cx, steps);
    for cycle in graph.cycles() {
        let mut names = cycle.iter().chain(cycle.first()).map(|&at| steps[at].name.as_str());
        let message = format!(
            "Steps depend on each other in a circle: {} — none of them can ever start; remove one of these dependencies.",
            joined(&mut names, " → ")
        );
        let (step, next) = (steps[cycle[0]], &steps[cycle[1]].name);
        let Some(field) = step.block.field("depends_on") else { continue };
        let mut finding = step.block.on_value(codes::DEPENDENCY_CYCLE, field, message);
        let mut items = cx.tree.items(cx.tree.resolve(field.entry.value));
        if let Some(item) = items.find(|item| cx.tree.outline(*item) == Outline::Text(next)) {
            finding.span = cx.tree.span(item);
        }
        cx.tell(step, finding);
    }
}

/// Which step waits for which, by their places in the file.
struct Graph {
    waits_for: Vec<Vec<usize>>,
}

impl Graph {
    fn of(cx: &mut Context<'_>, steps: &[&Step<'_>]) -> Self {
        let names = Names::new(steps.iter().map(|step| step.name.as_str()).collect());
        let mut waits_for = Vec::with_capacity(steps.len());
        for (at, step) in steps.iter().enumerate() {
            let field = step.block.field("depends_on").filter(|_| step.kind != Some(Kind::Finalizer));
            let items = field.map_or(Vec::new(), |field| cx.items(field));
            let named = items.into_iter().filter_map(|item| match cx.tree.outline(item) {
                Outline::Text(name) => names.first(name),
                _ => None,
            });
            waits_for.push(named.filter(|other| *other != at).collect());
        }
        Self { waits_for }
    }

    /// Cycles that share no step, each from its earliest step on.
    fn cycles(&self) -> Vec<Vec<usize>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            OnTheWay,
            Done,
        }
        let mut marks = vec![Mark::New; self.waits_for.len()];
        let mut told = vec![false; self.waits_for.len()];
        let mut cycles = Vec::new();
        for start in 0..self.waits_for.len() {
            if marks[start] != Mark::New {
                continue;
            }
            // The way from `start`: each step with how many of its edges have been followed.
            let mut way = vec![(start, 0)];
            marks[start] = Mark::OnTheWay;
            while let Some((at, followed)) = way.last_mut() {
                let Some(&next) = self.waits_for[*at].get(*followed) else {
                    marks[*at] = Mark::Done;
                    way.pop();
                    continue;
                };
                *followed += 1;
                match marks[next] {
                    Mark::New => {
                        marks[next] = Mark::OnTheWay;
                        way.push((next, 0));
                    }
                    Mark::OnTheWay => {
                        let from = way.iter().position(|(step, _)| *step == next).unwrap_or(0);
                        let mut cycle: Vec<_> = way[from..].iter().map(|(step, _)| *step).collect();
                        if !cycle.iter().any(|step| told[*step]) {
                            cycle.iter().for_each(|step| told[*step] = true);
                            let first = (0..cycle.len()).min_by_key(|at| cycle[*at]).unwrap_or(0);
                            cycle.rotate_left(first);
                            cycles.push(cycle);
                        }
                    }
                    Mark::Done => {}
                }
            }
        }
        cycles
    }
}
