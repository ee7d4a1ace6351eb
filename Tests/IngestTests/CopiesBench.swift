import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Synchronization
import Wire

@testable import IngestAPI
@testable import IngestSupport

/// Ingest's copies over a database that outlives the engine, fed with blocks as other services write them.
final class CopiesBench: Sendable {
    static let timeZone = "Africa/Douala"

    /// One record of a state lane; without a document it is a removal.
    struct Record {
        let key: String
        var device: UInt64?
        let document: [UInt8]?
    }

    let database: ServiceDatabase
    private let mostGrants: Int64
    private let numbers = Mutex<[LaneName: UInt64]>([:])

    init(path: String = ":memory:", mostGrants: Int64 = CopiesEffects.mostGrants) throws {
        database = try ServiceDatabase(path: path, migrations: CopiesSchema.migrations)
        self.mostGrants = mostGrants
    }

    /// As after a start: what was in memory is gone.
    ///
    /// - Parameters:
    ///   - wrap: puts others around the effects; nil: the rights of subjects, as in the service.
    ///   - hasNotifier: whether the notifier's keys are read.
    ///   - questions: told of what devices may be asked about.
    func engine(
        around wrap: ((CopiesEffects) -> any BlockEffects)? = nil, hasNotifier: Bool = false,
        questions: AlarmQuestions? = nil
    ) throws -> EffectEngine {
        let effects = CopiesEffects(timeZone: Self.timeZone, mostGrants: mostGrants)
        effects.questions = questions
        let usual = try SubjectRightsEffects(
            effects, effects.subjects, database: database, journals: [],
            key: ReceiptKey(secret: [UInt8](repeating: 5, count: 32), service: "ingest"))
        return try EffectEngine(
            database: database, reads: CopiesEffects.subscriptions(hasNotifier: hasNotifier), journals: [],
            effects: wrap?(effects) ?? usual)
    }

    /// The next block of a lane.
    func block(
        _ lane: LaneName, _ kind: RecordKind, _ records: [Record], at time: UnixMilliseconds = 1_760_000_000_000
    ) throws -> LaneBlock {
        var columns = [
            Column(id: ColumnID.key, strings: records.map { Array($0.key.utf8) }),
            Column(id: ColumnID.document, strings: records.map(\.document)),
        ]
        if records.contains(where: { $0.device != nil }) {
            columns.append(Column(id: ColumnID.device, values: records.map { $0.device.map(Int64.init) }))
        }
        return try block(lane, kind, Columns(rowCount: records.count, columns: columns), at: time)
    }

    /// The next block of a lane, of a table.
    func block(
        _ lane: LaneName, _ kind: RecordKind, _ columns: Columns, at time: UnixMilliseconds = 1_760_000_000_000
    ) throws -> LaneBlock {
        let number = numbers.withLock { numbers in
            numbers[lane, default: 0] += 1
            return numbers[lane]!
        }
        var encoder = ColumnEncoder()
        let encoded = try encoder.encode(columns)
        let header = BlockHeader(
            generation: 7, number: number, previous: number - 1, kind: kind.id, kindVersion: kind.version,
            rowCount: columns.rowCount, keptRows: columns.rowCount, keyID: 0, committedAt: time, subjects: [],
            rawLength: encoded.rawLength, crc32: encoded.crc32)
        return LaneBlock(lane: lane, block: Block(header: header, payload: encoded.payload))
    }

    func grants(_ grants: [GrantDocument], at time: UnixMilliseconds = 1_760_000_000_000) throws -> LaneBlock {
        try block(
            .rewards, .grant,
            grants.map { Record(key: $0.grant, device: $0.device, document: Array(try JSONEncoder().encode($0))) },
            at: time)
    }

    func balance(_ device: UInt64, paid: Int64, pending: Int64) throws -> LaneBlock {
        let document = BalanceDocument(device: device, paidXAF: paid, pendingXAF: pending)
        return try block(
            .rewards, .balance,
            [Record(key: "\(device)", device: device, document: Array(try JSONEncoder().encode(document)))])
    }

    func take(_ blocks: LaneBlock...) throws { try engine().step(blocks, now: 1) }

    /// What a device would be told.
    func answer(
        _ device: UInt64, _ query: PageQuery = PageQuery(), now: UnixMilliseconds = 1_760_000_000_000
    ) async throws -> RewardsAnswer {
        try await CopiesReader(reader: database.reader(), timeZone: Self.timeZone).rewards(
            of: device, query, now: now)
    }
}

extension GrantDocument {
    /// A grant by number; its feedback was received that many minutes after 2025-10-09 00:00 in Douala.
    static func sample(
        _ number: Int, device: UInt64 = 1, _ state: GrantState = .pending, day: Int = 0, changedAt: Int64 = 0
    ) -> GrantDocument {
        let digits = String(number, radix: 16)
        let received = 1_759_964_400_000 + Int64(day) * 86_400_000 + Int64(number) * 60_000
        return GrantDocument(
            grant: String(repeating: "0", count: 32 - digits.count) + digits, device: device, campaign: "spring",
            record: "00000000-0000-8000-8000-\(String(repeating: "0", count: 12 - digits.count) + digits)",
            amountXAF: 50,
            state: state, changedAt: received + changedAt, receivedAt: received)
    }
}
