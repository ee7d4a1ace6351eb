import Foundation
import GRDB
import HTTPTypes
import IngestAPI
import IngestCommands
import IngestCommit
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Synchronization
import Testing
import Wire

@testable import Ingest
@testable import IngestSupport
@testable import SubjectRights

@Suite struct AccessAPITests {
    /// A clock that a test moves.
    private final class Clock: Sendable {
        private let time = Mutex(Reading.now)
        var now: UnixMilliseconds { time.withLock { $0 } }
        func pass(_ milliseconds: UnixMilliseconds) { time.withLock { $0 += milliseconds } }
    }

    private static let day: UnixMilliseconds = 86_400_000

    private func ask(_ bench: APIBench, _ token: String) async throws -> APIBench.Answer {
        try await bench.call(.post, "/v1/me/data", headers: [.authorization: "Bearer \(token)"])
    }

    private func get(
        _ bench: APIBench, _ token: String, _ request: String, _ method: HTTPRequest.Method = .get
    ) async throws -> APIBench.Answer {
        try await bench.call(method, "/v1/me/data/\(request)", headers: [.authorization: "Bearer \(token)"])
    }

    private func request(_ bench: APIBench, _ token: String) async throws -> String {
        try #require(try await ask(bench, token).json["request_id"] as? String)
    }

    private func kind(_ name: String) -> HeldKind {
        let text = BilingualText(en: "things", fr: "choses")
        return HeldKind(name, what: text, why: text, kept: text, members: [HeldMember("n", .integer, "number")])
    }

    /// The parts that a service gives: lines of a length, as the privacy worker hands them on.
    private func parts(
        _ service: String, _ bench: APIBench, _ request: String, lines count: Int = 2, device: UInt64 = 1
    ) throws -> [AccessPart] {
        let documents = try bench.documents(.accessRequest, on: .requests, as: AccessRequestDocument.self)
        let order = AccessOrder(
            device: device, document: try #require(documents.map(\.order).first { $0.request == request }))
        var contents = AccessContents(service: service, kinds: [kind("thing"), kind("nothing")]), bytes: [UInt8] = []
        for number in 0..<count {
            let line = try SubjectLine("thing", at: Int64(number), ["n": number])
            contents.count(line)
            line.write(of: service, to: &bytes)
        }
        // Wherever a part ends, the next one goes on.
        let half = bytes.count / 2 + 3
        let first = try AccessPart.seal(Array(bytes[..<half]), of: service, for: order, from: 1, isLast: false)
        let second = try AccessPart.seal(Array(bytes[half...]), of: service, for: order, from: 2, isLast: false)
        return first + second
            + (try AccessPart.seal(contents.bytes(), of: service, for: order, from: 3, isLast: true))
    }

    private func hand(_ parts: [AccessPart], to bench: APIBench) throws {
        try bench.copies.take(bench.copies.block(.privacy, .accessPart, AccessPart.columns(parts)))
    }

    private func give(_ bench: APIBench, _ request: String, but missing: Set<String> = []) throws {
        for service in AccessDocument.givers where !missing.contains(service) {
            try hand(try parts(service, bench, request), to: bench)
        }
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `a request is taken with its barrier, and who asks again is told the same one`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let record = #"{"seq":1,"captured_at_ms":\#(Reading.now),"latency_ms":20}"#
        #expect(try await bench.send(record, token: token).json["accepted"] as? Int == 1)
        let taken = try await ask(bench, token)
        #expect(taken.status == 202 && taken.json["state"] as? String == "pending")
        #expect(taken.json["type"] as? String == "access" && taken.headers[.retryAfter] == "5")
        #expect(taken.json["expires_at_ms"] as? Int64 == Reading.now + Self.day)
        let request = try #require(taken.json["request_id"] as? String)
        #expect(taken.headers[.location] == "/v1/me/data/\(request)")
        #expect(try await ask(bench, token).json["request_id"] as? String == request)
        let documents = try bench.documents(.accessRequest, on: .requests, as: AccessRequestDocument.self)
        #expect(documents.count == 1 && documents[0].order.request == request && documents[0].source == .device)
        #expect(documents[0].order.barriers.map(\.lane) == [.realtime, .batch, .requests])
        let blocks = documents[0].order.barriers.map(\.block)
        #expect(blocks[0] == 0 && blocks[1] == 1 && blocks[2] > 0)
        #expect(Data(base64Encoded: documents[0].order.publicKey)?.count == 65)
        #expect(documents[0].order.subject.count == 64)
    }

    @Test func `what is missing is named until everybody has given, then there is everything`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), request = try await request(bench, token)
        try give(bench, request, but: ["batch-aggregator"])
        let waiting = try await get(bench, token, request)
        #expect(waiting.status == 202 && waiting.json["missing"] as? [String] == ["batch-aggregator"])
        #expect(waiting.headers[.retryAfter] != nil)
        let late = try parts("batch-aggregator", bench, request, lines: 3_000)
        try hand([late[1], late[2]], to: bench)
        #expect(try await get(bench, token, request).status == 202, "a part is missing in the middle")
        try hand([late[0]], to: bench)
        try hand([late[0], late[1]], to: bench)
        let copy = try await get(bench, token, request)
        #expect(copy.status == 200 && copy.headers[.contentType] == "application/x-ndjson")
        let lines = try objects(copy.text)
        #expect(lines.first?["kind"] as? String == "summary" && lines.last?["kind"] as? String == "end")
        let things = lines.filter { $0["kind"] as? String == "thing" }
        #expect(things.count == 3_008 && lines.last?["lines"] as? Int == things.count + 2)
        #expect(lines.first?["lines"] as? Int == things.count + 2 && lines.last?["complete"] as? Bool == true)
        #expect(
            things.filter { $0["service"] as? String == "batch-aggregator" }.map { $0["n"] as? Int } == Array(0..<3_000)
        )
        #expect(lines.filter { $0["kind"] as? String == "schema" }.count == 7, "of kinds that there is something of")
        let kinds = lines.map { $0["kind"] as? String ?? "" }
        #expect(kinds.lastIndex(of: "schema")! < kinds.firstIndex(of: "thing")!)
        #expect(lines.contains { $0["kind"] as? String == "device" && $0["platform"] as? String == "android" })
        #expect(lines.contains { $0["request_id"] as? String == request && $0["kind"] as? String == "access_request" })
        let head = try await get(bench, token, request, .head)
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(try await get(bench, token, request).text == copy.text, "it can be read again")
    }

    @Test func `the summary says in words what, from when to when, why, how long, and whom to ask`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), request = try await request(bench, token)
        try give(bench, request)
        let summary = try #require(try objects(try await get(bench, token, request).text).first)
        let text = try #require(summary["text"] as? [String: [String]])
        for (language, words) in [
            ("en", ["things: 2", "Why:", "Kept:", "1970-01-01"]), ("fr", ["choses : 2", "Pourquoi :"]),
        ] {
            let all = text[language]?.joined(separator: "\n") ?? ""
            for word in words { #expect(all.contains(word), "\(language): \(word)") }
        }
        let kinds = try #require(summary["kinds"] as? [[String: Any]])
        #expect(kinds.filter { $0["kind"] as? String == "nothing" }.allSatisfy { $0["count"] as? Int == 0 })
    }

    @Test func `receipts of uploads are in the copy, word for word`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        for upload in 0..<9 {
            let receipt = try await bench.send(
                #"[{"seq":\#(upload + 1),"captured_at_ms":\#(Reading.now)},{"latency_ms":-1}]"#, token: token)
            #expect(receipt.json["rejected"] as? Int == 1)
        }
        let request = try await request(bench, token)
        try give(bench, request)
        let lines = try objects(try await get(bench, token, request).text)
        let receipts = lines.filter { $0["kind"] as? String == "upload_receipt" }
        #expect(receipts.count == 9)
        #expect(receipts.allSatisfy { ($0["receipt"] as? [String: Any])?["rejected"] as? Int == 1 })
        #expect(
            lines.last?["lines"] as? Int
                == lines.filter { !["summary", "schema", "end"].contains($0["kind"] as? String) }.count)
    }

    @Test func `questions of a browser are in the copy, with what became of them`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        _ = try await bench.queue.ask(EngineBench().pushChange(1)).get()
        let occasion = AlarmOccasion(alarm: "a1", rule: .noService, moment: .over, at: Reading.now, devices: [1])
        let policy = PromptPolicy.builtIn(timeZone: CopiesBench.timeZone)
        let asked = await bench.queue.ask(QuestionRound(occasion, prompts: ["p1"], by: policy, perMinute: 9))
        #expect(try asked.get() == [.asked])
        let outcome =
            #"{"seq":1,"captured_at_ms":\#(Reading.now),"prompt_id":"p1","outcome":"ignored","policy_version":"1"}"#
        #expect(try await bench.send(outcome, token: token, path: "/v1/me/prompts").status == 200)
        let request = try await request(bench, token)
        try give(bench, request)
        let lines = try objects(try await get(bench, token, request).text)
        let question = try #require(lines.first { $0["kind"] as? String == "push_prompt" })
        #expect(question["asked_at_ms"] as? Int64 == Reading.now && question["rule"] as? String == "no_service")
        #expect(question["outcome"] as? String == "ignored" && question["alarm"] as? String == "a1")
        #expect(question["moment"] as? String == "over")
        let device = try #require(lines.first { $0["kind"] as? String == "device" })
        #expect(device["push_since_ms"] as? Int64 == Reading.now)
    }

    @Test func `another device's request is nobody's`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), other = try await bench.enrol()
        let request = try await request(bench, token)
        try give(bench, request)
        for answer in [try await get(bench, other, request), try await get(bench, token, "5f0c")] {
            #expect(answer.status == 404 && answer.code == "not_found")
        }
        #expect(try await self.request(bench, other) != request)
    }

    @Test func `after a day the key is deleted, and another copy can be asked for`() async throws {
        let clock = Clock(), bench = try await APIBench(now: { clock.now }), token = try await bench.enrol()
        let request = try await request(bench, token)
        try give(bench, request)
        clock.pass(Self.day - 1)
        #expect(try await get(bench, token, request).status == 200)
        clock.pass(1)
        let gone = try await get(bench, token, request)
        #expect(gone.status == 410 && gone.code == "data_expired")
        try await bench.maintain()
        #expect(try keys(bench) == [[UInt8](repeating: 0, count: 32)])
        #expect(try await get(bench, token, request).code == "data_expired")
        let next = try await self.request(bench, token)
        #expect(next != request)
        #expect(try keys(bench).count == 1, "the place of a deleted key is used again")
        clock.pass(31 * Self.day)
        try await bench.maintain()
        #expect(try await get(bench, token, request).status == 404)
    }

    @Test func `an erasure of a part ends what is on its way, and three copies are enough for a day`() async throws {
        let clock = Clock(), bench = try await APIBench(now: { clock.now }), token = try await bench.enrol()
        for _ in 0..<3 {
            let request = try await request(bench, token)
            try give(bench, request)
            clock.pass(1_000)
            let wish = #"{"scope":{"to":"2025-10-01T00:00:00Z"}}"#
            #expect(try await bench.send(wish, token: token, path: "/v1/me/erasures").status == 202)
            #expect(try await get(bench, token, request).code == "data_expired")
        }
        let refused = try await ask(bench, token)
        #expect(refused.status == 429 && refused.code == "rate_limited")
        #expect(refused.headers[.retryAfter] == String((Self.day - 3_000) / 1_000))
        clock.pass(Self.day - 3_000)
        #expect(try await ask(bench, token).status == 202)
    }

    @Test func `an erasure of everything takes the request and its key at once, and its parts with the copies`()
        async throws
    {
        let bench = try await APIBench(), token = try await bench.enrol(), request = try await request(bench, token)
        try give(bench, request)
        #expect(try await bench.send(#"{"scope":{"all":true}}"#, token: token, path: "/v1/me/erasures").status == 202)
        let gone = try await get(bench, token, request)
        #expect(gone.status == 410 && gone.code == "device_erased")
        #expect(try keys(bench) == [[UInt8](repeating: 0, count: 32)])
    }

    @Test
    func `an operator's copy is read piece by piece, and is what the device would read; a device's is the device's`()
        async throws
    {
        let bench = try await APIBench(), token = try await bench.enrol()
        let own = try await request(bench, token)
        let taken = try await bench.calls.requestAccess(["device": "1"])
        let request = try #require(taken["request_id"]?.string)
        #expect(request != own)
        await #expect(throws: ControlError.self) { try await bench.calls.readAccess(["request": .string(request)]) }
        try give(bench, request)
        try give(bench, own)
        var bytes: [UInt8] = [], arguments: [String: JSONValue] = ["request": .string(request)]
        repeat {
            let piece = try await bench.calls.readAccess(.object(arguments))
            bytes += [UInt8](try #require(Data(base64Encoded: piece.data)))
            arguments["place"] = piece.place.map { .string($0) }
            arguments["offset"] = piece.offset.map { .integer(Int64($0)) }
        } while arguments["place"] != nil
        #expect(String(decoding: bytes, as: UTF8.self) == (try await get(bench, token, request).text))
        await #expect(throws: ControlError.self) { try await bench.calls.readAccess(["request": .string(own)]) }
        await #expect(throws: ControlError.self) {
            try await bench.calls.readAccess(["request": .string(request), "place": "nowhere"])
        }
    }

    @Test func `parts that are told to be gone are gone`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), request = try await request(bench, token)
        try give(bench, request)
        #expect(try await get(bench, token, request).status == 200)
        let removals = AccessPart.removals(of: [AccessPartDocument.key(request, "alert-router", 2)])
        try bench.copies.take(bench.copies.block(.privacy, .accessPart, removals))
        #expect(try await get(bench, token, request).json["missing"] as? [String] == ["alert-router"])
    }

    @Test func `a service that gives everything anew, in fewer parts, is believed`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), request = try await request(bench, token)
        try give(bench, request)
        let order = AccessOrder(
            device: 1,
            document: try bench.documents(.accessRequest, on: .requests, as: AccessRequestDocument.self)[0].order)
        let contents = AccessContents(service: "alert-router", kinds: [])
        try hand(
            try AccessPart.seal(contents.bytes(), of: "alert-router", for: order, from: 1, isLast: true), to: bench)
        let copy = try await get(bench, token, request)
        #expect(copy.status == 200 && !copy.text.contains(#""service":"alert-router","n""#))
    }

    @Test func `a damaged part cuts the connection, so that nobody takes the copy for whole`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), request = try await request(bench, token)
        try give(bench, request, but: ["privacy-worker"])
        var parts = try parts("privacy-worker", bench, request)
        var sealed = parts[1].sealed
        sealed[80] ^= 1
        parts[1] = AccessPart(document: parts[1].document, device: 1, sealed: sealed)
        try hand(parts, to: bench)
        await #expect(throws: APIBench.Unexpected.self) { try await get(bench, token, request) }
        let text = try await RawClient.with(port: bench.port) { client in
            try await client.send(
                "GET /v1/me/data/\(request) HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n")
            return try await client.receive()
        }
        #expect(text.hasPrefix("HTTP/1.1 200") && !text.contains(#""kind":"end""#))
    }

    @Test func `a connection goes on after a copy, and a client of HTTP 1 0 reads it to its end`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol(), request = try await request(bench, token)
        try give(bench, request)
        let head = "GET /v1/me/data/\(request) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
        let twice = try await RawClient.with(port: bench.port) { client in
            try await client.send(head + "\r\n" + head + "Connection: close\r\n\r\n")
            return try await client.receive()
        }
        #expect(twice.components(separatedBy: "HTTP/1.1 200 OK").count == 3)
        #expect(twice.components(separatedBy: #""kind":"end""#).count == 3)
        let old = try await RawClient.with(port: bench.port) { client in
            try await client.send(head.replacing("HTTP/1.1", with: "HTTP/1.0") + "\r\n")
            return try await client.receive()
        }
        #expect(!old.contains("chunked") && old.hasSuffix("\"complete\":true}\n"))
    }

    private func keys(_ bench: APIBench) throws -> [[UInt8]] {
        try ReadOnlyDatabase(path: bench.path + "/state.sqlite").read { db in
            try Data.fetchAll(db, sql: "SELECT key FROM access_keys").map { [UInt8]($0) }
        }
    }
}
