import Foundation
import Models
import QoE
import Testing

@testable import AggregatorCells
@testable import AggregatorDeriving

@Suite struct FoldRowsTests {
    private static let devices: Int64 = 40

    /// Rows at many places, a share of them at one, some at none.
    private func table(_ seed: UInt64, atOnePlace percent: Int = 0) throws -> [DayRows] {
        var dice = SplitMix64(seed: seed)
        var deriver = OpenRowDeriver(.qoe, timeZone: .gmt)
        return try deriver.derive(
            AcceptedRow.table(
                (0..<3_000).map { _ in
                    var row = AcceptedRow.plain(device: Int64.random(in: 1...Self.devices, using: &dice))
                    row[ColumnID.latitude] = Int64.random(in: 38_000_000...42_000_000, using: &dice)
                    row[ColumnID.longitude] = Int64.random(in: 97_000_000...101_000_000, using: &dice)
                    if dice.chance(percent: percent) {
                        row[ColumnID.latitude] = 40_000_000
                        row[ColumnID.longitude] = 99_000_000
                    }
                    if dice.chance(percent: 5) { row[ColumnID.latitude] = nil }
                    row[ColumnID.mnc] = dice.pick([1, 2])
                    row[ColumnID.download] = dice.pick([nil, 10])
                    return row
                }), kind: RecordKind.report.id)
    }

    private func rows(_ seed: UInt64, atOnePlace percent: Int = 0, in range: FoldRange = FoldRange()) throws -> FoldRows
    {
        var rows = FoldRows(.qoe, range)
        for day in try table(seed, atOnePlace: percent) { try rows.add(day.rows) }
        return rows
    }

    private func parts(_ rows: FoldRows, _ count: Int) -> [FoldPart] {
        var rows = rows, parts: [FoldPart] = []
        rows.cut(parts: count)
        while let part = rows.takePart() { parts.append(part) }
        return parts
    }

    /// Whatever is cut out of rows, each record is in one of the parts.
    private func expectEach(_ parts: [FoldPart], of count: Int) {
        var sum = CellSum(), scratch = CellSum.Scratch(), unpacked: [CellHistograms.Entry] = [], records = 0
        for part in parts {
            var slice = RowSlice(.qoe)
            slice.load(part)
            records += slice.rowCount
            #expect(Set(slice.keys).count == slice.keys.count)
            for number in slice.keys.indices {
                let before = sum.samples
                slice.add(number, to: &sum, scratch: &scratch, unpacked: &unpacked)
                #expect(sum.samples > before, "a base cell without records")
            }
        }
        #expect(records == count && sum.samples == count && sum.devices.ordinals == Array(1...UInt32(Self.devices)))
    }

    @Test(arguments: [1, 2, 7, 40], [0, 60, 100]) func `every row is in one part`(parts count: Int, percent: Int) throws
    {
        let rows = try rows(1, atOnePlace: percent), parts = parts(rows, count)
        expectEach(parts, of: 3_000)
        #expect(parts.count > count / 2 && parts.count <= 2 * count)
        for part in parts {
            var slice = RowSlice(.qoe)
            slice.load(part)
            #expect(9 * slice.rowCount + FoldRows.baseBytes * slice.keys.count < 3 * rows.byteCount / count)
        }
        #expect(parts.last?.last == .max)
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.last < $1.last })
    }

    @Test func `parts are neighbourhoods one after another`() throws {
        let places = parts(try rows(2), 9).map { Set($0.keys.map { PlaceKey.neighbourhood($0.place) }) }
        #expect(places.count == 9)
        for (one, next) in zip(places, places.dropFirst()) { #expect(one.max()! < next.min()!) }
    }

    /// An interrupted fold reads the rows that are left, and cuts them as it likes.
    @Test(arguments: [0, 60, 100]) func `what is left behind a part is what was not in one`(percent: Int) throws {
        let whole = try rows(3, atOnePlace: percent)
        for part in [0, 2, 5] {
            let first = Array(parts(whole, 8).prefix(part + 1))
            let left = try rows(3, atOnePlace: percent, in: FoldRange(first: first.last!.last + 1))
            expectEach(first + parts(left, 3), of: 3_000)
        }
    }

    @Test(arguments: [0, 60, 100], [2, 5, 100]) func `a pass has its share of the rows`(percent: Int, passes: Int)
        throws
    {
        var first = try rows(4, atOnePlace: percent)
        let bytes = first.byteCount
        let isNarrowed = first.narrow(parts: passes)
        #expect(isNarrowed)
        #expect(first.byteCount < 2 * bytes / passes + bytes / Int(Self.devices) && first.count > 0)
        let rest = try rows(4, atOnePlace: percent, in: FoldRange(first: first.range.last + 1))
        #expect(first.count + rest.count == 3_000)
        expectEach(parts(first, 2) + parts(rest, 2), of: 3_000)
    }

    /// A million rows in as many places take more than in one.
    @Test func `what is kept of base cells counts`() throws {
        let spread = try rows(6), together = try rows(6, atOnePlace: 100)
        #expect(spread.bases > 1_000 && together.bases < 10)
        #expect(spread.byteCount - together.byteCount == FoldRows.baseBytes * (spread.bases - together.bases))
    }

    /// The last place of all, that of rows without one, has more than half.
    @Test(arguments: [2, 3]) func `a pass leaves out rows without a place`(passes: Int) throws {
        var rows = FoldRows(.qoe)
        for day in try table(7) { try rows.add(day.rows) }
        var dice = SplitMix64(seed: 8), deriver = OpenRowDeriver(.qoe, timeZone: .gmt)
        let nowhere = (0..<12_000).map { _ in
            var row = AcceptedRow.plain(device: Int64.random(in: 1...Self.devices, using: &dice))
            row[ColumnID.latitude] = nil
            return row
        }
        for day in try deriver.derive(AcceptedRow.table(nowhere), kind: RecordKind.report.id) { try rows.add(day.rows) }
        let isNarrowed = rows.narrow(parts: passes)
        #expect(isNarrowed && rows.count > 1_000 && rows.count < 14_000)
    }

    /// Rows that come after a pass was narrowed are sifted as those before.
    @Test func `a pass takes nothing behind its end`() throws {
        var rows = try rows(5, atOnePlace: 50)
        let isNarrowed = rows.narrow(parts: 3)
        #expect(isNarrowed)
        let count = rows.count
        for day in try table(5, atOnePlace: 50) { try rows.add(day.rows) }
        #expect(rows.count == 2 * count)
    }

    @Test func `rows of one device at one place stay together`() throws {
        var deriver = OpenRowDeriver(.qoe, timeZone: .gmt)
        var rows = FoldRows(.qoe)
        for day in try deriver.derive(
            AcceptedRow.table((0..<10).map { _ in AcceptedRow.plain(device: 3) }), kind: RecordKind.report.id)
        {
            try rows.add(day.rows)
        }
        var narrowed = 0
        while rows.narrow(parts: 2) { narrowed += 1 }
        #expect(rows.count == 10 && narrowed <= 16)
    }
}
