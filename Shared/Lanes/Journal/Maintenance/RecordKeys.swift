internal import Glibc
internal import Models
internal import Wire

/// The keys of a table's records. The kind belongs to a key: two kinds may have records of the same name.
struct RecordKeys {
    private let kind: UInt8
    private let column: Column

    /// nil if the records have no keys.
    init?(_ columns: Columns, kind: UInt8) {
        guard let column = columns[ColumnID.key], column.encoding == .bytes else { return nil }
        self.kind = kind
        self.column = column
    }

    /// Rows that have a key.
    var presence: RowSet { column.presence }

    /// Of each key, without the kind.
    var hashes: [UInt32] { presence.rows.map { column.withBytes(Int($0), KeyHashes.hash) } }

    /// Writes kind and key of a row that has one.
    func write(_ row: Int, to bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(kind)
        column.withBytes(row) { bytes.append(contentsOf: $0) }
    }

    /// Of each key its last row, in the order of the keys, in which an index is looked up soonest.
    func lastRows() -> [Int] {
        column.bytes.withUnsafeBytes { bytes in
            let ascending = column.presence.rows.map(Int.init).sorted { left, right in
                let order = order(left, right, bytes)
                return order == 0 ? left < right : order < 0
            }
            return ascending.indices.filter {
                $0 + 1 == ascending.count || order(ascending[$0], ascending[$0 + 1], bytes) != 0
            }.map { ascending[$0] }
        }
    }

    /// Below, equal to or above 0 as the keys of two rows are to each other.
    private func order(_ left: Int, _ right: Int, _ bytes: UnsafeRawBufferPointer) -> Int {
        let first = extent(left), second = extent(right), shared = min(first.count, second.count)
        guard shared > 0, let base = bytes.baseAddress else { return first.count - second.count }
        let order = memcmp(base + first.lowerBound, base + second.lowerBound, shared)
        return order == 0 ? first.count - second.count : Int(order)
    }

    private func extent(_ row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(column.ends[row - 1]))..<Int(column.ends[row])
    }
}
