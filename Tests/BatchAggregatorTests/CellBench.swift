import Foundation
import GRDB
import Models
import Storage
import Wire

@testable import BatchAggregator

/// Cells in memory, to which rows are added in as many slices as a test likes, each a transaction.
final class CellBench {
    let database: ServiceDatabase
    private var writer: CellWriter?
    private var pyramid = CellPyramid()
    private var deriver: OpenRowDeriver
    private var reader = RollupReader()
    /// What became of the cells of the last fold.
    private(set) var folded = FoldedCells()

    private struct PowerCut: Error {}

    /// What ``StoreSink`` does, but for the lane.
    private struct Sink: CellSink {
        let writer: CellWriter
        var emitter = CellEmitter()
        var folded = FoldedCells()

        mutating func add(_ sum: CellSum, to cell: CellKey) throws {
            if try !writer.add(sum, to: cell, { take($0, $1) }) { folded.unchanged += 1 }
        }

        mutating func take(_ cell: CellKey, _ state: CellState) {
            emitter.add(cell, state)
            if case .own = state { folded.own += 1 } else { folded.references += 1 }
        }

        mutating func finish() throws { try writer.finish { take($0, $1) } }
    }

    init(zone: String = "Africa/Douala") throws {
        database = try ServiceDatabase(path: ":memory:", migrations: AggregatorEffects.migrations)
        deriver = OpenRowDeriver(timeZone: TimeZone(identifier: zone)!)
    }

    /// Folds rows, their days and the parts of each in a random order; if asked, the power fails before some commits and the
    /// slice is folded again.
    func fold(_ rows: [AcceptedRow], parts: Int = 1, cuts: Bool = false, _ dice: inout SplitMix64) throws {
        folded = FoldedCells()
        for day in deriver.derive(AcceptedRow.table(rows)).shuffled(using: &dice) {
            var open = FoldRows()
            try open.add(day.rows)
            open.cut(parts: parts)
            var cut: [FoldPart] = []
            while let part = open.takePart() { cut.append(part) }
            for part in cut.shuffled(using: &dice) {
                var slice = RowSlice()
                slice.load(part)
                if cuts && dice.chance(percent: 40) { try? fold(slice, day.day, isCut: true) }
                try fold(slice, day.day, isCut: false)
            }
        }
    }

    /// Folds rows in one slice a day.
    func fold(_ rows: [AcceptedRow]) throws {
        var dice = SplitMix64(seed: 1)
        try fold(rows, &dice)
    }

    private func fold(_ slice: RowSlice, _ day: Int64, isCut: Bool) throws {
        let sink = try database.write { db in
            let writer = try self.writer ?? CellWriter(CellTable(db))
            self.writer = writer
            writer.begin()
            var sink = Sink(writer: writer)
            try pyramid.add(slice, day: day, to: &sink)
            if isCut { throw PowerCut() }
            try sink.finish()
            return sink
        }
        var emitter = sink.emitter
        folded += sink.folded
        reader.take(emitter.take())
    }

    /// The cells as the store has them.
    func dump() throws -> String {
        var text: [UInt8] = []
        try CellDump.write(database.reader(), openDirectory: "/nonexistent", timeZone: .gmt) { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }

    /// The cells as a reader of the lane has them.
    var published: String { reader.text }

    /// What each stored cell refers to; nil for those with figures.
    func sources() throws -> [CellKey: CellKey?] {
        try database.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT key, source FROM cells")
            return Dictionary(
                uniqueKeysWithValues: try rows.map { row in
                    (try key(row[0])!, try key(row[1]))
                })
        }
    }

    /// Everything that is stored, byte for byte.
    func stored() throws -> [Row] {
        try database.read { try Row.fetchAll($0, sql: "SELECT * FROM cells ORDER BY key") }
    }

    func damage(_ sql: String) throws {
        try database.write { try $0.execute(sql: sql) }
    }

    private func key(_ bytes: Data?) throws -> CellKey? {
        try bytes.map { try $0.withUnsafeBytes { try CellStoreKey.read($0) } }
    }
}
