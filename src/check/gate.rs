//! The gate block: how a person is asked, and what happens when nobody answers.

use super::block::{Block, Field};
use super::context::{At, Table};
use super::step::Step;
use super::{Context, mend};
use crate::codes;
use crate::keys::{self, Rule};
use crate::number;
use crate::text::{concat, joined, text};
use crate::value::Outline;

/// All rules of the gate block; the gate's values are checked whatever `trust` says.
pub(super) fn check<'t>(cx: &mut Context<'t>, step: &Step<'t>) {
    let Some(field) = step.block.field("gate") else { return };
    if field.outline != Outline::Map {
        let message = keys::demand("", "gate", Rule::Map);
        cx.say(step, At::Step, step.block.on_value(codes::INVALID_VALUE, field, message));
        return;
    }
    let Some(gate) = cx.enter(&step.block, field) else { return };
    empty_choices(cx, step, &gate);
    cx.unknown_block_keys(step, &gate, &Table::GATE);
    for key in ["timeout_seconds", "reminder_seconds", "reminder_max"] {
        let Some(row) = keys::find(keys::GATE, key) else { continue };
        // Whether a reminder is dead depends on both times.
        let quiet = |_: Option<Outline<'_>>| {
            key == "reminder_max" || !(gate.has("timeout_seconds") && gate.has("reminder_seconds"))
        };
        cx.value(step, &gate, "gate.", row, &quiet);
    }
    on_expiry(cx, step, &gate);
    default_choice(cx, step, &gate);
    dead(cx, step, field, &gate);
}

fn empty_choices(cx: &mut Context<'_>, step: &Step<'_>, gate: &Block<'_>) {
    let Some(field) = gate.field("choices").filter(|field| field.outline == Outline::List(0)) else { return };
    let message = "'gate.choices', when declared, must be non-empty — nobody could answer; name the choices, or remove it.";
    let mut finding = gate.needless(codes::INVALID_VALUE, field, message.into());
    // Without it the default choices hold, and the default choice may be none of them.
    if gate.has("default_choice") {
        finding.fixes.clear();
    }
    cx.say(step, At::Key, finding);
}

fn on_expiry(cx: &mut Context<'_>, step: &Step<'_>, gate: &Block<'_>) {
    let Some(field) = gate.field("on_expiry") else { return };
    if !Rule::OnExpiry.accepts(field.outline) {
        let message = keys::demand("gate.", "on_expiry", Rule::OnExpiry);
        let message = text![message, " (got: ", cx.json_text(field.entry.value), ")"];
        let mut finding = gate.on_value(codes::INVALID_VALUE, field, message);
        let completes = |word: &str| word == "abort" || gate.has("default_choice");
        cx.suggest_word(gate, field, Rule::OnExpiry, &mut finding, &completes);
        cx.say(step, At::Step, finding);
        return;
    }
    let default = gate.value("default_choice");
    if field.outline == Outline::Text("settle_default") && matches!(default, None | Some(Outline::Null)) {
        let message = "'gate.on_expiry: settle_default' requires 'gate.default_choice' (nothing to resolve the gate with on expiry)";
        let mut finding = gate.on_value(codes::GATE_DEFAULT_CHOICE, field, message.into());
        finding.lacks_in = Some(gate.extent);
        cx.say(step, At::Step, finding);
    }
}

fn default_choice(cx: &mut Context<'_>, step: &Step<'_>, gate: &Block<'_>) {
    let Some(field) = gate.field("default_choice").filter(|field| field.outline != Outline::Null) else {
        return;
    };
    let Some(choices) = choices(cx, step, gate) else { return };
    let chosen = cx.json_text(field.entry.value);
    let mut names = Vec::with_capacity(choices.len());
    for choice in &choices {
        if choice.json == chosen {
            return;
        }
        names.push(choice.text.as_str());
    }
    let message = text![
        "'gate.default_choice' (",
        chosen,
        ") is not one of the step's effective choices: ",
        joined(&mut names.iter().copied(), ", ")
    ];
    let mut finding = gate.on_value(codes::GATE_DEFAULT_CHOICE, field, message);
    if let Outline::Text(text) = field.outline
        && let Some(meant) = keys::nearest(text, &names)
    {
        finding.suggestion = Some(meant.to_owned());
        finding.offer(mend::replace_word(gate, field, meant));
    }
    cx.say(step, At::Step, finding);
}

/// How many choices of a gate are looked through for the default one.
const MOST_CHOICES: usize = 1000;

struct Choice {
    text: String,
    json: String,
}

/// What a person can answer; `None` where that cannot be told from the file.
fn choices(cx: &Context<'_>, step: &Step<'_>, gate: &Block<'_>) -> Option<Vec<Choice>> {
    let mut node = step.block.field("input_schema").map(|field| field.entry.value);
    for key in ["properties", "choice", "enum"] {
        node = node.and_then(|node| cx.tree.get(cx.tree.resolve(node), key));
    }
    if let Some(field) = gate.field("choices").filter(|field| field.outline != Outline::Null) {
        node = Some(field.entry.value);
    }
    let mut choices = Vec::new();
    if let Some(node) = node {
        match cx.tree.outline(node) {
            // Nobody is asked to choose among so many; an alias might lead to them.
            Outline::List(count) if count <= MOST_CHOICES => {}
            _ => return None,
        }
        for item in cx.tree.items(cx.tree.resolve(node)) {
            choices.push(Choice { text: cx.js_text(item), json: cx.json_text(item) });
        }
    } else if step.templated {
        return None;
    } else {
        for choice in keys::GATE_CHOICES {
            choices.push(Choice { text: choice.into(), json: concat(&["\"", choice, "\""]) });
        }
    }
    Some(choices)
}

/// Settings of the gate that nothing reads.
fn dead(cx: &mut Context<'_>, step: &Step<'_>, field: &Field<'_>, gate: &Block<'_>) {
    let asks = matches!(step.block.value("trust"), Some(Outline::Text("human_confirmed" | "human_reviewed")));
    if !asks {
        if !step.lacks("trust") && !step.block.has("trust") {
            return;
        }
        let message = "the 'gate:' block is inert — nobody is asked unless 'trust' is human_confirmed or human_reviewed; set it, or remove 'gate'.";
        let finding = step.block.needless(codes::DEAD_GATE_CONFIG, field, message.into());
        cx.say(step, At::Nowhere, finding);
        return;
    }
    let settles = gate.value("on_expiry") == Some(Outline::Text("settle_default"));
    if let Some(field) = gate.field("default_choice").filter(|_| !settles) {
        let message = "'gate.default_choice' is ignored without 'gate.on_expiry: settle_default' — set it, or remove 'gate.default_choice'.";
        dead_key(cx, step, gate, field, message.into());
    }
    if let Some(field) = gate.field("on_expiry").filter(|_| !gate.has("timeout_seconds")) {
        let message = "'gate.on_expiry' is ignored without 'gate.timeout_seconds' — a gate without a limit never expires; set it, or remove 'gate.on_expiry'.";
        dead_key(cx, step, gate, field, message.into());
    }
    let times = (gate.number("reminder_seconds"), gate.number("timeout_seconds"));
    if let (Some(field), (Some(reminder), Some(timeout))) = (gate.field("reminder_seconds"), times)
        && reminder >= timeout
    {
        let message = text![
            "'gate.reminder_seconds' (",
            number::to_text(reminder),
            ") >= 'gate.timeout_seconds' (",
            number::to_text(timeout),
            ") — the gate has expired before the first reminder is due; lower it, or remove it."
        ];
        dead_key(cx, step, gate, field, message);
    }
}

fn dead_key(cx: &mut Context<'_>, step: &Step<'_>, gate: &Block<'_>, field: &Field<'_>, message: String) {
    let mut finding = gate.needless(codes::DEAD_GATE_CONFIG, field, message);
    // A default choice that is left alone would be dead in its turn.
    if field.name == "on_expiry" && gate.has("default_choice") {
        finding.fixes.clear();
    }
    cx.say(step, At::Nowhere, finding);
}
