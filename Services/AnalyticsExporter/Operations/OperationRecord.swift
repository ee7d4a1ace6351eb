internal import Foundation
package import GRDB
package import Models
internal import ServiceKit
package import Wire

/// The latest of one key, as it goes to the `operations` lane.
package struct OperationRecord: Sendable, Equatable {
    package let kind: RecordKind
    package let key: String
    /// JSON; nil says that the key is gone.
    package let document: [UInt8]?

    /// A key that is gone.
    package init(removed key: String, of kind: RecordKind) {
        self.kind = kind
        self.key = key
        document = nil
    }

    init(_ kind: RecordKind, key: String, document: [UInt8]) {
        self.kind = kind
        self.key = key
        self.document = document
    }

    package init(_ kind: RecordKind, key: String, _ document: some Encodable) throws {
        self.init(kind, key: key, document: try SortedJSON.bytes(of: document))
    }

    /// The record as a table of one row.
    package var columns: Columns {
        Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, strings: [Array(key.utf8)]),
                Column(id: ColumnID.document, strings: [document]),
            ])
    }
}

/// A change that waits for the thread that writes the database, whatever its result is.
package struct ChangeJob: Sendable {
    /// What it changed: records for the lane, and the answer that is due once they are committed.
    package struct Done: Sendable {
        let records: [OperationRecord]
        let answer: @Sendable () -> Void

        package init(records: [OperationRecord], answer: @escaping @Sendable () -> Void) {
            self.records = records
            self.answer = answer
        }
    }

    let perform: @Sendable (Database, UnixMilliseconds) throws -> Done
    let fail: @Sendable (any Error) -> Void

    package init(
        perform: @escaping @Sendable (Database, UnixMilliseconds) throws -> Done,
        fail: @escaping @Sendable (any Error) -> Void
    ) {
        self.perform = perform
        self.fail = fail
    }
}
