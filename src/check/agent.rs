//! What only agent steps have: tools, schemas of answers, and a limit on refused ones.

use super::Context;
use super::context::{At, Table};
use super::step::Step;
use crate::codes;
use crate::keys::Kind;
use crate::value::Outline;

pub(super) fn validation_exhaustion<'t>(cx: &mut Context<'t>, step: &Step<'t>) {
    let Some(block) =
        step.block.field("validation_exhaustion").and_then(|field| cx.enter(&step.block, field))
    else {
        return;
    };
    cx.unknown_block_keys(step, &block, &Table::VALIDATION_EXHAUSTION);
    if let Some(field) = block.field("default_output")
        && block.value("mode") != Some(Outline::Text("default"))
    {
        let message = "'validation_exhaustion.default_output' is ignored without 'validation_exhaustion.mode: default' — set it, or remove 'validation_exhaustion.default_output'.";
        let finding = block.needless(codes::DEAD_VALIDATION_EXHAUSTION_CONFIG, field, message.into());
        cx.say(step, At::Nowhere, finding);
    }
}

pub(super) fn dual_schema(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("output_schema") else { return };
    if step.kind == Some(Kind::Agent) && step.block.has("input_schema") {
        let message = "declares both 'input_schema' and 'output_schema' — an agent's answer is held to one of them; keep 'output_schema'.";
        let finding = step.block.on_key(codes::DUAL_SCHEMA_DECLARED, field, message.into());
        cx.say(step, At::Nowhere, finding);
    }
}

/// Whether there is a `tool_timeout` without any tool.
pub(super) fn misses_tools(step: &Step<'_>) -> bool {
    let no_tools = match step.block.value("tools") {
        None => !step.templated,
        Some(tools) => matches!(tools, Outline::Null | Outline::List(0)),
    };
    step.block.has("tool_timeout") && no_tools
}

pub(super) fn tool_timeout_needs_tools(cx: &mut Context<'_>, step: &Step<'_>) {
    let Some(field) = step.block.field("tool_timeout").filter(|_| misses_tools(step)) else { return };
    let message = "'tool_timeout' requires 'tools' (a declared, non-empty list) — without tools there is no call to limit; declare them, or remove 'tool_timeout'.";
    let finding = step.block.needless(codes::TOOL_TIMEOUT_NEEDS_TOOLS, field, message.into());
    cx.say(step, At::Key, finding);
}
