internal import GRDB
internal import Models
internal import Storage

/// A block as a day file holds it, not opened yet.
struct StoredRow {
    let sequence: Int64
    let lane: LaneName
    let kind: RecordKind
    let rowCount: Int
    let rawLength: Int
    let crc32: UInt32
    let keyID: UInt32
    let payload: [UInt8]
    /// What the payload is bound to if it is sealed.
    let seal: [UInt8]
    private let networks: [UInt8]?

    init(_ row: Row, day: String) throws {
        let laneNumber: Int64 = row[1], kindNumber: Int64 = row[4]
        guard let lane = LaneName.allCases.first(where: { Int64($0.id) == laneNumber }),
            let kind = RecordKind.known[UInt8(clamping: kindNumber)], let dayNumber = ReceivedDay.number(named: day)
        else {
            throw StorageError(
                .corrupt, path: "\(day).sqlite", message: "lane \(laneNumber), kind \(kindNumber): not known")
        }
        sequence = row[0]
        self.lane = lane
        self.kind = kind
        rowCount = row[5]
        networks = Blob.optionalBytes(row, 6)
        rawLength = row[7]
        crc32 = UInt32(truncatingIfNeeded: row[8] as Int64)
        keyID = UInt32(truncatingIfNeeded: row[9] as Int64)
        payload = Blob.bytes(row, 10)
        seal = DayFile.seal(
            lane: lane, generation: UInt64(bitPattern: row[2]), number: UInt64(bitPattern: row[3]), day: dayNumber)
    }

    /// False only if no row is in scope.
    func mayBeIn(_ scope: NetworkScope) -> Bool {
        guard let networks, scope != .everything else { return true }
        return stride(from: 0, to: networks.count, by: 8).contains { start in
            let number = networks[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return scope.contains(PLMN(rawValue: Int64(bitPattern: number)))
        }
    }
}
