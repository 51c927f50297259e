//! What the rules find, before places are counted in lines and columns; and where it is gathered.

use super::diagnostic::{Diagnostic, Fix, Related};
use crate::codes::{self, Code, Severity};
use crate::value::PathItem;
use crate::workflow::{Places, Span, Tree};

/// What a rule found. It is handed on in a box: rules are many, and each move of a large value is code.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) step: Option<String>,
    pub(super) key: Option<String>,
    pub(super) path: Vec<PathItem>,
    pub(super) span: Span,
    pub(super) related: Vec<Related>,
    pub(super) suggestion: Option<String>,
    pub(super) fixes: Vec<Fix>,
    /// The stretch in which something is missing, for findings of that kind: where a part of it
    /// could not be read, nothing can be missed.
    pub(super) lacks_in: Option<Span>,
}

impl Finding {
    pub(super) fn new(code: Code, span: Span, message: String) -> Box<Self> {
        Box::new(Self {
            code,
            message,
            step: None,
            key: None,
            path: Vec::new(),
            span,
            related: Vec::new(),
            suggestion: None,
            fixes: Vec::new(),
            lacks_in: None,
        })
    }

    /// Offers a mending, where there is one.
    pub(super) fn offer(&mut self, fix: Option<Fix>) {
        if let Some(fix) = fix {
            self.fixes.push(fix);
        }
    }

    /// Points at a second place.
    pub(super) fn relate(&mut self, tree: &Tree<'_>, span: Span, message: &'static str) {
        self.related.push(Related { range: tree.places().range(span), message });
    }

    /// What it takes of the room there is: one place, and more where names are endless.
    fn weight(&self) -> usize {
        let mut text = self.message.len();
        for item in &self.path {
            if let PathItem::Key(key) = item {
                text += key.len();
            }
        }
        1 + text / 4096
    }

    fn into_diagnostic(self, places: &Places<'_>) -> Diagnostic {
        Diagnostic {
            code: self.code.name,
            severity: self.code.severity,
            message: self.message,
            step: self.step,
            key: self.key,
            path: self.path,
            range: places.range(self.span),
            related: self.related,
            suggestion: self.suggestion,
            fixes: self.fixes,
            docs: self.code.docs(),
        }
    }
}

/// Findings in their order.
#[allow(clippy::vec_box, reason = "a finding is large, and each move of a large value is code")]
pub(super) type Group = Vec<Box<Finding>>;

/// Everything that was found, in the four groups of a report.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The loader's warnings, with those that refuse the file.
    pub(super) warnings: Group,
    /// What only an accepted file is warned of, after all other warnings.
    pub(super) late_warnings: Group,
    pub(super) errors: Group,
    pub(super) advice: Group,
    /// How many may still be taken in.
    room: usize,
}

impl Findings {
    pub(super) fn with_room(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    /// Whether nothing more is taken in.
    pub(super) const fn full(&self) -> bool {
        self.room == 0
    }

    /// Takes a finding in, after those of its group.
    pub(super) fn put(&mut self, finding: Box<Finding>) {
        if self.full() {
            return;
        }
        self.room = self.room.saturating_sub(finding.weight());
        let loader_warning = matches!(finding.code, codes::UNKNOWN_WORKFLOW_KEY | codes::UNKNOWN_STEP_KEY);
        let group = match finding.code.severity {
            Severity::Error if !loader_warning => &mut self.errors,
            Severity::Info => &mut self.advice,
            _ if finding.code == codes::RETRY_NO_TIMEOUT => &mut self.late_warnings,
            _ => &mut self.warnings,
        };
        group.push(finding);
        if self.full() {
            let message = "there is more to say; mend these first".into();
            self.errors.push(Finding::new(codes::LIMIT_DIAGNOSTICS, Span::at(0), message));
        }
    }

    /// Puts errors before all others.
    pub(super) fn put_first(&mut self, errors: Group) {
        let others = std::mem::replace(&mut self.errors, errors);
        self.errors.extend(others);
    }

    /// Drops what only an unread stretch brought about: what is missing where something could not be
    /// read, and what is said of the unreadable itself.
    pub(super) fn forget_unread(&mut self, unread: &[Span]) {
        let touches = |span: Span| unread.iter().any(|u| u.start <= span.end && span.start <= u.end);
        let stands = |finding: &Finding| {
            !finding.lacks_in.is_some_and(touches)
                && !unread.iter().any(|u| u.start <= finding.span.start && finding.span.end <= u.end)
        };
        for group in [&mut self.warnings, &mut self.late_warnings, &mut self.errors, &mut self.advice] {
            for finding in std::mem::take(group) {
                if stands(&finding) {
                    group.push(finding);
                }
            }
        }
    }

    /// The report's diagnostics. What is only said of a file that loads is left out of another, and so
    /// is advice: it is no help while something is broken.
    pub(super) fn into_diagnostics(self, places: &Places<'_>) -> Vec<Diagnostic> {
        let loads = self.errors.is_empty();
        let mut all = Vec::new();
        for (group, always) in
            [(self.warnings, true), (self.late_warnings, false), (self.errors, true), (self.advice, false)]
        {
            for finding in group {
                if loads || always {
                    all.push(finding.into_diagnostic(places));
                }
            }
        }
        all
    }
}
