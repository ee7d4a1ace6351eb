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
    private var rounds: SubjectExecutor
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

    public init(_ service: any BlockEffects, _ rounds: SubjectExecutor, told: Told = Told()) {
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
            service, try SubjectExecutor(declaration, database: database, journals: journals, key: key), told: told)
    }

    /// That a part of this service has nothing left of a request; in the caller's transaction, on the engine's thread.
    public func hear(signer: String, of request: String, _ db: Database) throws {
        try rounds.erasure.hear(signer: signer, of: request, db)
    }

    /// What is done with the rows of each kind that is handled here.
    private static let handlers = EffectHandlers<SubjectExecutor>(
        "subject rights",
        [
            .erasureSubject: { rounds, block, transaction in
                for subject in try ErasureSubject.all(of: block.columns) {
                    try rounds.erasure.hear(subject, transaction.db)
                }
            },
            .erasureReceipt: { rounds, block, transaction in
                for (_, receipt) in try block.columns.documents(ErasureReceiptDocument.self) {
                    try rounds.erasure.hear(receipt, transaction.db)
                }
            },
            .accessOrder: { rounds, block, transaction in
                for word in try AccessOrder.words(of: block.columns) { try rounds.access?.hear(word, transaction.db) }
            },
            .retentionOrder: { rounds, block, transaction in
                for (_, order) in try block.columns.documents(RetentionOrderDocument.self) {
                    try rounds.retention.hear(order, transaction.db)
                }
            },
        ])

    public func require(_ kind: RecordKind, on lane: LaneName) throws {
        if !Self.handlers.takes(kind.id) { try service.require(kind, on: lane) }
    }

    public func admit(_ blocks: [LaneBlock]) throws -> [LaneBlock] {
        try rounds.erasure.admit(service.admit(blocks))
    }

    public func prepare(_ blocks: [LaneBlock], now: UnixMilliseconds) throws {
        let blocks = blocks.filter { !Self.handlers.takes($0.block.header.kind) }
        if !blocks.isEmpty { try service.prepare(blocks, now: now) }
    }

    public func apply(_ blocks: [LaneBlock], in transaction: inout EffectTransaction) throws {
        var others: [LaneBlock] = []
        others.reserveCapacity(blocks.count)
        for block in blocks {
            guard Self.handlers.takes(block.block.header.kind) else { others.append(block); continue }
            try Self.handlers.handle(block, &decoder, with: &rounds, in: &transaction)
        }
        guard !others.isEmpty else { return }
        rounds.came(others.reduce(0) { $0 + $1.block.header.keptRows }, now: transaction.now)
        try service.apply(others, in: &transaction)
    }

    public func tick(in transaction: inout EffectTransaction) throws -> Bool {
        var did = false
        if let next = service.nextTick, next <= transaction.now { did = try service.tick(in: &transaction) }
        return try rounds.tick(in: &transaction) || did
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

    public func lanesComplete(to moments: [LaneName: UnixMilliseconds]) { service.lanesComplete(to: moments) }

    public var completeTo: UnixMilliseconds? { service.completeTo }

    public var nextTick: UnixMilliseconds? { [service.nextTick, rounds.nextTick].compactMap(\.self).min() }
}
