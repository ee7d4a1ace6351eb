package import AggregatorCells
package import Foundation
package import Lanes
package import Wire

/// Makes the open rows of blocks, and tables of what is stored of them. Keeps its memory; confined to one thread.
package struct OpenRowMaker {
    /// Of a block, by local day.
    package typealias Rows = [(day: Int64, block: OpenRowBlock)]

    private var deriver: OpenRowDeriver
    private var decoder = ColumnDecoder()
    private var encoder = ColumnEncoder()

    package init(_ rules: CountingRules, timeZone: TimeZone) { deriver = OpenRowDeriver(rules, timeZone: timeZone) }

    package mutating func rows(of block: LaneBlock) throws -> Rows {
        let kind = block.block.header.kind
        let columns = try block.block.columns(with: &decoder, only: deriver.ids(kind))
        return try deriver.derive(columns, kind: kind).filter { $0.rows.rowCount > 0 }.map { day in
            let made = OpenRowBlock(
                key: BlockKey(block.position), rows: try encoder.encode(day.rows),
                subjects: OpenRowFile.subjects(of: day.rows))
            return (day.day, made)
        }
    }

    /// The table of ``OpenRowColumn`` that was stored.
    package mutating func table(of stored: EncodedColumns) throws -> Columns {
        try decoder.decode(stored)
    }
}
