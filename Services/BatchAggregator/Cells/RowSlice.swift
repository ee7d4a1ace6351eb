import Models
import Storage

/// The records of one part of a fold, grouped by base cell. Keeps its memory between slices.
package struct RowSlice {
    /// The base cells, by number.
    private(set) var keys: [PlaceKey] = []
    private var codes = GroupedValues<UInt16>()
    private var devices = GroupedValues<UInt32>()
    private let rules: CountingRules

    /// - Parameter rules: those by which the rows were read.
    package init(_ rules: CountingRules) { self.rules = rules }

    /// Records in the slice.
    var rowCount: Int { devices.count }

    /// Takes a part of a fold's rows and puts the records of each base cell together.
    package mutating func load(_ part: FoldPart) {
        keys = part.keys
        let records = part.records
        devices.load(groups: keys.count) { counts in
            RowSlice.read(records) { counts[Int($0.number)] += 1 }
        } putting: { places in
            RowSlice.read(records) { places.put($0.device, group: $0.number) }
        }
        codes.load(groups: keys.count) { counts in
            RowSlice.read(records) { counts[Int($0.number)] += $0.codeCount }
        } putting: { places in
            RowSlice.read(records) { record in
                for index in 0..<record.codeCount { places.put(record.code(index), group: record.number) }
            }
        }
    }

    /// Adds the rows of a base cell to a sum.
    func add(_ number: Int, to sum: inout CellSum, scratch: inout CellSum, unpacked: inout CellSum) {
        devices.withGroup(number) {
            sum.samples += Int64($0.count)
            sum.addDevices($0, scratch: &scratch.devices)
        }
        codes.withGroup(number) {
            sum.add(
                codes: $0, slots: rules.slots(of: keys[number].programme), unpacked: &unpacked.entries,
                scratch: &scratch.entries)
        }
    }

    /// One record, in the form of ``FoldRows``, which wrote it: nothing is checked.
    private struct Record {
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
    private static func read(_ records: RecordPieces, _ body: (Record) -> Void) {
        for piece in records.pieces {
            IdleTurn.giveWay()
            piece.withUnsafeBytes { bytes in
                var offset = 0
                while offset < bytes.count {
                    let record = Record(bytes: bytes.baseAddress! + offset)
                    body(record)
                    offset += 9 + 2 * record.codeCount
                }
            }
        }
    }
}
