internal import Models

extension RowSet {
    /// Writes the bitmap, row 0 in the lowest bit of the first byte; `pointer` has room for whole words.
    func write(at pointer: UnsafeMutablePointer<UInt8>) {
        for (index, word) in words.enumerated() {
            UnsafeMutableRawPointer(pointer + 8 * index).storeBytes(of: word.littleEndian, as: UInt64.self)
        }
    }
}

/// Each writes the values of present rows at a pointer with room for them, and moves it on.
extension Column {
    func writeIntegers(at pointer: inout UnsafeMutablePointer<UInt8>, hasAbsent: Bool) {
        var out = pointer
        integers.withUnsafeBufferPointer { values in
            if hasAbsent {
                for (index, word) in presence.words.enumerated() {
                    var bits = word
                    while bits != 0 {
                        Varint.write(Varint.zigzag(values[index &* 64 &+ bits.trailingZeroBitCount]), at: &out)
                        bits &= bits &- 1
                    }
                }
            } else {
                for value in values { Varint.write(Varint.zigzag(value), at: &out) }
            }
        }
        pointer = out
    }

    func writeDeltas(at pointer: inout UnsafeMutablePointer<UInt8>, hasAbsent: Bool) {
        var out = pointer
        var previous: Int64 = 0
        integers.withUnsafeBufferPointer { values in
            if hasAbsent {
                for (index, word) in presence.words.enumerated() {
                    var bits = word
                    while bits != 0 {
                        let value = values[index &* 64 &+ bits.trailingZeroBitCount]
                        Varint.write(Varint.zigzag(value &- previous), at: &out)
                        previous = value
                        bits &= bits &- 1
                    }
                }
            } else {
                for value in values {
                    Varint.write(Varint.zigzag(value &- previous), at: &out)
                    previous = value
                }
            }
        }
        pointer = out
    }

    /// Bytes that ``writeBytes(at:)`` writes.
    var byteStringsLength: Int {
        presence.rows.reduce(0) { sum, row in
            let row = Int(row)
            let length = Int(ends[row] - (row == 0 ? 0 : ends[row - 1]))
            return sum + length + Varint.length(UInt64(length))
        }
    }

    func writeBytes(at pointer: inout UnsafeMutablePointer<UInt8>) {
        var out = pointer
        for (index, word) in presence.words.enumerated() {
            var bits = word
            while bits != 0 {
                let row = index << 6 + bits.trailingZeroBitCount
                Varint.write(UInt64(ends[row] - (row == 0 ? 0 : ends[row - 1])), at: &out)
                bits &= bits &- 1
            }
        }
        for (index, word) in presence.words.enumerated() {
            if word == .max || 64 * index + word.nonzeroBitCount == ends.count {
                let first = 64 * index, last = min(first + 64, ends.count) - 1
                copyBytes(of: first...last, to: &out)
                continue
            }
            var bits = word
            while bits != 0 {
                let row = index << 6 + bits.trailingZeroBitCount
                copyBytes(of: row...row, to: &out)
                bits &= bits &- 1
            }
        }
        pointer = out
    }

    func writeFixed16(at pointer: inout UnsafeMutablePointer<UInt8>, hasAbsent: Bool) {
        var out = UnsafeMutableRawPointer(pointer)
        bytes.withUnsafeBytes { source in
            if hasAbsent {
                for row in presence.rows {
                    out.copyMemory(from: source.baseAddress! + 16 * Int(row), byteCount: 16)
                    out += 16
                }
            } else {
                out.copyMemory(from: source.baseAddress!, byteCount: source.count)
                out += source.count
            }
        }
        pointer = out.assumingMemoryBound(to: UInt8.self)
    }

    /// Copies the values of a run of rows.
    private func copyBytes(of rows: ClosedRange<Int>, to out: inout UnsafeMutablePointer<UInt8>) {
        let start = rows.lowerBound == 0 ? 0 : Int(ends[rows.lowerBound - 1])
        let length = Int(ends[rows.upperBound]) - start
        guard length > 0 else { return }
        bytes.withUnsafeBufferPointer { out.update(from: $0.baseAddress! + start, count: length) }
        out += length
    }
}
