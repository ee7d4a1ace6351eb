package import Models
package import Wire

/// The columns of a block that say which record of which device a row is.
package struct IdentityColumns {
    private let identifiers: Column?
    private let devices: Column?
    private let counters: Column?

    package init(_ columns: Columns) {
        identifiers = columns[ColumnID.id]
        devices = columns[ColumnID.device]
        counters = columns[ColumnID.seq]
    }

    /// The device's ordinal.
    package func device(_ row: Int) -> Int64? { devices?.integer(row) }

    /// The identifier that was stored, or the UUIDv8 that follows from device and counter.
    package func identifier(_ row: Int) -> RecordIdentifier? {
        if let bytes = identifiers?.value(row) { return RecordIdentifier(bytes: bytes) }
        guard let device = device(row), let counter = counters?.integer(row) else { return nil }
        return RecordIdentifier(device: UInt64(bitPattern: device), seq: counter)
    }
}

extension RecordIdentifier {
    /// From 16 bytes, most significant first.
    package init(bytes: some Sequence<UInt8>) {
        var high: UInt64 = 0, low: UInt64 = 0
        for (place, byte) in bytes.prefix(16).enumerated() {
            if place < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        self.init(high: high, low: low)
    }
}
