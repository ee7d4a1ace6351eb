import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Wire

@testable import PrivacyWorker

/// An engine with the privacy worker's effects over a database in memory or in a file.
final class PrivacyBench {
    static let keys = try! AuditKeys(signing: [UInt8](1...32), subjects: [UInt8](33...64))
    static let receiptKey = ReceiptKey(secret: [UInt8](65...96), service: "privacy-worker")
    let database: ServiceDatabase
    let engine: EffectEngine
    /// Requests that the worker said are late.
    var late: [String] { told.late }
    private let told: Told
    private var heard: [LaneName: UInt64] = [:]
    private var encoder = ColumnEncoder()

    private final class Told { var late: [String] = [] }

    /// - Parameter retention: nil gives no retention orders.
    init(path: String = ":memory:", retention: RetentionPolicy? = nil, hasNotifier: Bool = false) throws {
        database = try ServiceDatabase(path: path, migrations: PrivacyWorkerEffects.migrations)
        let told = Told()
        self.told = told
        let journal = try Journal(lane: .privacy, in: database, newGeneration: { 5 })
        engine = try EffectEngine(
            database: database, reads: PrivacyWorkerEffects.subscriptions(hasNotifier: hasNotifier),
            journals: [journal],
            effects: PrivacyWorkerEffects(
                database: database, journal: journal, keys: Self.keys, receiptKey: Self.receiptKey,
                late: { told.late.append($0.request) }, retention: retention, hasNotifier: hasNotifier))
    }

    /// Applies a block of a service's lane.
    func hear(_ kind: RecordKind, _ columns: Columns, from service: String, now: Int64 = 2_000) throws {
        let lanes: [String: LaneName] = [
            "ingest": .requests, "alert-router": .alerts, "batch-aggregator": .rollups,
            "reward-dispatcher": .rewards, "analytics-exporter": .operations, "notifier": .deliveries,
        ]
        let lane = lanes[service]!, number = (heard[lane] ?? 100) + 1
        heard[lane] = number
        let encoded = try encoder.encode(columns)
        let header = BlockHeader(
            generation: 3, number: number, previous: number - 1, kind: kind.id, kindVersion: kind.version,
            rowCount: encoded.rowCount, keptRows: encoded.rowCount, keyID: 0, committedAt: 0,
            subjects: (columns[ColumnID.device]?.integers ?? []).map { UInt64($0) }, rawLength: encoded.rawLength,
            crc32: encoded.crc32)
        let block = Block(header: header, payload: encoded.payload)
        try engine.step([LaneBlock(lane: lane, block: block)], now: now)
    }

    /// Steps until nothing is due.
    func settle(now: Int64 = 2_000) throws { for _ in 0..<20 { try engine.step([], now: now) } }

    /// Blocks of a kind that are on the privacy lane.
    func published(_ kind: RecordKind) throws -> [Block] {
        try Journal.read(lane: .privacy, from: database.reader(), after: 0, kinds: [kind.id]).blocks
    }

    /// The effects of a worker that starts over the same database.
    func effects(_ keys: AuditKeys) throws -> PrivacyWorkerEffects {
        try PrivacyWorkerEffects(
            database: database, journal: engine.journals[0], keys: keys, receiptKey: Self.receiptKey)
    }

    /// Applies blocks of the requests lane; what the privacy lane is told.
    @discardableResult
    func step(_ blocks: [Block], now: Int64 = 2_000) throws -> [Block] {
        try engine.step(blocks.map { LaneBlock(lane: .requests, block: $0) }, now: now).appended.flatMap(\.blocks)
    }

    func entries() throws -> [AuditEntry] {
        try database.read { db in
            var entries: [AuditEntry] = []
            try AuditLog(db).forEach { entries.append($0) }
            return entries
        }
    }

    func head() throws -> AuditHead? { try database.read { try AuditLog($0).head() } }

    func check() throws -> AuditCheck.Outcome {
        try AuditCheck.run(database.reader(), keys: Self.keys, sealer: nil)
    }

    /// Puts a head on the privacy lane as somebody would who may write the file.
    func publish(_ document: AuditHeadDocument) throws {
        let key = Array("head".utf8), text = [UInt8](try JSONEncoder().encode(document)), one = RowSet.full(1)
        let columns = Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, presence: one, bytes: key, ends: [UInt32(key.count)]),
                Column(id: ColumnID.document, presence: one, bytes: text, ends: [UInt32(text.count)]),
            ])
        var encoder = ColumnEncoder()
        try database.write { db in
            _ = try engine.journals[0].append(db, kind: .auditHead, columns: columns, encoder: &encoder, now: 3_000)
        }
    }

    /// Changes the database as somebody would who may write the file.
    func tamper(_ sql: String) throws {
        try database.write { db in
            for trigger in ["audit_entries_are_kept", "audit_entries_are_final"] {
                try db.execute(sql: "DROP TRIGGER IF EXISTS \(trigger)")
            }
            try db.execute(sql: sql)
        }
    }
}
