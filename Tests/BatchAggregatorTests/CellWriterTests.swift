import Models
import QoE
import Testing

@testable import AggregatorCells
@testable import AggregatorFolding

/// Slices with so many cells that a thread beside makes sums and merges.
@Suite struct CellWriterTests {
    /// Rows at 600 places, and some devices at all of them.
    private static func rows(_ dice: inout SplitMix64) -> [AcceptedRow] {
        (0..<2_000).map { _ in
            var row = NearbyRows.random(&dice)
            row[ColumnID.longitude] = 115_140_000 + 3 * 54_932 * Int64.random(in: 0..<600, using: &dice)
            row[ColumnID.download] = Int64.random(in: 0...90_000, using: &dice)
            return row
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `cells are the sums of their rows, whoever merges them and however often the power fails`(_ seed: UInt64)
        throws
    {
        var dice = SplitMix64(seed: seed)
        let bench = try CellBench(bytes: seed == 2 ? 3_000 : 512 << 10), rows = Self.rows(&dice)
        for fold in [rows[..<900], rows[900..<1_000], rows[1_000...]] {
            try bench.fold(Array(fold), parts: 2, cuts: true, &dice)
            #expect(bench.folded.count > 20 * CellBatch.size)
        }
        #expect(try bench.dump() == NaiveStatistics.dump(rows))
        #expect(try bench.dump() == bench.published)
    }

    @Test func `sums that were made ahead are not those of a bucket that was sealed since`() throws {
        var dice = SplitMix64(seed: 5)
        let first = try CellBench(), second = try CellBench(), whole = try CellBench(), rows = Self.rows(&dice)
        var slices = try first.slices(of: rows, parts: 2)
        #expect(slices.count >= 4)
        let last = slices.removeLast(), buckets = last.part.keys.map { $0.bucket * 300 }.sorted()
        let sealed = buckets[buckets.count / 2]
        for slice in slices { try first.fold(slice, before: last) }
        var late = last
        late.sealed = sealed
        try first.fold(late)
        for slice in slices {
            try second.fold(slice)
            try whole.fold(slice)
        }
        let before = try second.dump()
        try second.fold(late)
        #expect(try first.dump() == second.dump())
        #expect(try second.dump() != before, "there are rows that it does take")
        try whole.fold(last)
        #expect(try first.dump() != whole.dump(), "there are rows that it does not take")
    }

    @Test
    func `what leaves its source takes the source's state before the slice, also when that was written long since`()
        throws
    {
        func row(_ step: Int64) -> AcceptedRow {
            var row = AcceptedRow.plain(device: 1, capturedAt: NearbyRows.noon * 1_000)
            row[ColumnID.longitude] = 115_140_000 + 54_932 * step
            return row
        }
        let bench = try CellBench(), later = (0..<400).map { row($0) }
        try bench.fold([row(0)])
        // The cells around all of them come last, and refer to the first, which is written several batches before.
        try bench.fold(later)
        #expect(bench.folded.count > 20 * CellBatch.size)
        #expect(try bench.dump() == NaiveStatistics.dump([row(0)] + later))
    }

    @Test func `a cell whose figures are damaged is named, and with its figures back all goes on`() throws {
        var dice = SplitMix64(seed: 4)
        let bench = try CellBench(),
            rows = Self.rows(&dice).filter { $0[ColumnID.capturedAt]! < (NearbyRows.noon + 3_600) * 1_000 }
        #expect(rows.count > 500, "of one day, so of one slice")
        try bench.fold(rows)
        // Of five minutes: days and hours come before.
        try bench.damage(
            """
            CREATE TABLE kept AS SELECT key, histograms FROM cells WHERE source IS NULL AND key < x'01'
                ORDER BY key LIMIT 5 OFFSET 100;
            UPDATE cells SET histograms = x'ff' WHERE key IN (SELECT key FROM kept)
            """)
        #expect { try bench.fold(rows) } throws: { "\($0)".contains("--rebuild") }
        try bench.damage("UPDATE cells SET histograms = k.histograms FROM kept k WHERE k.key = cells.key")
        try bench.fold(rows)
        #expect(try bench.dump() == NaiveStatistics.dump(rows + rows))
    }

    @Test func `what is split off a batch is the rest of it`() {
        let batch = CellBatch()
        let cells = (0..<10).map {
            CellKey(
                bucketSeconds: 300, bucketStart: 300 * $0, quadkey: nil, plmn: .unknown, technology: .unknown,
                population: .shared)
        }
        for cell in cells { batch.append(CellSum(), of: cell) }
        let rest = batch.split(at: 4)
        #expect(batch.all.map(\.cell) == Array(cells[..<4]) && rest.all.map(\.cell) == Array(cells[4...]))
        #expect(rest.isSplitOff && !batch.isSplitOff)
        batch.append(CellSum(), of: cells[9])
        #expect(batch.all.count == 5 && rest.all.count == 6)
    }

    @Test func `memory of a large change is not kept, that of others is`() {
        let batch = CellBatch(),
            cell = CellKey(
                bucketSeconds: 300, bucketStart: 0, quadkey: nil, plmn: .unknown, technology: .unknown,
                population: .shared)
        func fill(devices: Int) -> CellChange {
            var sum = CellSum()
            sum.devices = DeviceCounts(
                (0..<UInt32(devices)).map { DeviceCounts.Entry(device: 3 * $0, slot: 0, count: 1) }, areApart: false)
            batch.append(sum, of: cell)
            return batch.all.last!
        }
        let small = fill(devices: 3), large = fill(devices: 7_000)
        #expect(!batch.isFull)
        batch.removeAll()
        #expect(batch.all.isEmpty)
        #expect(fill(devices: 3) === small)
        #expect(fill(devices: 3) !== large)
        for _ in 0..<CellBatch.size - 3 { _ = fill(devices: 1) }
        #expect(!batch.isFull)
        _ = fill(devices: 1)
        #expect(batch.isFull)
    }
}
