package import AggregatorCells
package import AggregatorDeriving
package import GRDB
import Wire

/// Reads the open rows of a day that a fold has still to take, as many as may be in memory at once: the first ones in the order
/// of ``FoldRange``. What is left out is read again when these are in the cells.
package struct FoldReader {
    /// Blocks that are decoded together, some hundred KB each, while those before them are added.
    private static let blocks = 8

    package let rules: CountingRules
    private let limit: Int
    private let threads: TwoThreads<OpenRowMaker>

    /// - Parameters:
    ///   - threads: decode; confined to the thread that reads.
    ///   - rules: those by which the rows were made.
    ///   - limit: most bytes of records, unless they are all of one device at one place.
    package init(_ threads: TwoThreads<OpenRowMaker>, _ rules: CountingRules, limit: Int) {
        self.threads = threads
        self.rules = rules
        self.limit = limit
    }

    /// The records of some blocks from a place on; `db` is the day's file.
    package func read(_ blocks: [BlockRange], from first: UInt64, _ db: Database) throws -> FoldRows {
        let total = try blocks.reduce(0) { try $0 + OpenRowFile.count($1, db) }
        var rows = FoldRows(rules, FoldRange(first: first)), read = 0, limit = limit
        var stored: [EncodedColumns] = []
        var decoding: MappingRound<OpenRowMaker, EncodedColumns, Columns>?
        /// Adds the blocks that are being decoded, while the other thread decodes what was read since.
        func takeDecoded() throws {
            // The first one last, so that each is given up as soon as it is added.
            var tables = try decoding.map { try threads.finish($0) } ?? []
            tables.reverse()
            decoding = stored.isEmpty ? nil : threads.begin(stored) { try $0.table(of: $1) }
            stored.removeAll(keepingCapacity: true)
            while let table = tables.popLast() {
                try rows.add(table)
                read += table.rowCount
                guard rows.byteCount > limit else { continue }
                // As many passes as it takes, if what is to come is as what came.
                let whole = Double(rows.byteCount) * Double(total) / Double(read)
                let passes = max(2, Int((whole / Double(limit)).rounded(.up)))
                if !rows.narrow(parts: passes) { limit *= 2 }
            }
        }
        for range in blocks {
            try OpenRowFile.read(range, db) { block in
                stored.append(block)
                if stored.count == FoldReader.blocks { try takeDecoded() }
            }
        }
        try takeDecoded()
        try takeDecoded()
        return rows
    }
}
