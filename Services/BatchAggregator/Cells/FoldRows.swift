import Models
import Wire

/// The open rows of a local day that one fold takes, spread over the parts in which they are folded.
///
///     record   cell number in its part u32 │ device u32 │ figures u8 │ code of metric and bin u16 × figures
///
/// A row gives one record, or two where the SIM's network counts too. About 25 bytes a row, kept until its part is folded.
struct FoldRows {
    /// The keys of a part's base cells, by number.
    private(set) var keys: [[PlaceKey]] = []
    /// A part's records, in pieces that hold whole ones.
    private(set) var records: [RecordPieces] = []
    private var places = PlaceTable()
    private var homes: [(part: UInt32, number: UInt32)] = []
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
        let home = home(key)
        let word = row >> 6, bit = UInt64(1) << UInt64(row & 63)
        try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { record in
            record.storeBytes(of: home.number.littleEndian, toByteOffset: 0, as: UInt32.self)
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
            records[Int(home.part)].append(UnsafeRawBufferPointer(rebasing: record[..<length]))
        }
    }

    /// The part of a base cell and its number there.
    @inline(__always)
    private mutating func home(_ key: PlaceKey) -> (part: UInt32, number: UInt32) {
        let number = Int(places.number(key))
        if number == homes.count {
            let part = Int(key.part(of: UInt64(keys.count)))
            homes.append((UInt32(part), UInt32(keys[part].count)))
            keys[part].append(key)
        }
        return homes[number]
    }
}
