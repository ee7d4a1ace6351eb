public import GRDB
public import Lanes
public import Models
public import Storage
internal import Wire

/// The effects of a service with the rights of its subjects around them: what its engine is given.
///
/// Rows of subjects that are being erased never reach the service; orders, requests and receipts are handled here, by a table of
/// kinds; everything else is the service's.
public final class SubjectRightsEffects: BlockEffects {
    /// The effects of the service itself.
    public let service: any BlockEffects
    private let rounds: SubjectRounds
    private let told: Told
    private var decoder = ColumnDecoder()

    /// Who hears, after a commit and on the engine's thread, what was done in it.
    public struct Told {
        /// Erasures that are signed, or done where nothing is signed.
        public var erased: ([ErasureReceiptDocument]) -> Void
        /// Retention orders that are executed.
        public var retired: ([RetentionOutcome]) -> Void

        public init(
            erased: @escaping ([ErasureReceiptDocument]) -> Void = { _ in },
            retired: @escaping ([RetentionOutcome]) -> Void = { _ in }
        ) {
            self.erased = erased
            self.retired = retired
        }
    }

    public init(_ service: any BlockEffects, _ rounds: SubjectRounds, told: Told = Told()) {
        self.service = service
        self.rounds = rounds
        self.told = told
    }

    /// - Parameters:
    ///   - database: that of the effects and of the journals.
    ///   - journals: of the lanes that the service writes.
    ///   - key: signs the receipts of erasures.
    public convenience init(
        _ service: any BlockEffects, _ declaration: SubjectDeclaration, database: ServiceDatabase,
        journals: [Journal], key: ReceiptKey, told: Told = Told()
    ) throws {
        self.init(
            service, try SubjectRounds(declaration, database: database, journals: journals, key: key), told: told)
    }

    /// What is done with the rows of each kind that is handled here.
    private static let handlers: [UInt8: @Sendable (SubjectRounds, Columns, Database) throws -> Void] = [
        RecordKind.erasureSubject.id: { rounds, columns, db in
            for subject in try ErasureSubject.all(of: columns) { try rounds.erasure.hear(subject, db) }
        },
        RecordKind.erasureReceipt.id: { rounds, columns, db in
            for (_, receipt) in try columns.documents(ErasureReceiptDocument.self) {
                try rounds.erasure.hear(receipt, db)
            }
        },
        RecordKind.accessOrder.id: { rounds, columns, db in
            for word in try AccessOrder.words(of: columns) { try rounds.access?.hear(word, db) }
        },
        RecordKind.retentionOrder.id: { rounds, columns, db in
            for (_, order) in try columns.documents(RetentionOrderDocument.self) {
                try rounds.retention.hear(order, db)
            }
        },
    ]

    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] {
        try rounds.erasure.admit(service.admit(blocks))
    }

    public func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        let blocks = blocks.filter { Self.handlers[$0.block.header.kind] == nil }
        if !blocks.isEmpty { try service.prepare(blocks, now: now) }
    }

    public func apply(_ blocks: [LaneBlock], now: UnixMilliseconds, in db: Database, emit: inout Emission) throws {
        var others: [LaneBlock] = []
        others.reserveCapacity(blocks.count)
        for block in blocks {
            guard let handle = Self.handlers[block.block.header.kind] else { others.append(block); continue }
            try handle(rounds, block.block.columns(with: &decoder), db)
        }
        guard !others.isEmpty else { return }
        rounds.came(others.reduce(0) { $0 + $1.block.header.keptRows }, now: now)
        try service.apply(others, now: now, in: db, emit: &emit)
    }

    public func tick(now: UnixMilliseconds, in db: Database, emit: inout Emission) throws -> Bool {
        var did = false
        if let next = service.nextTick, next <= now { did = try service.tick(now: now, in: db, emit: &emit) }
        return try rounds.tick(now: now, in: db, emit: &emit) || did
    }

    public func committed(now: UnixMilliseconds) throws {
        try service.committed(now: now)
        try rounds.access?.committed()
        if !rounds.erasure.signed.isEmpty { told.erased(rounds.erasure.takeSigned()) }
        try rounds.erasure.committed(now: now)
        try rounds.retention.committed(now: now)
        let done = rounds.retention.takeReported()
        if !done.isEmpty { told.retired(done) }
    }

    public func blocksPaused() { service.blocksPaused() }

    public func appliedAll(before moment: UnixMilliseconds) { service.appliedAll(before: moment) }

    public var nextTick: UnixMilliseconds? { [service.nextTick, rounds.nextTick].compactMap(\.self).min() }
}
