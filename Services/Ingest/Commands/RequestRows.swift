internal import Models
internal import ServiceKit
internal import Wire

/// What subscribers asked for in one commit, as rows of one kind of the requests lane: all of them of devices, or none.
struct RequestRows {
    private var devices: [Int64] = []
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    mutating func append(_ device: UInt64?, _ document: some Encodable) throws {
        if let device { devices.append(Int64(device)) }
        bytes += try SortedJSON.bytes(of: document)
        ends.append(UInt32(bytes.count))
    }

    var isEmpty: Bool { ends.isEmpty }

    /// The rows with `received_at_ms`, which is that of the commit.
    func columns(_ now: UnixMilliseconds) -> Columns {
        let count = ends.count, all = RowSet.full(count)
        let owners = devices.isEmpty ? [] : [Column(id: ColumnID.device, presence: all, integers: devices)]
        return Columns(
            rowCount: count,
            columns: owners + [
                Column(
                    id: ColumnID.receivedAt, encoding: .delta, presence: all,
                    integers: [Int64](repeating: now, count: count)),
                Column(id: ColumnID.document, presence: all, bytes: bytes, ends: ends),
            ])
    }
}
