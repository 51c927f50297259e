//! The JSON Schema (2020-12) of a workflow file's part that is checked, made from the key tables.
//!
//! It accepts whatever the checker accepts, and refuses every wrong type, range, word and place that
//! a schema can tell. Warnings are no matter of it.

use crate::keys::{self, Key, Kind, Rule};

/// The schema as text, indented by two spaces.
pub fn schema() -> String {
    file().into_text()
}

/// A piece of JSON.
pub(super) enum Json {
    Object(Vec<(String, Self)>),
    List(Vec<Self>),
    Text(String),
    /// A number, `true` or `false`.
    Word(String),
}

use Json::{List, Object};

pub(super) fn text(text: impl Into<String>) -> Json {
    Json::Text(text.into())
}

fn word(word: impl ToString) -> Json {
    Json::Word(word.to_string())
}

pub(super) fn object<K: Into<String>>(entries: impl IntoIterator<Item = (K, Json)>) -> Json {
    Object(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

pub(super) fn texts<'a>(words: impl IntoIterator<Item = &'a str>) -> Json {
    List(words.into_iter().map(text).collect())
}

fn file() -> Json {
    let mut properties = properties(keys::WORKFLOW);
    if let Some((_, steps)) = properties.iter_mut().find(|(name, _)| name == "steps") {
        extend(
            steps,
            [
                ("propertyNames", object([("not", names_refused())])),
                ("additionalProperties", reference("step")),
            ],
        );
    }
    object([
        ("$schema", text("https://json-schema.org/draft/2020-12/schema")),
        ("title", text("Workflow")),
        ("type", text("object")),
        ("required", texts(keys::REQUIRED)),
        ("properties", Object(properties)),
        (
            "patternProperties",
            object([(
                "^x-(?![Rr][Ee][Aa][Ll][Mm]-)",
                object([("description", text("Your own; carried along and never read."))]),
            )]),
        ),
        ("additionalProperties", word(false)),
        ("$defs", object([("step", step()), ("retry", retry()), ("gate", gate())])),
    ])
}

fn names_refused() -> Json {
    object([(
        "anyOf",
        List(vec![
            object([("enum", texts(keys::RESERVED_STEP_NAMES))]),
            object([("pattern", text("^(0|[1-9][0-9]*)$"))]),
        ]),
    )])
}

fn step() -> Json {
    let mut properties: Vec<_> = keys::STEP.iter().map(property).collect();
    for (name, property) in &mut properties {
        if name == "retry" || name == "gate" {
            extend(property, [("$ref", text(format!("#/$defs/{name}")))]);
        }
    }
    let mut rules = vec![needs_unless_templated(&["description", "execution"])];
    rules.extend(Kind::ALL.into_iter().map(of_kind));
    rules.push(when(
        requires_value(
            "retry",
            object([
                ("required", texts(["on_timeout"])),
                ("properties", object([("on_timeout", constant(word(true)))])),
            ]),
        ),
        any_of([requires_value("idempotent", constant(word(true))), templated_without("idempotent")]),
    ));
    rules.push(when(
        required("tool_timeout"),
        any_of([
            requires_value(
                "tools",
                not(any_of([
                    object([("maxItems", word(0)), ("type", text("array"))]),
                    object([("type", text("null"))]),
                ])),
            ),
            templated_without("tools"),
        ]),
    ));
    rules.push(default_choices());
    object([
        ("type", text("object")),
        ("properties", Object(properties)),
        ("additionalProperties", word(false)),
        ("allOf", List(rules)),
    ])
}

/// A gate that names no choices, and takes none from the input's schema, has the usual two.
fn default_choices() -> Json {
    let mut usual: Vec<_> = keys::GATE_CHOICES.into_iter().map(text).collect();
    usual.push(word("null"));
    let elsewhere = not(any_of([required("input_schema"), required("use_template")]));
    let unnamed = requires_value("gate", object([("properties", object([("choices", word(false))]))]));
    let choice = object([("default_choice", object([("enum", List(usual))]))]);
    when(
        object([("allOf", List(vec![elsewhere, unnamed]))]),
        object([("properties", object([("gate", object([("properties", choice)]))]))]),
    )
}

/// What holds of steps of one kind: the keys it refuses, and those it needs.
fn of_kind(kind: Kind) -> Json {
    let refused = |row: &&Key| row.is_refused(kind);
    let mut properties: Vec<(String, Json)> =
        keys::STEP.iter().filter(refused).map(|row| (row.name.to_owned(), word(false))).collect();
    let needs: &[&str] = match kind {
        Kind::Guard => &["abort_unless"],
        Kind::Finalizer => &["handler", "on_outcome"],
        Kind::Auto | Kind::Agent => &[],
    };
    if kind == Kind::Finalizer {
        properties.push(("trust".into(), constant(text("auto"))));
    }
    let mut then = vec![("properties".to_owned(), Object(properties))];
    if !needs.is_empty() {
        then.push(("allOf".into(), List(vec![needs_unless_templated(needs)])));
    }
    when(requires_value("execution", constant(text(kind.name()))), Object(then))
}

fn retry() -> Json {
    object([("type", text("object")), ("properties", Object(properties(keys::RETRY)))])
}

fn gate() -> Json {
    let mut properties = properties(keys::GATE);
    if let Some((_, choices)) = properties.iter_mut().find(|(name, _)| name == "choices") {
        extend(choices, [("not", object([("type", text("array")), ("maxItems", word(0))]))]);
    }
    object([
        ("type", text("object")),
        ("properties", Object(properties)),
        (
            "allOf",
            List(vec![when(
                requires_value("on_expiry", constant(text("settle_default"))),
                requires_value("default_choice", not(object([("type", text("null"))]))),
            )]),
        ),
    ])
}

fn properties(table: &[Key]) -> Vec<(String, Json)> {
    table.iter().map(property).collect()
}

fn property(key: &Key) -> (String, Json) {
    let mut entries = vec![("description".to_owned(), text(key.about))];
    entries.extend(key.default.map(|default| ("default".to_owned(), default_value(default))));
    let mut property = Object(entries);
    match key.rule {
        Rule::Any => {}
        Rule::Number => extend(&mut property, [("type", text("number"))]),
        Rule::PositiveInteger => {
            extend(&mut property, [("type", text("integer")), ("minimum", word(1))]);
        }
        Rule::NonNegativeNumber => {
            extend(&mut property, [("type", text("number")), ("minimum", word(0))]);
        }
        Rule::Boolean => extend(&mut property, [("type", text("boolean"))]),
        Rule::Map => extend(&mut property, [("type", text("object"))]),
        Rule::StepNames => {
            extend(&mut property, [("type", text("array")), ("items", object([("type", text("string"))]))])
        }
        Rule::OnOutcome => {
            let one = || object([("enum", texts(key.rule.words().iter().copied()))]);
            let several = object([("type", text("array")), ("minItems", word(1)), ("items", one())]);
            extend(&mut property, [("anyOf", List(vec![one(), several]))]);
        }
        Rule::Execution | Rule::Backoff | Rule::TriggerRule | Rule::Trust | Rule::OnExpiry => {
            extend(&mut property, [("enum", texts(key.rule.words().iter().copied()))]);
        }
    }
    (key.name.to_owned(), property)
}

/// A default, which the tables write as YAML, as JSON.
fn default_value(default: &str) -> Json {
    if let Some(items) = default.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return texts(items.split(", "));
    }
    match default {
        "true" | "false" => word(default),
        _ if default.bytes().all(|b| b.is_ascii_digit()) => word(default),
        _ => text(default),
    }
}

fn reference(name: &str) -> Json {
    object([("$ref", text(format!("#/$defs/{name}")))])
}

fn required(key: &str) -> Json {
    object([("required", texts([key]))])
}

fn constant(value: Json) -> Json {
    object([("const", value)])
}

fn not(schema: Json) -> Json {
    object([("not", schema)])
}

fn any_of<const N: usize>(schemas: [Json; N]) -> Json {
    object([("anyOf", List(schemas.into()))])
}

fn when(condition: Json, then: Json) -> Json {
    object([("if", condition), ("then", then)])
}

/// The key is there, and its value fits.
fn requires_value(key: &str, schema: Json) -> Json {
    object([("required", texts([key])), ("properties", object([(key, schema)]))])
}

/// A template may bring the key.
fn templated_without(key: &str) -> Json {
    object([("required", texts(["use_template"])), ("properties", object([(key, word(false))]))])
}

fn needs_unless_templated(needs: &[&str]) -> Json {
    any_of([required("use_template"), object([("required", texts(needs.iter().copied()))])])
}

fn extend<const N: usize>(schema: &mut Json, more: [(&str, Json); N]) {
    if let Object(entries) = schema {
        entries.extend(more.into_iter().map(|(key, value)| (key.to_owned(), value)));
    }
}

impl Json {
    /// The whole as a file's text, indented by two spaces.
    pub(super) fn into_text(self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text.push('\n');
        text
    }

    fn write(&self, depth: usize, out: &mut String) {
        match self {
            Self::Text(text) => out.push_str(&crate::json::text(text)),
            Self::Word(word) => out.push_str(word),
            List(items) => {
                let item = |item: &Self, out: &mut String| item.write(depth + 1, out);
                enclose('[', ']', items, depth, out, item);
            }
            Object(entries) => {
                enclose('{', '}', entries, depth, out, |(key, value), out| {
                    out.push_str(&crate::json::text(key));
                    out.push_str(": ");
                    value.write(depth + 1, out);
                });
            }
        }
    }
}

fn enclose<T>(
    open: char,
    close: char,
    items: &[T],
    depth: usize,
    out: &mut String,
    write: impl Fn(&T, &mut String),
) {
    out.push(open);
    for (at, item) in items.iter().enumerate() {
        out.push_str(if at > 0 { ",\n" } else { "\n" });
        out.push_str(&"  ".repeat(depth + 1));
        write(item, out);
    }
    if !items.is_empty() {
        out.push('\n');
        out.push_str(&"  ".repeat(depth));
    }
    out.push(close);
}
