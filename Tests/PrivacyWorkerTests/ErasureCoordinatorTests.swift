import Foundation
import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import Testing
import Wire

@testable import PrivacyWorker

struct ErasureCoordinatorTests {
    private var bench = try! PrivacyBench()
    private let subject = String(repeating: "ab", count: 32)

    private func request(_ device: Int64, _ name: String = "r1", requests: UInt64 = 0) throws -> Columns {
        let document = ErasureRequestDocument(
            subject: ErasureSubjectDocument(
                request: name, subject: subject, scope: .everything,
                barriers: [Position(lane: .requests, generation: 3, block: requests)]),
            requestedAt: 1_000, dueAt: 1_000 + 30 * 86_400_000, source: .device)
        return try Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.device, values: [device]), Column(id: ColumnID.receivedAt, values: [1_000]),
                Column(id: ColumnID.document, strings: [[UInt8](JSONEncoder().encode(document))]),
            ])
    }

    private func key(_ service: String) -> ReceiptKey {
        ReceiptKey(secret: [UInt8](repeating: UInt8(service.count), count: 32), service: service)
    }

    private func announce() throws {
        for service in ErasureCoordinator.signers().sorted() {
            let document = key(service).document(since: 0)
            try bench.hear(.verificationKey, .documents([(document.keyID, document)]), from: service)
        }
    }

    private func sign(_ service: String, by signer: String? = nil, subject: String? = nil) throws {
        let key = key(signer ?? service)
        var receipt = ErasureReceiptDocument(
            request: "r1", subject: subject ?? self.subject, service: service, barriers: [], removed: 2,
            signedAt: 5, keyID: key.id)
        receipt = try key.sign(receipt)
        try bench.hear(.erasureReceipt, .documents([("r1/\(service)", receipt)]), from: service)
    }

    private func order() throws -> ErasureOrderDocument {
        try #require(try bench.database.read { try ErasureOrders($0).order("r1") })
    }

    @Test func `a request becomes an order that names no ordinal, and a subject that does`() throws {
        try bench.hear(.erasureRequest, request(7), from: "ingest")
        #expect(try order().state == .inProgress && order().dueAt == 1_000 + 30 * 86_400_000)
        let subjects = try bench.published(.erasureSubject)
        #expect(subjects.map { $0.header.subjects } == [[7]])
        #expect(try bench.published(.erasureOrder).allSatisfy { $0.header.subjects.isEmpty })
        #expect(try bench.entries().last?.action == "erasure.requested")
        #expect(try bench.entries().last?.subject == Hexadecimal.bytes(subject))
    }

    @Test func `it is completed when all have signed, and nothing of the subject is left`() throws {
        try bench.step(ConsentWriter().append([.sample(7, 1, ["measurement"]), .sample(8, 1, ["research"])]))
        try announce()
        try bench.hear(.erasureRequest, request(7, requests: 1), from: "ingest")
        for service in ErasureCoordinator.signers().sorted().dropLast() { try sign(service) }
        try bench.settle()
        #expect(try order().state == .inProgress && order().receipts.count == 4)
        try sign(ErasureCoordinator.signers().sorted().last!)
        try bench.settle()
        let done = try order()
        #expect(done.state == .completed && done.completedAt != nil)
        #expect(Set(done.receipts.map(\.service)) == ErasureCoordinator.signers().union(["privacy-worker"]))
        let left = try bench.database.read { try Int64.fetchAll($0, sql: "SELECT device FROM consents") }
        #expect(left == [8])
        #expect(try bench.published(.erasureSubject).isEmpty)
        #expect(try bench.entries().suffix(2).map(\.action) == ["erasure.signed", "erasure.completed"])
        #expect(try bench.check().fault == nil)
    }

    @Test mutating func `where a notifier runs it is not complete without its receipt`() throws {
        bench = try PrivacyBench(hasNotifier: true)
        try announce()
        let document = key("notifier").document(since: 0)
        try bench.hear(.verificationKey, .documents([(document.keyID, document)]), from: "notifier")
        try bench.hear(.erasureRequest, request(7), from: "ingest")
        for service in ErasureCoordinator.signers() { try sign(service) }
        try bench.settle()
        #expect(try order().state == .inProgress)
        try sign("notifier")
        try bench.settle()
        #expect(try order().state == .completed && order().receipts.map(\.service).contains("notifier"))
    }

    @Test func `a receipt of another's key, or about another subject, does not count`() throws {
        try announce()
        try bench.hear(.erasureRequest, request(7), from: "ingest")
        try sign("ingest", by: "alert-router")
        try sign("ingest", subject: String(repeating: "cd", count: 32))
        #expect(try order().receipts.isEmpty)
        #expect(try bench.entries().suffix(2).map(\.action) == ["erasure.receipt_refused", "erasure.receipt_refused"])
        try sign("ingest")
        try sign("ingest")
        #expect(try order().receipts.map(\.service) == ["ingest"])
    }

    @Test func `a request that comes again changes nothing`() throws {
        try bench.hear(.erasureRequest, request(7), from: "ingest")
        let before = try bench.entries()
        try bench.hear(.erasureRequest, request(7), from: "ingest")
        #expect(try bench.entries() == before)
    }

    @Test func `a late one is told of once`() throws {
        try bench.hear(.erasureRequest, request(7), from: "ingest")
        let due = try order().dueAt
        try bench.settle(now: due)
        #expect(bench.late.isEmpty)
        try bench.settle(now: due + 1)
        #expect(bench.late == ["r1"])
        let entry = try #require(try bench.entries().last)
        #expect(entry.action == "erasure.late" && entry.detail.contains("alert-router analytics-exporter"))
        let standing = try bench.database.read { try ErasureOrders($0).standing(now: due + 1) }
        #expect(standing == ErasureStanding(open: 1, late: 1, completed: 0, oldest: due + 1 - 1_000))
    }

    @Test func `consents of others are still append-only`() throws {
        try bench.step(ConsentWriter().append([.sample(7, 1, ["measurement"]), .sample(8, 1, ["research"])]))
        #expect(throws: StorageError.self) {
            try bench.database.write {
                try $0.execute(sql: "INSERT INTO consents_erased (device) VALUES (7); DELETE FROM consents")
            }
        }
    }
}
