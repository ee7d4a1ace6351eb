import Models

/// The records of one part of a fold, grouped by base cell. Keeps its memory between slices.
struct RowSlice {
    /// The base cells, by number.
    private(set) var keys: [PlaceKey] = []
    private var codes = GroupedValues<UInt16>()
    private var devices = GroupedValues<UInt32>()

    /// Records in the slice.
    var rowCount: Int { devices.count }

    /// Takes a part of a fold's rows and puts the records of each base cell together.
    mutating func load(_ rows: FoldRows, part: Int) {
        keys = rows.keys[part]
        codes.removeAll()
        devices.removeAll()
        for piece in rows.records[part].pieces { piece.withUnsafeBytes { read($0) } }
        codes.group(keys.count)
        devices.group(keys.count)
    }

    /// Adds the rows of a base cell to a sum.
    func add(_ number: Int, to sum: inout CellSum, scratch: inout CellSum, unpacked: inout CellSum) {
        devices.withGroup(number) {
            sum.samples += Int64($0.count)
            sum.addDevices($0, scratch: &scratch.devices)
        }
        codes.withGroup(number) {
            sum.add(codes: $0, unpacked: &unpacked.entries, scratch: &scratch.entries)
        }
    }

    private mutating func read(_ records: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < records.count {
            let number = UInt32(littleEndian: records.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            devices.append(
                UInt32(littleEndian: records.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)), group: number)
            let end = offset + 9 + 2 * Int(records[offset + 8])
            offset += 9
            while offset < end {
                codes.append(
                    UInt16(littleEndian: records.loadUnaligned(fromByteOffset: offset, as: UInt16.self)), group: number)
                offset += 2
            }
        }
    }
}
