import Models
import Wire

@testable import BatchAggregator

/// A reader of the lane `rollups`: the last word on each key, as dump lines.
enum RollupReader {
    static func lines(_ blocks: [Block]) throws -> String {
        var decoder = ColumnDecoder()
        var lines: [[UInt8]: [UInt8]] = [:]
        for block in blocks {
            let table = try block.columns(with: &decoder)
            for row in 0..<table.rowCount {
                let (key, line) = self.line(table, row)
                lines[key] = line
            }
        }
        return lines.values.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    }

    private static func line(_ table: Columns, _ row: Int) -> (key: [UInt8], line: [UInt8]) {
        func number(_ id: UInt8) -> Int64 { table[id]!.integer(row)! }
        let key = Array(table[ColumnID.key]!.value(row)!)
        let cell = CellKey(bytes: key)!
        return (
            key,
            CellLine.bytes(
                cell, samples: number(ColumnID.samples), devices: Int(number(ColumnID.devices)),
                CellHistograms.decode(table[ColumnID.histograms]!.value(row)!)!)
        )
    }
}
