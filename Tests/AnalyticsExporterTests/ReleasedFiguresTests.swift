import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import Releases
import Testing

@testable import AnalyticsExporter

/// Figures of networks that are not the caller's own, from what was released of them.
@Suite struct ReleasedFiguresTests {
    private static let day: UnixMilliseconds = 86_400_000
    private static let whole = "&from=\(ReleaseHouse.from)&to=\(ReleaseHouse.from + 2 * day)"
    private static let latency = "metric=latency_ms"

    private static func atom(
        _ cell: String?, _ bins: [Int32], devices: Int64 = 20, hour: UInt8 = 0, stratum: UInt8 = 0
    ) -> ReleasedAtom {
        ReleasedAtom(
            metric: Metric.latency.rawValue, hour: hour, stratum: stratum, cell: cell.flatMap { Quadkey(text: $0) },
            figures: AtomFigures(
                devices: devices, samples: devices, effectiveDevices: devices, meanHundredths: nil,
                steps: zip(bins, [25, 50, 75]).map { .init(bin: $0, percent: $1) }))
    }

    private func house() throws -> ReleaseHouse {
        var house = try ReleaseHouse()
        let first = [
            Self.atom("122223", [100, 200, 300]), Self.atom("12222301", [300, 320, 340]), Self.atom(nil, [1, 2, 3]),
        ]
        try house.issue(IssuedRelease("final-qoe-62401-a", .final, at: ReleaseHouse.from, of: first))
        try house.issue(
            IssuedRelease(
                "final-qoe-62402-a", .final, network: "62402", at: ReleaseHouse.from,
                of: [Self.atom("12222301", [500, 520, 540])]))
        try house.issue(
            IssuedRelease(
                "technology-qoe-62401-a", .technology, at: ReleaseHouse.from,
                of: [
                    Self.atom("12222301", [10, 20, 30], hour: 0, stratum: 4),
                    Self.atom("12222301", [40, 50, 60], hour: 2, stratum: 3),
                ]))
        return house
    }

    private func answer(_ house: ReleaseHouse, _ path: String, as token: String? = nil) async throws -> [String: Any] {
        let text = try await house.exporter.text(path, headers: token.map(TestExporter.bearer))
        return try JSONSerialization.jsonObject(with: Data(text.utf8)) as! [String: Any]
    }

    @Test func `a series has the union of the cells inside the place, and says what lies across it`() async throws {
        let house = try house(), bins = Metric.latency.bins
        let series = try await answer(
            house, "/v1/released/kpis?\(Self.latency)&plmn=62401&quadkey=12222301\(Self.whole)")
        let points = series["points"] as! [[String: Any]]
        #expect(points.count == 2 && series["bucket"] as? String == "day" && series["release"] as? String == "final")
        #expect(points[0]["partial"] as? Bool == true && points[0]["devices_at_least"] as? Int == 20)
        let metric = try #require(Programme.qoe.metrics.first { $0.number == Metric.latency.rawValue })
        let scale = Double(Programme.qoe.field(of: metric)?.scale ?? 1)
        #expect((points[0]["value"] as? NSNumber)?.doubleValue == Double(bins.value(of: 320)) / scale)
        #expect(points[1]["state"] as? String == "no_data" && points[1]["value"] is NSNull)
        let everything = try await answer(house, "/v1/released/kpis?\(Self.latency)&plmn=62401\(Self.whole)")
        let all = (everything["points"] as! [[String: Any]])[0]
        #expect(all["n_at_least"] as? Int == 60 && all["partial"] as? Bool == false)
        let outside = try await answer(
            house, "/v1/released/kpis?\(Self.latency)&plmn=62401&quadkey=333333\(Self.whole)")
        let none = (outside["points"] as! [[String: Any]])[0]
        #expect(none["state"] as? String == "no_data" && none["partial"] as? Bool == true, "the whole network's pool")
    }

    @Test func `hours of a technology are told apart`() async throws {
        let house = try house()
        let path =
            "/v1/released/kpis?\(Self.latency)&plmn=62401&class=technology&from=\(ReleaseHouse.from)&to=\(ReleaseHouse.from + Self.day)"
        let points = try await answer(house, path)["points"] as! [[String: Any]]
        #expect(points.count == 24)
        #expect(points.indices.filter { points[$0]["state"] as? String == "ok" } == [0, 2])
        let name = Programme.qoe.strata.name(3)
        let some = try await answer(house, path + "&technology=\(name)")["points"] as! [[String: Any]]
        #expect(some.indices.filter { some[$0]["state"] as? String == "ok" } == [2])
        #expect(await house.exporter.request(path + "&technology=\(name)&class=final").status == .badRequest)
        #expect(
            await house.exporter.request("/v1/released/kpis?class=final&technology=\(name)").status == .badRequest)
        #expect(await house.exporter.request("/v1/released/kpis?bucket=hour").status == .badRequest)
    }

    @Test func `an operator compares with another whose live figures it may not see`() async throws {
        let house = try house(), token = try await house.exporter.tenant("other", ["62402"])
        let query = "?\(Self.latency)&plmn=62401&plmn=62402&quadkey=12222301" + Self.whole
        #expect(
            await house.exporter.request("/v1/compare" + query, headers: TestExporter.bearer(token)).status
                == .forbidden)
        let shown = try await answer(house, "/v1/released/compare" + query, as: token)
        let networks = shown["networks"] as! [[String: Any]]
        #expect(networks.map { $0["plmn"] as? String } == ["62401", "62402"])
        #expect(shown["ranking"] as? String == "complete")
        #expect(networks.map { $0["rank"] as? Int } == [1, 2], "less latency is better")
        #expect(await house.exporter.request("/v1/released/compare?plmn=62401").status == .badRequest)
    }

    @Test func `a map has the cells of the level, coarser ones being none of it`() async throws {
        let house = try house()
        let map = try await answer(house, "/v1/released/heatmap?\(Self.latency)&plmn=62401&level=7\(Self.whole)")
        let features = map["features"] as! [[String: Any]]
        #expect(features.count == 1)
        #expect((features[0]["properties"] as! [String: Any])["quadkey"] as? String == "1222230")
        let coarse = try await answer(house, "/v1/released/heatmap?\(Self.latency)&level=6\(Self.whole)")
        let six = (coarse["features"] as! [[String: Any]])[0]["properties"] as! [String: Any]
        #expect(six["n_at_least"] as? Int == 60, "two of one network and one of another")
        let away = try await answer(
            house, "/v1/released/heatmap?\(Self.latency)&level=7&bbox=100,10,101,11\(Self.whole)")
        #expect((away["features"] as! [Any]).isEmpty)
    }
}
