//! What makes a text no YAML.

/// A mistake that ends the reading of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The byte at which it shows. Where something is never closed, that is where it opens.
    pub at: u32,
}

impl Error {
    #[cold]
    pub(super) const fn new(kind: ErrorKind, at: usize) -> Self {
        Self { kind, at: at as u32 }
    }
}

/// What can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Nested too deep.
    Nesting,

    /// Directives that have no meaning.
    Directive,
    /// `%YAML` without a version of YAML 1.
    Version,
    /// A second `%YAML`.
    SecondVersion,
    /// `%TAG` without handle and prefix.
    TagDirective,
    /// A handle declared twice.
    SecondHandle,
    /// A directive below content, without `...` between.
    DirectiveInDocument,
    /// No document begins here, and none is open.
    DocumentStart,
    /// Something after `...`.
    AfterDocumentEnd,

    /// A byte order mark where no document begins.
    ByteOrderMark,
    /// A character that begins nothing.
    Indicator,
    /// `#` without a space before it.
    CommentSpace,
    /// A plain scalar that goes on after a comment.
    CommentInScalar,

    /// An anchor or alias without a name.
    AnchorName,
    /// No tag.
    Tag,
    /// A handle that no directive declares.
    TagHandle,

    /// A tab where spaces must indent.
    Tab,
    /// A tab where spaces must indent an item in an item.
    TabBeforeItem,
    /// A tab that indents the line of a plain scalar.
    TabInScalar,

    /// A key without `:`.
    MissingColon,
    /// `:` where no value can begin.
    Value,
    /// `:` too far from its key.
    Colon,
    /// `:` without a space before a collection.
    ColonSpace,
    /// `?` where no key can begin.
    ExplicitKey,
    /// `-` where no item can begin.
    Item,
    /// `-` between brackets.
    ItemInFlow,
    /// A line of a block mapping that is no key.
    ExpectedKey,
    /// A line of a block list that is no item.
    ExpectedItem,
    /// Something that is no node.
    ExpectedNode,

    /// A bracket that closes nothing.
    ClosingBracket,
    /// A bracket closed by one of the other kind.
    OtherBracket,
    /// A bracket that nothing closes.
    OpenBracket,
    /// Neither `,` nor `}`.
    ExpectedBrace,
    /// Neither `,` nor `]`.
    ExpectedBracket,

    /// A quote that nothing closes.
    OpenQuote,
    /// `---` or `...` between quotes.
    MarkerInQuotes,
    /// Something after a closing `'`.
    AfterSingleQuote,
    /// Something after a closing `"`.
    AfterDoubleQuote,
    /// A backslash that escapes nothing.
    Escape,

    /// Something after `|` or `>`.
    BlockHeader,
    /// A block scalar that begins with a tab.
    BlockTab,
    /// A block scalar's line that is indented less than those before it.
    BlockIndentation,
}

impl ErrorKind {
    /// What is wrong, in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Nesting => "nested too deep",
            Self::Directive => "'%' at the start of a line begins a directive, and this is none",
            Self::Version => "this is no version of YAML 1",
            Self::SecondVersion => "the version of YAML is said twice",
            Self::TagDirective => "'%TAG' takes a handle and a prefix",
            Self::SecondHandle => "this tag handle is declared twice",
            Self::DirectiveInDocument => "'...' is missing before this directive",
            Self::DocumentStart => "'---' is missing before this",
            Self::AfterDocumentEnd => "nothing may follow '...' on its line",
            Self::ByteOrderMark => "a byte order mark has no place inside a document",
            Self::Indicator => "no value can begin with this character; quote the value to keep it",
            Self::CommentSpace => "a space is missing before this comment",
            Self::CommentInScalar => "this comment stands between two lines of one value",
            Self::AnchorName => "a name is missing here",
            Self::Tag => "this is no tag",
            Self::TagHandle => "this tag's handle is not declared",
            Self::Tab => "a tab cannot indent; use spaces",
            Self::TabBeforeItem => "a tab cannot stand between two '-'; use spaces",
            Self::TabInScalar => "a line of this value is indented with a tab; use spaces",
            Self::MissingColon => "missing ':' after this key",
            Self::Value => "no value can begin here",
            Self::Colon => "this ':' is not on the line of its key",
            Self::ColonSpace => "a space is missing after this ':'",
            Self::ExplicitKey => "no key can begin here",
            Self::Item => "no list item can begin here",
            Self::ItemInFlow => "'-' begins no item between brackets",
            Self::ExpectedKey => "a key belongs here",
            Self::ExpectedItem => "a list item ('- ') belongs here",
            Self::ExpectedNode => "a value belongs here",
            Self::ClosingBracket => "this bracket closes nothing",
            Self::OtherBracket => "this bracket is closed by one of the other kind",
            Self::OpenBracket => "this bracket is never closed",
            Self::ExpectedBrace => "',' or '}' is missing here",
            Self::ExpectedBracket => "',' or ']' is missing here",
            Self::OpenQuote => "this quote is never closed",
            Self::MarkerInQuotes => "this quote is not closed before the document ends",
            Self::AfterSingleQuote | Self::AfterDoubleQuote => "nothing can follow the closing quote here",
            Self::Escape => "this escape means nothing in double quotes",
            Self::BlockHeader => "nothing but a digit, '+' or '-' and a comment can follow '|' or '>'",
            Self::BlockTab => "the text after this begins with a tab; use spaces",
            Self::BlockIndentation => "this line is indented less than the text it belongs to",
        }
    }
}
