import AggregatorCells
package import AggregatorDeriving
package import GRDB
package import Lanes
import Models
import Storage

/// Folds open rows into cells, a slice at a time. Confined to the thread that writes the database.
package final class Folder {
    private let open: OpenRowDirectory
    private var writer: CellWriter?
    /// The rows of the day that is being folded, as far as they were read, and where the first that is left stands.
    private var loaded: (day: FoldingDay, rows: FoldRows)?
    /// The number of the next slice. Rows that are read are counted, too: those of a slice that failed are cut anew, and what was made
    /// of the slice after it must not be taken for theirs.
    private var number = 0
    private let reader: FoldReader
    private var size = SliceSize()

    package init(_ open: OpenRowDirectory, reader: FoldReader) {
        self.open = open
        self.reader = reader
    }

    /// Most blocks of a lane that a fold takes now.
    package var blocks: Int { size.blocks }

    /// Learns how large the blocks are that come.
    package func learn(rows: Int, blocks: Int) { size.learn(rows: rows, blocks: blocks) }

    /// Begins a fold of what waits; blocks without rows are passed over.
    package func begin(_ db: Database) throws {
        for _ in 0..<Folder.mostPassedOver {
            try FoldLedger.begin(db, blocks: size.blocks) { day, ranges in
                try open.file(day).read { db in try ranges.contains { try OpenRowFile.count($0, db) > 0 } }
            }
            if try !FoldLedger.days(db).isEmpty || FoldLedger.waitingBlocks(db) == 0 { return }
        }
    }

    /// Folds without a row in a transaction.
    private static let mostPassedOver = 1_000

    /// Adds the next slice of a day's rows to the cells and emits the cells that changed; returns what became of how many.
    ///
    /// - Parameter sealed: buckets that begin before take no rows any more.
    package func fold(_ day: FoldingDay, sealed: Int64, _ db: Database, _ emit: inout Emission) throws -> FoldedCells {
        let part = try nextPart(of: day, FoldLedger.folding(db))
        let writer = try self.writer ?? CellWriter(reader.rules, CellTable(db))
        self.writer = writer
        let output = FoldOutput(emit)
        let slice = FoldSlice(part: part, day: day.day, number: number, sealed: sealed)
        number += 1
        let next = loaded?.rows.nextPart.map { FoldSlice(part: $0, day: day.day, number: number, sealed: sealed) }
        try writer.add(slice, before: next, to: output)
        emit = try output.finish()
        let folded = output.folded
        size.learn(day: day.day, bases: part.keys.count, cells: folded.count, bytes: folded.bytes)
        try FoldLedger.finish(day.day, through: part.last, db)
        return folded
    }

    /// The rows of a slice; slices of a day come one after another, so rows are read once for as many as may be in memory.
    private func nextPart(of day: FoldingDay, _ ranges: [BlockRange]) throws -> FoldPart {
        if loaded?.day != day {
            loaded = nil
            number += 1
            var rows = try open.file(day.day).read { try reader.read(ranges, from: day.first, $0) }
            rows.cut(parts: size.parts(day: day.day, rows: rows.count, bases: rows.bases))
            loaded = (day, rows)
        }
        guard let part = loaded?.rows.takePart() else {
            defer { loaded = nil }
            return FoldPart(last: loaded?.rows.range.last ?? .max)
        }
        if part.last == loaded?.rows.range.last { loaded = nil } else { loaded?.day.first = part.last + 1 }
        return part
    }
}
