/// Columns of text for a terminal.
package struct TextTable {
    let header: [String]
    package let rows: [[String]]
    private let right: Set<Int>

    /// - Parameter right: columns of figures, set flush right.
    package init(_ header: [String], _ rows: [[String]], right: Set<Int> = []) {
        self.header = header
        self.rows = rows
        self.right = right
    }

    /// Without a final end of line.
    package var text: String {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            row.enumerated().map { column, cell in
                let space = String(repeating: " ", count: widths[column] - cell.count)
                return right.contains(column) ? space + cell : column == row.count - 1 ? cell : cell + space
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
