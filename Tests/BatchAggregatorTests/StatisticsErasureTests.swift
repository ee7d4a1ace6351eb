import AggregatorDeriving
import AggregatorFolding
import Foundation
import GRDB
import Lanes
import Models
import Seeds
import Storage
import SubjectRights
import Testing
import Wire

@testable import BatchAggregator

@Suite struct StatisticsErasureTests {
    @Test(arguments: 0..<UInt64(Seeds.share(of: 24))) func `statistics are those of the rows that are left`(
        seed: UInt64
    ) throws {
        var trial = try ErasureTrial(seed: seed)
        for _ in 0..<10 {
            let isErasing = trial.dice.chance(percent: 30)
            try trial.turn(erasing: isErasing)
            if trial.dice.chance(percent: 70) { try trial.wander() }
            if trial.dice.chance(percent: 20) { try trial.settle() }
        }
        try trial.turn(erasing: true)
        try trial.settle()
        try trial.check("all erased, seed \(seed)")
        for _ in 0..<3 { try trial.turn(erasing: false) }
        try trial.settle()
        try trial.check("others came, seed \(seed)")
    }

    private func row(_ device: Int64, minute: Int64 = 0, step: Int64 = 0, download: Int64 = 100) -> AcceptedRow {
        var row = AcceptedRow.plain(device: device, capturedAt: (NearbyRows.noon + 60 * minute) * 1_000)
        row[ColumnID.longitude] = 115_140_000 + 54_932 * step
        row[ColumnID.download] = download
        return row
    }

    /// The cells of a device's rows and all that refer to them go, and come again.
    @Test func `cells that come to nothing go`() throws {
        let world = try AggregatorWorld()
        try world.step([try world.block([row(1), row(1, minute: 90), row(2, minute: 45, step: 9)])])
        try world.settle()
        try world.step([try world.order("r", of: 1)])
        try world.settleAll()
        #expect(try world.dump() == NaiveStatistics.dump([row(2, minute: 45, step: 9)]))
        #expect(try world.published() == world.dump())
        try world.step([try world.order("s", of: 2)])
        try world.settleAll()
        #expect(try world.dump() == "")
        #expect(try world.published() == "")
        #expect(try world.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM cells") } == 0)
        try world.step([try world.block([row(3, minute: 1)])])
        try world.settle()
        #expect(try world.published() == NaiveStatistics.dump([row(3, minute: 1)]))
    }

    /// Of a cell that lost rows no older figures are left on the lane; of others all are.
    @Test func `superseded figures of its cells leave the journal`() throws {
        let world = try AggregatorWorld()
        for download in [10, 20, 30] as [Int64] {
            try world.step([
                try world.block([row(1, download: download), row(2, download: 7), row(3, step: 700, download: 8)])
            ])
            try world.settle()
        }
        let before = try words(world)
        #expect(before.values.contains { $0 > 1 })
        try world.step([try world.order("r", of: 1)])
        try world.settleAll()
        let after = try words(world)
        let concerned = try cells([row(1)]), others = Set(before.keys).subtracting(concerned)
        #expect(concerned.allSatisfy { after[$0] == 1 })
        #expect(others.allSatisfy { after[$0] == before[$0] } && !others.isEmpty)
        #expect(try world.published() == world.dump())
        #expect(try receipts(world).map(\.removed) == [3])
    }

    /// How many rows of each key are on the lane.
    private func words(_ world: AggregatorWorld) throws -> [CellKey: Int] {
        var decoder = ColumnDecoder()
        var words: [CellKey: Int] = [:]
        for block in try Journal.read(
            lane: .rollups, from: world.database.reader(), after: 0, kinds: [RecordKind.cell.id]
        ).blocks {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                words[CellKey(bytes: columns[ColumnID.key]!.value(row)!)!, default: 0] += 1
            }
        }
        return words
    }

    private func cells(_ rows: [AcceptedRow]) throws -> Set<CellKey> {
        let bench = try CellBench()
        try bench.fold(rows)
        return Set(try bench.sources().keys)
    }

    private func receipts(_ world: AggregatorWorld) throws -> [ErasureReceiptDocument] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .rollups, from: world.database.reader(), after: 0, kinds: [RecordKind.erasureReceipt.id]
        ).blocks.flatMap { try $0.columns(with: &decoder).documents(ErasureReceiptDocument.self).map(\.document) }
    }

    @Test func `nothing is signed before both lanes have come`() throws {
        let world = try AggregatorWorld()
        let first = try world.block([row(1)], lane: .realtime), second = try world.block([row(1, minute: 5)])
        try world.step([first, try world.order("r", of: 1)])
        try world.settleAll()
        #expect(try receipts(world).isEmpty)
        try world.step([second])
        try world.settleAll()
        #expect(try receipts(world).count == 1)
        #expect(try world.dump() == "")
    }

    /// A fold that was begun is finished first, whatever it is cut into; then the rows go.
    @Test func `a fold under way is finished first`() throws {
        let rows = AcceptedRow.dayInParts()
        let world = try AggregatorWorld(), fresh = try AggregatorWorld()
        try world.step((0..<6).map { try world.block(Array(rows[$0 * 4_000..<$0 * 4_000 + 4_000])) })
        try world.step()
        #expect(try isFolding(world))
        world.isRollupsFull = true
        try world.step([try world.order("r", of: 7)])
        #expect(try isFolding(world))
        for _ in 0..<200 { try world.step() }
        #expect(try receipts(world).map(\.removed) == [480])
        world.isRollupsFull = false
        try world.settleAll()
        try fresh.step([try fresh.block(rows.filter { $0[ColumnID.device] != 7 })])
        try fresh.settle()
        let dump = try fresh.dump()
        #expect(try world.dump() == dump)
        #expect(try world.published() == dump)
    }

    /// After an erasure had to wait for a fold none begins for two seconds, and nobody is called for nothing meanwhile.
    @Test func `folds wait for the turn of an erasure`() {
        let turns = CellTurns()
        #expect(turns.foldsFrom == 0)
        turns.isFolding = true
        #expect(!turns.takeSlice(1_000) && turns.isAwaited && turns.foldsFrom == nil)
        turns.isFolding = false
        #expect(!turns.isAwaited && turns.foldsFrom == nil)
        #expect(turns.takeSlice(5_000) && turns.foldsFrom == 7_000)
        #expect(turns.takeSlice(6_000) && turns.foldsFrom == 7_000)
        turns.isHeld = true
        #expect(turns.foldsFrom == nil)
        turns.erasureEnded()
        #expect(turns.foldsFrom == 0)
    }

    /// What the engine asks to be called for it then does.
    @Test func `no tick is due for nothing`() throws {
        let world = try AggregatorWorld()
        let rows = AcceptedRow.dayInParts()
        try world.step([try world.block(Array(rows[..<4_000]))])
        try world.settle()
        try world.step([try world.block(Array(rows[4_000..<8_000]))])
        world.effects.turns.isHeld = true
        #expect(world.engine.effects.nextTick == nil && world.effects.hasWork)
        world.effects.turns.isHeld = false
        let due = try #require(world.engine.effects.nextTick)
        world.now = max(due, world.now) - 1_000
        #expect(try world.step().didTick)
    }

    @Test func `rows that wait leave the day file only`() throws {
        let world = try AggregatorWorld()
        try world.step([try world.block([row(1), row(2)])])
        try world.settle()
        world.isRollupsFull = true
        try world.step([try world.block([row(1, download: 5_000), row(2, minute: 5)])])
        try world.step([try world.order("r", of: 1)])
        for _ in 0..<40 { try world.step() }
        #expect(try receipts(world).map(\.removed) == [2])
        #expect(world.effects.hasWork)
        let left = NaiveStatistics.dump([row(2), row(2, minute: 5)])
        #expect(try world.dump() == left)
        world.isRollupsFull = false
        try world.settleAll()
        #expect(try world.dump() == left)
        #expect(try world.published() == left)
    }

    /// More days than files that may be open, and rows of other days that come in between.
    @Test func `day files that were closed meanwhile are opened again`() throws {
        let world = try AggregatorWorld()
        world.bounds = ErasureBounds(searched: 1, decoded: 1, rows: 1)
        world.kill()
        try world.start()
        let rows = (0..<60).map { row(Int64($0 % 2), minute: Int64($0 / 3) * 1_440) }
        for row in rows { try world.step([try world.block([row])]) }
        try world.step([try world.order("r", of: 1)])
        var others: [AcceptedRow] = []
        for day in 0..<40 {
            others.append(row(3, minute: Int64(day % 20) * 1_440 + 7))
            try world.step([try world.block([others[day]])])
            try world.step()
        }
        try world.settleAll()
        #expect(try world.dump() == NaiveStatistics.dump(rows.filter { $0[ColumnID.device] != 1 } + others))
        #expect(try receipts(world).map(\.removed) == [30])
    }

    private func isFolding(_ world: AggregatorWorld) throws -> Bool {
        try world.database.read { try !FoldLedger.days($0).isEmpty }
    }

    @Test func `blocks of an older program are looked into once`() throws {
        let world = try AggregatorWorld()
        let rows = (0..<40).map { row(Int64($0 % 4), minute: $0) }
        for row in rows { try world.step([try world.block([row])]) }
        try world.settle()
        let file = try world.open.file(try #require(world.open.existingDays().first))
        try file.write { try $0.execute(sql: "DELETE FROM open_subjects") }
        try world.step([try world.order("r", of: 1)])
        try world.settleAll()
        let left = rows.filter { $0[ColumnID.device] != 1 }
        #expect(try world.dump() == NaiveStatistics.dump(left))
        #expect(try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM open_subjects") } == left.count)
    }

    /// Rows are noted or already out of the day file when the cells are made anew.
    @Test(arguments: [false, true]) func `a rebuild finishes what was begun`(isFileDone: Bool) throws {
        let world = try AggregatorWorld()
        let rows = [row(1), row(2), row(1, minute: 90, step: 4), row(3, minute: 90)]
        try world.step([try world.block(rows)])
        try world.settle()
        try world.step([try world.order("r", of: 1)])
        while try world.database.read({ try ErasingRows.day($0) }) == nil { try world.step() }
        if isFileDone {
            world.powerCut.arm(after: 0)
            #expect(try !world.stepOrDie())
        } else {
            world.kill()
            try world.start()
        }
        try world.database.write { try $0.execute(sql: "UPDATE cells SET samples = 0, histograms = x'00'") }
        try AggregatorRebuild.run(world.engine, world.open, world.effects, now: { world.now })
        try world.settleAll()
        let left = rows.filter { $0[ColumnID.device] != 1 }
        #expect(try world.dump() == NaiveStatistics.dump(left))
        #expect(try world.published() == world.dump())
        #expect(try receipts(world).map(\.removed) == [2])
    }

    /// The logs of day files are empty before anything is signed; who reads an older moment is waited for.
    @Test func `nothing is signed before the logs of day files are empty`() throws {
        let world = try AggregatorWorld()
        for minute in [0, 5, 2_000] as [Int64] { try world.step([try world.block([row(1, minute: minute), row(2)])]) }
        try world.settle()
        let files = try FileManager.default.contentsOfDirectory(atPath: world.path + "/open").filter {
            $0.hasSuffix(".sqlite")
        }
        #expect(files.count == 2)
        let reader = try ReadOnlyDatabase(path: world.path + "/open/" + files.max()!)
        try reader.read { db in
            _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM open_rows")
            try world.step([try world.order("r", of: 1)])
            while try isOpen(world) { try world.step() }
            #expect(try receipts(world).isEmpty)
        }
        try world.step([try world.block([row(2)])])
        for file in files { #expect(try logBytes(world, file) == 0) }
        try world.settleAll()
        #expect(try receipts(world).count == 1)
    }

    /// Whether something of an erased subject may still be in tables.
    private func isOpen(_ world: AggregatorWorld) throws -> Bool {
        try world.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM erasures WHERE state = 0") != 0 }
    }

    private func logBytes(_ world: AggregatorWorld, _ file: String) throws -> Int {
        let path = world.path + "/open/" + file + "-wal"
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
    }
}
