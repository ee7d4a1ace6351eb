import AnalyticsExporter
import Foundation
import Hummingbird
import Models
import QoE
import TemporaryFiles
import Testing

/// `GET /v1/events` against counting rows one by one.
@Suite struct EventCountTests {
    private struct Sample {
        var time: Int64
        var place: Quadkey?
        var plmn: PLMN
        var technology: Technology
        var event: NetworkEvent?
        var device: Int64
    }

    /// What the document has of a count.
    private struct Count: Decodable, Hashable {
        let quadkey: String?
        let plmn: String
        let from_ms, to_ms: Int64
        let event: String
        let n: Int64
        var devices: Int64?
        var devices_at_least: Int64
        var state: String
    }

    private struct Document: Decodable {
        let from_ms, to_ms: Int64
        let events: [Count]
    }

    private static let noon = TestExporter.now / 1000
    private static let mtn = PLMN(rawValue: 624_001)

    private func samples(_ count: Int) -> [Sample] {
        var random = SystemRandomNumberGenerator()
        return (0..<count).map { _ in
            Sample(
                time: Self.noon - .random(in: 0..<100_000, using: &random),
                place: Bool.random(using: &random)
                    ? nil
                    : Quadkey(latitude: .random(in: 38_000_000...38_200_000, using: &random), longitude: 115_000_000),
                plmn: [Self.mtn, PLMN(rawValue: 624_002), .unknown].randomElement(using: &random)!,
                technology: [.g3, .g4].randomElement(using: &random)!,
                event: ([nil] + NetworkEvent.allCases.map { $0 }).randomElement(using: &random)!,
                device: .random(in: 0..<20, using: &random))
        }
    }

    private static func day(_ time: Int64) -> Int64 { (time + 3600) / 86_400 * 86_400 - 3600 }

    private func fill(
        _ exporter: TestExporter, _ samples: [Sample], _ lane: inout TestLane
    ) throws {
        var groups: [CellKey: [Sample]] = [:]
        for sample in samples {
            let time = sample.time
            for (seconds, start) in [(300, time / 300 * 300), (3600, time / 3600 * 3600), (86_400, Self.day(time))] {
                for place in sample.place.map({ place in (6...16).map { place.parent(at: $0) } }) ?? [nil] {
                    let key = CellKey(
                        bucketSeconds: UInt32(seconds), bucketStart: start, quadkey: place, plmn: sample.plmn,
                        technology: sample.technology, population: .shared)
                    groups[key, default: []].append(sample)
                }
            }
        }
        try exporter.take([
            try lane.cells(
                groups.map { key, samples in
                    (
                        key, Int64(samples.count), Int64(Set(samples.map(\.device)).count),
                        CellHistograms(
                            samples.compactMap(\.event).map { .init(.event, bin: Int32($0.rawValue), count: 1) })
                    )
                })
        ])
    }

    private func document(_ exporter: TestExporter, _ query: String, _ token: String? = nil) async throws -> Document {
        let text = try await exporter.text("/v1/events?" + query, headers: token.map(TestExporter.bearer))
        return try JSONDecoder().decode(Document.self, from: Data(text.utf8))
    }

    @Test(arguments: [nil, "5min", "hour", "day"] as [String?], [6, 12, 16])
    func `equals counting all rows anew, also those without a place`(bucket: String?, level: Int) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let all = samples(500)
        var lane = TestLane(.rollups)
        try fill(exporter, all, &lane)
        let from = Self.noon - 90_000, to = Self.noon - 1000
        let found = try await document(
            exporter, "level=\(level)&from=\(from * 1000)&to=\(to * 1000)" + (bucket.map { "&bucket=\($0)" } ?? ""))
        func start(_ time: Int64) -> Int64 {
            switch bucket {
            case "5min": time / 300 * 300
            case "hour": time / 3600 * 3600
            case "day": Self.day(time)
            default: from / 300 * 300
            }
        }
        let end = { (begin: Int64) -> Int64 in
            begin + (bucket == "5min" ? 300 : bucket == "hour" ? 3600 : 86_400)
        }
        let first = start(from), last = bucket == nil ? (to + 299) / 300 * 300 : end(start(to - 1))
        #expect(found.from_ms == first * 1000 && found.to_ms == last * 1000)
        let within = all.filter { $0.time >= first && $0.time < last }
        // What the stored cells have in common: rows of several technologies are in several.
        let groups = Dictionary(grouping: within) { sample in
            "\(start(sample.time)) \(sample.place?.parent(at: level).text ?? "-") \(sample.plmn == .unknown ? "unknown" : sample.plmn.text)"
        }
        var expected: [String: Int64] = [:]
        for (name, rows) in groups {
            for row in rows { if let event = row.event { expected["\(name) \(event.name)", default: 0] += 1 } }
        }
        var seen: [String: Int64] = [:]
        for count in found.events {
            let name = "\(count.from_ms / 1000) \(count.quadkey ?? "-") \(count.plmn)"
            seen["\(name) \(count.event)"] = count.n
            #expect(count.to_ms == (bucket == nil ? last : end(count.from_ms / 1000)) * 1000)
            let devices = Int64(Set(groups[name]!.map(\.device)).count)
            if let exact = count.devices { #expect(exact == devices) }
            #expect(count.devices_at_least <= devices)
            #expect(count.state == ((count.devices ?? count.devices_at_least) < 5 ? "dominated" : "ok"))
        }
        #expect(seen == expected && found.events.count == seen.count && !seen.isEmpty)
    }

    @Test func `a tenant gets its own networks, and a box leaves out what has no place`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        try fill(exporter, samples(300), &lane)
        let token = try await exporter.tenant("mtn", ["62401"])
        let query = "level=6&from=\((Self.noon - 100_000) * 1000)&to=\(Self.noon * 1000)"
        let own = try await document(exporter, query, token).events
        #expect(!own.isEmpty && own.allSatisfy { $0.plmn == "62401" })
        #expect(own == (try await document(exporter, query + "&plmn=62401").events))
        #expect(own.contains { $0.quadkey == nil })
        let boxed = try await document(exporter, query + "&bbox=11,3,12,4", token).events
        #expect(boxed == own.filter { $0.quadkey != nil })
        #expect(try await document(exporter, query + "&bbox=1,3,2,4", token).events.isEmpty)
    }

    @Test func `who has it is told so, whenever it is complete to`() async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        var lane = TestLane(.rollups)
        try fill(exporter, samples(20), &lane)
        let first = await exporter.request("/v1/events?level=6")
        let tag = try #require(first.headers[.eTag])
        #expect(first.headers[.contentType] == "application/json")
        let headers = TestExporter.bearer(exporter.token)
        var again = headers
        again[.ifNoneMatch] = tag
        #expect(await exporter.request("/v1/events?level=6", headers: again).status == .notModified)
        try fill(exporter, samples(40), &lane)
        #expect(await exporter.request("/v1/events?level=6", headers: again).status == .ok)
    }

    @Test(arguments: [
        ("bucket=week", "bucket"), ("bucket=5min&from=0&to=86400000000", "from"), ("metric=rating", "metric"),
        ("bucket=5min&from=1771000000000&to=1771900000000", "bucket"), ("level=5", "level"), ("kind=x", "kind"),
    ])
    func `wrong parameters are named`(query: String, field: String) async throws {
        let directory = try TemporaryDirectory()
        let exporter = try TestExporter(directory)
        let response = await exporter.request("/v1/events?" + query)
        #expect(response.status == .badRequest)
        #expect(String(decoding: try await response.bytes(), as: UTF8.self).contains(#""field":"\#(field)""#))
    }
}
