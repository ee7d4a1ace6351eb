internal import GRDB
internal import Lanes
internal import Models
internal import Storage
internal import SubjectRights
internal import Wire

/// Turns requests for access into orders, hands parts on to who asked, and closes what is over: in the transaction of a step,
/// with the audit log. What the worker itself holds it gives as any service does.
///
/// Confined to the thread of the worker's engine.
final class AccessCoordinator {
    /// Who must have given everything before an answer is complete, beside ingest, which gives its own with the answer.
    static let givers: Set<String> = [
        "alert-router", "batch-aggregator", "reward-dispatcher", "analytics-exporter", giver,
    ]
    private static let giver = "privacy-worker"
    /// Milliseconds until it is looked whether there is room again.
    private static let pause: UnixMilliseconds = 1_000
    /// Orders published, and removals told, in one step.
    private static let ordersAtOnce = 100
    private static let removalsAtOnce = 1_000

    let executor: AccessExecutor
    private let journal: Journal
    private var due: UnixMilliseconds?

    /// - Parameter executor: the worker's own.
    init(database: ServiceDatabase, journal: Journal, executor: AccessExecutor) throws {
        self.journal = journal
        self.executor = executor
        due = try database.write { db in
            try AccessRequests.createTables(db)
            return try AccessRequests(db).nextDue(ifFull: nil)
        }
    }

    /// Requests of a block of kind `access_request`.
    func take(requests columns: Columns, _ audit: inout AuditWriter, _ db: Database, now: UnixMilliseconds) throws {
        let requests = AccessRequests(db)
        for (row, request) in try columns.documents(AccessRequestDocument.self) {
            guard let device = columns[ColumnID.device]?.integer(row) else { continue }
            let order = AccessOrder(device: UInt64(bitPattern: device), document: request.order)
            guard try requests.add(order, request.source) else { continue }
            try note("access.requested", order.document, request.source.rawValue, [:], &audit)
        }
        try look(requests, now)
    }

    /// Parts of a block of kind `access_part`: handed on as they are, if they are their writer's and somebody waits for them.
    func take(
        parts columns: Columns, of writer: String, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission,
        now: UnixMilliseconds
    ) throws {
        let requests = AccessRequests(db)
        var rows: [Int32] = []
        for (row, part) in try AccessPart.all(of: columns)
        where part.document.service == writer && Self.givers.contains(writer) {
            guard try requests.count(part.document, bytes: part.sealed.count) else { continue }
            rows.append(Int32(row))
            if part.document.isLast { try complete(part.document.request, requests, now, &audit) }
        }
        if !rows.isEmpty { try emit.append(to: .privacy, kind: .accessPart, columns: columns.gathered(rows)) }
    }

    /// Erasures of a block of kind `erasure_request`: whoever has something erased has no use for a copy with it.
    func withdraw(erasures columns: Columns, _ audit: inout AuditWriter, _ db: Database, now: UnixMilliseconds) throws {
        let requests = AccessRequests(db)
        for device in Set(columns[ColumnID.device]?.integers ?? []).sorted() {
            for order in try requests.open(of: device) { try close(order, "access.withdrawn", requests, now, &audit) }
        }
        try look(requests, now)
    }

    /// When ``tick(_:in:)`` is to be called.
    var nextTick: UnixMilliseconds? { [due, executor.nextTick].compactMap(\.self).min() }

    /// One bounded piece of work; true if it did anything.
    func tick(_ audit: inout AuditWriter, in transaction: inout EffectTransaction) throws -> Bool {
        var did = false
        let requests = AccessRequests(transaction.db)
        if let due, due <= transaction.now {
            for order in try requests.expired(now: transaction.now, limit: Self.ordersAtOnce) {
                try close(order, "access.expired", requests, transaction.now, &audit)
            }
            try publish(requests, transaction.db, &transaction.emit)
            try takeAway(requests, transaction.now, transaction.db, &transaction.emit)
            did = true
        }
        if let next = executor.nextTick, next <= transaction.now {
            did = try executor.tick(in: &transaction) || did
            for last in executor.takeGiven() where try requests.count(last, bytes: 0) {
                try complete(last.request, requests, transaction.now, &audit)
            }
        }
        try look(requests, transaction.now)
        return did
    }

    /// After the commit of a step.
    func committed() throws { try executor.committed() }

    private func hasRoom(_ requests: AccessRequests) throws -> Bool {
        try !journal.isFull && requests.bytes() < journal.limits.maximumBytes / 4
    }

    private func look(_ requests: AccessRequests, _ now: UnixMilliseconds) throws {
        due = try requests.nextDue(ifFull: hasRoom(requests) ? nil : now + Self.pause)
    }

    /// Orders wait while copies for others take a quarter of what the lane may have.
    private func publish(_ requests: AccessRequests, _ db: Database, _ emit: inout Emission) throws {
        guard try hasRoom(requests) else { return }
        for order in try requests.waiting(limit: Self.ordersAtOnce) {
            try emit.append(to: .privacy, kind: .accessOrder, columns: AccessOrder.columns([order]))
            try executor.hear(order, db)
            try requests.set(.open, of: order.request)
        }
    }

    private func complete(
        _ request: String, _ requests: AccessRequests, _ now: UnixMilliseconds, _ audit: inout AuditWriter
    ) throws {
        let parts = try requests.complete(request)
        guard Self.givers.isSubset(of: Set(parts.keys)), let order = try requests.finish(request, now: now) else {
            return
        }
        let count = parts.values.reduce(0, +)
        try note("access.completed", order, Self.giver, ["parts": String(count)], &audit)
    }

    private func close(
        _ order: AccessOrderDocument, _ action: String, _ requests: AccessRequests, _ now: UnixMilliseconds,
        _ audit: inout AuditWriter
    ) throws {
        try requests.close(order.request, now: now)
        try note(action, order, Self.giver, [:], &audit)
    }

    /// Says of an order and of the parts that were handed on that they are gone; the executor removes what is here of them.
    private func takeAway(
        _ requests: AccessRequests, _ now: UnixMilliseconds, _ db: Database, _ emit: inout Emission
    ) throws {
        guard let request = try requests.closing() else { return }
        let keys = try requests.takeParts(of: request, besides: Self.giver, limit: Self.removalsAtOnce)
        guard keys.isEmpty else {
            return try emit.append(to: .privacy, kind: .accessPart, columns: AccessPart.removals(of: keys))
        }
        try emit.append(to: .privacy, kind: .accessOrder, columns: AccessPart.removals(of: [request]))
        try executor.hear(closed: request, db)
        try requests.set(.closed, of: request)
        try requests.forget(closedBefore: now - AccessRequests.kept)
    }

    private func note(
        _ action: String, _ order: AccessOrderDocument, _ actor: String, _ detail: [String: String],
        _ audit: inout AuditWriter
    ) throws {
        try audit.append(
            actor: actor, action: action, subject: Hexadecimal.bytes(order.subject) ?? [],
            detail: SortedJSON.text(of: detail.merging(["request": order.request]) { $1 }))
    }
}
