import Models
import Wire

/// Columns as the services write them, by zlib: zigzag varints, of deltas where the column says so, deflated at level 1;
/// identifiers beside it.
struct FloorEncoder {
    private var deflater = Deflater(format: .zlib, level: 1)
    private var raw: [UInt8] = []

    /// The bytes of a table.
    mutating func encode(_ table: Columns) throws -> [UInt8] {
        var output: [UInt8] = []
        raw.removeAll(keepingCapacity: true)
        for column in table.columns {
            if column.encoding == .fixed16 {
                output += column.bytes
            } else {
                append(column)
            }
        }
        deflater.reset()
        try deflater.append(raw, into: &output)
        try deflater.finish(into: &output)
        return output
    }

    private mutating func append(_ column: Column) {
        let length = raw.count, most = 10 * column.integers.count + 8 * column.presence.words.count
        let isDelta = column.encoding == .delta
        raw.append(contentsOf: repeatElement(0, count: most))
        let used = raw.withUnsafeMutableBufferPointer { bytes -> Int in
            let start = bytes.baseAddress! + length
            var pointer = start
            if !column.presence.isFull {
                for word in column.presence.words {
                    UnsafeMutableRawPointer(pointer).storeBytes(of: word.littleEndian, as: UInt64.self)
                    pointer += 8
                }
            }
            var previous: Int64 = 0
            for (row, value) in column.integers.enumerated() where column.presence[row] {
                Varint.write(Varint.zigzag(isDelta ? value &- previous : value), at: &pointer)
                previous = value
            }
            return pointer - start
        }
        raw.removeLast(most - used)
    }
}
