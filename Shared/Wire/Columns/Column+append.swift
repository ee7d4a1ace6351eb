extension Column {
    /// Adds the rows of `other`, whose values are of the same form, at the end.
    mutating func append(_ other: Column) {
        precondition(hasSameForm(as: other.encoding), "column \(id) changed its form")
        presence.append(other.presence)
        switch encoding {
        case .integer, .delta: integers.append(contentsOf: other.integers)
        case .fixed16: bytes.append(contentsOf: other.bytes)
        case .bytes, .plainBytes:
            let base = UInt32(bytes.count)
            bytes.append(contentsOf: other.bytes)
            ends.reserveCapacity(ends.count + other.ends.count)
            for end in other.ends { ends.append(base + end) }
        }
    }

    /// Adds `rowCount` rows without a value at the end.
    mutating func appendAbsent(_ rowCount: Int) {
        presence.appendAbsent(rowCount)
        switch encoding {
        case .integer, .delta: integers.append(contentsOf: repeatElement(0, count: rowCount))
        case .fixed16: bytes.append(contentsOf: repeatElement(0, count: 16 * rowCount))
        case .bytes, .plainBytes: ends.append(contentsOf: repeatElement(UInt32(bytes.count), count: rowCount))
        }
    }

    /// The column whose row `i` is this column's row `rows[i]`.
    func gathered(_ rows: [Int32]) -> Column {
        var result = Column(
            id: id, encoding: encoding, presence: presence.gather(rows), integers: [], bytes: [], ends: [])
        switch encoding {
        case .integer, .delta: result.integers = gatheredIntegers(rows)
        case .fixed16: result.bytes = gatheredFixed16(rows)
        case .bytes, .plainBytes: gatherBytes(rows, into: &result)
        }
        return result
    }

    func hasSameForm(as other: ColumnEncoding) -> Bool {
        encoding == other || (encoding.isInteger && other.isInteger)
    }

    private func gatheredIntegers(_ rows: [Int32]) -> [Int64] {
        integers.withUnsafeBufferPointer { source in
            [Int64](unsafeUninitializedCapacity: rows.count) { target, count in
                for (index, row) in rows.enumerated() {
                    precondition(row >= 0 && Int(row) < source.count, "row out of range")
                    target[index] = source[Int(row)]
                }
                count = rows.count
            }
        }
    }

    private func gatheredFixed16(_ rows: [Int32]) -> [UInt8] {
        bytes.withUnsafeBytes { source in
            [UInt8](unsafeUninitializedCapacity: 16 * rows.count) { target, count in
                let target = UnsafeMutableRawBufferPointer(target)
                for (index, row) in rows.enumerated() {
                    precondition(row >= 0 && 16 * Int(row) + 16 <= source.count, "row out of range")
                    let low = source.loadUnaligned(fromByteOffset: 16 * Int(row), as: UInt64.self)
                    let high = source.loadUnaligned(fromByteOffset: 16 * Int(row) + 8, as: UInt64.self)
                    target.storeBytes(of: low, toByteOffset: 16 * index, as: UInt64.self)
                    target.storeBytes(of: high, toByteOffset: 16 * index + 8, as: UInt64.self)
                }
                count = 16 * rows.count
            }
        }
    }

    private func gatherBytes(_ rows: [Int32], into result: inout Column) {
        result.ends.reserveCapacity(rows.count)
        for row in rows.lazy.map(Int.init) {
            result.bytes.append(contentsOf: bytes[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])])
            result.ends.append(UInt32(result.bytes.count))
        }
    }
}
