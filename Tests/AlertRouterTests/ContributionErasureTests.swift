import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import AlertRouter

@Suite
struct ContributionErasureTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    private func order(
        _ number: UInt64, _ device: UInt64, scope: ErasureScope = .everything, barrier: UInt64 = 0
    ) throws -> LaneBlock {
        let document = ErasureSubjectDocument(
            request: "r\(number)", subject: "ab", scope: scope,
            barriers: [Position(lane: .realtime, generation: 7, block: barrier)])
        let columns = try ErasureSubject.columns([ErasureSubject(device: device, document: document)])
        return try LaneBlock(.privacy, number, .erasureSubject, columns, subjects: [device])
    }

    private func settle(_ bench: RouterBench, at now: UnixMilliseconds) throws {
        for _ in 0..<40 { try bench.engine.step([], now: now) }
    }

    /// Contributions that stand in the journal, by device.
    private func journal(_ bench: RouterBench) throws -> [Int64] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .alerts, from: bench.database.reader(), after: 0, kinds: [RecordKind.contribution.id]
        ).blocks.flatMap { try $0.columns(with: &decoder)[ColumnID.device]?.integers ?? [] }
    }

    private func receipts(_ bench: RouterBench) throws -> Int {
        try Journal.read(
            lane: .alerts, from: bench.database.reader(), after: 0, kinds: [RecordKind.erasureReceipt.id]
        ).blocks.reduce(0) { $0 + $1.header.rowCount }
    }

    @Test
    func `of an erased device an alarm keeps its counts, and later devices are counted as before`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop(), .drop(), .drop(device: 2)])], now: start)
        try bench.engine.step([order(1, 1, barrier: 1)], now: start)
        try settle(bench, at: start)
        #expect(try receipts(bench) == 1)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 1") == 0)
        #expect(try bench.number("SELECT devices FROM alarms") == 2)
        #expect(try bench.number("SELECT records FROM alarms") == 3)
        #expect(try journal(bench) == [2])
        try bench.engine.step([Urgent.block(2, [.drop(device: 2), .drop(device: 3)])], now: start + 2_000)
        #expect(try bench.number("SELECT devices FROM alarms") == 3)
        #expect(try bench.number("SELECT records FROM alarms") == 5)
        let body = try Inflater.inflate(try #require(bench.messages.last).body, format: .zlib, limit: 10_000)
        #expect(String(decoding: body, as: UTF8.self).contains("\"devices\":3,\"records\":5"))
    }

    @Test
    func `what was not told of a device yet is not told after its erasure, the alarm's counts are`() throws {
        let bench = try RouterBench()
        try bench.engine.step([Urgent.block(1, [.drop(), .drop(device: 2)])], now: start)
        try bench.engine.step([Urgent.block(2, [.drop(), .drop(device: 2)])], now: start + 10)
        try bench.engine.step([order(1, 1, barrier: 2)], now: start + 20)
        try settle(bench, at: start + 20)
        #expect(try receipts(bench) == 1 && bench.messages.count == 1)
        try bench.engine.step([], now: start + 5_000)
        #expect(bench.messages.count == 2)
        #expect(try journal(bench) == [2, 2])
    }

    @Test
    func `rows that come after the order count in no alarm, and nothing is signed before they came`() throws {
        let bench = try RouterBench()
        try bench.engine.step([order(1, 1, barrier: 1)], now: start)
        try settle(bench, at: start)
        #expect(try receipts(bench) == 0)
        try bench.engine.step([Urgent.block(1, [.drop(), .drop(device: 2)])], now: start)
        try settle(bench, at: start)
        #expect(try receipts(bench) == 1)
        #expect(try bench.number("SELECT records FROM alarms") == 1)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 1") == 0)
    }

    /// One alarm in each of several cells, reported by devices 1 and 2 at different times.
    private func alarms(_ count: Int, _ bench: RouterBench) throws {
        for number in 1...count {
            var mine = Urgent.drop(at: start + Int64(number) * 300_000), other = mine
            mine.latitude = 40_510_000 + Int64(number) * 100_000
            other.latitude = mine.latitude
            other.device = 2
            try bench.engine.step([Urgent.block(UInt64(number), [mine, other])], now: mine.receivedAt)
        }
        #expect(try bench.number("SELECT count(*) FROM alarms") == Int64(count))
    }

    @Test
    func `of a time only what was first reported in it goes, of an area only its alarms`() throws {
        for (cells, left) in [(nil, 4), ([Quadkey(latitude: 40_510_000 + 300_000, longitude: 97_680_000)!], 5)] {
            let bench = try RouterBench()
            try alarms(6, bench)
            let floor = start / 300_000 * 300_000
            let scope = ErasureScope(
                from: floor + 2 * 300_000, to: floor + 4 * 300_000, cells: cells, requestedAt: start + 86_400_000)
            try bench.engine.step([order(1, 1, scope: scope, barrier: 6)], now: start + 3_000_000)
            try settle(bench, at: start + 3_000_000)
            #expect(try receipts(bench) == 1)
            #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 1") == Int64(left))
            #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 2") == 6)
            #expect(try journal(bench).filter { $0 == 1 }.count == left)
        }
    }

    @Test
    func `a device whose time in an alarm is not known goes from it if the alarm meets the scope`() throws {
        let bench = try RouterBench()
        try alarms(6, bench)
        try bench.database.write { try $0.execute(sql: "UPDATE alarm_devices SET records = NULL, first_at = NULL") }
        let floor = start / 300_000 * 300_000
        let scope = ErasureScope(
            from: floor + 2 * 300_000, to: floor + 4 * 300_000, cells: nil, requestedAt: start + 86_400_000)
        try bench.engine.step([order(1, 1, scope: scope, barrier: 6)], now: start + 3_000_000)
        try settle(bench, at: start + 3_000_000)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 1") == 4)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 2") == 6)
    }

    /// A device in many alarms, without the way through the lane.
    private func fill(_ bench: RouterBench, alarms: Int64) throws {
        try bench.database.write { db in
            for number in 1...alarms {
                try db.execute(
                    sql: """
                        INSERT INTO alarms (number, id, rule, scheme, owner_scheme, owner, subject, episode, severity, problem,
                            raised_at, changed_at, records, devices, published_at)
                        VALUES (?1, ?1, 'urgent', 'cell', 'plmn', 624001, '', ?1, 'major', 3, 5, 6, 2, 2, 6)
                        """,
                    arguments: [number])
                for device in 1...2 as ClosedRange<Int64> {
                    try db.execute(
                        sql: "INSERT INTO alarm_devices VALUES (?, ?, 1, ?, 1)",
                        arguments: [number, device, number])
                }
            }
        }
    }

    @Test
    func `a slice looks at a bounded number of rows, of a part too, and finds them by the device`() throws {
        for scope in [
            ErasureScope.everything, ErasureScope(from: 300_000, to: nil, cells: nil, requestedAt: 600_000),
        ] {
            let bench = try RouterBench()
            try fill(bench, alarms: 450)
            let document = ErasureSubjectDocument(request: "r", subject: "ab", scope: scope, barriers: [])
            var erasure = ContributionErasure(), slices = 0, removed = 0, isDone = false
            while !isDone {
                let slice = try bench.database.write {
                    try erasure.next([ErasureSubject(device: 1, document: document)], $0)
                }
                slices += 1
                #expect(slice.removed[1] ?? 0 <= ContributionErasure.rowsAtOnce)
                removed += slice.removed[1] ?? 0
                isDone = slice.isDone
            }
            #expect(slices == 5)
            #expect(removed == (scope.isEverything ? 450 : 0))
            #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 2") == 450)
        }
        let bench = try RouterBench()
        let plan = try bench.database.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN SELECT alarm FROM alarm_devices WHERE device = 1 AND alarm > 2"
            )
            .map { $0["detail"] as String }
        }
        #expect(plan.contains { $0.contains("contributions_of_device (device=? AND alarm>?)") })
    }

    @Test(arguments: 1...12)
    func `a crash after any commit ends the same`(_ commits: Int) throws {
        let bench = try RouterBench()
        try fill(bench, alarms: 320)
        try bench.engine.step([Urgent.block(1, [.drop(), .drop(device: 2)])], now: start)
        try bench.engine.step([order(1, 1, barrier: 1)], now: start)
        for _ in 1..<commits { try bench.engine.step([], now: start) }
        try bench.restart()
        try settle(bench, at: start)
        #expect(try receipts(bench) == 1)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 1") == 0)
        #expect(try bench.number("SELECT count(*) FROM alarm_devices WHERE device = 2") == 321)
        #expect(try bench.number("SELECT sum(devices) FROM alarms") == 642)
        #expect(try journal(bench) == [2])
        #expect(try bench.number("SELECT count(*) FROM erasures WHERE device IS NOT NULL") == 0)
    }
}
