import Foundation
import GRDB
import Lanes
import Models
import Storage
import Wire

@testable import PrivacyWorker

/// An engine with the privacy worker's effects over a database in memory or in a file.
final class PrivacyBench {
    static let keys = try! AuditKeys(signing: [UInt8](1...32), subjects: [UInt8](33...64))
    let database: ServiceDatabase
    let engine: EffectEngine

    init(path: String = ":memory:") throws {
        database = try ServiceDatabase(path: path, migrations: PrivacyWorkerEffects.migrations)
        engine = try EffectEngine(
            database: database, reads: [LaneSubscription(lane: .requests, kinds: [.consent])],
            journals: [Journal(lane: .privacy, in: database, newGeneration: { 5 })],
            effects: PrivacyWorkerEffects(database: database, keys: Self.keys))
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
