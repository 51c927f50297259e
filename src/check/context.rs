//! What every rule has at hand: the file, a place to put findings, and the forms that many rules
//! share.

use super::block::{Block, Field};
use super::finding::{Finding, Findings};
use super::mend;
use super::step::Step;
use crate::codes::{self, Code};
use crate::json;
use crate::keys::{self, Key, Rule};
use crate::number;
use crate::text::{concat, push, text};
use crate::value::Outline;
use crate::workflow::{NodeId, Span, Tree};

/// How many characters of a value are quoted in a message.
const QUOTED: usize = 120;

/// How deep a value is quoted in a message.
const DEPTH: usize = 8;

/// A table of keys, as far as it matters for a key that is not in it.
pub(super) struct Table {
    code: Code,
    /// What its keys are keys of.
    noun: &'static str,
    keys: &'static [Key],
}

impl Table {
    pub(super) const WORKFLOW: Self =
        Self { code: codes::UNKNOWN_WORKFLOW_KEY, noun: "workflow", keys: keys::WORKFLOW };
    pub(super) const STEP: Self = Self { code: codes::UNKNOWN_STEP_KEY, noun: "step", keys: keys::STEP };
    pub(super) const RETRY: Self = Self { code: codes::UNKNOWN_RETRY_KEY, noun: "retry", keys: keys::RETRY };
    pub(super) const GATE: Self = Self { code: codes::UNKNOWN_GATE_KEY, noun: "gate", keys: keys::GATE };
    pub(super) const VALIDATION_EXHAUSTION: Self = Self {
        code: codes::UNKNOWN_VALIDATION_EXHAUSTION_KEY,
        noun: "validation_exhaustion",
        keys: keys::VALIDATION_EXHAUSTION,
    };
}

/// Which line ends a message.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// None.
    Nowhere,
    /// That of the key or value it is about.
    Key,
    /// That of the step's name.
    Step,
}

/// The file under check.
pub(super) struct Context<'t> {
    pub(super) tree: &'t Tree<'t>,
    pub(super) found: Findings,
    /// How many entries may still be reached through aliases; `None` once that was too many.
    pub(super) alias_allowance: Option<usize>,
}

impl<'t> Context<'t> {
    /// Takes a finding in.
    pub(super) fn put(&mut self, finding: Box<Finding>) {
        self.found.put(finding);
    }

    /// Takes a finding about `step` in.
    pub(super) fn tell(&mut self, step: &Step<'_>, mut finding: Box<Finding>) {
        finding.step = Some(step.name.to_owned());
        self.put(finding);
    }

    /// Takes in what a finding says about `step`: its message then stands between the step's name and the
    /// line of `at`.
    pub(super) fn say(&mut self, step: &Step<'_>, at: At, mut finding: Box<Finding>) {
        let line = match at {
            At::Nowhere => String::new(),
            At::Key => self.line(finding.span),
            At::Step => self.step_at(step),
        };
        finding.message = concat(&["Step '", step.name, "': ", &finding.message, &line]);
        self.tell(step, finding);
    }

    /// ` (line N)` of a key.
    pub(super) fn line(&self, key: Span) -> String {
        text![" (line ", self.tree.places().line(key.start), ")"]
    }

    /// ` (step at line N)`.
    pub(super) fn step_at(&self, step: &Step<'_>) -> String {
        text![" (step at line ", self.tree.places().line(step.name_span.start), ")"]
    }

    /// The mapping under `field`; `None` where there is none, or where aliases have led to more of
    /// them than is looked at.
    pub(super) fn enter(&mut self, block: &Block<'t>, field: &Field<'t>) -> Option<Block<'t>> {
        if self.is_reached_twice(field) && self.alias_allowance.is_none() {
            return None;
        }
        let inner = block.under(field)?;
        self.affords(field, inner.fields.len()).then_some(inner)
    }

    /// The items of the list under `field`; none where it is no list, or as above.
    pub(super) fn items(&mut self, field: &Field<'_>) -> Vec<NodeId> {
        let Outline::List(count) = field.outline else { return Vec::new() };
        if !self.affords(field, count) {
            return Vec::new();
        }
        self.tree.items(self.tree.resolve(field.entry.value)).collect()
    }

    /// Whether an alias or a merge leads to the value, so that others may lead to it as well.
    fn is_reached_twice(&self, field: &Field<'_>) -> bool {
        self.tree.is_alias(field.entry.value) || field.entry.merged.is_some()
    }

    /// Pays for looking at `count` entries where an alias or a merge leads to them.
    pub(super) fn affords(&mut self, field: &Field<'_>, count: usize) -> bool {
        if !self.is_reached_twice(field) {
            return true;
        }
        let Some(allowance) = self.alias_allowance else { return false };
        self.alias_allowance = allowance.checked_sub(count);
        if self.alias_allowance.is_none() {
            let message = "the aliases of this file lead to more than is looked at; write some of it out";
            let span = self.tree.span(field.entry.value);
            self.put(Finding::new(codes::LIMIT_ALIASES, span, message.into()));
        }
        self.alias_allowance.is_some()
    }

    /// A key that nobody reads. It is renamed where `fits` says that its value would be right under
    /// the name that was probably meant.
    pub(super) fn unknown_key(
        &self,
        table: &Table,
        block: &Block<'_>,
        field: &Field<'_>,
        subject: &str,
        fits: &dyn Fn(&str) -> bool,
    ) -> Box<Finding> {
        let meant = keys::nearest(field.name, &keys::names(table.keys));
        let at = self.line(block.key_span(field));
        let message = keys::unknown_key(subject, &short(field.name), &at, meant, table.noun);
        let mut finding = block.on_key(table.code, field, message);
        finding.suggestion = meant.map(str::to_owned);
        if let Some(meant) = meant.filter(|meant| fits(meant)) {
            finding.offer(mend::rename_key(block, field, meant));
        }
        finding
    }

    /// A key that is unknown for a reason of its own.
    pub(super) fn misplaced_key(
        &self,
        table: &Table,
        block: &Block<'_>,
        field: &Field<'_>,
        subject: &str,
        why: &str,
    ) -> Box<Finding> {
        let (name, at) = (short(field.name), self.line(block.key_span(field)));
        block.on_key(table.code, field, concat(&[subject, ": unknown key '", &name, "'", &at, " — ", why]))
    }

    /// The unknown keys of a block of `step`; `fits` as in [`Context::unknown_key`].
    pub(super) fn unknown_keys(
        &mut self,
        step: &Step<'_>,
        block: &Block<'_>,
        table: &Table,
        fits: &dyn Fn(&str, &Field<'_>) -> bool,
    ) {
        for field in &block.fields {
            if keys::find(table.keys, field.name).is_some() || self.found.full() {
                continue;
            }
            let subject = concat(&["step '", step.name, "'"]);
            let finding = if table.code == codes::UNKNOWN_STEP_KEY && field.name.starts_with("x-") {
                let why = "only the top of the file takes extension keys; move it there.";
                self.misplaced_key(table, block, field, &subject, why)
            } else {
                self.unknown_key(table, block, field, &subject, &|meant| fits(meant, field))
            };
            self.tell(step, finding);
        }
    }

    /// The unknown keys of a block of `step` whose keys nothing else depends on.
    pub(super) fn unknown_block_keys(&mut self, step: &Step<'_>, block: &Block<'_>, table: &Table) {
        // Which of a gate's settings is dead depends on the others: renaming is safe for texts.
        const TEXTS: [&str; 5] = ["message", "owner", "resolution_messages", "threshold", "mode"];
        self.unknown_keys(step, block, table, &|meant, _| TEXTS.contains(&meant));
    }

    /// Checks the value under `key` in `block` against its row. `quiet` says whether another value
    /// would bring nothing new; no value, if the key were gone.
    pub(super) fn value(
        &mut self,
        step: &Step<'_>,
        block: &Block<'_>,
        prefix: &str,
        key: &Key,
        quiet: &dyn Fn(Option<Outline<'_>>) -> bool,
    ) {
        let Some(field) = block.field(key.name) else { return };
        if key.rule.accepts(field.outline) {
            return;
        }
        let message = keys::demand(prefix, key.name, key.rule);
        let mut finding = block.on_value(codes::INVALID_VALUE, field, message);
        if let Some(value) = meant(key.rule, field.outline)
            && quiet(Some(value))
        {
            finding.offer(mend::replace_value(block, field, &scalar_text(value)));
        }
        if !key.rule.words().is_empty() {
            let quiet = |word: &str| quiet(Some(Outline::Text(word)));
            self.suggest_word(block, field, key.rule, &mut finding, &quiet);
        }
        if field.outline == Outline::Null && quiet(None) {
            finding.offer(mend::remove(block, field));
        }
        self.say(step, At::Step, finding);
    }

    /// Suggests the word that was probably meant, and offers it where `fits` allows.
    pub(super) fn suggest_word(
        &self,
        block: &Block<'_>,
        field: &Field<'_>,
        rule: Rule,
        finding: &mut Finding,
        fits: &dyn Fn(&str) -> bool,
    ) {
        let Outline::Text(text) = field.outline else { return };
        let words = rule.words();
        let same = words.iter().copied().find(|word| word.eq_ignore_ascii_case(text));
        let Some(meant) = same.or_else(|| keys::nearest(text, words)) else { return };
        finding.suggestion = Some(meant.to_owned());
        if fits(meant) {
            finding.offer(mend::replace_word(block, field, meant));
        }
    }

    /// A value as JavaScript turns it into a text, cut where it is long.
    pub(super) fn js_text(&self, node: NodeId) -> String {
        let node = self.tree.resolve(node);
        match self.tree.outline(node) {
            Outline::Text(text) => short(text),
            Outline::List(_) => {
                let mut text = String::new();
                for (at, item) in self.tree.items(node).take(8).enumerate() {
                    push(&mut text, if at > 0 { "," } else { "" });
                    push(&mut text, &self.js_scalar(item));
                }
                short(&text)
            }
            outline => scalar_text(outline),
        }
    }

    fn js_scalar(&self, node: NodeId) -> String {
        match self.tree.outline(node) {
            Outline::Null => String::new(),
            Outline::List(_) => "…".into(),
            _ => self.js_text(node),
        }
    }

    /// A value as JSON, cut where it is long or deep.
    pub(super) fn json_text(&self, node: NodeId) -> String {
        let mut out = String::new();
        self.json(node, DEPTH, &mut out);
        out
    }

    fn json(&self, node: NodeId, depth: usize, out: &mut String) {
        let node = self.tree.resolve(node);
        if depth == 0 || out.len() > QUOTED {
            out.push('…');
            return;
        }
        match self.tree.outline(node) {
            outline @ Outline::Bool(_) => push(out, &scalar_text(outline)),
            Outline::Number(n) if n.is_finite() => push(out, &number::to_text(n)),
            Outline::Text(text) => push(out, &json::text(&short(text))),
            Outline::List(_) => {
                out.push('[');
                for (at, item) in self.tree.items(node).take(QUOTED).enumerate() {
                    push(out, if at > 0 { "," } else { "" });
                    self.json(item, depth - 1, out);
                }
                out.push(']');
            }
            Outline::Map => {
                out.push('{');
                for (at, entry) in self.tree.entries(node).iter().take(QUOTED).enumerate() {
                    push(out, if at > 0 { "," } else { "" });
                    push(out, &json::text(&short(self.tree.name(entry.key))));
                    out.push(':');
                    self.json(entry.value, depth - 1, out);
                }
                out.push('}');
            }
            _ => push(out, "null"),
        }
    }
}

/// A scalar as JavaScript turns it into a text.
pub(super) fn scalar_text(outline: Outline<'_>) -> String {
    match outline {
        Outline::Null => "null",
        Outline::Bool(true) => "true",
        Outline::Bool(false) => "false",
        Outline::Number(n) => return number::to_text(n),
        Outline::Text(text) => text,
        _ => "[object Object]",
    }
    .to_owned()
}

/// What a wrong value was probably meant to be.
fn meant(rule: Rule, outline: Outline<'_>) -> Option<Outline<'static>> {
    let n = number(outline).filter(|n| *n >= 0.0 && *n < 1e15);
    match (rule, outline) {
        (Rule::PositiveInteger, _) => Some(Outline::Number(n.filter(|n| *n > 0.0)?.ceil())),
        (Rule::NonNegativeNumber | Rule::Number, Outline::Text(_)) => Some(Outline::Number(n?)),
        (Rule::Boolean, Outline::Text(text)) => {
            let among = |words: [&str; 3]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
            let truth = among(["true", "yes", "on"]);
            (truth || among(["false", "no", "off"])).then_some(Outline::Bool(truth))
        }
        _ => None,
    }
}

fn number(outline: Outline<'_>) -> Option<f64> {
    match outline {
        Outline::Number(n) => Some(n),
        Outline::Text(text) => number::from_decimal(text.trim().trim_start_matches('+')),
        _ => None,
    }
}

/// The beginning of a long text.
pub(super) fn short(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => concat(&[&text[..end], "…"]),
        None => text.to_owned(),
    }
}
