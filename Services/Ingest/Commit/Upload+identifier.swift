internal import Models
internal import Wire

extension Upload {
    /// The id of a row of `columns`: given, or derived from device and seq.
    func identifier(_ row: Int) -> RecordIdentifier? {
        if let bytes = columns[ColumnID.id]?.value(row) {
            let words = bytes.withUnsafeBytes {
                (
                    UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                    UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
            return RecordIdentifier(high: words.0, low: words.1)
        }
        let seq = identities[row].seq
        return seq == 0 ? nil : RecordIdentifier(device: device, seq: seq)
    }
}
