import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import ServiceKit
import Testing

@testable import ExporterAPI
@testable import ExporterScores

/// `GET /v1/scores` and `/v1/score-profiles`.
@Suite struct ScoreServiceTests {
    private static let period = "&from=\(FigureHouse.midnight)&to=\(FigureHouse.midnight + 86_400_000)"

    /// Phones of two networks with the same figures each: what a profile finds is known without statistics.
    private func house() throws -> FigureHouse {
        var rows: [TestRow] = []
        for (network, phones) in [(1, 40), (2, 8)] as [(Int64, Int64)] {
            for phone in 1...phones {
                for hour in [0, 10] as [Int64] {
                    rows.append(
                        FigureHouse.row(
                            network * 100 + phone, at: FigureHouse.midnight + hour * 3_600_000 + 1_000,
                            network: network,
                            seq: hour + 1,
                            [
                                ColumnID.download: network == 1 ? 120 : 30_000, ColumnID.latency: 120, ColumnID.loss: 0,
                                ColumnID.upload: network == 1 ? 64 : 4_000,
                            ]))
                }
            }
        }
        return try FigureHouse(rows)
    }

    @Test func `each network has a score with what went into it`() async throws {
        let house = try house()
        let answer = try await house.answer("/v1/scores?profile=iqb" + Self.period)
        #expect(answer["profile"]?["version"] == "1")
        let scores = try #require(answer["scores"]?.array, "\(answer.text)")
        #expect(scores.map { $0["plmn"] } == ["62401", "62402"])
        let profile = try ScoreTests.profile("iqb")
        for (score, values) in zip(
            scores, [["download_kbps": 120.0, "upload_kbps": 64], ["download_kbps": 30_000, "upload_kbps": 4_000]])
        {
            let expected = Score(profile) { indicator in
                let value = values[indicator.metric] ?? (indicator.metric == "latency_ms" ? 12 : 0)
                return indicator.metric == "jitter_ms" ? nil : MeasuredIndicator(value: value, count: 1)
            }
            #expect(abs(score["score"]!.double! - expected.value!) < 0.001)
            let items = score["parts"]!.array!.flatMap { $0["items"]!.array! }
            #expect(
                items.count == 24 && items.allSatisfy { $0["n"]!.integer! == (values["upload_kbps"] == 64 ? 80 : 16) })
            #expect(abs(items.map { $0["share"]!.double! }.reduce(0, +) - 1) < 0.01)
        }
        #expect(scores[0]["quality"]?["level"] == 3 && scores[1]["quality"]?["level"] == 1, "\(answer.text)")
        #expect(scores[0]["quality"]?["days"]?.double == 1 && scores[0]["quality"]?["cells"]?.double == 1)
    }

    @Test func `what is not measured is named, and an area without rows has no score`() async throws {
        let house = try house()
        let crc = try await house.answer("/v1/scores?profile=crc&plmn=62401&region=littoral" + Self.period)
        #expect(crc["scores"]!.array![0]["parts"]!.array![0]["missing"] == ["jitter"], "\(crc.text)")
        #expect(crc["place"]?["boundary"] == "approximate")
        let empty = try await house.answer("/v1/scores?profile=crc&plmn=62401&region=est" + Self.period)
        let score = try #require(empty["scores"]?.array?.first)
        #expect(score["score"] == nil && score["quality"]?["level"] == 1)
    }

    @Test func `an owner has scores of its own networks only`() async throws {
        let house = try house()
        let headers = TestExporter.bearer(try await house.exporter.tenant("two", ["62402"]))
        let answer = try await house.answer("/v1/scores?profile=rtr" + Self.period, headers: headers)
        #expect(answer["scores"]!.array!.map { $0["plmn"] } == ["62402"])
        #expect(await house.exporter.request("/v1/scores?plmn=62401", headers: headers).status == .forbidden)
    }

    @Test func `profiles can be read as they are`() async throws {
        let profiles = try #require(try await FigureHouse([]).answer("/v1/score-profiles")["profiles"]?.array)
        #expect(profiles.map { $0["id"] } == ["etsi", "crc", "rtr", "iqb", "voice_mos"])
        #expect(profiles.allSatisfy { $0["version"] == "1" && $0["parts"]?.array?.isEmpty == false })
    }

    @Test(arguments: [
        ("profile=best", "profile"), ("plmn=1", "plmn"), ("region=x", "region"), ("metric=rating", "metric"),
    ])
    func `a parameter outside its range is named`(query: String, field: String) async throws {
        let problem = try await FigureHouse([]).answer("/v1/scores?" + query)
        #expect(problem["status"]?.integer == 400 && problem["field"]?.string == field, "\(problem.text)")
    }
}
