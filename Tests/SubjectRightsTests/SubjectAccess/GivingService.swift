import Foundation
import GRDB
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import Wire

/// A service that keeps the devices of the rows it reads and gives them to who asks, for tests of what is around it.
final class GivingService {
    static let key = RecipientSeal.newKey()

    let database: ServiceDatabase
    let records = GivenRecords()
    private var journal: Journal
    private var engine: EffectEngine
    private var encoder = ColumnEncoder()
    private var orders: UInt64 = 0

    init(journalBytes: Int = 1 << 30) throws {
        database = try ServiceDatabase(
            path: ":memory:",
            migrations: [Migration("seen", sql: "CREATE TABLE seen (number INTEGER PRIMARY KEY, device INTEGER)")])
        (journal, engine) = try Self.open(database, records, journalBytes)
    }

    private static func open(
        _ database: ServiceDatabase, _ records: GivenRecords, _ bytes: Int
    ) throws -> (Journal, EffectEngine) {
        let journal = try Journal(lane: .alerts, in: database, limits: LaneLimits(maximumBytes: bytes))
        let engine = try EffectEngine(
            database: database,
            reads: [
                LaneSubscription(lane: .batch, kinds: [.report]),
                LaneSubscription(lane: .privacy, kinds: [.erasureSubject, .accessOrder]),
            ], journals: [journal],
            effects: SubjectRightsEffects(
                records,
                SubjectDeclaration(
                    service: "sample", on: .alerts, reads: [.batch, .privacy], records: records, copy: records),
                database: database, journals: [journal],
                key: ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "sample")))
        return (journal, engine)
    }

    /// What is in memory only is gone.
    func restart() throws { (journal, engine) = try Self.open(database, records, 1 << 30) }

    /// Its database comes out of a backup, in which `batch` ended at `head`; each lane goes on in the next generation.
    func restore(batchAt head: UInt64) throws {
        let ends = [(LaneName.batch, 7, head), (.privacy, 7, orders), (.alerts, journal.generation, journal.head)]
        let lanes = ends.map { Restoration.Lane(lane: $0, oldGeneration: $1, head: $2, generation: $1 &+ 1) }
        try Restoration(id: "backup", backedUpAt: 0, restoredAt: 0, lanes: lanes, readers: []).settle(database)
        try restart()
    }

    func step(_ blocks: [LaneBlock] = []) throws { try engine.step(blocks, now: 1_000) }

    func settle() throws { for _ in 0..<200 { try step() } }

    func read(_ number: UInt64, devices: [Int64], generation: UInt64 = 7) throws {
        try step([LaneBlock(lane: .batch, block: try block(.report, number, Self.rows(devices), generation))])
    }

    func order(_ request: String, _ device: UInt64, after block: UInt64 = 0) throws {
        let document = AccessOrderDocument(
            request: request, subject: "ab",
            publicKey: Data(try RecipientSeal.publicKey(of: Self.key)).base64EncodedString(),
            barriers: [Position(lane: .batch, generation: 7, block: block)], requestedAt: 5, expiresAt: 9)
        try hear(.accessOrder, AccessOrder.columns([AccessOrder(device: device, document: document)]))
    }

    func close(_ request: String) throws { try hear(.accessOrder, AccessPart.removals(of: [request])) }

    func erase(_ device: UInt64) throws {
        let subject = ErasureSubject(
            device: device,
            document: ErasureSubjectDocument(request: "e", subject: "ab", scope: .everything, barriers: []))
        try hear(.erasureSubject, ErasureSubject.columns([subject]))
    }

    private func hear(_ kind: RecordKind, _ columns: Columns) throws {
        orders += 1
        try step([LaneBlock(lane: .privacy, block: try block(kind, orders, columns))])
    }

    private static func rows(_ devices: [Int64]) -> Columns {
        Columns(rowCount: devices.count, columns: [Column(id: ColumnID.device, values: devices)])
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

    /// Parts that are in the journal, in the order of their blocks.
    func parts() throws -> [AccessPart] { try tables().flatMap { try AccessPart.all(of: $0).map(\.part) } }

    /// Keys of removals in the journal.
    func removals() throws -> [String] {
        try tables().flatMap { columns in
            (0..<columns.rowCount).filter { columns[ColumnID.sealed]?.presence[$0] != true }.compactMap { row in
                columns[ColumnID.key]?.value(row).map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    /// What the parts of a request say, opened: the lines, and what the last part says of them.
    func answer(_ request: String) throws -> (lines: [String], contents: AccessContents?) {
        let mine = try parts().filter { $0.document.request == request }
        let opened = try mine.map { (part: $0, bytes: try AccessPart.open($0.sealed, $0.document, with: Self.key)) }
        let lines = opened.filter { !$0.part.document.isLast }.flatMap(\.bytes)
        return (
            String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init),
            try opened.last { $0.part.document.isLast }.map { try AccessContents(bytes: $0.bytes) }
        )
    }

    func known() throws -> Int {
        try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM access_orders") ?? 0 }
    }

    private func tables() throws -> [Columns] {
        var decoder = ColumnDecoder()
        return try Journal.read(
            lane: .alerts, from: database.reader(), after: 0, kinds: [RecordKind.accessPart.id],
            limit: JournalPage.Limit(blocks: .max, bytes: .max)
        ).blocks.map { try $0.columns(with: &decoder) }
    }
}

/// Gives two rows a page.
final class GivenRecords: BlockEffects, SubjectRecords, SubjectCopy {
    /// What each line has beside its number, for lines of any length.
    var padding = ""
    private(set) var pages = 0
    private var decoder = ColumnDecoder()

    let held = ["row", "never"].map {
        HeldKind(
            $0, what: BilingualText(en: "rows", fr: "lignes"), why: BilingualText(en: "tests", fr: "tests"),
            kept: BilingualText(en: "shortly", fr: "peu"), members: [HeldMember("number", .integer, "of the row")])
    }

    func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        for block in blocks {
            for device in try block.block.columns(with: &decoder)[ColumnID.device]!.integers {
                try transaction.db.execute(sql: "INSERT INTO seen (device) VALUES (?)", arguments: [device])
            }
        }
    }

    func page(of device: UInt64, after place: String?, in db: Database) throws -> SubjectPage {
        pages += 1
        let numbers = try Int64.fetchAll(
            db, sql: "SELECT number FROM seen WHERE device = ? AND number > ? ORDER BY number LIMIT 2",
            arguments: [Int64(device), place.flatMap { Int64($0) } ?? 0])
        let lines = try numbers.map { try SubjectLine("row", at: $0 * 10, ["number": "\($0)", "text": padding]) }
        return SubjectPage(lines: lines, next: numbers.count < 2 ? nil : numbers.last.map { String($0) })
    }

    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        for subject in subjects {
            try transaction.db.execute(sql: "DELETE FROM seen WHERE device = ?", arguments: [Int64(subject.device)])
        }
        return ErasureSlice(isDone: true)
    }
}
