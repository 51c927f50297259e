//! The keys of a step, with the kinds of step that take them.

use super::Use::{NotValid as N, OnlyElsewhere as O, Read as R, Unread as U};
use super::{Key, Rule, Use, key};

const fn row(
    name: &'static str,
    rule: Rule,
    default: Option<&'static str>,
    on: [Use; 4],
    about: &'static str,
    why: &'static str,
) -> Key {
    Key { on, why, ..key(name, rule, default, about) }
}

const AGENT_MATTER: &str = "it steers a model, and no model takes part in this step; remove it.";
const GUARD_MATTER: &str =
    "only a guard weighs a condition that ends the run; remove it, or move it to a guard step of its own.";
const NO_SERVICE: &str = "this kind of step calls no service; move the call to an auto step.";
const NO_ORDER: &str = "a finalizer runs when the run has ended, after every other step; remove it, and say 'on_outcome' instead.";
const NO_GUARD_WORK: &str =
    "a guard only weighs its condition: it runs nothing and puts nothing out; remove it.";

/// The keys of a step. The order decides ties between suggestions.
#[rustfmt::skip]
pub const STEP: &[Key] = &[
    //                                                                auto agent guard finalizer
    row("description", Rule::Any, None,                               [R, R, R, R], "What the step does, for people.", ""),
    row("execution", Rule::Execution, None,                           [R, R, R, R], "What the step is made by: auto, agent, guard or finalizer.", ""),
    row("depends_on", Rule::StepNames, None,                          [R, R, R, N], "The steps that come before this one.", NO_ORDER),
    row("trigger_rule", Rule::TriggerRule, None,                      [R, R, N, N], "How the steps before must have ended for this one to start.", "a guard always waits for the steps before it, and a finalizer for the end of the run; remove it."),
    row("when", Rule::Any, None,                                      [R, R, R, N], "A condition without which the step is skipped.", NO_ORDER),
    row("abort_unless", Rule::Any, None,                              [O, O, R, O], "The condition without which the run ends here.", GUARD_MATTER),
    row("abort_message", Rule::Any, None,                             [O, O, R, O], "What is said when the run ends here.", GUARD_MATTER),
    row("on_outcome", Rule::OnOutcome, None,                          [O, O, O, R], "The ends of a run after which the finalizer runs.", "only a finalizer waits for the end of the run; remove it, or make the step a finalizer."),
    row("idempotent", Rule::Any, Some("false"),                       [R, O, O, O], "Whether running the step again, even at the same time, does no harm.", "it speaks for work that is tried again, and only auto steps are; remove it."),
    row("uses_service", Rule::Any, None,                              [R, U, N, N], "The service that the step calls.", NO_SERVICE),
    row("service_method", Rule::Any, None,                            [R, U, N, N], "The method of the service.", NO_SERVICE),
    row("operation", Rule::Any, None,                                 [R, U, N, N], "The operation of the service.", NO_SERVICE),
    row("input_map", Rule::Any, None,                                 [R, O, N, N], "Where the handler's input comes from.", "this kind of step is not given a mapped input; remove it."),
    row("handler", Rule::Any, None,                                   [R, R, N, R], "The function that does the work.", NO_GUARD_WORK),
    row("config", Rule::Any, None,                                    [R, U, U, R], "Values that are handed to the handler.", ""),
    row("input_schema", Rule::Any, None,                              [R, R, N, U], "JSON Schema of the step's input.", NO_GUARD_WORK),
    row("output_schema", Rule::Any, None,                             [O, R, N, N], "JSON Schema of the agent's answer.", AGENT_MATTER),
    row("trace_schema", Rule::Any, None,                              [O, R, O, O], "JSON Schema of the agent's trace.", AGENT_MATTER),
    row("trace_validation_mode", Rule::Any, None,                     [O, R, O, O], "What a trace that breaks its schema does.", AGENT_MATTER),
    row("preconditions", Rule::Any, None,                             [R, R, N, U], "What must hold before the step starts.", "a guard is a condition itself; put it into 'abort_unless'."),
    row("trust", Rule::Trust, None,                                   [R, R, N, R], "Whether a person confirms the step.", NO_GUARD_WORK),
    row("timeout_seconds", Rule::PositiveInteger, Some("3600"),       [R, N, N, R], "The longest one attempt may run, in seconds; on a finalizer that says nothing it is 30.", "nothing stops this kind of step by the clock; on an agent step 'llm_timeout_seconds' limits one request to the model. Remove it."),
    row("retry", Rule::Map, None,                                     [R, U, U, N], "How often, and after which waits, a failed attempt is made again.", "a finalizer runs once; let its handler try again by itself, and remove the block."),
    row("validation_exhaustion", Rule::Any, None,                     [O, R, O, O], "What happens when the agent's answers are refused again and again.", AGENT_MATTER),
    row("instructions", Rule::Any, None,                              [R, R, U, U], "What the agent is told.", ""),
    row("prompt", Rule::Any, None,                                    [R, R, U, U], "What the model is asked.", ""),
    row("display", Rule::Any, None,                                   [R, R, U, U], "What a person is shown.", ""),
    row("use_template", Rule::Any, None,                              [R, R, R, R], "The template that brings further keys.", ""),
    row("gate", Rule::Map, None,                                      [R, R, U, U], "How a person is asked, and what happens when nobody answers.", ""),
    row("agent_profile", Rule::Any, None,                             [O, R, O, O], "The agent that takes the step.", AGENT_MATTER),
    row("tools", Rule::Any, None,                                     [O, R, N, N], "The tools that the agent may use.", AGENT_MATTER),
    row("max_tool_calls", Rule::PositiveInteger, Some("20"),          [U, R, U, U], "How many tool calls the agent may make.", ""),
    row("max_fan_out", Rule::PositiveInteger, None,                   [U, R, U, U], "How many tool calls may run at once.", ""),
    row("tool_timeout", Rule::PositiveInteger, Some("30"),            [R, R, R, R], "The longest one tool call may take, in seconds; needs 'tools'.", ""),
    row("structured_output", Rule::Any, None,                         [O, R, O, O], "Whether the model is held to the answer's schema.", AGENT_MATTER),
    row("llm_timeout_seconds", Rule::PositiveInteger, None,           [O, R, O, O], "The longest one request to the model may take, in seconds.", AGENT_MATTER),
];
