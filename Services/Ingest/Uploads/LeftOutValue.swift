/// A value of a record that cannot be: it is left out, and the record stays.
public struct LeftOutValue: Sendable, Equatable {
    /// Name of the field, as it was written.
    public let field: String
    public let code: RowCode
    /// What stood there, and what is wrong with it; nil behind the first ``described`` of an upload.
    public let detail: String?

    /// Values of an upload whose receipt says what stood there: beyond that it names them and why.
    package static let described = 1_000
}
