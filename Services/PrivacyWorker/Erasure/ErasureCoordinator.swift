internal import GRDB
internal import Lanes
internal import Models
internal import SubjectRights
internal import Wire

/// Turns requests into orders, keeps count of who has signed, and completes them: in the transaction of a step, with the
/// audit log.
struct ErasureCoordinator {
    /// Who must sign before the privacy worker does, which is the last.
    ///
    /// - Parameter hasNotifier: whether a notifier runs.
    static func signers(hasNotifier: Bool = false) -> Set<String> {
        Set(["ingest", "alert-router", "batch-aggregator", "reward-dispatcher", "analytics-exporter"])
            .union(hasNotifier ? ["notifier"] : [])
    }

    static let lastSigner = "privacy-worker"

    let signers: Set<String>
    let executor: ErasureExecutor
    /// Told of receipts that no known key signed.
    let refused: (ErasureReceiptDocument) -> Void

    /// Requests of a block of kind `erasure_request`.
    func take(requests columns: Columns, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission) throws {
        let orders = ErasureOrders(db)
        for (row, request) in try columns.documents(ErasureRequestDocument.self) {
            guard let device = columns[ColumnID.device]?.integer(row) else { continue }
            guard try orders.order(request.subject.request) == nil else { continue }
            let order = ErasureOrderDocument(request, state: .inProgress)
            let subject = ErasureSubject(device: UInt64(bitPattern: device), document: request.subject)
            try save(order, orders, &emit)
            try emit.append(to: .privacy, kind: .erasureSubject, columns: ErasureSubject.columns([subject]))
            try executor.hear(subject, db)
            try note("erasure.requested", order, request.source.rawValue, ["scope": order.scope.summary], &audit)
        }
    }

    /// Receipts of a block of kind `erasure_receipt`.
    func take(receipts columns: Columns, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission) throws {
        for (_, receipt) in try columns.documents(ErasureReceiptDocument.self) {
            try take(receipt, &audit, db, &emit)
        }
    }

    /// Keys of a block of kind `verification_key`: known from now on, and told to everybody who reads the privacy lane. A
    /// service can announce its own only.
    func take(
        keys columns: Columns, of writer: String, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission
    ) throws {
        for (_, key) in try columns.documents(VerificationKeyDocument.self)
        where try key.service == writer && ErasureOrders(db).add(key) {
            try audit.append(
                actor: key.service, action: "key.announced", subject: [],
                detail: SortedJSON.text(of: ["key_id": key.keyID, "use": key.use.rawValue]))
            try emit.append(to: .privacy, kind: .verificationKey, columns: .documents([(key.keyID, key)]))
        }
    }

    /// A receipt, of another service or the worker's own; the last one completes the order.
    func take(
        _ receipt: ErasureReceiptDocument, _ audit: inout AuditWriter, _ db: Database, _ emit: inout Emission
    ) throws {
        let orders = ErasureOrders(db)
        guard var order = try orders.order(receipt.request), order.state != .completed,
            !order.receipts.contains(where: { $0.service == receipt.service })
        else { return }
        guard receipt.subject == order.subject, try orders.key(receipt.keyID)?.verifies(receipt) == true else {
            refused(receipt)
            return try note("erasure.receipt_refused", order, receipt.service, [:], &audit)
        }
        order.receipts.append(receipt)
        try note("erasure.signed", order, receipt.service, ["removed": String(receipt.removed)], &audit)
        if signers.union([Self.lastSigner]).isSubset(of: Set(order.receipts.map(\.service))) {
            order.state = .completed
            order.completedAt = receipt.signedAt
            try note("erasure.completed", order, Self.lastSigner, [:], &audit)
        } else {
            try executor.hear(receipt, db)
        }
        try save(order, orders, &emit)
    }

    /// Orders whose time is over are told of once.
    func tellLate(now: UnixMilliseconds, _ audit: inout AuditWriter, _ db: Database) throws -> [ErasureOrderDocument] {
        let late = try ErasureOrders(db).takeLate(now: now)
        for order in late {
            let missing = signers.union([Self.lastSigner]).subtracting(order.receipts.map(\.service))
            try note(
                "erasure.late", order, Self.lastSigner, ["missing": missing.sorted().joined(separator: " ")], &audit)
        }
        return late
    }

    private func save(_ order: ErasureOrderDocument, _ orders: ErasureOrders, _ emit: inout Emission) throws {
        try orders.save(order)
        try emit.append(to: .privacy, kind: .erasureOrder, columns: .documents([(order.request, order)]))
    }

    private func note(
        _ action: String, _ order: ErasureOrderDocument, _ actor: String, _ detail: [String: String],
        _ audit: inout AuditWriter
    ) throws {
        try audit.append(
            actor: actor, action: action, subject: Hexadecimal.bytes(order.subject) ?? [],
            detail: SortedJSON.text(of: detail.merging(["request": order.request]) { $1 }))
    }
}

extension ErasureScope {
    /// What kind of scope it is, without its times and places: for a log that is kept for ever.
    var summary: String {
        isEverything ? "everything" : cells == nil ? "time" : from == nil ? "area" : "time and area"
    }
}
