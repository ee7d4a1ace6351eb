import Lanes
import Models
import QoE
import SubjectRights
import Synchronization
import Wire

/// Runs an engine as the effect loop does, on whatever thread wakes it, one step at a time.
final class TestWorker: @unchecked Sendable {
    // Sendable: `engine` and `blocks` are touched with `turn` held only.
    private let turn = Mutex(())
    private let engine: EffectEngine
    private let clock: TestClock
    private var blocks: [Block] = []

    init(_ engine: EffectEngine, _ clock: TestClock) {
        self.engine = engine
        self.clock = clock
    }

    func step(_ given: [LaneBlock]) throws {
        try turn.withLock { _ in
            let outcome = try engine.step(given, now: clock.now)
            for (lane, appended) in outcome.appended where lane == .operations { blocks += appended }
        }
    }

    var nextTick: Int64? { turn.withLock { _ in engine.effects.nextTick } }

    /// Receipts that were signed.
    func receipts() throws -> [ErasureReceiptDocument] {
        var decoder = ColumnDecoder()
        return try turn.withLock { _ in blocks }.filter { $0.header.kind == RecordKind.erasureReceipt.id }.flatMap {
            try $0.columns(with: &decoder).documents(ErasureReceiptDocument.self).map(\.document)
        }
    }

    /// Keys that were announced.
    func keys() throws -> [VerificationKeyDocument] {
        var decoder = ColumnDecoder()
        return try turn.withLock { _ in blocks }.filter { $0.header.kind == RecordKind.verificationKey.id }.flatMap {
            try $0.columns(with: &decoder).documents(VerificationKeyDocument.self).map(\.document)
        }
    }

    /// What was reported of retention orders.
    func retentionReports() throws -> [RetentionReportDocument] {
        var decoder = ColumnDecoder()
        return try turn.withLock { _ in blocks }.filter { $0.header.kind == RecordKind.retentionReport.id }.flatMap {
            try $0.columns(with: &decoder).documents(RetentionReportDocument.self).map(\.document)
        }
    }

    /// What was appended to the lane `operations`: kind, key and document of each record, in order, without what is told of
    /// erasures and to the audit log.
    func published() throws -> [String] {
        let others = [RecordKind.verificationKey, .erasureReceipt, .contactAct]
        return try records(others: Set(others.map(\.id)))
    }

    /// What the audit log is told of contacts, in order.
    func acts() throws -> [String] {
        try records(others: []).filter { $0.hasPrefix("contact_act ") && !$0.hasSuffix(" gone") }
    }

    private func records(others: Set<UInt8>) throws -> [String] {
        var decoder = ColumnDecoder()
        return try turn.withLock { _ in blocks }.filter { !others.contains($0.header.kind) }.flatMap { block in
            let columns = try block.columns(with: &decoder)
            return (0..<columns.rowCount).map { row in
                let key = columns[ColumnID.key]?.value(row) ?? []
                let document = columns[ColumnID.document]?.value(row)
                return [
                    Programmes.qoe.record(block.header.kind)!.name, String(decoding: key, as: UTF8.self),
                    document.map { String(decoding: $0, as: UTF8.self) } ?? "gone",
                ].joined(separator: " ")
            }
        }
    }
}
