import AggregatorDeriving
import Foundation
import GRDB
import Lanes
import Models
import Seeds
import Storage
import SubjectRights
import Testing
import Wire

@testable import AggregatorSealing
@testable import BatchAggregator

@Suite struct SealingTests {
    private static let day: Int64 = 86_400
    /// Nine days after the local day of ``NearbyRows/noon`` and half a day: that day goes, the next one stays.
    private static let due = 1_000 * (NearbyRows.noon + 10 * day)

    /// The end of that day in Douala.
    private static let midnight = NearbyRows.noon + 5 * 3_600 + 40 * 60

    private func row(_ device: Int64, step: Int64 = 0, days: Int64 = 0) -> AcceptedRow {
        var row = AcceptedRow.plain(device: device, capturedAt: (NearbyRows.noon + days * Self.day) * 1_000)
        row[ColumnID.longitude] = 115_140_000 + 54_932 * step
        return row
    }

    /// Five devices in one place, one far away, and one of them the day after.
    private var rows: [AcceptedRow] {
        (1...5).map { row($0) } + [row(6, step: 700), row(1, days: 1)]
    }

    private func sealed(_ rows: [AcceptedRow]) -> String {
        let dump = NaiveStatistics.dump(rows)
        let end = Self.midnight
        return NaiveStatistics.sorted(
            NaiveStatistics.lines(dump, to: end, minimumDevices: AggregatorEffects.usualMinimumDevices),
            NaiveStatistics.lines(dump, from: end))
    }

    private func reports(_ world: AggregatorWorld) throws -> [RetentionReportDocument] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .rollups, from: world.database.reader(), after: 0, kinds: [RecordKind.retentionReport.id]
        ).blocks.flatMap { try $0.columns(with: &decoder).documents(RetentionReportDocument.self).map(\.document) }
    }

    private func filled(_ rows: [AcceptedRow]) throws -> AggregatorWorld {
        let world = try AggregatorWorld()
        try world.step([try world.block(rows)])
        try world.settle()
        return world
    }

    @Test func `of a day whose time is over sums of enough devices are left, and nobody can say whose`() throws {
        let world = try filled(rows)
        #expect(try world.named(before: .max) > 0)
        try world.step([try world.retention(at: Self.due)])
        try world.settleAndSweep()
        #expect(try world.dump() == sealed(rows) && world.dump() != NaiveStatistics.dump(rows))
        #expect(try world.published() == world.dump())
        let young = try #require(try world.open.existingDays().first)
        #expect(try world.open.existingDays().count == 1 && world.named(before: young) == 0)
        #expect(try world.named(before: .max) > 0)
        let report = try #require(try reports(world).first?.kinds["open_rows"])
        #expect(report.removed == 6 && report.bytes > 0)
        #expect(report.oldest == 1_000 * (young + Self.day))
        let files = try FileManager.default.contentsOfDirectory(atPath: world.path + "/open")
        #expect(files.filter { $0.hasSuffix(".sqlite") }.count == 1)
    }

    @Test func `figures of cells that went leave the lane, superseded ones too`() throws {
        let world = try filled(rows)
        try world.step([try world.block([row(6, step: 700)])])
        try world.settle()
        try world.step([try world.retention(at: Self.due)])
        try world.settleAndSweep()
        var decoder = ColumnDecoder(), figures = 0
        let blocks = try Journal.read(
            lane: .rollups, from: world.database.reader(), after: 0, kinds: [RecordKind.cell.id]
        ).blocks
        let gone = Quadkey(latitude: 38_667_000, longitude: row(6, step: 700)[ColumnID.longitude]!)!
        for block in blocks {
            let columns = try block.columns(with: &decoder)
            for place in 0..<columns.rowCount {
                let cell = CellKey(bytes: columns[ColumnID.key]!.value(place)!)!
                if cell.quadkey == gone, columns[ColumnID.histograms]?.value(place) != nil { figures += 1 }
            }
        }
        #expect(figures == 0)
    }

    @Test func `a dry run changes nothing and counts what the real run then removes`() throws {
        let world = try filled(rows)
        try world.step([try world.retention(at: Self.due, isDryRun: true)])
        try world.settleAndSweep()
        #expect(try world.dump() == NaiveStatistics.dump(rows))
        try world.step([try world.retention(at: Self.due + 1)])
        try world.settleAndSweep()
        let reports = try reports(world).compactMap { $0.kinds["open_rows"] }
        #expect(reports.count == 2 && reports[0].removed == reports[1].removed && reports[0].bytes == reports[1].bytes)
    }

    @Test func `no day is closed before all that was on the lanes is applied and in the cells`() throws {
        let world = try filled(rows)
        world.isCaughtUp = false
        try world.step([try world.retention(at: Self.due)])
        for _ in 0..<20 { try world.step() }
        #expect(try world.open.existingDays().count == 2)
        let more = (7...9).map { row($0, step: 700) } + [row(10, step: 700)]
        world.isRollupsFull = true
        try world.step([try world.block(more)])
        world.isCaughtUp = true
        for _ in 0..<20 { try world.step() }
        #expect(try world.open.existingDays().count == 2, "rows wait to be folded")
        world.isRollupsFull = false
        try world.settleAndSweep()
        #expect(try world.dump() == sealed(rows + more))
        #expect(try world.open.existingDays().count == 1)
    }

    @Test func `who was to be erased before is, who is later is in no file but in the sums`() throws {
        let world = try filled(rows + [row(7), row(8)])
        try world.step([try world.order("before", of: 7), try world.retention(at: Self.due)])
        try world.settleAndSweep()
        #expect(try world.dump() == sealed(rows + [row(8)]))
        try world.step([try world.order("after", of: 1)])
        try world.settleAndSweep()
        let left = sealed(rows + [row(8)]).split(separator: "\n").filter { line in
            Int64(line.split(separator: " ")[1])! < Self.midnight
        }
        #expect(try world.dump() == left.map { $0 + "\n" }.joined())
        #expect(try world.named(before: .max) == 0)
    }

    @Test func `a receipt waits until cells of days that were just closed name nobody`() throws {
        let world = try filled(rows)
        world.effects.sealer.sliceCells = 5
        try world.step([try world.retention(at: Self.due)])
        let young = try #require(try world.open.existingDays().last)
        while try world.open.existingDays().count > 1 { try world.step() }
        try world.step([try world.order("r", of: 1)])
        var namedSince = 0
        while try receipts(world) == 0 {
            if try world.named(before: young) > 0 { namedSince += 1 }
            try world.step()
        }
        #expect(namedSince > 3, "the cells were done before the erasure was")
        #expect(try world.named(before: young) == 0)
    }

    private func receipts(_ world: AggregatorWorld) throws -> Int {
        try Journal.read(
            lane: .rollups, from: world.database.reader(), after: 0, kinds: [RecordKind.erasureReceipt.id]
        ).blocks.count
    }

    @Test func `rows that come when their day is closed are counted and change nothing`() throws {
        let metrics = Notes()
        let world = try filled(rows)
        try world.step([try world.retention(at: Self.due)])
        try world.settleAndSweep()
        let before = try world.dump()
        world.onReport = { metrics.late += $0.lateRows }
        try world.step([try world.block([row(9), row(9, days: 1)])])
        try world.settleAndSweep()
        #expect(metrics.late == 1)
        #expect(try world.dump() == sealed(rows + [row(9, days: 1)]) && world.dump() != before)
    }

    private final class Notes { var late = 0 }

    @Test func `cells of one closing are judged alike, whatever is set meanwhile`() throws {
        let world = try filled(rows)
        world.effects.sealer.sliceCells = 5
        try world.step([try world.retention(at: Self.due)])
        while try world.open.existingDays().count > 1 { try world.step() }
        try world.step()
        world.kill()
        world.minimumDevices = 6
        try world.start()
        try world.settleAndSweep()
        #expect(try world.dump() == sealed(rows))
    }

    /// 18:00 to 19:00 UTC is cut by midnight in India. Its only rows are of the second day, of which a part is erased as soon
    /// as the first is closed.
    @Test func `an hour across midnight keeps what it had when it was closed`() throws {
        let world = try AggregatorWorld(zone: "Asia/Kolkata")
        let hour = NearbyRows.noon - NearbyRows.noon % 3_600 + 3_600
        let some = (1...5).map { AcceptedRow.plain(device: $0, capturedAt: (hour + 2_100) * 1_000) }
        let before = AcceptedRow.plain(device: 9, capturedAt: (hour - 7_200) * 1_000)
        try world.step([try world.block(some + [before])])
        try world.settle()
        let had = NaiveStatistics.dump(some, offset: { _ in 19_800 })
        world.effects.sealer.sliceCells = 1
        try world.step([try world.retention(at: Self.due)])
        while try world.open.existingDays().count > 1 { try world.step() }
        for device in 1...5 as ClosedRange<UInt64> {
            let scope = ErasureScope(
                from: (hour + 1_800) * 1_000, to: (hour + 3_600) * 1_000, cells: nil, requestedAt: Self.due)
            try world.step([try world.order("r\(device)", of: device, scope)])
        }
        try world.settleAndSweep()
        let kept = had.split(separator: "\n").filter { $0.hasPrefix("3600 ") }.map { $0 + "\n" }.joined()
        #expect(try !kept.isEmpty && world.dump() == kept)
        #expect(try world.published() == kept)
    }

    @Test func `a restored home closes no day before it has heard of the erasures since`() throws {
        let world = try filled(rows)
        let batch = Restoration.Lane(
            lane: .batch, oldGeneration: world.position(.batch).generation, head: 1, generation: 4_000)
        let rollups = Restoration.Lane(
            lane: .rollups, oldGeneration: world.journal.generation, head: world.journal.head, generation: 4_001)
        let restoration = Restoration(
            id: "r", backedUpAt: 0, restoredAt: 0, lanes: [batch, rollups], readers: [], awaitedErasures: ["since"])
        world.kill()
        try world.start(restoration)
        world.restoreLanes(restoration.lanes)
        try world.step([try world.retention(at: Self.due)])
        for _ in 0..<20 { try world.step() }
        #expect(try world.open.existingDays().count == 2)
        try world.step([try world.order("since", of: 5)])
        try world.settleAndSweep()
        let left = rows.filter { $0[ColumnID.device] != 5 }
        #expect(try world.dump() == sealed(left) && world.open.existingDays().count == 1)
    }

    @Test func `a rebuild leaves sealed cells as they are`() throws {
        let world = try filled(rows)
        try world.step([try world.retention(at: Self.due)])
        try world.settleAndSweep()
        let before = try world.dump()
        try AggregatorRebuild.run(world.engine, world.open, world.effects, now: { world.now })
        #expect(try world.dump() == before && world.published() == before)
        #expect(try world.named(before: .max) > 0)
    }

    @Test func `a day is sealed once, whatever is ordered again`() throws {
        let world = try filled(rows)
        for number in 0..<3 {
            try world.step([try world.retention(at: Self.due + Int64(number))])
            try world.settleAndSweep()
        }
        #expect(try reports(world).last?.kinds["open_rows"]?.removed == 0)
        #expect(try world.dump() == sealed(rows))
    }

    @Test(arguments: 0..<UInt64(Seeds.share(of: 8)), [("Africa/Douala", Int64(3_600)), ("Asia/Kolkata", 19_800)])
    func `statistics are those of the rows when their day was closed`(
        seed: UInt64, zone: (name: String, offset: Int64)
    ) throws {
        var trial = try SealingTrial(seed: seed, zone: zone.name, offset: zone.offset)
        for days in [3, 2, 1, 0, -1, -2] as [Int64] {
            for _ in 0..<3 { try trial.turn() }
            try trial.seal(daysAgo: days)
            if trial.dice.chance(percent: 50) { try trial.settle() }
        }
        try trial.settle()
        try trial.check("seed \(seed) in \(zone.name)")
        #expect(trial.closed > 0 && trial.removed > 0)
    }
}
