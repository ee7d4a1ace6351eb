internal import Foundation
internal import GRDB
internal import Models
internal import ServiceKit
internal import Wire

/// The latest of one key, as it goes to the `operations` lane.
struct OperationRecord: Sendable, Equatable {
    let kind: RecordKind
    let key: String
    /// JSON; nil says that the key is gone.
    let document: [UInt8]?

    /// A key that is gone.
    init(removed key: String, of kind: RecordKind) {
        self.kind = kind
        self.key = key
        document = nil
    }

    init(_ kind: RecordKind, key: String, document: [UInt8]) {
        self.kind = kind
        self.key = key
        self.document = document
    }

    init(_ kind: RecordKind, key: String, _ document: some Encodable) throws {
        self.init(kind, key: key, document: try JSONText.bytes(of: document))
    }

    /// The record as a table of one row.
    var columns: Columns {
        Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, strings: [Array(key.utf8)]),
                Column(id: ColumnID.document, strings: [document]),
            ])
    }
}

extension JSONText {
    /// A value as JSON with sorted keys.
    static func bytes(of value: some Encodable) throws -> [UInt8] {
        try SortedJSON.bytes(of: value)
    }
}

/// A change that waits for the thread that writes the database, whatever its result is.
struct OperationJob: Sendable {
    /// What it changed: records for the lane, and the answer that is due once they are committed.
    struct Done: Sendable {
        let records: [OperationRecord]
        let answer: @Sendable () -> Void
    }

    let perform: @Sendable (Database, UnixMilliseconds) throws -> Done
    let fail: @Sendable (any Error) -> Void
}
