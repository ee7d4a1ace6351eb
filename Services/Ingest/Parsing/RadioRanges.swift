internal import Models

/// ``RadioRange`` as a table: for each column whose range depends on the network type, the range of each type's code.
enum RadioRanges {
    static let byType: [(column: UInt8, ranges: [ClosedRange<Int64>])] = RadioRange.columns.compactMap { column in
        guard let field = RecordKind.report.field(column) else { return nil }
        return (column, NetworkType.allCases.map { RadioRange.range(of: column, on: $0) ?? field.range })
    }
}
