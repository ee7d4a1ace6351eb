import Models
import Storage
package import Wire

/// The open rows of a local day that a fold takes at a time, then cut into the parts in which they are folded.
///
///     record   cell number (once cut: in its part) u32 │ device u32 │ figures u8 │ code of metric and bin u16 × figures
///
/// A row gives one record, or two where the SIM's network counts too. About 25 bytes a row, kept until its part is folded.
package struct FoldRows {
    /// Which records are taken of the rows that are added.
    package private(set) var range: FoldRange
    /// Records.
    package private(set) var count = 0
    /// Their bytes, and what is kept of their base cells.
    package private(set) var byteCount = 0
    /// Base cells that have records.
    package var bases: Int { lengths.count }
    private var places = PlaceTable()
    /// The records until they are cut, and the bytes of each base cell.
    private var uncut = RecordPieces()
    private var lengths: [Int] = []
    /// About what a base cell takes beside its records until they are cut.
    static let baseBytes = 100
    private var parts: [FoldPart] = []
    private var figures: [Figures] = []

    private let rules: CountingRules

    /// One metric of the table at hand.
    private struct Figures {
        /// Its place in ``SlotCode``, and its number.
        var place: UInt16
        var number: UInt8
        var isOfSIM: Bool
        var presence: RowSet
        var bins: [Int64]
    }

    package init(_ rules: CountingRules, _ range: FoldRange = FoldRange()) {
        self.range = range
        self.rules = rules
    }

    /// Leaves out the records behind the first of so many parts, now and of rows that are added later; some stay. False if there
    /// is nothing to leave out.
    package mutating func narrow(parts: Int) -> Bool {
        // Where the last place has more than half, there is no cut between two parts; between three there is one.
        let lowest = firstKey
        guard let last = firstEnd(parts, lowest) ?? firstEnd(max(parts, 3), lowest) else { return false }
        let keys = places.keys
        var records = uncut
        self = FoldRows(rules, FoldRange(first: range.first, last: last))
        records.drain { piece in
            IdleTurn.giveWay()
            withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { copy in
                FoldRows.read(piece) { record, cell in
                    guard range.contains(place: keys[cell].place, device: FoldRows.device(record)) else { return }
                    copy.copyMemory(from: record)
                    append(UnsafeMutableRawBufferPointer(rebasing: copy[..<record.count]), keys[cell])
                }
            }
        }
        return true
    }

    /// Spreads all records that were added over about so many parts of about as many bytes.
    package mutating func cut(parts count: Int) {
        let ends = FoldCuts(places.keys, lengths, range: range, parts: count).ends
        defer { (places, lengths) = (PlaceTable(), []) }
        if ends.count == 1 {
            // The records are as they should be.
            parts = places.keys.isEmpty ? [] : [FoldPart(keys: places.keys, records: uncut, last: range.last)]
            return uncut = RecordPieces()
        }
        let cells = FoldRows.targets(places.keys, ends)
        var made = ends.map { FoldPart(last: $0) }
        var numbers = [UInt32](repeating: .max, count: cells.reduce(0) { $0 + $1.parts.count })
        uncut.drain { piece in
            IdleTurn.giveWay()
            withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { copy in
                FoldRows.read(piece) { record, cell in
                    let target = cells[cell], key = places.keys[cell]
                    var part = target.parts.lowerBound
                    if target.parts.count > 1 {
                        let place = FoldRange.key(place: key.place, device: FoldRows.device(record))
                        while ends[part] < place { part += 1 }
                    }
                    let number = target.number + part - target.parts.lowerBound
                    if numbers[number] == .max {
                        numbers[number] = UInt32(made[part].keys.count)
                        made[part].keys.append(key)
                    }
                    copy.copyMemory(from: record)
                    copy.storeBytes(of: numbers[number].littleEndian, toByteOffset: 0, as: UInt32.self)
                    made[part].records.append(UnsafeRawBufferPointer(rebasing: copy[..<record.count]))
                }
            }
        }
        parts = made.filter { !$0.keys.isEmpty }
        if !parts.isEmpty { parts[parts.count - 1].last = range.last }
    }

    /// Gives up the next part, in the order of their keys.
    package mutating func takePart() -> FoldPart? { parts.isEmpty ? nil : parts.removeFirst() }

    /// The part that is next to be given up.
    package var nextPart: FoldPart? { parts.first }

    /// Where the first of so many parts ends that has records, the first of which stands at `lowest`; nil if all end there.
    private func firstEnd(_ parts: Int, _ lowest: UInt64) -> UInt64? {
        FoldCuts(places.keys, lengths, range: range, parts: parts).ends.first { $0 >= lowest && $0 < range.last }
    }

    /// Where the first record stands.
    private var firstKey: UInt64 {
        var first = UInt64.max
        for piece in uncut.pieces {
            IdleTurn.giveWay()
            piece.withUnsafeBytes {
                FoldRows.read($0) { record, cell in
                    first = min(first, FoldRange.key(place: places.keys[cell].place, device: FoldRows.device(record)))
                }
            }
        }
        return first
    }

    /// The parts that each cell has records in, and where the numbers that it has there begin.
    private static func targets(_ keys: [PlaceKey], _ ends: [UInt64]) -> [(parts: ClosedRange<Int>, number: Int)] {
        var number = 0
        return keys.map { key in
            let range = FoldRange(place: key.place)
            let first = part(of: range.first, ends), last = part(of: range.last, ends)
            defer { number += last - first + 1 }
            return (first...last, number)
        }
    }

    /// The first part that ends at a key or behind it; the last one if none does.
    private static func part(of key: UInt64, _ ends: [UInt64]) -> Int {
        var low = 0, high = ends.count - 1
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @inline(__always)
    private static func read(_ piece: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, _ cell: Int) -> Void) {
        var offset = 0
        while offset < piece.count {
            let cell = UInt32(littleEndian: piece.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let length = 9 + 2 * Int(piece[offset + 8])
            body(UnsafeRawBufferPointer(rebasing: piece[offset..<offset + length]), Int(cell))
            offset += length
        }
    }

    @inline(__always)
    private static func device(_ record: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(littleEndian: record.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }

    @inline(__always)
    private mutating func append(_ record: UnsafeMutableRawBufferPointer, _ key: PlaceKey) {
        let cell = Int(places.number(key))
        if cell == lengths.count {
            lengths.append(FoldRows.baseBytes)
            byteCount += FoldRows.baseBytes
        }
        record.storeBytes(of: UInt32(cell).littleEndian, as: UInt32.self)
        uncut.append(UnsafeRawBufferPointer(record))
        lengths[cell] += record.count
        count += 1
        byteCount += record.count
    }

    /// Takes the records of a table's rows that are within the range.
    package mutating func add(_ rows: Columns) throws {
        guard rows.rowCount > 0 else { return }
        let columns = try OpenRowColumns(rows), kind = try rules.kind(columns.kind)
        figures = kind.metrics.compactMap { metric in
            rows[metric.column].map {
                Figures(
                    place: metric.place, number: metric.number, isOfSIM: metric.isOfSIM, presence: $0.presence,
                    bins: $0.integers)
            }
        }
        for row in 0..<rows.rowCount {
            if row & 255 == 0 { IdleTurn.giveWay() }
            let serving = try columns.firstKey(row, kind.programme), device = try columns.device(row)
            guard let sim = columns.simKey(row, kind.programme) else {
                try write(row, serving, device) { _ in true }
                continue
            }
            try write(row, serving, device) { !$0 }
            if columns.isIn(kind.strata.withoutNetwork, row) || hasFailed(row) { try write(row, sim, device) { $0 } }
        }
    }

    /// True if a row has an event or a rating, and counts for the network of its SIM too.
    private func hasFailed(_ row: Int) -> Bool {
        for figure in figures where figure.isOfSIM && figure.presence[row] { return true }
        return false
    }

    /// Writes a record, if it is within the range, with the metrics wanted: those of the SIM's network, the others, or all.
    @inline(__always)
    private mutating func write(
        _ row: Int, _ key: PlaceKey, _ device: UInt32, _ wants: (_ isOfSIM: Bool) -> Bool
    ) throws {
        guard range.contains(place: key.place, device: device) else { return }
        let word = row >> 6, bit = UInt64(1) << UInt64(row & 63)
        try withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { record in
            record.storeBytes(of: device.littleEndian, toByteOffset: 4, as: UInt32.self)
            var length = 9
            for figure in figures where wants(figure.isOfSIM) && figure.presence.words[word] & bit != 0 {
                guard let code = SlotCode.code(figure.place, bin: figure.bins[row]) else {
                    throw AggregatorError.openRowsCorrupt(
                        "bin \(figure.bins[row]) of metric \(figure.number)")
                }
                record.storeBytes(of: code.littleEndian, toByteOffset: length, as: UInt16.self)
                length += 2
            }
            record[8] = UInt8((length - 9) / 2)
            append(UnsafeMutableRawBufferPointer(rebasing: record[..<length]), key)
        }
    }
}
