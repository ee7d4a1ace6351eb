import Foundation
import HTTPTypes
import Models
import QoE
import ServiceKit
import Statistics
import Testing

@testable import ExporterAPI

/// `GET /v1/compare`, and by what networks are told apart.
@Suite struct ComparisonTests {
    @Test func `a network has a rank only if it is apart from every other`() {
        let far = NetworkRanking([10...12, 20...22, 1...2], .higher)
        #expect(far.ranks == [2, 1, 3] && far.betterThan == [[2], [0, 2], []] && far.isComplete)
        let lower = NetworkRanking([10...12, 20...22, 1...2], .lower)
        #expect(lower.ranks == [2, 3, 1])
        // Ends that touch are not apart.
        let touching = NetworkRanking([10...12, 12...22, 1...2], .higher)
        #expect(touching.ranks == [nil, nil, 3] && !touching.isComplete)
        #expect(NetworkRanking([10...12, nil], .higher).ranks == [nil, nil])
        #expect(NetworkRanking([10...12, 20...22], nil).ranks == [nil, nil])
    }

    /// Phones of an operator with few or many samples each, as an aggregator tells them.
    private func figures(_ median: Double, phones: Int, _ dice: inout SplitMix64) -> CellFigures {
        var counts: [Int64] = [], values: [[Int32]] = []
        for _ in 0..<phones {
            let count =
                dice.chance(percent: 10) ? Int.random(in: 20...60, using: &dice) : Int.random(in: 1...5, using: &dice)
            // A phone has a speed of its own, and its samples lie around it.
            let own = median * exp(Double.random(in: -1...1, using: &dice))
            counts.append(Int64(count))
            values.append(
                (0..<count).map { _ in
                    BinTable.logarithmic.bin(Int64(own * exp(Double.random(in: -0.5...0.5, using: &dice))))
                })
        }
        let threshold = DeviceCap.threshold(counts)
        let entries = zip(counts, values).flatMap { count, bins in
            bins.map { WeightedBins.Entry(bin: $0, weight: DeviceCap.weight(count: count, threshold: threshold)) }
        }
        return CellFigures(
            samples: counts.reduce(0, +), devices: Int64(phones), devicesAtLeast: Int64(phones),
            effectiveDevices: DeviceCap.effectiveDevices(counts, threshold: threshold), method: .exact, isUneven: false,
            bins: WeightedBins(entries))
    }

    private func areTold(_ first: CellFigures, _ second: CellFigures) -> Bool {
        let intervals = [first, second].map { figures in
            figures.interval(permille: 500).map { Int64($0.lowerBound)...Int64($0.upperBound) }
        }
        return NetworkRanking(intervals, .higher).isComplete
    }

    @Test func `of two equal operators the one is called better in at most one of twenty comparisons`() {
        var dice = SplitMix64(seed: 43), told = 0
        for _ in 0..<1_000 {
            let phones = Int.random(in: 10...60, using: &dice)
            if areTold(figures(8_000, phones: phones, &dice), figures(8_000, phones: phones, &dice)) { told += 1 }
        }
        #expect(told <= 50, "\(told) of 1 000")
    }

    @Test func `of two operators of which one is ten times as fast that is seen`() {
        var dice = SplitMix64(seed: 44), told = 0
        for _ in 0..<50 where areTold(figures(8_000, phones: 80, &dice), figures(80_000, phones: 80, &dice)) {
            told += 1
        }
        #expect(told >= 48, "\(told) of 50")
    }

    /// Sixty phones of each network, the second twenty times as fast; of the third there are three.
    private func house() throws -> FigureHouse {
        var rows: [TestRow] = []
        for (network, phones) in [(1, 60), (2, 60), (3, 3)] as [(Int64, Int64)] {
            for phone in 1...phones {
                rows.append(
                    FigureHouse.row(
                        network * 100 + phone, at: FigureHouse.midnight + 1_000, network: network, seq: 1,
                        [
                            ColumnID.download: (network == 2 ? 40_000 : 2_000) + 10 * phone,
                            ColumnID.latency: 500 * network,
                        ]
                    ))
            }
        }
        return try FigureHouse(rows)
    }

    private let period = "&from=\(FigureHouse.midnight)&to=\(FigureHouse.midnight + 300_000)"

    @Test func `networks that are apart are ranked, and one of three phones is not`() async throws {
        let house = try house()
        let two = try await house.answer("/v1/compare?metric=download_kbps&plmn=62401&plmn=62402" + period)
        #expect(two["ranking"] == "complete" && two["better"] == "higher", "\(two.text)")
        let networks = try #require(two["networks"]?.array)
        #expect(networks.map { $0["rank"]?.integer } == [2, 1])
        #expect(networks[1]["better_than"]?.array == ["62401"])
        let scale = try #require(two["scale"]?.array).map { $0.double! }
        #expect(scale[0] < 2_700 && scale[1] > 40_000)
        let slow = try await house.answer("/v1/compare?metric=latency_ms&plmn=62401&plmn=62402" + period)
        #expect(slow["networks"]!.array!.map { $0["rank"]?.integer } == [1, 2] && slow["better"] == "lower")
        let three = try await house.answer("/v1/compare?plmn=62401&plmn=62402&plmn=62403" + period)
        #expect(three["ranking"] == "insufficient")
        #expect(three["networks"]!.array![2]["state"] == "dominated")
        #expect(three["networks"]!.array!.allSatisfy { $0["rank"] == nil })
    }

    @Test func `an owner compares its own networks, and learns nothing of others`() async throws {
        let house = try house()
        let token = try await house.exporter.tenant("two", ["62401", "62402"]), headers = TestExporter.bearer(token)
        let own = try await house.answer("/v1/compare?plmn=62401&plmn=62402" + period, headers: headers)
        #expect(own["ranking"] == "complete")
        let foreign = try await house.answer("/v1/compare?plmn=62401&plmn=62403" + period, headers: headers)
        #expect(foreign["code"] == "foreign_network" && foreign["field"] == "plmn")
        #expect(foreign["detail"]?.string?.contains("release") == true)
    }

    @Test(arguments: ["", "plmn=62401", "plmn=62401&plmn=62401", "plmn=62401&plmn=x"])
    func `two to eight different networks are needed`(query: String) async throws {
        let problem = try await FigureHouse([]).answer("/v1/compare?" + query)
        #expect(problem["status"]?.integer == 400 && problem["field"]?.string == "plmn", "\(problem.text)")
    }
}
