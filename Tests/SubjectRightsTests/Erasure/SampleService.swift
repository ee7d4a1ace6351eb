import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import Testing
import Wire

/// A service that keeps the devices of the rows it reads and hands the rows on, for tests of what is around it.
final class SampleService {
    let database: ServiceDatabase
    let records = SampleRecords()
    private let waitsFor: Set<String>
    /// How long each slice of an erasure takes, by its own stopwatch.
    private let slice = SampleStopwatch()
    private var journal: Journal
    private var engine: EffectEngine
    private var encoder = ColumnEncoder()
    private var orders: UInt64 = 0

    /// - Parameter path: of its database; one on disk has a write-ahead log of up to 32 MB.
    init(waitsFor: Set<String> = [], path: String = ":memory:") throws {
        database = try ServiceDatabase(
            path: path,
            migrations: [Migration("seen", sql: "CREATE TABLE seen (number INTEGER PRIMARY KEY, device INTEGER)")],
            options: DatabaseOptions(checkpointPages: 8_000))
        self.waitsFor = waitsFor
        (journal, engine) = try Self.open(database, records, waitsFor, slice)
    }

    private static func open(
        _ database: ServiceDatabase, _ records: SampleRecords, _ waitsFor: Set<String>, _ slice: SampleStopwatch
    ) throws -> (Journal, EffectEngine) {
        let journal = try Journal(lane: .alerts, in: database)
        let rounds = try ErasureExecutor(
            ErasurePlan(receiptsOn: .alerts, reads: [.batch, .privacy], waitsFor: waitsFor), database: database,
            journals: [journal], records: records,
            key: ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "sample"), stopwatch: { slice.look() })
        let engine = try EffectEngine(
            database: database,
            reads: [
                LaneSubscription(lane: .batch, kinds: [.report]),
                LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .erasureReceipt]),
            ], journals: [journal],
            effects: SubjectRightsEffects(
                records,
                SubjectExecutor(
                    erasure: rounds,
                    retention: RetentionExecutor(
                        service: "sample", reportsOn: nil, database: database, journals: [], kinds: []))))
        return (journal, engine)
    }

    /// What is in memory only is gone.
    func restart() throws { (journal, engine) = try Self.open(database, records, waitsFor, slice) }

    /// When the engine wants to be called again.
    var nextTick: UnixMilliseconds? { engine.effects.nextTick }

    /// Its database comes out of a backup, in which the lane it reads ended at `head`.
    func restore(batchFrom old: UInt64, head: UInt64, to new: UInt64) throws {
        let lanes = [
            Restoration.Lane(lane: .batch, oldGeneration: old, head: head, generation: new),
            Restoration.Lane(
                lane: .alerts, oldGeneration: journal.generation, head: journal.head, generation: new + 100),
            Restoration.Lane(lane: .privacy, oldGeneration: 7, head: 100, generation: new + 200),
        ]
        try Restoration(id: "\(new)", backedUpAt: 0, restoredAt: 0, lanes: lanes, readers: []).settle(database)
        try restart()
    }

    func step(_ blocks: [LaneBlock] = [], now: UnixMilliseconds = 1_000) throws { try engine.step(blocks, now: now) }

    func settle(now: UnixMilliseconds = 1_000) throws { for _ in 0..<40 { try step(now: now) } }

    func read(
        _ number: UInt64, devices: [Int64], generation: UInt64 = 7, now: UnixMilliseconds = 1_000
    ) throws {
        let columns = Columns(
            rowCount: devices.count, columns: [Column(id: ColumnID.device, values: devices)])
        try step([LaneBlock(lane: .batch, block: try block(.report, number, columns, generation))], now: now)
    }

    /// Commits so many bytes of no meaning, in pieces of a megabyte.
    func lengthenLog(_ bytes: Int) throws {
        for _ in 0..<bytes >> 20 {
            try database.write { db in
                try db.execute(sql: "CREATE TABLE IF NOT EXISTS ballast (bytes BLOB)")
                try db.execute(sql: "DELETE FROM ballast; INSERT INTO ballast VALUES (randomblob(1 << 20))")
            }
        }
    }

    func order(_ subjects: ErasureSubject...) throws {
        orders += 1
        try step([
            LaneBlock(lane: .privacy, block: try block(.erasureSubject, orders, ErasureSubject.columns(subjects)))
        ])
    }

    func hearReceipt(of service: String) throws {
        orders += 1
        let receipt = ErasureReceiptDocument(
            request: "r1", subject: "ab", service: service, barriers: [], removed: 0, signedAt: 0, keyID: "")
        try step([
            LaneBlock(lane: .privacy, block: try block(.erasureReceipt, orders, .documents([("r1", receipt)])))
        ])
    }

    private func block(
        _ kind: RecordKind, _ number: UInt64, _ columns: Columns, _ generation: UInt64 = 7
    ) throws -> Block {
        let encoded = try encoder.encode(columns)
        let subjects = Set((columns[ColumnID.device]?.integers ?? []).map { UInt64($0) }).sorted()
        return Block(
            header: BlockHeader(
                generation: generation, number: number, previous: number - 1, kind: kind.id, kindVersion: kind.version,
                rowCount: encoded.rowCount, keptRows: encoded.rowCount, keyID: 0, committedAt: 0, subjects: subjects,
                rawLength: encoded.rawLength, crc32: encoded.crc32), payload: encoded.payload)
    }

    func devices() throws -> [Int64] {
        try database.read { try Int64.fetchAll($0, sql: "SELECT device FROM seen ORDER BY number") }
    }

    func ordinals() throws -> [Int64] {
        try database.read { try Int64.fetchAll($0, sql: "SELECT device FROM erasures WHERE device IS NOT NULL") }
    }

    func receipts() throws -> [ErasureReceiptDocument] { try emitted(.erasureReceipt) }
    func keys() throws -> [VerificationKeyDocument] { try emitted(.verificationKey) }

    private func emitted<Document: Decodable>(_ kind: RecordKind) throws -> [Document] {
        var decoder = ColumnDecoder()
        return try Journal.read(lane: .alerts, from: database.reader(), after: 0, kinds: [kind.id]).blocks
            .flatMap { try $0.columns(with: &decoder).documents(Document.self).map(\.document) }
    }

    /// Devices of the rows that were handed on.
    func journalDevices() throws -> [Int64] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .alerts, from: database.reader(), after: 0, kinds: [RecordKind.contribution.id]
        ).blocks
            .flatMap { try $0.columns(with: &decoder)[ColumnID.device]?.integers ?? [] }
    }
}

/// Removes one row a slice.
final class SampleRecords: BlockEffects, SubjectRecords {
    var logsAreBusy = false
    private(set) var passes = 0
    private var last: [ErasureSubject] = []
    private var decoder = ColumnDecoder()

    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        for block in blocks {
            let columns = try block.block.columns(with: &decoder)
            for device in columns[ColumnID.device]!.integers {
                try transaction.db.cachedStatement(sql: "INSERT INTO seen (device) VALUES (?)").execute(arguments: [
                    device
                ])
            }
            try transaction.emit.append(to: .alerts, kind: .contribution, columns: columns)
        }
    }

    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        if subjects != last { passes += 1 }
        last = subjects
        for subject in subjects {
            try transaction.db.execute(
                sql: "DELETE FROM seen WHERE number = (SELECT min(number) FROM seen WHERE device = ?)",
                arguments: [Int64(subject.device)])
            if transaction.db.changesCount > 0 { return ErasureSlice(isDone: false, removed: [subject.device: 1]) }
        }
        return ErasureSlice(isDone: true)
    }

    func truncateLogs() throws -> Bool { !logsAreBusy }
}

/// A stopwatch on which ten milliseconds pass between two looks.
final class SampleStopwatch {
    private var time = ContinuousClock.now

    func look() -> ContinuousClock.Instant {
        time += .milliseconds(10)
        return time
    }
}
