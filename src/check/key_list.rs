//! The key tables as JSON, for editors: hover texts and completions are made from it.

use super::schema::{Json, object, text, texts};
use crate::keys::{self, Key, Kind, Rule, Use};

/// `pkg/keys.json`: every key of a workflow file with its meaning, default, unit and rule, by the
/// block it stands in; of a step's keys also what becomes of them on each kind.
pub fn key_list() -> String {
    let step = Json::List(keys::STEP.iter().map(step_key).collect());
    let list = object([
        ("kinds", texts(Kind::ALL.map(Kind::name))),
        ("workflow", table(keys::WORKFLOW)),
        ("step", step),
        ("retry", table(keys::RETRY)),
        ("gate", table(keys::GATE)),
        ("validation_exhaustion", table(keys::VALIDATION_EXHAUSTION)),
    ]);
    list.into_text()
}

fn table(keys: &[Key]) -> Json {
    Json::List(keys.iter().map(|key| object(facts(key))).collect())
}

fn step_key(row: &Key) -> Json {
    let mut facts = facts(row);
    facts.push(("on", texts(Kind::ALL.map(|kind| fate(row.on(kind))))));
    if !row.why.is_empty() {
        facts.push(("why", text(row.why)));
    }
    object(facts)
}

fn facts(key: &Key) -> Vec<(&'static str, Json)> {
    let mut facts =
        vec![("name", text(key.name)), ("about", text(key.about)), ("takes", text(takes(key.rule)))];
    if key.rule != Rule::Any {
        facts.push(("demand", text(key.rule.demand())));
    }
    if !key.rule.words().is_empty() {
        facts.push(("words", texts(key.rule.words().iter().copied())));
    }
    facts.extend(key.default.map(|default| ("default", text(default))));
    facts.extend(unit(key).map(|unit| ("unit", text(unit))));
    facts
}

const fn fate(on: Use) -> &'static str {
    match on {
        Use::Read => "read",
        Use::Unread => "unread",
        Use::NotValid | Use::OnlyElsewhere => "refused",
    }
}

/// What kind of value an editor should offer.
const fn takes(rule: Rule) -> &'static str {
    match rule {
        Rule::Any => "any",
        Rule::Number | Rule::NonNegativeNumber => "number",
        Rule::PositiveInteger => "count",
        Rule::Boolean => "boolean",
        Rule::Map => "map",
        Rule::StepNames => "step_names",
        Rule::Execution
        | Rule::Backoff
        | Rule::TriggerRule
        | Rule::Trust
        | Rule::OnExpiry
        | Rule::OnOutcome => "word",
    }
}

/// The unit of a key that holds a time: it is in the key's name, or in the sentence about it.
fn unit(key: &Key) -> Option<&'static str> {
    if key.name.ends_with("_ms") {
        return Some("ms");
    }
    (key.name.ends_with("_seconds") || key.about.contains("in seconds")).then_some("s")
}
