import BatchAggregator
import Foundation
import GRDB
import Models
import QoE
import Storage
import Wire

@testable import AggregatorCells
@testable import AggregatorDeriving
@testable import AggregatorFolding

/// Cells in memory, to which rows are added in as many slices as a test likes, each a transaction.
final class CellBench {
    let database: ServiceDatabase
    private var writer: CellWriter?
    private let bytes: Int
    private var deriver: OpenRowDeriver
    private var reader = RollupReader()
    /// What became of the cells of the last fold.
    private(set) var folded = FoldedCells()
    private var sliceCount = 0

    private struct PowerCut: Error {}

    /// What ``FoldOutput`` does, but for the lane.
    private final class Output: CellOutput {
        var emitter = CellEmitter()
        var folded = FoldedCells()
        /// How many cells are written before the power fails; nil: it does not.
        private let cut: Int?

        init(cut: Int?) { self.cut = cut }

        func take(_ cell: CellKey, _ state: CellState) throws {
            if let cut, folded.count >= cut { throw PowerCut() }
            emitter.add(cell, state)
            if case .own = state { folded.own += 1 } else { folded.references += 1 }
        }

        func takeUnchanged() { folded.unchanged += 1 }

        func finish() throws { if cut != nil { throw PowerCut() } }
    }

    /// - Parameter bytes: from which on batches are split.
    init(zone: String = "Africa/Douala", bytes: Int = 512 << 10) throws {
        self.bytes = bytes
        database = try ServiceDatabase(path: ":memory:", migrations: AggregatorEffects.migrations)
        deriver = OpenRowDeriver(.qoe, timeZone: TimeZone(identifier: zone)!)
    }

    /// Folds rows, their days and the parts of each in a random order; if asked, the power fails before some commits and the
    /// slice is folded again. With each it is said which comes next, of most of them rightly.
    func fold(_ rows: [AcceptedRow], parts: Int = 1, cuts: Bool = false, _ dice: inout SplitMix64) throws {
        folded = FoldedCells()
        let slices = try slices(of: rows, parts: parts).shuffled(using: &dice)
        for (place, slice) in slices.enumerated() {
            let next =
                dice.chance(percent: 70) ? slices[min(place + 1, slices.count - 1)] : slices.randomElement(using: &dice)
            if cuts && dice.chance(percent: 40) {
                try? fold(slice, before: next, cut: .random(in: 0..<400, using: &dice))
            }
            try fold(slice, before: next)
        }
    }

    /// The slices of rows, day by day, each day in so many parts.
    func slices(of rows: [AcceptedRow], parts: Int = 1) throws -> [FoldSlice] {
        try deriver.derive(AcceptedRow.table(rows), kind: RecordKind.report.id).flatMap { day in
            var open = FoldRows(.qoe), slices: [FoldSlice] = []
            try open.add(day.rows)
            open.cut(parts: parts)
            while let part = open.takePart() {
                sliceCount += 1
                slices.append(FoldSlice(part: part, day: day.day, number: sliceCount))
            }
            return slices
        }
    }

    /// Folds rows in one slice a day.
    func fold(_ rows: [AcceptedRow]) throws {
        var dice = SplitMix64(seed: 1)
        try fold(rows, &dice)
    }

    /// Folds a slice before another; with `cut` the power fails before as many cells are written.
    func fold(_ slice: FoldSlice, before next: FoldSlice? = nil, cut: Int? = nil) throws {
        let output = Output(cut: cut)
        try database.write { db in
            let writer = try self.writer ?? CellWriter(.qoe, CellTable(db), bytes: bytes)
            self.writer = writer
            try writer.add(slice, before: next, to: output)
            try output.finish()
        }
        folded += output.folded
        reader.take(output.emitter.take())
    }

    /// The cells as the store has them.
    func dump() throws -> String {
        var text: [UInt8] = []
        try CellDump.write(.qoe, database.reader(), openDirectory: "/nonexistent", timeZone: .gmt) { text += $0 }
        return String(decoding: text, as: UTF8.self)
    }

    /// How samples are spread over devices, as a reader of the lane has it.
    var spreads: String { reader.spreads }

    /// The cells as a reader of the lane has them.
    var published: String { reader.lines }

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
