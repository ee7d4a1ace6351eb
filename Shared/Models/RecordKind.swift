/// A kind of record that travels on lanes: a number, a version, and its columns.
///
/// Kinds are open: a new programme adds one file here and the cores that care about it. Nothing in `Wire`, `Lanes`,
/// `Storage` or `ServiceKit` knows a kind by name.
public struct RecordKind: Sendable, Hashable {
    /// Number on the wire, never reused.
    public let id: UInt8
    /// Name in recordings, logs and messages.
    public let name: String
    /// Rises when a reader of the version before could misunderstand; readers refuse a version above their own.
    public let version: UInt8
    /// Columns a client may send, in the order of CSV headers.
    public let fields: [Field]
    /// Columns the system adds.
    public let serverFields: [Field]
    /// Columns without which a record of the kind says nothing, beside who says it and when.
    public let required: [UInt8]

    public init(
        id: UInt8, name: String, version: UInt8, fields: [Field], serverFields: [Field] = [], required: [UInt8] = []
    ) {
        self.id = id
        self.name = name
        self.version = version
        self.fields = fields
        self.serverFields = serverFields
        self.required = required
    }

    /// The field of a column number, if the kind has it.
    public func field(_ column: UInt8) -> Field? {
        fields.first { $0.column == column } ?? serverFields.first { $0.column == column }
    }

    /// The field of that name, if a client may send it.
    public func field(named name: String) -> Field? { fields.first { $0.name == name } }

    /// The kinds this build knows, by number.
    public static let known: [UInt8: RecordKind] = Dictionary(
        uniqueKeysWithValues: [
            report, feedback, cell, alarm, campaign, grant, balance, tenant, contact, rule, promptPolicy, consent,
            auditHead, endpoint, prompt, contribution, payout, payoutKey, erasureRequest, erasureOrder, erasureSubject,
            erasureReceipt, verificationKey, retentionOrder, retentionReport,
            accessRequest, accessOrder, accessPart,
        ].map { ($0.id, $0) })
}
