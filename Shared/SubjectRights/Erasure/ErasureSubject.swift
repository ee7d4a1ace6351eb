public import Models
public import Wire

/// A subject whose records a service is to forget: whom, what of it, and for which request.
public struct ErasureSubject: Sendable, Equatable {
    /// The device's ordinal.
    public let device: UInt64
    public let document: ErasureSubjectDocument

    public init(device: UInt64, document: ErasureSubjectDocument) {
        self.device = device
        self.document = document
    }

    public var request: String { document.request }
    public var scope: ErasureScope { document.scope }
}

extension ErasureSubject {
    /// Rows of kind `erasure_subject`: keyed by the request, with the ordinal in a column of its own.
    public static func columns(_ subjects: [ErasureSubject]) throws -> Columns {
        Columns(
            rowCount: subjects.count,
            columns: [
                Column(id: ColumnID.key, strings: subjects.map { Array($0.request.utf8) }),
                Column(id: ColumnID.device, values: subjects.map { Int64(bitPattern: $0.device) }),
                Column(id: ColumnID.document, strings: try subjects.map { try SortedJSON.bytes(of: $0.document) }),
            ])
    }

    /// The subjects of a block of kind `erasure_subject`.
    public static func all(of columns: Columns) throws -> [ErasureSubject] {
        try columns.documents(ErasureSubjectDocument.self).compactMap { row, document in
            columns[ColumnID.device]?.integer(row).map {
                ErasureSubject(device: UInt64(bitPattern: $0), document: document)
            }
        }
    }
}
