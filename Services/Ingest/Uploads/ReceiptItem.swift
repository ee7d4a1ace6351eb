public import Models

/// What became of one record of an upload.
public struct ReceiptItem: Sendable, Equatable {
    public enum Status: String, Sendable { case accepted, duplicate, conflict, rejected }

    /// Place in the upload, from 0.
    public let index: Int
    /// The record's id, given or derived; nil if it could not be read.
    public let id: RecordIdentifier?
    public let status: Status
    /// Stable code: why it was rejected, or `seq_reused`.
    public let code: String?
    public let field: String?
    public let detail: String?
    /// Values that were left out of it.
    public let leftOut: [LeftOutValue]

    package init(
        index: Int, id: RecordIdentifier?, status: Status, code: String? = nil, field: String? = nil,
        detail: String? = nil, leftOut: [LeftOutValue] = []
    ) {
        self.index = index
        self.id = id
        self.status = status
        self.code = code
        self.field = field
        self.detail = detail
        self.leftOut = leftOut
    }
}

/// A value of a record that cannot be: it is left out, and the record stays.
public struct LeftOutValue: Sendable, Equatable {
    /// Name of the field, as it was written.
    public let field: String
    public let code: RowCode
    /// What stood there, and what is wrong with it; nil behind the first ``described`` of an upload.
    public let detail: String?

    /// Values of an upload whose receipt says what stood there: beyond that it names them and why.
    package static let described = 1_000
    /// Values that are left out of an upload at most: of each row behind them the first such value rejects the row.
    package static let most = 40_000
}
