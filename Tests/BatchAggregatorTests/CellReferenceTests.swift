import Foundation
import GRDB
import Models
import QoE
import Seeds
import Testing

@testable import AggregatorFolding

@Suite struct CellReferenceTests {
    /// A row at a place (by steps of about a level-16 cell to the east) and a minute.
    private func row(_ step: Int64 = 0, _ minute: Int64 = 0, device: Int64 = 1, download: Int64 = 100) -> AcceptedRow {
        var row = AcceptedRow.plain(device: device, capturedAt: (NearbyRows.noon + 60 * minute) * 1_000)
        row[ColumnID.longitude] = 115_140_000 + 54_932 * step
        row[ColumnID.download] = download
        return row
    }

    @Test func `a lone phone is stored once and for the whole`() throws {
        let bench = try CellBench()
        try bench.fold([row()])
        let own = try bench.sources().filter { $0.value == nil }.keys
        #expect(bench.folded == FoldedCells(own: 2, references: 31, unchanged: 0))
        #expect(Set(own.map(\.bucketSeconds)) == [300, 86_400])
        #expect(own.allSatisfy { $0.bucketSeconds == 300 ? $0.quadkey?.level == 16 : $0.isOfWhole })
        try bench.fold([row(device: 2, download: 7)])
        #expect(bench.folded == FoldedCells(own: 2, references: 0, unchanged: 31))
        #expect(try bench.dump() == NaiveStatistics.dump([row(), row(device: 2, download: 7)]))
        #expect(try bench.dump() == bench.published)
    }

    /// One row, then a fold of others: everything that can happen to the cells around it.
    @Test(arguments: [
        [(1, 0)], [(0, 0), (1, 0)], [(0, 5)], [(0, 0), (0, 5)], [(0, 60)], [(0, 0), (0, 60)], [(1, 5)],
        [(0, 0), (1, 5), (40, 5)], [(0, 0), (40, 0), (40, 60)], [(700, 0)], [(0, 0), (700, 60)], [(1, 60), (1, 65)],
        [(0, 340)], [(0, 0), (0, 340), (1, 340)],
    ])
    func `what leaves the source is added to its state before`(_ later: [(step: Int, minute: Int)]) throws {
        let bench = try CellBench()
        var rows = [row(), row(download: 5_000)]
        try bench.fold(rows)
        // Twice: what is a reference after the first time meets the same rows again.
        for _ in 0..<2 {
            let added = later.map { row(Int64($0.step), Int64($0.minute), device: 3, download: 9) }
            rows += added
            try bench.fold(added)
            #expect(try bench.dump() == NaiveStatistics.dump(rows))
            #expect(try bench.dump() == bench.published)
        }
    }

    @Test(arguments: 0..<UInt64(Seeds.share(of: 60)))
    func `cells are those of counting whatever the slices`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let zone = dice.pick([("Africa/Douala", 3_600), ("Asia/Kolkata", 19_800), ("UTC", Int64(0))])
        let bench = try CellBench(zone: zone.0)
        var rows: [AcceptedRow] = []
        for _ in 0..<10 {
            let added = (0..<dice.pick([1, 1, 2, 3, 8])).map { _ in NearbyRows.random(&dice) }
            rows += added
            try bench.fold(added, parts: dice.pick([1, 2, 5]), cuts: dice.chance(percent: 30), &dice)
            #expect(try bench.dump() == NaiveStatistics.dump(rows, offset: { _ in zone.1 }))
            #expect(try bench.dump() == bench.published)
        }
    }

    @Test(arguments: 0..<20) func `what is stored follows from the rows alone`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let rows = (0..<30).map { _ in NearbyRows.random(&dice) }
        let whole = try CellBench(), pieces = try CellBench()
        try whole.fold(rows)
        var left = rows.shuffled(using: &dice)[...]
        while !left.isEmpty {
            try pieces.fold(Array(left.prefix(3)), parts: dice.pick([1, 3]), &dice)
            left = left.dropFirst(3)
        }
        #expect(try whole.stored() == pieces.stored())
    }

    /// A cell has figures only if no cell inside it has all its rows.
    @Test(arguments: 0..<20) func `a reference leads to the smallest cell with all rows`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed)
        let bench = try CellBench()
        for _ in 0..<4 { try bench.fold((0..<3).map { _ in NearbyRows.random(&dice) }, &dice) }
        let sources = try bench.sources()
        let samples = try self.samples(bench.dump())
        for (cell, source) in sources where !cell.isOfWhole {
            let same = sources.keys.filter { $0.isInside(cell) && samples[$0] == samples[cell] && isSaid($0, cell) }
            let smallest = same.filter { one in !same.contains { $0.isInside(one) } }
            #expect(smallest == (source.map { [$0] } ?? []))
        }
    }

    /// Days of Douala have 24 hours; how many, the aggregator does not look up, and does not say of an hour after the 22nd
    /// that it is inside.
    private func isSaid(_ inside: CellKey, _ cell: CellKey) -> Bool {
        guard cell.bucketSeconds == 86_400, inside.bucketSeconds < 86_400 else { return true }
        return inside.bucketStart < cell.bucketStart + (inside.bucketSeconds == 300 ? 24 : 22) * 3_600
    }

    @Test(arguments: [
        "UPDATE cells SET source = x'00' WHERE source IS NOT NULL",
        "UPDATE cells SET source = key WHERE source IS NOT NULL",
        "UPDATE cells SET source = (SELECT max(key) FROM cells) WHERE source IS NOT NULL",
        "DELETE FROM cells WHERE source IS NULL",
        "UPDATE cells SET source = (SELECT max(c.key) FROM cells c WHERE c.key < cells.key) WHERE source IS NULL",
        // Those of the day, to one of the hour that is a reference itself.
        """
        UPDATE cells SET source = (SELECT min(c.key) FROM cells c WHERE c.key > x'01')
        WHERE key > x'02' AND source IS NOT NULL
        """,
    ]) func damagedReferencesAreNamed(_ damage: String) throws {
        let bench = try CellBench()
        try bench.fold([row()])
        try bench.damage(damage)
        #expect { try bench.fold([row(1, 60)]) } throws: { "\($0)".contains("--rebuild") }
    }

    @Test func `cells of an older program keep their figures`() throws {
        let bench = try CellBench()
        try bench.fold([row()])
        // What it wrote: figures in every cell.
        try bench.damage(
            """
            UPDATE cells SET source = NULL, (samples, device_count, devices, histograms) =
                (SELECT samples, device_count, devices, histograms FROM cells WHERE source IS NULL LIMIT 1)
            """)
        let later = [row(1, 0, device: 2), row(0, 60), row(40, 2_000)]
        for row in later { try bench.fold([row]) }
        #expect(try bench.dump() == NaiveStatistics.dump([row()] + later))
    }

    private func samples(_ dump: String) throws -> [CellKey: Int] {
        var samples: [CellKey: Int] = [:]
        for line in dump.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            let cell = CellKey(
                bucketSeconds: UInt32(words[0])!, bucketStart: Int64(words[1])!,
                quadkey: words[2] == "-" ? nil : Quadkey(text: words[2]),
                plmn: words[3] == "-" ? .unknown : PLMN(text: words[3])!, technology: Technology(name: words[4])!,
                population: words[5] == "shared" ? .shared : .unshared)
            samples[cell] = Int(words[6].dropFirst("samples=".count))!
        }
        return samples
    }
}
