internal import Models
internal import Wire

/// What the server knows of every row of an upload: device, correction of the clock, version of the consent, flags; each
/// written at its place among the columns that the phone sent.
struct ServerColumns {
    let device: DeviceIdentity
    /// What is added to the phone's times; nil if the phone did not say when it sent.
    let offset: Int64?
    /// What every row carries.
    let flags: RowFlags
    /// Whether consent changed a row.
    let isReduced: Bool
    private var written = 0

    private static let ids = [ColumnID.device, ColumnID.clockOffset, ColumnID.consentVersion, ColumnID.flags]

    init(device: DeviceIdentity, offset: Int64?, flags: RowFlags, isReduced: Bool) {
        self.device = device
        self.offset = offset
        self.flags = flags
        self.isReduced = isReduced
    }

    /// How many columns it writes.
    var count: Int { Self.ids.reduce(0) { $0 + (value(of: $1) == nil ? 0 : 1) } }

    /// What a column says in rows that consent did not change; nil: there is no such column.
    private func value(of id: UInt8) -> Int64? {
        switch id {
        case ColumnID.device: Int64(device.ordinal)
        case ColumnID.clockOffset: offset
        case ColumnID.consentVersion: device.consentVersion
        default: isReduced || !flags.isEmpty ? flags.rawValue : nil
        }
    }

    /// Writes those that come before a column.
    mutating func write(
        before column: UInt8, to writer: inout PackedColumnsWriter, isReduced: (_ row: Int) -> Bool
    ) {
        while written < Self.ids.count, Self.ids[written] < column {
            let id = Self.ids[written]
            written += 1
            guard let value = value(of: id) else { continue }
            if id == ColumnID.flags, self.isReduced {
                writeFlags(to: &writer, isReduced)
            } else {
                writer.add(id: id, all: value)
            }
        }
    }

    private func writeFlags(to writer: inout PackedColumnsWriter, _ isReduced: (_ row: Int) -> Bool) {
        let place = writer.add(id: ColumnID.flags, encoding: .integer)
        let values = place.values.assumingMemoryBound(to: Int64.self)
        place.presence.update(repeating: 0, count: writer.wordCount)
        for row in 0..<writer.rowCount {
            values[row] = (isReduced(row) ? flags.union(.consentReduced) : flags).rawValue
            if values[row] != 0 { place.presence[row >> 6] |= 1 << UInt64(row & 63) }
        }
    }
}

extension Field {
    /// How its column travels.
    var encoding: ColumnEncoding {
        switch storage {
        case .integer: .integer
        case .delta: .delta
        case .fixed16: .fixed16
        case .bytes: .bytes
        }
    }
}
