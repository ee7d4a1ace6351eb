internal import Models
internal import Wire

/// Rows of the alerts lane: a key and its document, or none if the key is removed.
struct KeyedRows {
    private var keys: [[UInt8]?] = []
    private var documents: [[UInt8]?] = []

    var isEmpty: Bool { keys.isEmpty }

    mutating func append(key: [UInt8], document: [UInt8]?) {
        keys.append(key)
        documents.append(document)
    }

    var columns: Columns {
        Columns(
            rowCount: keys.count,
            columns: [
                Column(id: ColumnID.key, strings: keys), Column(id: ColumnID.document, strings: documents),
            ])
    }
}
