/// The cells of one CSV row; a buffer that is filled again and again.
public struct CSVRow {
    /// The line on which the row begins, counted from 1.
    public internal(set) var line = 0
    var bytes: [UInt8] = []
    var ends: [Int] = []

    public init() {}

    public var count: Int { ends.count }

    /// The text of a cell, as it is between its quotes; of bytes that are no UTF-8, as Windows-1252 has it.
    public subscript(cell: Int) -> String {
        let cell = bytes[(cell == 0 ? 0 : ends[cell - 1])..<ends[cell]]
        return String(validating: cell, as: UTF8.self) ?? Windows1252.text(cell)
    }

    /// Whether nothing stands in a cell.
    public func isEmpty(_ cell: Int) -> Bool { ends[cell] == (cell == 0 ? 0 : ends[cell - 1]) }

    /// Whether all cells are UTF-8.
    public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// All cells.
    public var texts: [String] { (0..<count).map { self[$0] } }

    /// An empty line, which is no row.
    var isBlank: Bool { ends.count == 1 && bytes.isEmpty }

    mutating func begin(line: Int) {
        self.line = line
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }
}
