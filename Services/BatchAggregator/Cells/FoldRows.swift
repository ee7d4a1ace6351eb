import Models
import Wire

/// The open rows of a local day that one fold takes, then cut into the parts in which they are folded.
///
/// Every part has neighbouring places: so a cell that holds many places is changed by few parts, and a page of cells too.
///
///     record   cell number (once cut: in its part) u32 │ device u32 │ figures u8 │ code of metric and bin u16 × figures
///
/// A row gives one record, or two where the SIM's network counts too. About 25 bytes a row, kept until its part is folded.
struct FoldRows {
    /// The keys of a part's base cells, by number.
    private(set) var keys: [[PlaceKey]] = []
    /// A part's records, in pieces that hold whole ones.
    private(set) var records: [RecordPieces] = []
    private var places = PlaceTable()
    /// The records until they are cut, and the bytes of those of each cell.
    private var uncut = RecordPieces()
    private var lengths: [Int] = []
    private var figures: [Figures] = []

    /// One metric of the table at hand.
    private struct Figures {
        var metric: UInt16
        var isOfSIM: Bool
        var presence: RowSet
        var bins: [Int64]
    }

    init(parts: Int) {
        keys = [[PlaceKey]](repeating: [], count: parts)
        records = [RecordPieces](repeating: RecordPieces(), count: parts)
    }

    /// Gives up a part's memory.
    mutating func drop(_ part: Int) {
        keys[part] = []
        records[part] = RecordPieces()
    }

    /// Spreads all rows that were added over the parts. The same rows are cut alike, so a fold that was interrupted goes on with
    /// the parts that are left.
    ///
    /// - Parameter byPlace: false: as an older program did, whose fold it is.
    mutating func cut(byPlace: Bool) {
        let cells = places.keys
        let parts = byPlace ? partsByPlace() : cells.map { Int($0.part(of: UInt64(keys.count))) }
        var numbers: [UInt32] = []
        numbers.reserveCapacity(cells.count)
        for (cell, part) in zip(cells, parts) {
            numbers.append(UInt32(keys[part].count))
            keys[part].append(cell)
        }
        places = PlaceTable()
        lengths = []
        if keys.count == 1 { return swap(&records[0], &uncut) }
        uncut.drain { piece in FoldRows.move(piece, parts, numbers, to: &records) }
    }

    /// The part of each cell: level-13 cells in their order along the map, such that parts have about as many bytes.
    private func partsByPlace() -> [Int] {
        var order = places.keys.enumerated().map { (place: $1.neighbourhood, cell: $0) }
        order.sort { $0.place < $1.place }
        let total = lengths.reduce(0, +)
        var parts = [Int](repeating: 0, count: order.count)
        var before = 0, part = 0, last: UInt64?
        for (place, cell) in order {
            if place != last { part = before * keys.count / total }
            last = place
            parts[cell] = part
            before += lengths[cell]
        }
        return parts
    }

    private static func move(
        _ piece: UnsafeRawBufferPointer, _ parts: [Int], _ numbers: [UInt32], to records: inout [RecordPieces]
    ) {
        var offset = 0
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { record in
            while offset < piece.count {
                let cell = Int(UInt32(littleEndian: piece.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
                let length = 9 + 2 * Int(piece[offset + 8])
                record.copyMemory(from: UnsafeRawBufferPointer(rebasing: piece[offset..<offset + length]))
                record.storeBytes(of: numbers[cell].littleEndian, toByteOffset: 0, as: UInt32.self)
                records[parts[cell]].append(UnsafeRawBufferPointer(rebasing: record[..<length]))
                offset += length
            }
        }
    }

    /// Takes the rows of a table.
    mutating func add(_ rows: Columns) throws {
        guard rows.rowCount > 0 else { return }
        let columns = try OpenRowColumns(rows)
        figures = Metric.allCases.compactMap { metric in
            rows[metric.column].map {
                Figures(
                    metric: UInt16(metric.rawValue), isOfSIM: metric.isOfSIM, presence: $0.presence, bins: $0.integers)
            }
        }
        for row in 0..<rows.rowCount {
            let serving = try columns.servingKey(row), device = try columns.device(row)
            guard let sim = columns.simKey(row) else {
                try write(row, serving, device) { _ in true }
                continue
            }
            try write(row, serving, device) { !$0 }
            if columns.hasFailed(row, rows) { try write(row, sim, device) { $0 } }
        }
    }

    /// Writes a record with the metrics wanted: those of the SIM's network, the others, or all.
    @inline(__always)
    private mutating func write(
        _ row: Int, _ key: PlaceKey, _ device: UInt32, _ wants: (_ isOfSIM: Bool) -> Bool
    ) throws {
        let cell = places.number(key)
        let word = row >> 6, bit = UInt64(1) << UInt64(row & 63)
        try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { record in
            record.storeBytes(of: cell.littleEndian, toByteOffset: 0, as: UInt32.self)
            record.storeBytes(of: device.littleEndian, toByteOffset: 4, as: UInt32.self)
            var length = 9
            for figure in figures where wants(figure.isOfSIM) && figure.presence.words[word] & bit != 0 {
                guard let code = SlotCode.code(figure.metric, bin: figure.bins[row]) else {
                    throw AggregatorError.openRowsCorrupt("bin \(figure.bins[row]) of metric \(figure.metric)")
                }
                record.storeBytes(of: code.littleEndian, toByteOffset: length, as: UInt16.self)
                length += 2
            }
            record[8] = UInt8((length - 9) / 2)
            uncut.append(UnsafeRawBufferPointer(rebasing: record[..<length]))
            if Int(cell) == lengths.count { lengths.append(0) }
            lengths[Int(cell)] += length
        }
    }
}
