import GRDB
import Lanes
import Models
import PowerCut
import QoE
import Storage
import TemporaryFiles
import Testing

@testable import AlertRouter

/// A database from before alarms had keys of rule, owner, subject and episode.
@Suite struct AlarmsByKeyTests {
    private let directory: TemporaryDirectory
    /// When alarm 1 was raised; each further one a second later.
    private static let start: UnixMilliseconds = 1_750_000_000_000
    /// What identifiers were before, by number.
    private static let identifiers = [
        1: "62401-\(Urgent.cell.text)-1750000001000", 2: "62401-none-1750000002000", 3: "unknown-none-1750000003000",
        4: "310260-\(Urgent.cell.text)-1750000004000", 5: "erasures-1750000005000", 6: "erasures-1750000006000",
        7: "erasures-1750000007000",
    ]

    init() throws { directory = try TemporaryDirectory() }

    private func open(
        _ migrations: [Migration] = AlertRouterEffects.migrations, vfs: String? = nil
    ) throws -> ServiceDatabase {
        try ServiceDatabase(
            path: directory.path("state.sqlite"), migrations: migrations, options: DatabaseOptions(vfs: vfs))
    }

    /// Of networks with and without a cell, two of late erasures that are over, and one that is not.
    private func makeOld(devices: Int = 3) throws {
        let database = try open(Array(AlertRouterEffects.migrations.prefix(8)))
        let cell = Int64(Urgent.cell.code)
        let alarms: [(Int64, Int64, Int64)] = [
            (624_001, cell, 3), (624_001, -1, 1), (0, -1, 4), (310_260, cell, 2), (0, -7, 5), (0, -8, 5), (0, -2, 5),
        ]
        try database.write { db in
            for (number, alarm) in zip(Int64(1)..., alarms) {
                let raised = Self.start + number * 1_000
                try db.execute(
                    sql: "INSERT INTO alarms VALUES (?, ?, ?, ?, ?, ?, ?, 9, 3, ?, ?)",
                    arguments: [
                        number, alarm.0, alarm.1, alarm.1 < -2 ? "cleared" : "major", alarm.2, raised, raised + 10,
                        raised + 20, number == 2 ? raised + 30 : nil as Int64?,
                    ])
            }
            try db.execute(
                sql: """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(devices))
                    INSERT INTO alarm_devices
                        SELECT number, i, nullif(i, 2), iif(i = 2, NULL, raised_at), i % 2 FROM alarms, n WHERE cell >= -1;
                    INSERT INTO alarm_networks VALUES (1, 624002), (4, 624001);
                    INSERT INTO tenants VALUES (1, 'mtn', '62401 62404', 0, 'k1', 7, 7, 0),
                        (2, 'art', '', 1, 'k2', 7, 7, 0), (3, 'gone', '', 0, '', 0, 7, 2);
                    INSERT INTO alert_latest VALUES (1, 1, 4);
                    """)
        }
    }

    private func rows(_ database: ServiceDatabase, _ sql: String) throws -> [String] {
        try database.read { db in try Row.fetchAll(db, sql: sql).map { "\($0)" } }
    }

    private static let contents = """
        SELECT number, severity, problem, raised_at, changed_at, records, devices, published_at, due_at FROM alarms
        """

    @Test func `alarms of before keep numbers, identifiers, counts, devices and networks`() throws {
        try makeOld()
        let old = try open(Array(AlertRouterEffects.migrations.prefix(8)))
        let kept = [Self.contents, "SELECT * FROM alarm_devices", "SELECT * FROM alarm_networks"]
        let before = try kept.map { try rows(old, $0) }
        let database = try open()
        #expect(try kept.map { try rows(database, $0) } == before && before.allSatisfy { !$0.isEmpty })
        let store = AlertRouterStore(try AlarmProblems(.qoe))
        let alarms = try database.read { db in
            try Row.fetchAll(db, sql: "SELECT \(AlertRouterStore.columns) FROM alarms").map(store.stored)
        }
        #expect(Dictionary(uniqueKeysWithValues: alarms.map { (Int($0.number), $0.alarm.id) }) == Self.identifiers)
        #expect(alarms.allSatisfy { $0.alarm.id == $0.alarm.key.id(raisedAt: $0.alarm.raisedAt) })
        #expect(alarms.map(\.alarm.key.episode) == [1, 1, 1, 1, 1, 2, 3])
        #expect(
            alarms.map(\.alarm.problem) == [
                .callDrop, .emergency, .badRating, .noService, .lateErasures, .lateErasures, .lateErasures,
            ])
        #expect(alarms[3].alarm.topic == "alerts/310260/major/\(Urgent.cell.text)")
        let late = try database.read { try store.alarm(.lateErasures(), $0) }
        #expect(late?.number == 7 && late?.alarm.severity == .major)
    }

    @Test func `tenants of before own the same networks`() throws {
        try makeOld()
        let tenants = try open().read { try TenantStore().register($0).tenants }
        #expect(tenants.map(\.name) == ["mtn", "art"])
        #expect(tenants[0].scopes == [Scope(PLMN(mcc: 624, mnc: 1)), Scope(PLMN(mcc: 624, mnc: 4))])
        #expect(tenants[1].scopes.isEmpty && tenants[1].isRegulator)
        let numbers = try open().read { try Int64.fetchAll($0, sql: AlertRouterStore.numbers(for: tenants[0])) }
        #expect(numbers.sorted() == [1, 2, 4])
    }

    @Test func `what is there afterwards is what a new database has`() throws {
        try makeOld()
        let schema =
            "SELECT type, name, replace(replace(sql, '\"', ''), char(10), ' ') FROM sqlite_master ORDER BY name"
        let new = try ServiceDatabase(path: ":memory:", migrations: AlertRouterEffects.migrations)
        let database = try open()
        #expect(try rows(database, schema) == rows(new, schema))
        #expect(try rows(database, schema).allSatisfy { !$0.contains("keyed_") })
        #expect(try rows(database, "PRAGMA foreign_key_check").isEmpty)
        try database.write { try $0.execute(sql: "DELETE FROM alarms WHERE number = 1") }
        #expect(try rows(database, "SELECT * FROM alarm_devices WHERE alarm = 1").isEmpty)
        #expect(try rows(database, "SELECT * FROM alarm_networks").count == 1)
    }

    @Test func `records go on counting in the alarm of before`() throws {
        try makeOld()
        let database = try open()
        let effects = try AlertRouterEffects(programmes: .raisingAll, database: database) { _ in }
        let journal = try Journal(lane: .alerts, in: database, newGeneration: { 5 })
        let engine = try EffectEngine(
            database: database, reads: AlertRouterEffects.subscriptions(.raisingAll).filter { $0.lane != .privacy },
            journals: [journal], effects: effects)
        try engine.step([Urgent.block(1, [.drop(device: 1), .drop(device: 99)])], now: Self.start + 60_000)
        #expect(
            try rows(database, "SELECT id, records, devices FROM alarms WHERE number = 1").first?.contains(
                "devices:4") == true)
        #expect(try rows(database, "SELECT * FROM alarms").count == 7)
    }

    @Test func `after power cuts the step is done wholly or not at all, and goes on`() throws {
        var cuts = 0
        for seed in UInt64(0)..<6 { cuts += try AlarmsByKeyTests().cutAndGoOn(seed: seed) }
        #expect(cuts > 12, "the power was hardly cut in the step")
    }

    /// The power is cut after no write, after one, and so on until the step is done; how often.
    private func cutAndGoOn(seed: UInt64) throws -> Int {
        try makeOld(devices: 500)
        let disk = PowerCutDisk(directory: directory.path)
        var random = SplitMix64(seed: seed)
        var cuts = 0, isDone = false
        while !isDone {
            disk.stop(after: cuts)
            do {
                _ = try open(vfs: PowerCutDisk.vfs)
                isDone = true
            } catch is StorageError { cuts += 1 }
            disk.cut(seed: random.next())
        }
        let database = try open(vfs: PowerCutDisk.vfs)
        let found = try database.read { try String.fetchAll($0, sql: "SELECT id FROM alarms ORDER BY number") }
        #expect(found == Self.identifiers.sorted { $0.key < $1.key }.map(\.value), "seed \(seed)")
        #expect(try rows(database, "SELECT * FROM alarm_devices").count == 2_000, "seed \(seed)")
        #expect(try rows(database, "PRAGMA integrity_check") == ["[integrity_check:\"ok\"]"], "seed \(seed)")
        return cuts
    }
}
