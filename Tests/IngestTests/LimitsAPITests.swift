import Foundation
import HTTPTypes
import Models
import NIOCore
import ServiceKit
import Testing

@testable import Ingest
@testable import IngestCommit
@testable import IngestEdge
@testable import IngestSupport

/// What devices and strangers get who send too much, over HTTP.
@Suite struct LimitsAPITests {
    private func rows(_ seqs: Range<Int>, _ extra: String = "") -> String {
        "[" + seqs.map { #"{"seq":\#($0),"captured_at_ms":\#(Reading.now)\#(extra)}"# }.joined(separator: ",") + "]"
    }

    /// Guarantee "Safe 4": a device at a thousand times its rate has no more rows, and no more urgent ones, than its bucket.
    @Test func `a device at a thousand times its rate is refused and counts no more for it`() async throws {
        var limits = AdmissionLimits()
        limits.rows = BucketRate(perMinute: 1, burst: 20)
        let bench = try await APIBench(admission: limits, urgentPerMinute: 3)
        let token = try await bench.enrol(), other = try await bench.enrol()
        var accepted = 0, refused = 0
        for upload in 0..<100 {
            let answer = try await bench.send(
                rows(upload * 10 + 1..<upload * 10 + 11, #","event":"call_drop""#), token: token)
            accepted += answer.json["accepted"] as? Int ?? 0
            guard answer.status != 200 else { continue }
            refused += 1
            #expect(answer.status == 429 && answer.code == "rate_limited" && answer.json["field"] == nil)
            #expect(Int(answer.headers[HTTPField.Name("retry-after")!] ?? "") == 60)
        }
        #expect(accepted == 20 && refused == 98)
        #expect(bench.rows(on: .realtime) == 3 && bench.rows(on: .batch) == 17)
        #expect(try await bench.send(rows(1..<2), token: other).status == 200)
    }

    @Test func `calls of a device are limited whatever they are`() async throws {
        var limits = AdmissionLimits()
        limits.calls = BucketRate(perMinute: 1, burst: 3)
        let bench = try await APIBench(admission: limits)
        let token = try await bench.enrol()
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        for _ in 0..<3 { #expect(try await bench.call(.get, "/v1/me/consent", headers: headers).status == 200) }
        #expect(try await bench.call(.get, "/v1/me/consent", headers: headers).status == 429)
        #expect(try await bench.send(rows(1..<2), token: token).status == 429)
    }

    @Test func `what the service could not take costs nothing`() async throws {
        var limits = AdmissionLimits()
        limits.rows = BucketRate(perMinute: 1, burst: 10)
        let bench = try await APIBench(admission: limits)
        let token = try await bench.enrol()
        bench.queue.close()
        for _ in 0..<10 { #expect(try await bench.send(rows(1..<11), token: token).status == 503) }
    }

    @Test func `every upload is told when to come next`() async throws {
        var limits = AdmissionLimits()
        limits.rows = BucketRate(perMinute: 1, burst: 1)
        let bench = try await APIBench(admission: limits)
        let token = try await bench.enrol()
        let name = HTTPField.Name("x-nkul-next-upload")!
        let taken = try await bench.send(rows(1..<2), token: token)
        #expect(taken.status == 200 && (450...1_350).contains(Int(taken.headers[name] ?? "") ?? 0))
        let refused = try await bench.send(rows(2..<102), token: token)
        #expect(refused.status == 429)
        let wait = try #require(Int(refused.headers[HTTPField.Name("retry-after")!] ?? ""))
        #expect(try #require(Int(refused.headers[name] ?? "")) >= wait)
    }

    @Test func `who is told that the service is busy is told when to come next too`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        #expect(try await bench.send(rows(1..<2), token: token).status == 200)
        #expect(bench.budget.take(10_000_000 - bench.budget.bytes))
        let busy = try await bench.send(rows(2..<3), token: token)
        #expect(busy.status == 503 && busy.code == "busy")
        #expect(Int(busy.headers[HTTPField.Name("x-nkul-next-upload")!] ?? "") != nil)
    }

    // MARK: - Strangers

    @Test func `strangers of an address have some connections and known devices any number`() async throws {
        var limits = Self.strangers(1_000)
        limits.strangerConnections = 2
        let bench = try await APIBench(admission: limits), token = try await bench.enrol()
        let nothing = "GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n"
        let mine = "GET /v1/me/consent HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n"
        // The bench's own client may still have the connection by which it enrolled, of a stranger.
        try await RawClient.with(port: bench.port) { first in
            try await first.send(mine)
            #expect(try await first.receive { $0.hasSuffix("}") }.hasPrefix("HTTP/1.1 200"))
            try await RawClient.with(port: bench.port) { second in
                try await second.send(mine)
                #expect(try await second.receive { $0.hasSuffix("}") }.hasPrefix("HTTP/1.1 200"))
                try await RawClient.with(port: bench.port) { third in
                    try await third.send(mine)
                    #expect(try await third.receive { $0.hasSuffix("}") }.hasPrefix("HTTP/1.1 200"))
                }
            }
        }
        var open = 0, answer = "HTTP/1.1 404"
        func openOneMore() async throws {
            guard open < 4, answer.hasPrefix("HTTP/1.1 404") else { return }
            open += 1
            try await RawClient.with(port: bench.port) { client in
                do {
                    try await client.send(nothing)
                    answer = try await client.receive { $0.hasSuffix("}") }
                } catch {
                    // What is closed as it comes may have been sent something.
                    answer = ""
                }
                try await openOneMore()
            }
        }
        try await openOneMore()
        #expect(answer == "" && (2...3).contains(open), "\(open): \(answer)")
    }

    private static func strangers(_ burst: Int) -> AdmissionLimits {
        var limits = AdmissionLimits()
        limits.strangers = BucketRate(perMinute: 1, burst: burst)
        limits.limitsLoopback = true
        return limits
    }

    @Test func `who guesses tokens is slowed and known devices behind the same address are not`() async throws {
        let bench = try await APIBench(admission: Self.strangers(21))
        let token = try await bench.enrol()
        for _ in 0..<2 { #expect(try await bench.send("[]", token: "guess").status == 401) }
        let refused = try await bench.send("[]", token: "guess")
        #expect(refused.status == 429 && refused.code == "rate_limited" && refused.headers[.connection] == "close")
        #expect(try await bench.call(.post, "/v1/devices").status == 429)
        #expect(try await bench.send(rows(1..<2), token: token).status == 200)
    }

    @Test func `enrolments of an address are limited`() async throws {
        let bench = try await APIBench(admission: Self.strangers(3))
        for _ in 0..<3 { _ = try await bench.enrol() }
        #expect(try await bench.call(.post, "/v1/devices").status == 429)
    }

    @Test func `addresses of this machine are a proxys and not limited`() async throws {
        var limits = Self.strangers(1)
        limits.limitsLoopback = false
        let bench = try await APIBench(admission: limits)
        for _ in 0..<5 { #expect(try await bench.send("[]", token: "guess").status == 401) }
    }

    @Test func `failures are recorded by minute prefix and reason and never with what was given`() async throws {
        let bench = try await APIBench()
        for _ in 0..<50 { _ = try await bench.send("[]", token: "my-secret-guess") }
        _ = try await bench.call(.post, "/v1/reports")
        _ = try await bench.call(.post, "/v1/reports", headers: [.authorization: "Basic abc"])
        var shown: [JSONValue] = []
        while shown.count < 3 {
            await Task.yield()
            shown = try await bench.failureCalls.newest().array ?? []
        }
        let counts = Dictionary(uniqueKeysWithValues: shown.map { ($0["reason"]?.string ?? "", $0["count"]?.integer) })
        #expect(counts == ["unknown_token": 50, "no_token": 1, "not_bearer": 1])
        #expect(shown.allSatisfy { $0["prefix"] == "127.0.0.0/24" && $0["at_ms"] == .integer(Reading.now) })
    }

    // MARK: - Settings

    @Test func `every limit is a documented setting`() throws {
        let settings = Settings(environment: [:])
        let limits = try IngestConfiguration(settings).limits
        let usual = EdgeLimits(), edge = limits.edge
        #expect("\(edge)" == "\(usual)", "defaults of the settings are those of the type")
        #expect(limits.admission.rows == AdmissionLimits().rows && limits.admission.calls == AdmissionLimits().calls)
        #expect(limits.admission.strangers == AdmissionLimits().strangers)
        #expect(limits.admission.strangerConnections == AdmissionLimits().strangerConnections)
        let page = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../docs/limits.md").standardized,
            encoding: .utf8)
        let keys = settings.declared.filter { $0.key.hasPrefix("NKUL_INGEST_") }
        for setting in keys where !page.contains("| `\(setting.key)` | \(setting.defaultText) | \(setting.range) |") {
            Issue.record("docs/limits.md lacks: | `\(setting.key)` | \(setting.defaultText) | \(setting.range) |")
        }
    }

    @Test func `a record of too many members or levels is a problem`() async throws {
        let bench = try await APIBench(), token = try await bench.enrol()
        let wide = "{" + (0..<50_000).map { "\"a\($0)\":1" }.joined(separator: ",") + "}"
        let deep = "{\"a\":" + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}"
        for (body, code) in [(wide, "too_wide"), (deep, "too_deep")] {
            let answer = try await bench.send(body, token: token)
            #expect(answer.status == 422 && answer.code == "nothing_readable")
            #expect((answer.json["detail"] as? String)?.contains(code) == true, "\(answer.text.prefix(300))")
        }
        let beside = try await bench.send("[\(rows(1..<2).dropFirst().dropLast()),\(wide)]", token: token)
        #expect(beside.json["accepted"] as? Int == 1 && beside.json["rejected"] as? Int == 1)
    }
}
