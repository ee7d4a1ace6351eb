internal import Models
internal import Wire

/// The rows of one block that were received on one day, ready to be stored; nearly always the whole block.
struct RawPart {
    let day: Int64
    let lane: LaneName
    /// Position, kind, row count and checks of the payload; for a part, those of the part.
    let header: BlockHeader
    /// Clear, compressed.
    let payload: [UInt8]
    let captured: ClosedRange<Int64>
    /// Hours in which its rows were received, the first and the last.
    let hours: ClosedRange<Int64>
    /// Owners of its rows; nil if there are too many to list.
    let owners: [Int64]?

    /// What its payload is bound to if it is sealed.
    var seal: [UInt8] { DayFile.seal(lane: lane, generation: header.generation, number: header.number, day: day) }

    /// More owners than this are not listed, and then never skipped.
    static let ownerLimit = 32
}

/// Looks into blocks as far as storing them needs: days of reception, times of capture, networks.
struct RawPartMaker {
    private let layout: RawRowLayout
    private var decoder = ColumnDecoder()
    private var encoder = ColumnEncoder()

    init(_ layout: RawRowLayout) { self.layout = layout }

    /// The parts of a block, ascending by day; the payload of a block of one day is handed on as it is, once its checksum
    /// was found right.
    mutating func parts(of block: Block, lane: LaneName) throws -> [RawPart] {
        guard block.header.rowCount > 0 else { return [] }
        let ids = RowOwners.ids(layout.scope(of: block.header.kind)).union([ColumnID.receivedAt, ColumnID.capturedAt])
        let columns = try block.columns(with: &decoder, only: ids)
        let received = columns[ColumnID.receivedAt]?.integers ?? []
        let bounds = Self.bounds(received) ?? block.header.committedAt...block.header.committedAt
        let first = ReceivedDay.number(of: bounds.lowerBound)
        if first == ReceivedDay.number(of: bounds.upperBound) {
            return [
                part(
                    day: first, lane: lane, header: block.header, payload: block.payload, columns: columns,
                    received: bounds)
            ]
        }
        let whole = try block.columns(with: &decoder)
        let days = Dictionary(grouping: 0..<Int32(columns.rowCount)) { ReceivedDay.number(of: received[Int($0)]) }
        return try days.sorted { $0.key < $1.key }.map { day, rows in
            let own = whole.gathered(rows)
            let encoded = try encoder.encode(own)
            var header = block.header
            header.rowCount = encoded.rowCount
            header.keptRows = encoded.rowCount
            header.rawLength = encoded.rawLength
            header.crc32 = encoded.crc32
            header.subjects = own.devices
            let bounds = Self.bounds(own[ColumnID.receivedAt]?.integers ?? []) ?? bounds
            return part(
                day: day, lane: lane, header: header, payload: encoded.payload, columns: own, received: bounds)
        }
    }

    private func part(
        day: Int64, lane: LaneName, header: BlockHeader, payload: [UInt8], columns: Columns,
        received: ClosedRange<Int64>
    ) -> RawPart {
        RawPart(
            day: day, lane: lane, header: header, payload: payload,
            captured: Self.bounds(columns[ColumnID.capturedAt]?.integers ?? []) ?? 0...0,
            hours: ReceivedHour.number(of: received.lowerBound)...ReceivedHour.number(of: received.upperBound),
            owners: RowOwners(columns, layout.scope(of: header.kind))
                .distinct(rowCount: columns.rowCount, limit: RawPart.ownerLimit))
    }

    /// The least and the largest; nil of none.
    static func bounds(_ values: [Int64]) -> ClosedRange<Int64>? {
        guard var low = values.first else { return nil }
        var high = low
        for value in values {
            low = min(low, value)
            high = max(high, value)
        }
        return low...high
    }
}

extension Columns {
    /// Ordinals of the devices whose rows they are, ascending.
    var devices: [UInt64] {
        guard let column = self[ColumnID.device] else { return [] }
        return Set((0..<rowCount).compactMap(column.integer)).map(UInt64.init(bitPattern:)).sorted()
    }
}
