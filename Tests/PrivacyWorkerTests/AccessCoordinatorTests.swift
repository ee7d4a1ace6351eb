import Foundation
import GRDB
import Lanes
import Models
import Storage
import TemporaryFiles
import Testing
import Wire

@testable import PrivacyWorker
@testable import SubjectRights

struct AccessCoordinatorTests {
    private let bench = try! PrivacyBench()
    private let key = RecipientSeal.newKey()
    private static let others = AccessCoordinator.givers.subtracting(["privacy-worker"]).sorted()
    private static let subject = String(repeating: "ab", count: 32)

    private func document(_ request: String, requests: UInt64 = 0) throws -> AccessOrderDocument {
        AccessOrderDocument(
            request: request, subject: Self.subject,
            publicKey: Data(try RecipientSeal.publicKey(of: key)).base64EncodedString(),
            barriers: [Position(lane: .requests, generation: 3, block: requests)], requestedAt: 1_000,
            expiresAt: 1_000 + 86_400_000)
    }

    private func ask(_ device: Int64, _ request: String = "r1") throws {
        let wish = AccessRequestDocument(order: try document(request), source: .device)
        try bench.hear(.accessRequest, rows(device, wish), from: "ingest")
    }

    private func rows(_ device: Int64, _ document: some Encodable) throws -> Columns {
        Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.device, values: [device]), Column(id: ColumnID.receivedAt, values: [1_000]),
                Column(id: ColumnID.document, strings: [[UInt8](try JSONEncoder().encode(document))]),
            ])
    }

    /// A part as a service writes it; what is in it is its own affair.
    private func part(
        _ service: String, _ index: Int = 1, isLast: Bool = true, request: String = "r1", device: Int64 = 7
    ) throws -> Columns {
        let document = AccessPartDocument(request: request, service: service, index: index, isLast: isLast)
        let sealed: [UInt8] = Array("sealed \(document.key)".utf8)
        return Columns(
            rowCount: 1,
            columns: [
                Column(id: ColumnID.key, strings: [Array(document.key.utf8)]),
                Column(id: ColumnID.device, values: [device]),
                Column(id: ColumnID.document, strings: [[UInt8](try JSONEncoder().encode(document))]),
                Column(
                    id: ColumnID.sealed, presence: .full(1), bytes: sealed, ends: [UInt32(sealed.count)], isPlain: true),
            ])
    }

    private func give(_ services: [String] = others, request: String = "r1") throws {
        for service in services { try bench.hear(.accessPart, part(service, request: request), from: service) }
    }

    private func words() throws -> [AccessOrder.Word] {
        var decoder = ColumnDecoder()
        return try bench.published(.accessOrder).flatMap {
            try AccessOrder.words(of: try $0.columns(with: &decoder))
        }
    }

    private func parts() throws -> [AccessPart] {
        var decoder = ColumnDecoder()
        return try bench.published(.accessPart).flatMap {
            try AccessPart.all(of: try $0.columns(with: &decoder)).map(\.part)
        }
    }

    private func state(_ request: String = "r1") throws -> AccessStanding? {
        try bench.database.read { try AccessRequests($0).standing(request) }
    }

    private func actions() throws -> [String] { try bench.entries().map(\.action).filter { $0.hasPrefix("access.") } }

    @Test func `a request becomes an order, once, and the audit log says so`() throws {
        try ask(7)
        try ask(7)
        try bench.settle()
        let order = AccessOrder(device: 7, document: try document("r1"))
        #expect(try words() == [.ordered(order)])
        #expect(try bench.published(.accessOrder).map(\.header.subjects) == [[7]])
        #expect(try actions() == ["access.requested"])
        #expect(try bench.entries().last?.subject == Hexadecimal.bytes(Self.subject))
        #expect(try state()?.state == "open" && state()?.services == ["privacy-worker"])
    }

    @Test func `parts are handed on as they are, and the last service completes the answer`() throws {
        try ask(7)
        try bench.settle()
        try give(Array(Self.others.dropLast()))
        #expect(try state()?.state == "open")
        try give([Self.others.last!])
        try give([Self.others.last!])
        let completed = try #require(try state())
        #expect(completed.state == "completed" && Set(completed.services) == AccessCoordinator.givers)
        #expect(try actions() == ["access.requested", "access.completed"])
        let handed = try parts().filter { $0.document.service == "alert-router" }
        #expect(handed.map(\.sealed) == [Array("sealed r1/alert-router/00001".utf8)] && handed[0].device == 7)
        #expect(try bench.check().fault == nil)
    }

    @Test func `a part of a service that is not the writer's, or that nobody waits for, is not handed on`() throws {
        try ask(7)
        try bench.settle()
        let before = try parts().count
        try bench.hear(.accessPart, part("alert-router"), from: "reward-dispatcher")
        try bench.hear(.accessPart, part("alert-router", request: "another"), from: "alert-router")
        #expect(try parts().count == before)
    }

    @Test func `after its time an answer is taken back, and nothing of it is left on the lane`() throws {
        try ask(7)
        try bench.settle()
        try give()
        try bench.settle(now: 1_000 + 86_400_000 - 1)
        #expect(try state()?.state == "completed")
        try bench.settle(now: 1_000 + 86_400_000)
        #expect(try state()?.state == "closed" && parts().isEmpty)
        #expect(try words().last == .closed("r1"))
        #expect(try actions() == ["access.requested", "access.completed", "access.expired"])
        #expect(
            try bench.database.read {
                try Int64.fetchAll($0, sql: "SELECT device FROM access_requests WHERE device IS NOT NULL")
            }.isEmpty)
        try give()
        #expect(try parts().isEmpty, "what comes late is not handed on")
    }

    @Test func `an erasure of a part withdraws what is on its way`() throws {
        try ask(7)
        try ask(8, "r2")
        try bench.settle()
        try give()
        let bucket = ErasureScope.bucketMilliseconds
        let scope = ErasureScope(from: 0, to: bucket, cells: nil, requestedAt: 10 * bucket)
        let erasure = ErasureRequestDocument(
            subject: ErasureSubjectDocument(request: "e1", subject: Self.subject, scope: scope, barriers: []),
            requestedAt: 1_000, dueAt: 2_000_000, source: .device)
        try bench.hear(.erasureRequest, rows(7, erasure), from: "ingest")
        try bench.settle()
        #expect(try state()?.state == "closed" && state("r2")?.state == "open")
        #expect(try parts().allSatisfy { $0.document.request == "r2" })
        #expect(try actions().last == "access.withdrawn")
    }

    @Test func `what the worker itself holds is given: consents, and what the audit log says`() throws {
        try bench.step(
            ConsentWriter().append([
                .sample(7, 1, ["measurement"]), .sample(8, 1, ["research"]), .sample(7, 2, ["rewards"]),
            ]))
        try ask(7)
        try bench.settle()
        let mine = try parts().filter { $0.document.service == "privacy-worker" }
        let opened = try mine.map { try AccessPart.open($0.sealed, $0.document, with: key) }
        let contents = try AccessContents(bytes: try #require(opened.last))
        #expect(
            contents.kinds.map(\.kind.kind) == ["consent", "audit_entry"] && contents.kinds.map(\.count) == [2, 3])
        let text = String(decoding: opened.dropLast().flatMap(\.self), as: UTF8.self)
        #expect(text.contains(#""purposes":["rewards"]"#) && !text.contains("research"))
        #expect(text.contains("consent.given") && text.contains("access.requested"))
    }

    @Test func `a restart changes nothing`() throws {
        let directory = try TemporaryDirectory(), path = directory.path + "/state.sqlite"
        let first = try PrivacyBench(path: path)
        try first.hear(
            .accessRequest, rows(7, AccessRequestDocument(order: document("r1"), source: .device)), from: "ingest")
        try first.hear(.accessPart, part("alert-router"), from: "alert-router")
        let again = try first.effects(PrivacyBench.keys)
        let expected: UnixMilliseconds = 86_401_000
        #expect(again.nextTick == expected, "it knows when the answer expires")
        #expect(try first.database.read { try AccessRequests($0).standing("r1")?.state } == "open")
    }

    @Test func `a page of requests begins where the one before ended`() throws {
        for number in 1...5 { try ask(7, "r\(number)") }
        let all = try bench.database.read { try AccessRequests($0).page(before: (.max, ""), limit: 10) }
        #expect(all.map(\.request) == ["r5", "r4", "r3", "r2", "r1"])
        let rest = try bench.database.read { try AccessRequests($0).page(before: (1_000, "r3"), limit: 1) }
        #expect(rest.map(\.request) == ["r2"])
        let figures = try bench.database.read { try AccessRequests($0).figures(now: 3_000) }
        #expect(figures.open == 5 && figures.completed == 0 && figures.oldest == 2_000)
    }
}
