import Foundation
import HTTPTypes
import Hummingbird
import Models
import QoE
import ServiceKit
import Testing

/// `GET /v1/kpis`.
@Suite struct KPITests {
    private static let hour: Int64 = 3_600_000

    /// Rows of two days in Douala, Yaoundé and nowhere, of two networks; none from 3 to 6 o'clock.
    private func rows(_ seed: UInt64) -> [TestRow] {
        var dice = SplitMix64(seed: seed)
        return (0..<900).map { number in
            var hour = Int64.random(in: 0..<48, using: &dice)
            if (3..<6).contains(hour % 24) { hour += 3 }
            let time = FigureHouse.midnight + hour * Self.hour + .random(in: 0..<Self.hour, using: &dice)
            let place = dice.below(3)
            var row = FigureHouse.row(
                .random(in: 1...40, using: &dice), at: time, network: .random(in: 1...2, using: &dice),
                seq: Int64(number + 1), latitude: place == 0 ? 40_500_000 : 38_700_000,
                longitude: place == 0 ? 97_000_000 : 115_200_000,
                [ColumnID.download: .random(in: 100...50_000, using: &dice)])
            if place == 2 { row.values[ColumnID.latitude] = nil }
            return row
        }
    }

    private func isWanted(_ row: TestRow, _ filter: String) -> Bool {
        let latitude = row.values[ColumnID.latitude]
        if filter.contains("plmn=62401"), row.values[ColumnID.mnc] != 1 { return false }
        if filter.contains("region") || filter.contains("bbox") || filter.contains("quadkey") {
            return latitude == 40_500_000
        }
        return true
    }

    @Test(
        arguments: ["5min", "hour", "day"],
        [
            "", "&plmn=62401", "&region=littoral", "&region=Douala&plmn=62401", "&bbox=9.69,4.04,9.71,4.06",
            "&quadkey=QUADKEY",
        ])
    func `each point is what counting its rows anew gives, and what is empty is null`(
        bucket: String, filter: String
    ) async throws {
        let all = rows(7), house = try FigureHouse(all)
        let douala = Quadkey(latitude: 40_500_000, longitude: 97_000_000, level: 12)!
        let filter = filter.replacing("QUADKEY", with: douala.text)
        let hours: Int64 = bucket == "5min" ? 12 : 48
        let from = FigureHouse.midnight, to = from + hours * Self.hour
        let answer = try await house.answer(
            "/v1/kpis?metric=download_kbps&below=10000&bucket=\(bucket)&from=\(from)&to=\(to)" + filter)
        let points = try #require(answer["points"]?.array, "\(answer.text)")
        let length = bucket == "5min" ? 300_000 : bucket == "hour" ? Self.hour : 24 * Self.hour
        #expect(points.count == Int(hours * Self.hour / length))
        for (number, point) in points.enumerated() {
            let start = from + Int64(number) * length
            #expect(point["from_ms"]?.integer == start && point["to_ms"]?.integer == start + length)
            let wanted = all.filter { (start..<start + length).contains($0.captured) && isWanted($0, filter) }
            let bins = wanted.map { BinTable.logarithmic.bin($0.values[ColumnID.download]!) }.sorted()
            guard !bins.isEmpty else {
                #expect(point["state"] == "no_data")
                for name in ["n", "devices", "value", "p10", "p50", "p90", "interval", "below", "below_interval"] {
                    #expect(point[name] == nil, "\(name)")
                }
                continue
            }
            #expect(point["n"]?.integer == Int64(bins.count))
            // Phones that send much are capped, so the exact figures are those of Tests/Reference; here they lie among the values.
            let value = try #require(point["value"]?.double)
            #expect(value >= Double(BinTable.logarithmic.value(of: bins[0])))
            #expect(value <= Double(BinTable.logarithmic.value(of: bins[bins.count - 1])))
            let devices = Set(wanted.map(\.device)).count
            #expect(point["devices_at_least"]!.integer! <= devices)
            if let exact = point["devices"]?.integer { #expect(exact == devices) }
        }
        if !filter.contains("quadkey"), bucket == "hour" {
            #expect(points[3]["state"] == "no_data" && points[27]["state"] == "no_data")
        }
    }

    @Test func `a share is of the values below the threshold`() async throws {
        let rows = (0..<40).map { number in
            FigureHouse.row(
                Int64(number + 1), at: FigureHouse.midnight + 1_000, seq: 1,
                [ColumnID.loss: number < 10 ? 50 : 1_000])
        }
        let house = try FigureHouse(rows)
        let from = FigureHouse.midnight
        for (below, share) in [("0.5", 0), ("0.6", 0.25), ("10", 0.25), ("10.1", 1)] as [(String, Double)] {
            let answer = try await house.answer(
                "/v1/kpis?metric=loss_pct&below=\(below)&bucket=5min&from=\(from)&to=\(from + 300_000)")
            let point = try #require(answer["points"]?.array?.first, "\(answer.text)")
            #expect(point["below"]?.double == share, "\(below)")
            let ends = try #require(point["below_interval"]?.array).map { $0.double! }
            #expect(ends[0] <= share && share <= ends[1] && ends[0] < ends[1])
        }
    }

    @Test func `a network's owner has its own rows only, and nobody else's`() async throws {
        let all = rows(8), house = try FigureHouse(all)
        let token = try await house.exporter.tenant("mtn", ["62401"]), headers = TestExporter.bearer(token)
        let from = FigureHouse.midnight, query = "/v1/kpis?bucket=day&from=\(from)&to=\(from + 48 * Self.hour)"
        let points = try await house.answer(query, headers: headers)["points"]!.array!
        #expect(
            points.map { $0["n"]!.integer! }.reduce(0, +)
                == Int64(all.filter { $0.values[ColumnID.mnc] == 1 }.count))
        #expect(await house.exporter.request(query + "&plmn=62402", headers: headers).status == .forbidden)
    }

    @Test func `what is shown already is told so`() async throws {
        let house = try FigureHouse(rows(9))
        for path in [
            "/v1/kpis", "/v1/compare?plmn=62401&plmn=62402", "/v1/scores", "/v1/regions", "/v1/cells.json",
            "/v1/cells.csv",
        ] {
            let first = await house.exporter.request(path)
            let tag = try #require(first.headers[.eTag], "\(path)")
            house.exporter.clock.advance(by: 0)
            let again = await house.exporter.request(
                path, headers: [.authorization: "Bearer \(house.exporter.token)", .ifNoneMatch: tag])
            #expect(again.status == .notModified, "\(path)")
        }
    }

    @Test(arguments: [
        ("bucket=5min&from=0&to=400000000", "bucket"), ("bucket=week", "bucket"), ("metric=x", "metric"),
        ("region=atlantis", "region"), ("quadkey=12", "quadkey"), ("quadkey=9", "quadkey"),
        ("region=sud&bbox=1,2,3,4", "bbox"), ("region=sud&quadkey=122222", "quadkey"), ("level=12", "level"),
        ("bbox=-10,-10,20,20&level=16", "bbox"), ("quantile=1", "quantile"), ("below=-1", "below"), ("plmn=x", "plmn"),
        ("plmn=62401&plmn=62402", "plmn"),
    ])
    func `a parameter outside its range is named`(query: String, field: String) async throws {
        let house = try FigureHouse([])
        let problem = try await house.answer("/v1/kpis?" + query)
        #expect(problem["status"]?.integer == 400 && problem["field"]?.string == field, "\(problem.text)")
    }
}
