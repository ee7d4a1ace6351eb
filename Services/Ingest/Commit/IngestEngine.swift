internal import GRDB
public import IngestCommands
internal import IngestDuplicates
public import IngestSupport
public import IngestUploads
public import Lanes
public import Models
internal import QoE
public import ServiceKit
public import Storage
internal import SubjectRights
internal import Wire

/// The deterministic heart of ingest: duplicates, receipts and both journals in one transaction.
///
/// Knows no thread, socket or clock; the commit thread and the simulator drive it alike. Confined to one thread.
///
/// When the batch journal is full, rows for the real-time lane are still taken. An upload with rows for both then has its
/// urgent rows committed and is answered 503: the phone sends it again, the urgent rows are found as duplicates, and the
/// others count when there is room. So nothing is lost, nothing counts twice, and only batch data waits.
public final class IngestEngine {
    package let database: ServiceDatabase
    package let realtime: Journal
    package let batch: Journal
    package let requests: Journal
    var encoder = ColumnEncoder()
    private let urgent: LaneRows
    private let ordinary: LaneRows
    var memories: MemoryStore?
    let suppression: SuppressionKey
    /// What may no longer be stored.
    private var gate: ErasureGate
    /// Executes erasures in the tables and journals of the database.
    let rounds: ErasureExecutor
    /// Executes retention orders there.
    let retention: RetentionExecutor
    private var urgentQuota: UrgentQuota
    /// Keys of copies were deleted, and their pages may still be in the write-ahead log.
    private var hasDeletedKeys: Bool
    /// Lanes for which ``IngestOutcome/traces`` says where the rows of each upload went.
    public var traced: Set<LaneName> = []

    /// - Parameters:
    ///   - requests: the lane of subscribers' requests: consents.
    ///   - urgentPerMinute: urgent records of a device that travel on `realtime`, the others on `batch`; 0: all.
    ///   - now: what time it is.
    public convenience init(
        database: ServiceDatabase, realtime: Journal, batch: Journal, requests: Journal, keys: ErasureKeys,
        urgentPerMinute: Int = 10, now: UnixMilliseconds
    ) throws {
        try self.init(
            database: database, realtime: realtime, batch: batch, requests: requests, keys: keys,
            urgent: UrgentQuota(perMinute: urgentPerMinute), now: now)
    }

    package init(
        database: ServiceDatabase, realtime: Journal, batch: Journal, requests: Journal, keys: ErasureKeys,
        urgent: UrgentQuota, now: UnixMilliseconds
    ) throws {
        urgentQuota = urgent
        suppression = keys.suppression
        let records = IngestRecords()
        let rounds = try SubjectExecutor(
            Self.subjects(records, [realtime, batch, requests]), database: database,
            journals: [realtime, batch, requests], key: keys.receipts)
        (self.rounds, retention) = (rounds.erasure, rounds.retention)
        gate = ErasureGate(try database.read { try IngestStore($0).refusedSubjects(now: now) })
        hasDeletedKeys = try database.read { try IngestStore($0).hasDeletedAccessKeys() }
        self.database = database
        self.realtime = realtime
        self.batch = batch
        self.requests = requests
        self.urgent = LaneRows(realtime, encoder)
        ordinary = LaneRows(batch, encoder)
        records.engine = self
    }

    /// Closes the database; nothing can be committed any more.
    func close() throws {
        // Its statements belong to the connection.
        memories = nil
        try database.close()
    }

    /// Writes a long write-ahead log to the file; to be called when nobody waits.
    func checkpointIfDue() throws { try database.checkpointIfDue() }

    /// How the journals and their readers stand.
    public func figures(now: UnixMilliseconds) throws -> [JournalFigures] {
        try database.read { db in try [realtime, batch, requests].map { try $0.figures(db, now: now) } }
    }

    /// Commits commands and uploads at a time that all of them share: commands in the order of their stages, then uploads, which
    /// obey them.
    ///
    /// - Parameter late: asked once for uploads that came meanwhile, when only the realtime lane's rows are not encoded yet;
    ///   their receipts follow those of `uploads`.
    /// - Throws: what the database throws; then nothing of it happened.
    public func commit(
        _ uploads: [Upload], commands: [any IngestCommand] = [], now: UnixMilliseconds,
        late: () -> [Upload] = { [] }
    ) throws -> IngestOutcome {
        let before = gate
        let rows = uploads.reduce(0) { $0 + $1.rows.rowCount }
        rounds.came(rows, now: now)
        retention.came(rows, now: now)
        do {
            let outcome = try write(uploads, commands, now: now, late)
            urgentQuota.commit()
            memories?.commit()
            return outcome
        } catch {
            gate = before
            urgentQuota.rollBack(now: now)
            memories?.rollBack()
            throw error
        }
    }

    private func write(
        _ uploads: [Upload], _ commands: [any IngestCommand], now: UnixMilliseconds, _ late: () -> [Upload]
    ) throws -> IngestOutcome {
        try database.write { db in
            var outcome = IngestOutcome()
            let store = IngestStore(db), memories = try memories(db)
            var commit = CommandCommit(
                store: store, memories: memories, suppression: suppression, erasures: rounds, gate: gate, now: now,
                isFull: requests.isFull)
            outcome.answers = try Self.apply(commands, in: &commit)
            gate = commit.gate
            for rows in [urgent, ordinary] { rows.begin(isTraced: traced.contains(rows.lane)) }
            outcome.receipts.reserveCapacity(uploads.count)
            let full = (realtime: realtime.isFull, batch: batch.isFull)
            for upload in uploads {
                outcome.receipts.append(try take(upload, store, memories, now: now, full, &outcome.deferred))
            }
            _ = try ordinary.finish(db, now: now)
            for upload in late() {
                outcome.receipts.append(try take(upload, store, memories, now: now, full, &outcome.deferred))
            }
            try memories.trim(rows: 2 * outcome.receipts.count + 64)
            for rows in [urgent, ordinary] { outcome.blocks[rows.lane] = try rows.finish(db, now: now) }
            outcome.traces = urgent.traces + ordinary.traces
            let told = try commit.finish(barriers: { [realtime, batch, requests].map(\.position) }) { kind, columns in
                try requests.append(db, kind: kind, columns: columns, encoder: &encoder, now: now)
            }
            if !told.isEmpty { outcome.blocks[.requests] = told }
            outcome.counts = commit.counts
            return outcome
        }
    }

    /// Has commands carried out, stage by stage.
    ///
    /// - Returns: the answers in the order of the commands.
    private static func apply(
        _ commands: [any IngestCommand], in commit: inout CommandCommit
    ) throws -> [CommandAnswer] {
        var answers = [CommandAnswer?](repeating: nil, count: commands.count)
        for stage in CommandStage.allCases {
            for (place, command) in commands.enumerated() where type(of: command).stage == stage {
                answers[place] = try CommandAnswer(to: command, in: &commit)
            }
        }
        return answers.compactMap { $0 }
    }

    /// The first block that a lane's journal may still have.
    public func oldestBlock(_ lane: LaneName) -> UInt64? { journal(lane)?.oldest }

    /// One bounded round of housekeeping, about once a second; says what was done on each lane.
    ///
    /// - Parameter failures: failed authentications to be kept.
    @discardableResult
    public func maintain(
        _ progress: [LaneName: [ReaderProgress]], failures: [FailedAuthentication] = [], now: UnixMilliseconds
    ) throws -> [LaneName: JournalMaintenance] {
        // What was deleted before the last end may be in the log still.
        if hasDeletedKeys, try database.truncateLog() { hasDeletedKeys = false }
        return try database.write { db in
            var done: [LaneName: JournalMaintenance] = [:]
            for journal in [realtime, batch, requests] {
                done[journal.lane] = try journal.maintain(db, progress: progress[journal.lane] ?? [], now: now)
            }
            if !failures.isEmpty { try FailedAuthentication.store(failures, now: now, db) }
            try IngestStore(db).forgetReceipts(before: now - DeviceMemory.receiptLifetime)
            try IngestStore(db).forgetCodes(expiredBefore: now - Self.codesKept)
            try IngestStore(db).forgetErasures(now: now)
            try IngestStore(db).forgetPrompts(before: now - IngestStore.promptsKept)
            if try IngestStore(db).closeAccess(expiredBy: now) { hasDeletedKeys = true }
            gate.open(at: now)
            return done
        }
    }

    private func journal(_ lane: LaneName) -> Journal? { [realtime, batch, requests].first { $0.lane == lane } }

    /// Where the memories of devices are, for the connection that writes.
    func memories(_ db: Database) throws -> MemoryStore {
        if let memories { return memories }
        let memories = try MemoryStore(db)
        self.memories = memories
        return memories
    }

    private func take(
        _ read: Upload, _ store: IngestStore, _ memories: MemoryStore, now: UnixMilliseconds,
        _ full: (realtime: Bool, batch: Bool), _ deferred: inout Int
    ) throws -> Result<Receipt, DeviceAPIError> {
        if !gate.isOpen, let problem = gate.refusal(of: read.device) { return .failure(problem) }
        var memory = try memories.memory(of: read.device)
        var upload = read
        if memory.hasOtherConsent(than: read.consentVersion), let state = try store.consent(of: read.device) {
            guard state.identity.consent.contains(.measurement) else { return .failure(.noMeasurementConsent) }
            upload = ConsentRevision.apply(state.identity, to: read)
        }
        if !gate.isOpen, let filter = gate.filter(of: read.device) {
            upload = try ErasureRevision.apply(filter, to: upload)
        }
        var gone = memory.prune(now: now)
        if let note = memory.receipt(upload.batchID, fingerprint: upload.fingerprint) {
            let body = note.hasItems ? try store.receipt(upload.device, note.batch) : nil
            if body != nil || !note.hasItems { return .success(Receipt(note, body: body)) }
        }
        if upload.isUrgent, full.realtime { return .failure(.full(.realtime)) }
        let isLimited = !upload.kind.keepsOrder
        let decision = UploadDecision(
            upload, &memory, now: now, onlyUrgent: full.batch,
            urgentLeft: !upload.isUrgent ? 0 : isLimited ? urgentQuota.left(to: upload.device, now: now) : .max)
        if isLimited { urgentQuota.take(decision.urgent.count, of: upload.device, now: now) }
        deferred += decision.deferred
        try sort(upload, decision, store.db, now: now)
        if upload.kind.id == RecordKind.prompt.id { try note(upload, decision.accepted, store) }
        if decision.heldBack > 0 {
            if !decision.accepted.isEmpty { try memories.save(memory, of: upload.device) }
            return .failure(.full(.batch))
        }
        var receipt = Receipt(
            batchID: upload.batchID, accepted: decision.accepted.count, duplicates: decision.duplicates,
            conflicts: decision.conflicts, rejected: decision.rejected, items: decision.items,
            unknownColumns: upload.unknownColumns)
        if receipt.accepted > 0, let trust = upload.trust, trust.isNew(DeviceMemory.day(now)) {
            receipt.trust = try store.note(upload.device, seenOn: DeviceMemory.day(now))
        }
        gone += memory.add(
            ReceiptNote(
                batch: upload.batchID, fingerprint: upload.fingerprint, at: now, accepted: UInt32(receipt.accepted),
                duplicates: UInt32(receipt.duplicates + receipt.conflicts), rejected: UInt32(receipt.rejected),
                hasItems: receipt.hasText))
        // First, as this batch may be one of them.
        for batch in gone { try store.forgetReceipt(upload.device, batch) }
        if receipt.hasText { try store.save(receipt, of: upload.device, now: now) }
        try memories.save(memory, of: upload.device)
        return .success(receipt)
    }

    /// Sorts the accepted rows of an upload by lane.
    private func sort(_ upload: Upload, _ decision: UploadDecision, _ db: Database, now: UnixMilliseconds) throws {
        let rows = decision.accepted, all = rows.count == upload.rows.rowCount
        guard !rows.isEmpty else { return }
        let table =
            decision.reused.isEmpty ? upload.rows : PackedColumns(upload.rows.columns.flagging(decision.reused))
        func append(_ rows: [Int32]?, to lane: LaneRows) throws {
            try lane.append(upload.kind, table, rows: rows, of: upload.batchID, db, now: now)
        }
        if !upload.isUrgent {
            try append(all ? nil : rows, to: ordinary)
        } else if decision.urgent.count == rows.count {
            try append(all ? nil : rows, to: urgent)
        } else {
            try append(decision.urgent, to: urgent)
            try append(decision.ordinary, to: ordinary)
        }
    }
}

extension Columns {
    /// The table with the flag `seq_reused` set in some rows.
    func flagging(_ rows: [Int32]) -> Columns {
        var flags: [Int64?] = (0..<rowCount).map { self[ColumnID.flags]?.integer($0) }
        for row in rows { flags[Int(row)] = (flags[Int(row)] ?? 0) | RowFlags.seqReused.rawValue }
        return Columns(
            rowCount: rowCount, columns: dropping(ColumnID.flags).columns + [Column(id: ColumnID.flags, values: flags)])
    }
}
