import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import AlertRouter

@Suite struct RouterRetentionTests {
    private static let day = RetentionOrderDocument.dayMilliseconds
    /// 2026-03-01T00:00:00Z.
    private static let now: UnixMilliseconds = 1_772_323_200_000
    private let bench = try! RouterBench()
    private let blocks = Blocks()

    private final class Blocks { var last: UInt64 = 0 }

    /// An alarm in a cell of its own, reported by some devices so many days ago.
    private func alarm(_ number: Int, ago days: Int64, devices: [Int64]) throws {
        let time = Self.now - days * Self.day
        let rows = devices.map { device in
            var row = Urgent.drop(device: device, at: time)
            row.latitude = 40_510_000 + Int64(number) * 100_000
            return row
        }
        blocks.last += 1
        try bench.engine.step([Urgent.block(blocks.last, rows)], now: time)
    }

    /// The lane is read to its end: alarms that are over are cleared.
    private func end() throws { try bench.complete(to: Self.now, now: Self.now) }

    private func order(isDryRun: Bool = false, number: UInt64 = 1, contributions: Int = 365, alarms: Int = 365) throws {
        try end()
        let order = RetentionOrderDocument(
            issuedAt: Self.now + Int64(number), isDryRun: isDryRun, source: .schedule,
            days: [.contributions: contributions, .alarms: alarms])
        try bench.engine.step(
            [LaneBlock(.privacy, number, .retentionOrder, .documents([(order.key, order)]))], now: Self.now)
        for step in 0..<100 {
            let now = Self.now + Int64(step) * 1_000
            try bench.engine.step([], now: now)
            try bench.engine.maintain(now: now)
        }
    }

    private func reports() throws -> [RetentionReportDocument] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .alerts, from: bench.database.reader(), after: 0, kinds: [RecordKind.retentionReport.id]
        ).blocks.flatMap { try $0.columns(with: &decoder).documents(RetentionReportDocument.self).map(\.document) }
    }

    /// What a reader that begins today is told of a kind: keys with a document, and removed ones.
    private func lane(_ kind: RecordKind) throws -> (there: Set<String>, gone: Set<String>) {
        var decoder = ColumnDecoder(), there: Set<String> = [], gone: Set<String> = []
        for block in try Journal.read(lane: .alerts, from: bench.database.reader(), after: 0, kinds: [kind.id]).blocks {
            let columns = try block.columns(with: &decoder)
            for row in 0..<columns.rowCount {
                let key = String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self)
                if columns[ColumnID.document]?.value(row) == nil { gone.insert(key) } else { there.insert(key) }
            }
        }
        return (there, gone)
    }

    /// Everything but what retention, lanes and cursors keep for themselves.
    private func tables() throws -> [String] {
        try bench.database.read { db in
            let names = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'retention_%'
                        AND name NOT LIKE 'lane_%' AND name NOT IN ('cursors', 'sqlite_sequence') ORDER BY name
                    """)
            return try names.flatMap { name in
                try Row.fetchAll(db, sql: "SELECT * FROM \(name)").map { "\(name) \($0)" }
            }
        }
    }

    private func alarms() throws -> [String] {
        try bench.database.read { db in
            try Row.fetchAll(db, sql: "SELECT id FROM alarms ORDER BY number").map {
                $0["id"]
            }
        }
    }

    /// What a report says was removed, or would be: records and bytes.
    private func counted(_ report: RetentionReportDocument) -> [String: [Int]] {
        report.kinds.mapValues { [$0.removed, $0.bytes] }
    }

    @Test func `an alarm of a year ago goes with its devices, its messages and its place on the lane`() throws {
        try alarm(1, ago: 366, devices: [1, 2])
        try alarm(2, ago: 364, devices: [1])
        let old = try alarms()[0], young = try alarms()[1]
        try order()
        #expect(try alarms() == [young])
        #expect(try bench.number("SELECT count(*) FROM alarm_devices") == 1)
        // It was cleared under two topics.
        #expect(try bench.number("SELECT count(*) FROM alert_messages") == 2)
        #expect(try bench.number("SELECT count(*) FROM alert_latest") == 1)
        let told = try lane(.alarm), contributions = try lane(.contribution)
        #expect(told.there == [young] && told.gone == [old])
        #expect(contributions.there == ["\(young)/1"] && contributions.gone == ["\(old)/1", "\(old)/2"])
        let report = try #require(try reports().first)
        #expect(report.kinds["alarms"] == RetentionFigures(removed: 1, oldest: Self.now - 364 * Self.day))
        #expect(report.kinds["contributions"] == RetentionFigures(removed: 2, oldest: Self.now - 364 * Self.day))
        // A new one in the same cell is another alarm.
        try alarm(1, ago: 0, devices: [3])
        #expect(try alarms().count == 2 && !alarms().contains(old))
    }

    @Test func `of alarms that stay those who counted long ago are forgotten, and their counts stay`() throws {
        try alarm(1, ago: 40, devices: [1, 2])
        try alarm(1, ago: 10, devices: [2, 3, 4])
        try order(contributions: 30)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices") == 3)
        #expect(try bench.number("SELECT devices FROM alarms WHERE episode = 1") == 2)
        #expect(try bench.number("SELECT devices FROM alarms WHERE episode = 2") == 3)
    }

    @Test func `an episode's number is not given again when its alarm is gone, nor in a home that was restored`() throws
    {
        try alarm(1, ago: 400, devices: [1])
        try alarm(1, ago: 390, devices: [1])
        try alarm(2, ago: 380, devices: [1])
        try order()
        #expect(try alarms().isEmpty && bench.number("SELECT count(*) FROM alarm_episodes") == 2)
        try alarm(1, ago: 1, devices: [1])
        #expect(try bench.number("SELECT episode FROM alarms") == 3)
        let restoration = Restoration(
            id: "r", backedUpAt: Self.now - 5_000, restoredAt: Self.now, lanes: [], readers: [])
        try bench.database.write { try AlertRouterEffects.takeIn(restoration, $0) }
        try alarm(1, ago: 0, devices: [1])
        try alarm(9, ago: 0, devices: [1])
        #expect(try alarms().count == 3 && Set(alarms()).count == 3)
        #expect(try bench.number("SELECT min(episode) FROM alarms WHERE raised_at = \(Self.now)") == 1_009)
    }

    @Test func `devices whose time nobody noted go when their alarm is old`() throws {
        try alarm(1, ago: 366, devices: [1, 2])
        try alarm(2, ago: 10, devices: [1])
        try bench.database.write { try $0.execute(sql: "UPDATE alarm_devices SET first_at = NULL") }
        try order(alarms: 3_650)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices") == 1)
        #expect(try bench.number("SELECT count(*) FROM alarms") == 2)
    }

    @Test func `a dry run changes nothing and counts what the real run then removes`() throws {
        for number in 1...30 { try alarm(number, ago: Int64(350 + number), devices: Array(1...Int64(number))) }
        try end()
        // Whatever housekeeping does is done.
        try bench.engine.step([], now: Self.now)
        let before = try tables()
        try order(isDryRun: true)
        #expect(try tables() == before && lane(.alarm).gone.isEmpty && lane(.contribution).gone.isEmpty)
        try order(number: 2)
        #expect(try reports().map(\.isDryRun) == [true, false])
        #expect(try counted(reports()[0]) == counted(reports()[1]))
        #expect(try reports()[1].kinds["alarms"]?.removed == 15 && alarms().count == 15)
    }

    @Test func `an erased device's number goes from the lane even where only its removal is left`() throws {
        try alarm(1, ago: 366, devices: [1, 2])
        try order()
        #expect(try lane(.contribution).gone.count == 2)
        let document = ErasureSubjectDocument(
            request: "r", subject: "ab", scope: .everything,
            barriers: [Position(lane: .realtime, generation: 7, block: 1)])
        let columns = try ErasureSubject.columns([ErasureSubject(device: 1, document: document)])
        try bench.engine.step([LaneBlock(.privacy, 2, .erasureSubject, columns, subjects: [1])], now: Self.now)
        for _ in 0..<60 { try bench.engine.step([], now: Self.now) }
        #expect(try lane(.contribution).gone.map { $0.hasSuffix("/2") } == [true])
        let keys = try bench.database.read {
            try String.fetchAll($0, sql: "SELECT CAST(key AS TEXT) FROM lane_alerts_keys")
        }
        #expect(!keys.contains { $0.hasSuffix("/1") })
    }
}
