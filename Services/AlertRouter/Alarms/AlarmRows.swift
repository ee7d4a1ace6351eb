internal import Models
internal import Wire

/// Rows of the alarms lane: the alarm's identifier and its document.
struct AlarmRows {
    private var keys = Texts()
    private var documents = Texts()

    mutating func append(key: [UInt8], document: [UInt8]) {
        keys.append(key)
        documents.append(document)
    }

    var columns: Columns {
        let count = keys.ends.count
        return Columns(rowCount: count, columns: [keys.column(ColumnID.key), documents.column(ColumnID.document)])
    }

    private struct Texts {
        var bytes: [UInt8] = []
        var ends: [UInt32] = []

        mutating func append(_ text: [UInt8]) {
            bytes += text
            ends.append(UInt32(bytes.count))
        }

        func column(_ id: UInt8) -> Column {
            Column(id: id, presence: .full(ends.count), bytes: bytes, ends: ends)
        }
    }
}
