import Foundation
import ServiceKit
import Testing

@testable import Administration

@Suite struct AdminAccessTests {
    private let bench: AdminBench

    init() throws { bench = try AdminBench() }

    @Test func `a copy is asked of ingest, and what to do next is said`() async throws {
        let taken: JSONValue = ["request_id": "r1", "state": "pending", "expires_at_ms": 86_400_000]
        try await bench.serving([.ingest: ["access.add": { _ in taken }]]) { [bench] in
            let answer = try await bench.admin("access", "add", "17")
            #expect(answer.text.contains("nkul admin access show r1") && answer.text.contains("1970-01-02T00:00:00Z"))
            #expect(bench.asked.all.map(\.arguments) == [["device": "17"]])
        }
    }

    @Test func `the list says how many are open and can be fetched, and where it goes on`() async throws {
        let page: JSONValue = [
            "requests": [["request": "r1", "state": "completed", "source": "device", "services": ["alert-router"]]],
            "open": 3, "completed": 5, "before": 77, "before_request": "r1",
        ]
        try await bench.serving([.privacyWorker: ["access.list": { _ in page }]]) { [bench] in
            let text = try await bench.admin("access", "list").text
            #expect(text.contains("3 open, 5 to be fetched") && text.contains("--before 77 --before-request r1"))
        }
    }

    @Test func `a copy is saved piece by piece, readable by its owner only, or not at all`() async throws {
        let pieces: [String: JSONValue] = [
            "head": ["data": .string(Data("one\n".utf8).base64EncodedString()), "place": "parts/0/1"],
            "parts/0/1": [
                "data": .string(Data("two\n".utf8).base64EncodedString()), "place": "parts/0/1", "offset": 4,
            ],
            "parts/0/1@4": ["data": .string(Data("three\n".utf8).base64EncodedString())],
        ]
        let read: @Sendable (JSONValue) throws -> JSONValue = { arguments in
            let place = arguments["place"]?.string ?? "head"
            let offset = arguments["offset"]?.integer.map { "@\($0)" } ?? ""
            return try #require(pieces[place + offset])
        }
        let file = bench.folder.path + "/copy.ndjson"
        try await bench.serving([.ingest: ["access.read": read]]) { [bench] in
            _ = try await bench.admin("access", "save", "r1", "--output", file)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "one\ntwo\nthree\n")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            await #expect(throws: ServiceError.self) { try await bench.admin("access", "save", "r1", "--output", file) }
        }
        let refused: @Sendable (JSONValue) throws -> JSONValue = { _ in throw ControlError.refused("not there yet") }
        let other = bench.folder.path + "/other.ndjson"
        try await bench.serving([.ingest: ["access.read": refused]]) { [bench] in
            await #expect(throws: ControlError.self) {
                try await bench.admin("access", "save", "r1", "--output", other)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: other))
    }

    @Test func `one request is shown with who has given`() async throws {
        let standing: JSONValue = [
            "request": "r1", "state": "open", "services": ["alert-router", "privacy-worker"], "requested_at_ms": 1_000,
        ]
        try await bench.serving([.privacyWorker: ["access.show": { _ in standing }]]) { [bench] in
            let text = try await bench.admin("access", "show", "r1").text
            #expect(text.contains("alert-router,privacy-worker") && text.contains("open"))
        }
    }
}
