import Models
import Wire

/// A raw row as the exporter stored it, by names instead of columns.
struct StoredRawRow: Equatable {
    let kind: String
    let device: Int
    let id: String
    let numbers: [String: Int]

    init(_ kind: RecordKind, _ columns: Columns, _ row: Int) {
        var numbers: [String: Int] = [:]
        for field in kind.fields + kind.serverFields {
            guard let value = columns[field.column]?.encodedInteger(row) else { continue }
            numbers[field.name] = Int(value)
        }
        self.kind = kind.name
        self.numbers = numbers
        device = numbers["device"] ?? 0
        if let bytes = columns[ColumnID.id]?.value(row) {
            let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            id = Self.hyphenated(digits)
        } else {
            id = ReferenceModel.uuid(device: device, seq: numbers["seq"] ?? 0)
        }
    }

    /// True if it says exactly what the model accepted.
    func says(_ expected: ReferenceRow) -> Bool {
        guard kind == expected.kind, device == expected.device, id == expected.id else { return false }
        guard numbers["captured_at"] == expected.capturedAt, numbers["received_at_ms"] == expected.receivedAt else {
            return false
        }
        guard numbers["flags"] ?? 0 == expected.flags, numbers["consent_version"] == expected.consentVersion else {
            return false
        }
        let added: Set = ["captured_at", "received_at_ms", "device", "flags", "consent_version", "clock_offset_ms"]
        return numbers.filter { !added.contains($0.key) } == expected.stored
    }

    static func hyphenated(_ digits: String) -> String {
        let cuts = [0, 8, 12, 16, 20, 32]
        let all = Array(digits)
        return zip(cuts, cuts.dropFirst()).map { String(all[$0..<$1]) }.joined(separator: "-")
    }
}

extension Column {
    /// The integer of a row; nil for columns of bytes, too.
    fileprivate func encodedInteger(_ row: Int) -> Int64? { encoding.isInteger ? integer(row) : nil }
}
