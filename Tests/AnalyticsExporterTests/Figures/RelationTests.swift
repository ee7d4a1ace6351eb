import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import ServiceKit
import Testing

/// `GET /v1/relation`.
@Suite struct RelationTests {
    /// Ratings with latencies of 60 phones of two networks: of the first a rating falls with latency, of the second it does not.
    private func rows() -> [TestRow] {
        var dice = SplitMix64(seed: 43), rows: [TestRow] = []
        for network in [1, 2] as [Int64] {
            for phone in 1...60 as ClosedRange<Int64> {
                for moment in 1...3 as ClosedRange<Int64> {
                    let latency = Int64.random(in: 100...3_000, using: &dice)
                    let felt = network == 1 ? 5 - latency / 700 : .random(in: 1...5, using: &dice)
                    let noise = Int64.random(in: -1...1, using: &dice)
                    var row = FigureHouse.row(
                        network * 100 + phone, at: FigureHouse.midnight + moment * 60_000, network: network,
                        seq: moment,
                        latitude: phone <= 40 ? 40_500_000 : 38_700_000,
                        longitude: phone <= 40 ? 97_000_000 : 115_200_000,
                        [ColumnID.latency: latency, ColumnID.rating: min(5, max(1, felt + noise))])
                    row.kind = .feedback
                    if phone == 60 { row.values[ColumnID.latency] = nil }
                    rows.append(row)
                }
            }
        }
        return rows
    }

    private let period = "&from=\(FigureHouse.midnight)&to=\(FigureHouse.midnight + 3_600_000)"

    @Test func `a relation that is there is found with a falling curve, and one that is not is not`() async throws {
        let house = try FigureHouse(rows())
        let found = try await house.answer("/v1/relation?x=latency_ms&plmn=62401" + period)
        #expect(found["finding"] == "found" && found["pairs"] == 177 && found["devices"] == 59, "\(found.text)")
        #expect(found["ratings_without_x"] == 3 && found["strength"]!.double! > 0.3)
        let curve = try #require(found["curve"]?.array)
        #expect(curve.count >= 4 && curve.map { $0["n"]!.integer! }.reduce(0, +) == 177)
        for (point, next) in zip(curve, curve.dropFirst()) {
            #expect(point["value"]!.double! >= next["value"]!.double!)
            #expect(point["x_to"]!.double! <= next["x_from"]!.double!)
        }
        for point in curve {
            let ends = point["interval"]!.array!.map { $0.double! }
            #expect((ends[0]...ends[1]).contains(point["value"]!.double!))
        }
        let none = try await house.answer("/v1/relation?x=latency_ms&plmn=62402" + period)
        #expect(none["finding"] == "none_found" && none["curve"]?.array == [], "\(none.text)")
        let ends = none["strength_interval"]!.array!.map { $0.double! }
        #expect((ends[0]...ends[1]).contains(0))
    }

    @Test func `an area has its own pairs, and a metric nobody sent has none`() async throws {
        let house = try FigureHouse(rows())
        let douala = try await house.answer("/v1/relation?x=latency_ms&plmn=62401&region=douala" + period)
        #expect(douala["pairs"] == 120 && douala["devices"] == 40, "\(douala.text)")
        let jitter = try await house.answer("/v1/relation?x=jitter_ms&plmn=62401" + period)
        #expect(jitter["finding"] == "insufficient" && jitter["ratings_without_x"] == 180 && jitter["strength"] == nil)
        let other = try await house.answer("/v1/relation?x=latency_ms&technology=3G" + period)
        #expect(other["pairs"] == 0)
    }

    @Test func `an owner sees pairs of its own network that are shared`() async throws {
        var all = rows()
        for index in all.indices where all[index].device % 2 == 0 {
            all[index].values[ColumnID.flags] = RowFlags.notForOperators.rawValue
        }
        let house = try FigureHouse(all)
        let headers = TestExporter.bearer(try await house.exporter.tenant("mtn", ["62401"]))
        let own = try await house.answer("/v1/relation?x=latency_ms" + period, headers: headers)
        #expect(own["pairs"] == 90 && own["devices"] == 30, "\(own.text)")
        #expect(await house.exporter.request("/v1/relation?plmn=62402" + period, headers: headers).status == .forbidden)
        #expect(try await house.answer("/v1/relation?x=latency_ms" + period)["pairs"] == 354)
    }

    @Test(arguments: [
        ("x=rating", "x"), ("x=event", "x"), ("y=latency_ms", "y"), ("region=x", "region"), ("from=x", "from"),
    ])
    func `a parameter outside its range is named`(query: String, field: String) async throws {
        let problem = try await FigureHouse([]).answer("/v1/relation?" + query)
        #expect(problem["status"]?.integer == 400 && problem["field"]?.string == field, "\(problem.text)")
    }
}
