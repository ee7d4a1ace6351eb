import ArgumentParser
import Foundation
import Models
import ServiceKit
import SubjectRights
import Testing

@testable import Administration
@testable import Command

@Suite(.timeLimit(.minutes(1)))
struct AdminErasureTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    private func receipts(_ services: [String], tampered: Bool = false) throws -> [ErasureReceiptDocument] {
        try services.map { service in
            let key = key(service)
            var receipt = try key.sign(
                ErasureReceiptDocument(
                    request: "r1", subject: "ab", service: service,
                    barriers: [Position(lane: .alerts, generation: 4, block: 9)], removed: 3, signedAt: 5,
                    keyID: key.id))
            if tampered && service == services.last { receipt.barriers = [] }
            return receipt
        }
    }

    private func key(_ service: String) -> ReceiptKey {
        ReceiptKey(secret: [UInt8](repeating: UInt8(service.count), count: 32), service: service)
    }

    private func verify(_ receipts: [ErasureReceiptDocument], keysOf services: [String]) throws -> Int32 {
        struct Receipts: Encodable { let receipts: [ErasureReceiptDocument] }
        struct Keys: Encodable { let keys: [VerificationKeyDocument] }
        let file = bench.folder.write("receipts.json", try SortedJSON.text(of: Receipts(receipts: receipts)))
        let keys = bench.folder.write(
            "keys.json", try SortedJSON.text(of: Keys(keys: services.map { key($0).document(since: 0) })))
        do {
            var command = try NkulCommand.parseAsRoot(["admin", "erasure", "verify", file, "--keys", keys])
            try command.run()
            return 0
        } catch { return NkulCommand.report(error) }
    }

    @Test func `a polygon west of Greenwich and south of the equator is no option`() async throws {
        let taken: JSONValue = ["request_id": "r1"]
        try await bench.serving([.ingest: ["erasure.add": { _ in taken }]]) { [bench] in
            _ = try await bench.admin(
                "erasure", "add", "7", "--polygon", "-90.16,29.96 -90.06,29.96  -90.06,-30.01", "--json")
            #expect(
                bench.asked.all[0].arguments["scope"] == [
                    "polygon": [[-90.16, 29.96], [-90.06, 29.96], [-90.06, -30.01]]
                ])
        }
    }

    @Test(arguments: [
        "11.5,,3.8", ",11.5,3.8", "11.5,3.8,", "11.5,x,3.8", "11.5,3,8", "11.5", "181,3.8", "11.5,-90.5", "nan,3.8",
        "11.5,inf",
    ])
    func `a corner that is not exactly two degrees is refused and named, and nothing is asked`(corner: String)
        async throws
    {
        let error = await #expect(throws: ServiceError.self) {
            _ = try await bench.admin("erasure", "add", "7", "--polygon", "11.5,3.8 11.6,3.8 \(corner) 11.6,3.9")
        }
        #expect(error?.exitCode == 2 && error?.message.contains("\"\(corner)\"") == true)
        #expect(bench.asked.all.isEmpty)
    }

    private let all = ServiceName.built.map(\.rawValue)

    @Test func `six receipts that hold prove an erasure, and nothing less does`() throws {
        #expect(try verify(receipts(all), keysOf: all) == 0)
        #expect(try verify(receipts(Array(all.dropLast())), keysOf: all) == 1)
        #expect(try verify(receipts(all, tampered: true), keysOf: all) == 1)
        #expect(try verify(receipts(all), keysOf: Array(all.dropFirst())) == 1)
    }

    @Test func `receipts of two erasures prove none`() throws {
        var mixed = try receipts(all)
        let other = key(all[0])
        mixed[0] = try other.sign(
            ErasureReceiptDocument(
                request: "r2", subject: "ab", service: all[0], barriers: [], removed: 0, signedAt: 5, keyID: other.id))
        #expect(try verify(mixed, keysOf: all) == 1)
    }

    @Test func `an erasure is asked of ingest with its scope`() async throws {
        let taken: JSONValue = ["request_id": "r1", "state": "pending", "expected_completion_time_ms": 1_000]
        try await bench.serving([.ingest: ["erasure.add": { _ in taken }]]) { [bench] in
            let answer = try await bench.admin("erasure", "add", "17")
            #expect(answer.text.contains("nkul admin erasure show r1"))
            _ = try await bench.admin(
                "erasure", "add", "17", "--from", "2026-01-01T00:00:00Z", "--polygon", "11.5,3.8 11.6,3.8 11.6,3.9")
            #expect(
                bench.asked.all.map(\.arguments) == [
                    ["device": "17", "scope": ["all": true]],
                    [
                        "device": "17",
                        "scope": [
                            "from": "2026-01-01T00:00:00Z", "polygon": [[11.5, 3.8], [11.6, 3.8], [11.6, 3.9]],
                        ],
                    ],
                ])
        }
    }

    @Test func `the list says how many are open and late, and where it goes on`() async throws {
        let page: JSONValue = [
            "erasures": [["request": "r1", "state": "in_progress", "source": "device", "receipts": [[:], [:]]]],
            "open": 3, "late": 1, "completed": 5, "before": 77, "before_request": "r1",
        ]
        try await bench.serving([.privacyWorker: ["erasure.list": { _ in page }]]) { [bench] in
            let text = try await bench.admin("erasure", "list").text
            #expect(text.contains("3 open, 1 late, 5 completed") && text.contains("--before 77 --before-request r1"))
        }
    }

    @Test func `the export has every order of every page, without receipts`() async throws {
        let orders = try (0..<3).map { number -> JSONValue in
            let subject = ErasureSubjectDocument(
                request: "r\(number)", subject: "ab", scope: .everything, barriers: [])
            var order = ErasureOrderDocument(
                ErasureRequestDocument(subject: subject, requestedAt: Int64(10 - number), dueAt: 99, source: .device))
            order.receipts = try receipts(["ingest"])
            return try JSONValue(bytes: SortedJSON.bytes(of: order))
        }
        let pages: @Sendable (JSONValue) -> JSONValue = { arguments in
            arguments["before"]?.integer == 9
                ? ["erasures": .array([orders[2]])]
                : ["erasures": .array([orders[0], orders[1]]), "before": 9, "before_request": "r1"]
        }
        let path = bench.folder.path + "/orders.json"
        try await bench.serving([.privacyWorker: ["erasure.list": { pages($0) }]]) { [bench] in
            check(await bench.exitCode("erasure", "export", "-o", path, "--home", bench.home.path), is: 0)
        }
        let list = try JSONDecoder().decode(
            ErasureOrderList.self, from: Data(FileManager.default.contents(atPath: path)!))
        #expect(list.format == ErasureOrderList.format)
        #expect(list.orders.map(\.request) == ["r2", "r1", "r0"])
        #expect(list.orders.flatMap(\.receipts).isEmpty)
        #expect(bench.asked.all.map(\.arguments).last?["before_request"] == "r1")
    }
}
