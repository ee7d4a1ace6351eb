package import ExporterSupport
package import GRDB
internal import Models
package import Storage
package import Wire

/// A block as a day file holds it, not opened yet.
package struct StoredRow {
    /// What it is read from, with the joined tables of ``from``.
    package static let columns = """
        b.sequence, b.lane, b.generation, b.number, b.kind, b.row_count, b.networks, b.raw_length, b.crc32, b.key_id, b.payload,
        g.rows, g.length, g.raw_length, g.crc32
        """
    package static let from = "blocks b LEFT JOIN gaps g ON g.sequence = b.sequence"

    package let sequence: Int64
    let lane: LaneName
    let kind: RecordKind
    /// Whose rows of the kind are.
    let scope: RowScope
    /// Rows that it was stored with; those that were erased since count too.
    let rowCount: Int
    let rawLength: Int
    let crc32: UInt32
    let keyID: UInt32
    /// As long as it was when it was stored.
    let payload: [UInt8]
    /// What is left of it, if rows were erased.
    let gap: RawGap?
    /// What the payload is bound to if it is sealed.
    let seal: [UInt8]
    /// Owners of its rows, eight bytes each; nil if there were too many to list.
    let networks: [UInt8]?

    package init(_ row: Row, day: String, _ layout: RawRowLayout) throws {
        let laneNumber: Int64 = row[1], kindNumber: Int64 = row[4]
        guard let lane = LaneName.allCases.first(where: { Int64($0.id) == laneNumber }),
            let kind = layout.programmes.record(UInt8(clamping: kindNumber)),
            let dayNumber = ReceivedDay.number(named: day)
        else {
            throw StorageError(
                .corrupt, path: "\(day).sqlite", message: "lane \(laneNumber), kind \(kindNumber): not known")
        }
        sequence = row[0]
        scope = layout.scope(of: kind.id)
        self.lane = lane
        self.kind = kind
        rowCount = row[5]
        networks = Blob.optionalBytes(row, 6)
        rawLength = row[7]
        crc32 = UInt32(truncatingIfNeeded: row[8] as Int64)
        keyID = UInt32(truncatingIfNeeded: row[9] as Int64)
        payload = Blob.bytes(row, 10)
        gap = RawGap(row, at: 11)
        seal = DayFile.seal(
            lane: lane, generation: UInt64(bitPattern: row[2]), number: UInt64(bitPattern: row[3]), day: dayNumber)
    }

    /// Whether no row is left.
    package var isEmpty: Bool { gap.map { $0.rows.count == rowCount } ?? false }

    /// Opens it.
    ///
    /// - Parameter day: the day of its file.
    /// - Throws: `StorageError` `badKey` if it is sealed by a key that is not here; `WireError`.
    package func opened(day: String, in directory: String, _ sealer: BlockSealer?, _ decoder: inout ColumnDecoder)
        throws
        -> StoredBlock
    {
        let numbers = gap?.numbers(of: rowCount)
        var columns = Columns(rowCount: 0)
        if !isEmpty {
            columns = try decoder.decode(
                clear(day, directory, sealer), rowCount: numbers?.count ?? rowCount,
                rawLength: gap?.rawLength ?? rawLength, crc32: gap?.crc32 ?? crc32)
        }
        return StoredBlock(
            sequence: sequence, day: day, lane: lane, kind: kind, columns: columns, numbers: numbers)
    }

    private func clear(_ day: String, _ directory: String, _ sealer: BlockSealer?) throws -> [UInt8] {
        let payload = gap.map { Array(self.payload.prefix($0.length)) } ?? self.payload
        guard keyID != 0 else { return payload }
        guard let sealer, sealer.keyID == keyID else {
            throw StorageError(
                .badKey, path: directory, message: "\(day).sqlite: a block is sealed by a key that is not here")
        }
        return try sealer.open(payload, additional: seal, place: "\(day).sqlite, block \(sequence)")
    }

    /// False only if no row is in scope.
    package func mayBeIn(_ wanted: NetworkScope) -> Bool {
        guard let networks, wanted != .everything else { return true }
        return stride(from: 0, to: networks.count, by: 8).contains { start in
            let number = networks[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return wanted.contains(Int64(bitPattern: number), of: scope)
        }
    }
}
