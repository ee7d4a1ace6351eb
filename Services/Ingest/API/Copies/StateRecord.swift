internal import Models
internal import Wire

/// The latest word on a key of a state lane.
struct StateRecord {
    let key: String
    /// JSON; nil says that the key is gone.
    let document: ArraySlice<UInt8>?

    /// The records of a block in order; rows without a key are left out.
    static func all(of columns: Columns) -> [StateRecord] {
        guard let keys = columns[ColumnID.key] else { return [] }
        let documents = columns[ColumnID.document]
        return (0..<columns.rowCount).compactMap { row in
            keys.value(row).map {
                StateRecord(key: String(decoding: $0, as: UTF8.self), document: documents?.value(row))
            }
        }
    }
}
