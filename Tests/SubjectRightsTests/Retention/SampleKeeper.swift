import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Wire

/// A service that keeps alarms by their time in a table and on its lane, for tests of what is around it.
final class SampleKeeper {
    static let day = RetentionOrderDocument.dayMilliseconds
    /// Midnight, UTC.
    static let now = 1_772_323_200_000 as Int64
    let database: ServiceDatabase
    private(set) var journal: Journal
    private(set) var alarms: SampleAlarms
    private var engine: EffectEngine
    private var encoder = ColumnEncoder()
    private var orders: UInt64 = 0
    private let told = Told()
    private final class Told { var outcomes: [RetentionOutcome] = [] }

    /// What was reported after commits.
    var outcomes: [RetentionOutcome] { told.outcomes }

    init(path: String = ":memory:") throws {
        database = try ServiceDatabase(
            path: path,
            migrations: [Migration("kept", sql: "CREATE TABLE kept (number INTEGER PRIMARY KEY, at INTEGER)")])
        (journal, alarms, engine) = try Self.open(database, told)
    }

    private static func open(_ database: ServiceDatabase, _ told: Told) throws -> (Journal, SampleAlarms, EffectEngine)
    {
        let journal = try Journal(lane: .alerts, in: database), alarms = SampleAlarms()
        let rounds = try RetentionExecutor(
            service: "sample", reportsOn: .alerts, database: database, journals: [journal], kinds: [alarms])
        let erasure = try ErasureExecutor(
            ErasurePlan(receiptsOn: nil, reads: []), database: database, journals: [], records: alarms,
            key: ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "sample"))
        let engine = try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .privacy, kinds: [.retentionOrder])],
            journals: [journal],
            effects: FailingEffects(
                SubjectRightsEffects(
                    alarms, SubjectExecutor(erasure: erasure, retention: rounds),
                    told: SubjectRightsEffects.Told(retired: { told.outcomes += $0 })), alarms))
        return (journal, alarms, engine)
    }

    /// What is in memory only is gone.
    func restart() throws { (journal, alarms, engine) = try Self.open(database, told) }

    /// Keeps alarms of some ages in days, on its lane too.
    func keep(ages: [Int64]) throws {
        try database.write { db in
            for age in ages {
                try db.execute(sql: "INSERT INTO kept (at) VALUES (?)", arguments: [Self.now - age * Self.day])
                _ = try journal.append(
                    db, kind: .alarm,
                    columns: Columns(
                        rowCount: 1,
                        columns: [
                            Column(id: ColumnID.key, strings: [Array("alarm-\(db.lastInsertedRowID)".utf8)]),
                            Column(id: ColumnID.document, strings: [Array("{}".utf8)]),
                        ]), encoder: &encoder, now: Self.now)
            }
        }
    }

    func order(
        days: Int = 365, isDryRun: Bool = false, issuedAt: UnixMilliseconds = now
    ) throws {
        orders += 1
        let order = RetentionOrderDocument(
            issuedAt: issuedAt, isDryRun: isDryRun, source: .schedule, days: [.alarms: days, .rawRows: 1])
        let document = Column(id: ColumnID.document, strings: [try SortedJSON.bytes(of: order)])
        let columns = Columns(
            rowCount: 1, columns: [Column(id: ColumnID.key, strings: [Array(order.key.utf8)]), document])
        let encoded = try encoder.encode(columns), kind = RecordKind.retentionOrder
        let header = BlockHeader(
            generation: 7, number: orders, previous: orders - 1, kind: kind.id, kindVersion: kind.version, rowCount: 1,
            keptRows: 1, keyID: 0, committedAt: 0, subjects: [], rawLength: encoded.rawLength, crc32: encoded.crc32)
        try engine.step(
            [LaneBlock(lane: .privacy, block: Block(header: header, payload: encoded.payload))], now: issuedAt)
    }

    func step(now: UnixMilliseconds = now) throws { try engine.step([], now: now) }

    /// Until nothing is due any more.
    func settle(now: UnixMilliseconds = now) throws {
        var now = now
        for _ in 0..<200 {
            guard let next = engine.effects.nextTick else { return }
            now = max(now, next)
            try step(now: now)
            try engine.maintain(now: now)
        }
    }

    func ages() throws -> [Int64] {
        try database.read {
            try Int64.fetchAll($0, sql: "SELECT (\(Self.now) - at) / \(Self.day) FROM kept ORDER BY number")
        }
    }

    /// Everything that is in the tables beside those of retention and of lanes.
    func tables() throws -> [String] {
        try database.read { try Row.fetchAll($0, sql: "SELECT * FROM kept ORDER BY number").map { "\($0)" } }
    }

    /// Keys of alarms that a reader who begins today is told, with whether they are there.
    func lane() throws -> [(key: String, isThere: Bool)] {
        var decoder = ColumnDecoder()
        return try Journal.read(lane: .alerts, from: database.reader(), after: 0, kinds: [RecordKind.alarm.id]).blocks
            .flatMap { block in
                let columns = try block.columns(with: &decoder)
                return (0..<columns.rowCount).map { row in
                    (
                        String(decoding: columns[ColumnID.key]?.value(row) ?? [], as: UTF8.self),
                        columns[ColumnID.document]?.value(row) != nil
                    )
                }
            }
    }
}

/// Two alarms a slice.
final class SampleAlarms: BlockEffects, SubjectRecords, RetainedKind {
    let kind = RetentionKind.alarms
    let itemsAtOnce = 2
    /// The remaining slices until the disk fails in the middle of one.
    var slicesLeft = Int.max
    /// The remaining ticks until the disk fails after one, before its commit.
    var ticksLeft = Int.max
    private(set) var slices = 0
    var isLogBusy = false

    struct Died: Error {}

    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {}

    func look(
        before: UnixMilliseconds, after mark: RetentionMark, limit: Int, _ db: Database
    ) throws -> RetentionLook {
        let rows = try Row.fetchAll(
            db, sql: "SELECT number, at FROM kept WHERE number > ? ORDER BY number LIMIT ?",
            arguments: [mark.number, limit])
        return RetentionLook(
            items: rows.filter { ($0[1] as Int64) < before }.map {
                RetainedItem(RetentionMark(time: $0[1], number: $0[0]), bytes: 10)
            }, next: rows.count < limit ? nil : RetentionMark(time: .min, number: rows.last![0]),
            oldestKept: rows.map { $0[1] as Int64 }.filter { $0 >= before }.min())
    }

    func remove(_ items: [RetainedItem], in transaction: inout EffectTransaction) throws {
        slices += 1
        for item in items {
            try transaction.db.execute(sql: "DELETE FROM kept WHERE number = ?", arguments: [item.mark.number])
        }
        try transaction.emit.append(
            to: .alerts, kind: .alarm, columns: .tombstones(items.map { ("alarm-\($0.mark.number)", nil) }))
        slicesLeft -= 1
        if slicesLeft <= 0 { throw Died() }
    }

    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        ErasureSlice(isDone: true)
    }

    func truncateLogs() throws -> Bool { !isLogBusy }
}

/// The effects, whose transactions fail when the alarms say so.
private final class FailingEffects: BlockEffects {
    private let inner: SubjectRightsEffects
    private let alarms: SampleAlarms

    init(_ inner: SubjectRightsEffects, _ alarms: SampleAlarms) { (self.inner, self.alarms) = (inner, alarms) }

    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        try inner.apply(blocks, in: &transaction)
    }

    func tick(in transaction: inout EffectTransaction) throws -> Bool {
        let did = try inner.tick(in: &transaction)
        alarms.ticksLeft -= 1
        if alarms.ticksLeft <= 0 { throw SampleAlarms.Died() }
        return did
    }

    func committed(now: UnixMilliseconds) throws { try inner.committed(now: now) }

    var nextTick: UnixMilliseconds? { inner.nextTick }
}
