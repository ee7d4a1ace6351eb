/// A kind of record that phones send, with all that the services know about it.
public struct ProgrammeKind: Sendable {
    /// Number, name, columns, and what records can report.
    public let kind: RecordKind
    /// Where phones send it, below `/v1/`.
    public let path: String
    /// How the device API's document describes it.
    public let description: Description
    /// Whose its rows are.
    public let scope: RowScope
    /// What an alarm of it is about.
    public let subject: AlarmSubject
    /// Members by which a message of a WebSocket without `kind` is known to be one; nil: it is always named.
    public let marks: [String]?
    /// True if it may be sent over the WebSocket.
    public let isRealtime: Bool
    /// True if its rows are shown to the tenants whose they are, one by one and as exports.
    public let isRawRow: Bool
    /// True if its rows count in cells.
    public let isCounted: Bool
    /// True if campaigns may reward it.
    public let isRewarded: Bool
    /// What subscribers are told about it in a copy of what is held.
    public let held: HeldText

    public init(
        _ kind: RecordKind, path: String, description: Description, scope: RowScope,
        subject: AlarmSubject = .cell, marks: [String]? = nil, isRealtime: Bool = true, isRawRow: Bool = true,
        isCounted: Bool = true, isRewarded: Bool = false, held: HeldText
    ) {
        self.kind = kind
        self.path = path
        self.description = description
        self.scope = scope
        self.subject = subject
        self.marks = marks
        self.isRealtime = isRealtime
        self.isRawRow = isRawRow
        self.isCounted = isCounted
        self.isRewarded = isRewarded
        self.held = held
    }

    /// Names and examples of a kind in the device API's document.
    public struct Description: Sendable {
        /// Name of its schema: `Report`.
        public let schema: String
        /// Name of its call: `sendReports`.
        public let operation: String
        /// One line.
        public let summary: String
        /// One record as JSON.
        public let example: String
        /// A header and a row, each ended by CR LF.
        public let csv: String

        public init(schema: String, operation: String, summary: String, example: String, csv: String) {
            self.schema = schema
            self.operation = operation
            self.summary = summary
            self.example = example
            self.csv = csv
        }
    }

    /// What is held and why, in English and French.
    public struct HeldText: Sendable {
        public let english, french, whyEnglish, whyFrench: String

        public init(english: String, french: String, whyEnglish: String, whyFrench: String) {
            self.english = english
            self.french = french
            self.whyEnglish = whyEnglish
            self.whyFrench = whyFrench
        }
    }
}

/// What an alarm of a kind is about.
public enum AlarmSubject: Sendable, Hashable {
    /// The cell of level 16 that the record is in; no place if it has none.
    case cell
    /// The number in a column, of a scheme such as `gauge`.
    case number(scheme: String, column: UInt8)

    /// Name of the scheme in keys of alarms.
    public var scheme: String {
        switch self {
        case .cell: "cell"
        case .number(let scheme, _): scheme
        }
    }
}
