internal import GRDB
public import Lanes
public import Models
public import Storage
internal import Wire

/// The rounds of a service by which it erases, copies and expires: made from what it declares. Confined to the thread of the
/// service's engine.
public struct SubjectExecutor {
    public let erasure: ErasureExecutor
    /// Nil where nothing is given.
    public let access: AccessExecutor?
    public let retention: RetentionExecutor

    public init(erasure: ErasureExecutor, access: AccessExecutor? = nil, retention: RetentionExecutor) {
        self.erasure = erasure
        self.access = access
        self.retention = retention
    }

    /// - Parameters:
    ///   - database: of the service; it must be the one of the journals.
    ///   - journals: of the lanes the service writes.
    ///   - key: signs the receipts.
    public init(
        _ declaration: SubjectDeclaration, database: ServiceDatabase, journals: [Journal], key: ReceiptKey
    ) throws {
        let access = try declaration.copy.map { copy in
            guard let lane = declaration.lane, let journal = journals.first(where: { $0.lane == lane }) else {
                preconditionFailure("\(declaration.service) has no lane to give parts on")
            }
            return try AccessExecutor(
                AccessPlan(service: declaration.service, partsOn: lane, reads: declaration.reads),
                database: database, journal: journal, copy: copy)
        }
        let records = access.map { AccessRecords(declaration.records, $0) } ?? declaration.records
        erasure = try ErasureExecutor(
            ErasurePlan(receiptsOn: declaration.lane, reads: declaration.reads, waitsFor: declaration.waitsFor),
            database: database, journals: journals, records: records, key: key)
        self.access = access
        retention = try RetentionExecutor(
            service: declaration.service, reportsOn: declaration.lane, database: database,
            journals: declaration.retiresKeys ? journals : [], kinds: declaration.retained)
    }

    /// When ``tick(in:)`` is to be called.
    public var nextTick: UnixMilliseconds? {
        [access?.nextTick, erasure.nextTick, retention.nextTick].compactMap(\.self).min()
    }

    /// One bounded piece of work of each that has any; true if one did anything.
    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        var did = false
        if let access, let next = access.nextTick, next <= transaction.now {
            did = try access.tick(in: &transaction) || did
        }
        if let next = erasure.nextTick, next <= transaction.now {
            did = try erasure.tick(in: &transaction) || did
        }
        if let next = retention.nextTick, next <= transaction.now {
            did = try retention.tick(in: &transaction) || did
        }
        return did
    }

    /// So many rows have come that are none of the rounds' business; while they do, slices are followed by rests.
    public func came(_ rows: Int, now: UnixMilliseconds) {
        erasure.came(rows, now: now)
        retention.came(rows, now: now)
    }
}

/// What a service keeps of subjects, with their requests for access, which go first when everything of them goes.
private final class AccessRecords: SubjectRecords {
    private let inner: any SubjectRecords
    private let rounds: AccessExecutor

    init(_ inner: any SubjectRecords, _ rounds: AccessExecutor) {
        self.inner = inner
        self.rounds = rounds
    }

    func beginPass() { inner.beginPass() }

    func erase(_ subjects: [ErasureSubject], in transaction: inout EffectTransaction) throws -> ErasureSlice {
        for subject in subjects where subject.scope.isEverything { try rounds.forget(subject.device, transaction.db) }
        return try inner.erase(subjects, in: &transaction)
    }

    func truncateLogs() throws -> Bool { try inner.truncateLogs() }
}
