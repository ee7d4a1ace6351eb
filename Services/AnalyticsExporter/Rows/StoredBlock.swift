package import Models
package import Wire

/// A block of raw rows, read back and decoded.
package struct StoredBlock {
    /// Its place in the order of arrival, over all day files.
    package let sequence: Int64
    /// The UTC day its rows were received on: `2026-03-01`.
    package let day: String
    package let lane: LaneName
    package let kind: RecordKind
    /// The rows that are there: erased ones are not among them.
    package let columns: Columns
    /// The number under which each of them was stored, ascending; nil if none was erased.
    let numbers: [Int]?

    /// The number by which a cursor names a row.
    package func number(of row: Int) -> Int { numbers?[row] ?? row }

    /// The first row behind one of a number, whether that is still there or not.
    func firstRow(after number: Int) -> Int {
        guard let numbers else { return number + 1 }
        return numbers.firstIndex { $0 > number } ?? numbers.count
    }
}
