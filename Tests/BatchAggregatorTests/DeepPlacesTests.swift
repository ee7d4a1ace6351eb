import AggregatorCells
import Foundation
import GRDB
import Models
import Storage
import Testing
import Wire

/// Places finer than those of mobile networks: keys hold them down to level 20.
@Suite struct DeepPlacesTests {
    /// Open rows of places of a level and coarser ones, close to each other.
    private func open(_ level: Int, _ dice: inout SplitMix64) -> [(place: Quadkey, device: Int64)] {
        (0..<200).map { _ in
            let code = (UInt64(0x6eb) << UInt64(2 * (level - 6))) + .random(in: 0..<300, using: &dice)
            let place = Quadkey(level: level, code: code)
            let coarser = dice.chance(percent: 30) ? Int.random(in: 6...level, using: &dice) : level
            return (place.parent(at: coarser), .random(in: 1...9, using: &dice))
        }
    }

    private func table(_ rows: [(place: Quadkey, device: Int64)]) -> Columns {
        func column(_ id: UInt8, _ values: [Int64]) -> Wire.Column { Column(id: id, values: values) }
        return Columns(
            rowCount: rows.count,
            columns: [
                column(OpenRowColumn.device, rows.map(\.device)),
                column(OpenRowColumn.bucket, rows.map { _ in 5_950_000 }),
                column(OpenRowColumn.scope, rows.map { _ in 624_001 }),
                column(OpenRowColumn.stratum, rows.map { _ in 3 }),
                column(OpenRowColumn.level, rows.map { Int64($0.place.level) }),
                column(OpenRowColumn.code, rows.map { Int64($0.place.code) }),
                column(OpenRowColumn.kind, rows.map { _ in 1 }),
            ])
    }

    @Test(arguments: 17...20, [1, 4]) func `cells are the sums of their places`(level: Int, parts: Int) throws {
        var dice = SplitMix64(seed: UInt64(level))
        let bench = try CellBench()
        var all: [(place: Quadkey, device: Int64)] = [], number = 0
        for _ in 0..<3 {
            let rows = open(level, &dice)
            all += rows
            var folded = FoldRows(.qoe)
            try folded.add(table(rows))
            folded.cut(parts: parts)
            while let part = folded.takePart() {
                number += 1
                try bench.fold(FoldSlice(part: part, day: 1_784_934_000, number: number))
            }
            #expect(try bench.dump() == text(all))
            #expect(try bench.dump() == bench.published)
        }
        let stored = try bench.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM cells") }
        #expect(stored == text(all).split(separator: "\n").count)
    }

    /// Counted place by place in every cell around it.
    private func text(_ rows: [(place: Quadkey, device: Int64)]) -> String {
        var cells: [String: (samples: Int, devices: Set<Int64>)] = [:]
        for row in rows {
            for level in 6...row.place.level {
                for bucket in ["300 1785000000", "3600 1784998800", "86400 1784934000"] {
                    let key = "\(bucket) \(row.place.parent(at: level).text) 62401 4G shared"
                    cells[key, default: (0, [])].samples += 1
                    cells[key]!.devices.insert(row.device)
                }
            }
        }
        return cells.map { "\($0) samples=\($1.samples) devices=\($1.devices.count)\n" }
            .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.joined()
    }

    @Test func `what is finer is corrupt`() throws {
        var dice = SplitMix64(seed: 1)
        var rows = FoldRows(.qoe)
        #expect(throws: AggregatorError.self) { try rows.add(table(open(21, &dice))) }
    }
}
