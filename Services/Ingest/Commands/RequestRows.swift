internal import Models
internal import ServiceKit
internal import Wire

/// What subscribers asked for in one commit, as rows of one kind of the requests lane.
struct RequestRows {
    private var devices: [Int64] = []
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    mutating func append(_ device: UInt64, _ document: some Encodable) throws {
        devices.append(Int64(device))
        bytes += try SortedJSON.bytes(of: document)
        ends.append(UInt32(bytes.count))
    }

    var isEmpty: Bool { devices.isEmpty }

    /// The rows with `received_at_ms`, which is that of the commit.
    func columns(_ now: UnixMilliseconds) -> Columns {
        let all = RowSet.full(devices.count)
        return Columns(
            rowCount: devices.count,
            columns: [
                Column(id: ColumnID.device, presence: all, integers: devices),
                Column(
                    id: ColumnID.receivedAt, encoding: .delta, presence: all,
                    integers: [Int64](repeating: now, count: devices.count)),
                Column(id: ColumnID.document, presence: all, bytes: bytes, ends: ends),
            ])
    }
}
