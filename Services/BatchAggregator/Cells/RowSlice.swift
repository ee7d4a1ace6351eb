import Models
import Storage

/// The records of one part of a fold, grouped by base cell. Keeps its memory between slices.
package struct RowSlice {
    /// The base cells, by number.
    private(set) var keys: [PlaceKey] = []
    private var codes = GroupedValues<UInt16>()
    /// In the upper half the device, in the lower where its record is: piece and offset, 16 bits each.
    private var devices = GroupedValues<UInt64>()
    private var records = RecordPieces()
    private var base = BaseCounts()
    private let rules: CountingRules

    /// - Parameter rules: those by which the rows were read.
    package init(_ rules: CountingRules) { self.rules = rules }

    /// Records in the slice.
    var rowCount: Int { devices.count }

    /// Takes a part of a fold's rows and puts the records of each base cell together.
    package mutating func load(_ part: FoldPart) {
        keys = part.keys
        let records = part.records
        self.records = records
        base.begin(bases: keys.count)
        devices.load(groups: keys.count) { counts in
            RowSlice.read(records) { record, _ in counts[Int(record.number)] += 1 }
        } putting: { places in
            RowSlice.read(records) { record, location in
                places.put(UInt64(record.device) << 32 | UInt64(location), group: record.number)
            }
        }
        codes.load(groups: keys.count) { counts in
            RowSlice.read(records) { record, _ in counts[Int(record.number)] += record.codeCount }
        } putting: { places in
            RowSlice.read(records) { record, _ in
                for index in 0..<record.codeCount { places.put(record.code(index), group: record.number) }
            }
        }
    }

    /// Gives up the memory of the part that was taken last.
    mutating func forgetRecords() { records = RecordPieces() }

    /// Adds the rows of a base cell to a sum.
    mutating func add(
        _ number: Int, to sum: inout CellSum, scratch: inout CellSum.Scratch, unpacked: inout [CellHistograms.Entry]
    ) {
        let slots = rules.slots(of: keys[number].programme)
        let records = records
        devices.withGroup(number) { rows in
            slots.withUnsafeBufferPointer { base.count(number, rows, records, $0) }
            sum.samples += Int64(rows.count)
        }
        base.lend(number) { sum.add($0, scratch: &scratch) }
        codes.withGroup(number) { sum.add(codes: $0, slots: slots, unpacked: &unpacked, scratch: &scratch) }
    }

    /// The rows of each device of base cells, and the samples where they are few devices: counted once, and wanted for each size of
    /// buckets. Keeps its memory, unless it is much.
    private struct BaseCounts {
        private struct Place {
            let range: Range<Int>
            let devices: Int
            let areApart: Bool
        }

        /// More are given back.
        private static let mostKept = 1 << 18

        private var entries: [DeviceCounts.Entry] = []
        /// Where those of each base cell are; nil: they have not been counted.
        private var places: [Place?] = []
        private var codes: [UInt16] = []
        private var scratch: [UInt16] = []

        mutating func begin(bases: Int) {
            entries.removeAll(keepingCapacity: entries.capacity <= Self.mostKept)
            places.removeAll(keepingCapacity: true)
            places.append(contentsOf: repeatElement(nil, count: bases))
        }

        /// Lends the counts of a base cell, which have been counted.
        func lend(_ number: Int, _ body: (DeviceCounts.Lent) -> Void) {
            guard let place = places[number] else { return }
            entries.withUnsafeBufferPointer {
                body(
                    DeviceCounts.Lent(
                        entries: UnsafeBufferPointer(rebasing: $0[place.range]), count: place.devices,
                        areApart: place.areApart))
            }
        }

        /// - Parameter rows: devices, ascending, and where their records are.
        mutating func count(
            _ number: Int, _ rows: UnsafeBufferPointer<UInt64>, _ records: RecordPieces,
            _ slots: UnsafeBufferPointer<UInt32>
        ) {
            guard places[number] == nil else { return }
            let areApart = Self.distinct(rows, atMost: DeviceCounts.mostKept), start = entries.count
            var place = 0, devices = 0
            while place < rows.count {
                let device = UInt32(truncatingIfNeeded: rows[place] >> 32)
                var end = place + 1
                while end < rows.count, rows[end] >> 32 == UInt64(device) { end += 1 }
                entries.append(DeviceCounts.Entry(device: device, slot: 0, count: Int64(end - place)))
                devices += 1
                if areApart { countSamples(of: device, rows[place..<end], records, slots) }
                place = end
            }
            places[number] = Place(range: start..<entries.count, devices: devices, areApart: areApart)
        }

        /// Whether values ascend to no more than so many different devices.
        private static func distinct(_ rows: UnsafeBufferPointer<UInt64>, atMost most: Int) -> Bool {
            if rows.count <= most { return true }
            var count = 1
            for place in 1..<rows.count where rows[place] >> 32 != rows[place - 1] >> 32 {
                count += 1
                if count > most { return false }
            }
            return true
        }

        @inline(__always)
        private mutating func countSamples(
            of device: UInt32, _ rows: Slice<UnsafeBufferPointer<UInt64>>, _ records: RecordPieces,
            _ names: UnsafeBufferPointer<UInt32>
        ) {
            codes.removeAll(keepingCapacity: true)
            for row in rows {
                records.withRecord(UInt32(truncatingIfNeeded: row)) { bytes in
                    let record = Record(bytes: bytes)
                    for index in 0..<record.codeCount { codes.append(record.code(index)) }
                }
            }
            // Codes of one record ascend, and are in the order of their slots.
            if rows.count > 1 { GroupedValues<UInt16>.sort(&codes, 0..<codes.count, scratch: &scratch) }
            var place = 0
            while place < codes.count {
                let code = codes[place]
                var end = place + 1
                while end < codes.count, codes[end] == code { end += 1 }
                entries.append(
                    DeviceCounts.Entry(device: device, slot: SlotCode.slot(code, names), count: Int64(end - place)))
                place = end
            }
        }
    }

    /// One record, in the form of ``FoldRows``, which wrote it: nothing is checked.
    fileprivate struct Record {
        let bytes: UnsafeRawPointer

        @inline(__always) var number: UInt32 { UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)) }
        @inline(__always) var device: UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        }
        @inline(__always) var codeCount: Int { Int(bytes.load(fromByteOffset: 8, as: UInt8.self)) }
        @inline(__always) func code(_ index: Int) -> UInt16 {
            UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 9 + 2 * index, as: UInt16.self))
        }
    }

    @inline(__always)
    private static func read(_ records: RecordPieces, _ body: (Record, _ location: UInt32) -> Void) {
        for (number, piece) in records.pieces.enumerated() {
            IdleTurn.giveWay()
            piece.withUnsafeBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let record = Record(bytes: bytes.baseAddress! + offset)
                    body(record, UInt32(number) << 16 | UInt32(offset))
                    offset += 9 + 2 * record.codeCount
                }
            }
        }
    }
}
