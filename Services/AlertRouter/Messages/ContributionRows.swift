internal import Models
internal import Wire

/// Rows of kind contribution that are gathered alarm by alarm.
struct ContributionRows {
    private var keys: [[UInt8]?] = []
    private var devices: [Int64?] = []
    private var documents: [[UInt8]?] = []

    var isEmpty: Bool { keys.isEmpty }

    /// Every value is made of characters that JSON takes as they are.
    mutating func append(_ contributions: [ContributionDocument]) {
        for one in contributions {
            keys.append(Array(one.key.utf8))
            devices.append(Int64(bitPattern: one.device))
            let text =
                "{\"alarm\":\"\(one.alarm)\",\"device\":\(one.device),\"records\":\(one.records),\"first_at_ms\":\(one.firstAt)}"
            documents.append(Array(text.utf8))
        }
    }

    var columns: Columns {
        Columns(
            rowCount: keys.count,
            columns: [
                Column(id: ColumnID.key, strings: keys), Column(id: ColumnID.device, values: devices),
                Column(id: ColumnID.document, strings: documents),
            ])
    }
}
