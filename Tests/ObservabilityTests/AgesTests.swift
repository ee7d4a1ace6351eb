import Foundation
import PipelineTesting
import ServiceKit
import SocketTesting
import Testing

/// Rows that were captured some time before they came, mixed with fresh ones in one cell: figures are of when rows were captured,
/// however old they are on arrival.
@Suite(.timeLimit(.minutes(2))) struct AgesTests {
    /// Seconds before the upload; 119 and 121 lie on both sides of what is called fresh where alarms are raised.
    private static let ages = [0, 119, 121, 1, 119, 121, 3_700]

    private struct Events: Decodable {
        struct Count: Decodable {
            let quadkey: String?
            let from_ms: Int64
            let n: Int
            let devices: Int?
        }
        let events: [Count]
    }

    private struct Map: Decodable {
        struct Feature: Decodable { let properties: Properties }
        struct Properties: Decodable {
            let samples: Int
            let p50: Double?
            let devices_at_least: Int
        }
        let features: [Feature]
    }

    @Test func `ages of 119 and 121 s count in the cell and the bucket of their capture, beside fresh rows`()
        async throws
    {
        let house = try House([.ingest, .batchAggregator, .analyticsExporter])
        #expect(
            try await eventually {
                house.port(of: "device_api", .ingest) != nil && house.port(of: "mno_api", .analyticsExporter) != nil
            })
        let ingest = try #require(house.port(of: "device_api", .ingest))
        let exporter = try #require(house.port(of: "mno_api", .analyticsExporter))
        let token = try await house.shell("cat home/keys/regulator.token")
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let captured = Self.ages.map { now - Int64($0) * 1_000 }
        try await send(captured, ingest)

        func ask<Answer: Decodable>(_ path: String, _ type: Answer.Type) async throws -> Answer {
            let answer = try await apart {
                try HTTPExchange.send(
                    "GET", path, port: exporter,
                    headers: ["Authorization": "Bearer \(token.trimmingCharacters(in: .whitespacesAndNewlines))"])
            }
            return try JSONDecoder().decode(type, from: Data(answer.body))
        }
        let period = "level=16&from=\(now - 7_200_000)&to=\(now + 300_000)"
        #expect(
            try await eventually {
                try await ask("/v1/events?bucket=5min&" + period, Events.self).events.reduce(0) { $0 + $1.n }
                    == Self.ages.count
            })
        let events = try await ask("/v1/events?bucket=5min&" + period, Events.self).events
        let buckets = Dictionary(grouping: captured) { $0 / 300_000 * 300_000 }.mapValues(\.count)
        #expect(Dictionary(uniqueKeysWithValues: events.map { ($0.from_ms, $0.n) }) == buckets)
        #expect(Set(events.map(\.quadkey)).count == 1 && events.allSatisfy { $0.devices == 1 && $0.quadkey != nil })
        // The signal rises with the age, so that each quantile tells which rows are in it.
        let map = try await ask("/v1/heatmap?metric=rsrp_dbm&" + period, Map.self).features.map(\.properties)
        #expect(map.map(\.samples) == [Self.ages.count] && map.map(\.p50) == [-97])
        for (bucket, count) in buckets {
            let one = "level=16&from=\(bucket)&to=\(bucket + 300_000)&metric=rsrp_dbm"
            #expect(try await ask("/v1/heatmap?" + one, Map.self).features.map(\.properties.samples) == [count])
        }
        try await house.stop()
    }

    /// One phone, one place, an event in each row, -100 dBm in the first and 1 dB more in each further one.
    private func send(_ captured: [Int64], _ port: Int) async throws {
        let consent = #"{"measurement":true,"location_precise":true,"location_coarse":true,"call_events":true}"#
        let enrolment = """
            {"platform":"android","app_version":"1.0","policy_version":"1","age_band":"18+","consent":\(consent)}
            """
        let enrolled = try await apart {
            try HTTPExchange.send(
                "POST", "/v1/devices", port: port, headers: ["Content-Type": "application/json"],
                body: Array(enrolment.utf8))
        }
        let document = try JSONSerialization.jsonObject(with: Data(enrolled.body)) as? [String: Any]
        let token = try #require(document?["token"] as? String, "\(enrolled.text)")
        let rows = captured.enumerated().map { place, time in
            """
            {"seq":\(place + 1),"captured_at_ms":\(time),"latitude":4.05,"longitude":9.77,"accuracy_m":10,\
            "network_type":"LTE","mcc":"624","mnc":"01","rsrp_dbm":\(-100 + place),"event":"call_drop"}
            """
        }
        let receipt = try await apart {
            try HTTPExchange.send(
                "POST", "/v1/reports", port: port,
                headers: ["Content-Type": "application/json", "Authorization": "Bearer \(token)"],
                body: Array("[\(rows.joined(separator: ","))]".utf8))
        }
        #expect(receipt.text.contains(#""accepted":\#(captured.count)"#), "\(receipt.text)")
    }
}
