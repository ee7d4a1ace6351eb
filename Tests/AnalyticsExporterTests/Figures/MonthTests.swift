import ExporterStores
import Foundation
import GRDB
import HTTPTypes
import Models
import QoE
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter
@testable import ExporterAPI

/// Sums of months in the place of their days.
@Suite struct MonthTests {
    private static let zone = TimeZone(identifier: "Africa/Douala")!
    private static let january = CivilMonth(number: 2026 * 12)
    /// 2025-12-15 to 2026-02-20, midnight in Douala.
    private static let period = 1_765_753_200_000..<1_771_542_000_000 as Range<Int64>

    /// Rows of nine weeks: several phones in several cells of two networks, one of which is very diligent; some are not shared.
    private static func rows() -> [TestRow] {
        var dice = SplitMix64(seed: 17)
        return (0..<1_500).map { number in
            let device = number % 5 == 0 ? 1 : Int64.random(in: 1...40, using: &dice)
            var values = [
                ColumnID.download: Int64.random(in: 500...50_000, using: &dice),
                ColumnID.networkType: [NetworkType.lte, .umts, .gsm][number % 3].rawValue,
            ]
            if number % 7 == 0 { values[ColumnID.flags] = RowFlags.notForOperators.rawValue }
            return FigureHouse.row(
                device, at: period.lowerBound + Int64(number) * (period.upperBound - period.lowerBound) / 1_500,
                network: Int64(number % 2) + 1, seq: Int64(number) + 1,
                latitude: 40_500_000 + .random(in: 0..<4, using: &dice) * 90_000, values)
        }
    }

    private static let queries = [
        "/v1/heatmap?metric=download_kbps&level=14",
        "/v1/heatmap?metric=download_kbps&level=12&technology=4G&plmn=62401",
        "/v1/heatmap?metric=download_kbps&level=16&below=5000&bbox=9.6,4.0,9.8,4.06",
        "/v1/compare?metric=download_kbps&plmn=62401&plmn=62402",
        "/v1/compare?metric=download_kbps&plmn=62401&plmn=62402&region=Douala",
        "/v1/kpis?metric=download_kbps&bucket=month", "/v1/kpis?metric=download_kbps&bucket=month&quadkey=122223",
        "/v1/cells.json?metric=download_kbps&level=13",
    ]

    private func answers(_ house: FigureHouse, _ token: String) async throws -> [JSONValue] {
        var answers: [JSONValue] = []
        for query in Self.queries where !query.contains("compare") || token == house.exporter.token {
            answers.append(
                try await house.answer(
                    query + "&from=\(Self.period.lowerBound)&to=\(Self.period.upperBound)",
                    headers: TestExporter.bearer(token)))
        }
        return answers
    }

    private func make(_ house: FigureHouse) throws -> Int {
        var made = 0
        while try house.exporter.monthMaker.next(completeTo: TestExporter.now, while: { true }) { made += 1 }
        return made
    }

    private func whole(_ house: FigureHouse) throws -> Set<Int64> {
        Set(try house.exporter.folder.database.read { try MonthStore.whole($0) }.map(\.number))
    }

    @Test func `figures are the same whether months or their days are added up`() async throws {
        let house = try FigureHouse(Self.rows())
        let mtn = try await house.exporter.tenant("mtn", ["62401"])
        let before = try await (answers(house, house.exporter.token), answers(house, mtn))
        // January is over for long enough, and December, of which there is a half; not so February.
        #expect(try make(house) == 2)
        #expect(try whole(house) == [Self.january.number - 1, Self.january.number])
        let after = try await (answers(house, house.exporter.token), answers(house, mtn))
        for (one, other) in [(before.0, after.0), (before.1, after.1)] {
            for (days, months) in zip(one, other) { expectSame(days, months) }
        }
        let points = try #require(after.0[5]["points"]?.array)
        #expect(points.count == 3 && points.allSatisfy { $0["n"]?.integer ?? 0 > 100 })
        #expect(points[1]["from_ms"]?.integer == LocalDay.begin(of: Self.january.days.lowerBound, in: Self.zone))
    }

    @Test func `the sums are what is read, not the days`() async throws {
        let house = try FigureHouse(Self.rows())
        #expect(try make(house) == 2)
        let query = Self.queries[0] + "&from=\(Self.period.lowerBound)&to=\(Self.period.upperBound)"
        let before = try await house.answer(query)
        let cells = try #require(before["features"]?.array?.count)
        // Sums of a month that is whole, changed by hand.
        try house.exporter.folder.database.write { db in
            try db.execute(
                sql: "DELETE FROM month_sums WHERE month = ? AND level = 14", arguments: [Self.january.number])
        }
        let after = try await house.answer(query)
        #expect(after["features"]?.array?.count ?? 0 <= cells)
        #expect(after["features"] != before["features"])
        // A period that has not all of January reads its days.
        let part = Self.queries[0] + "&from=\(Self.period.lowerBound)&to=\(Self.period.upperBound - 25 * 86_400_000)"
        let days = try await house.answer(part)
        #expect(days["features"]?.array?.isEmpty == false)
    }

    @Test func `a day that changes takes its month's sums back until they are made anew`() async throws {
        let house = try FigureHouse(Self.rows())
        #expect(try make(house) == 2)
        let begin = LocalDay.begin(of: Self.january.days.lowerBound + 4, in: Self.zone) / 1_000
        let key = CellKey(
            programme: 1, bucket: .day, bucketStart: begin, quadkey: Quadkey(text: "122223"), scope: 624_001,
            stratum: 4,
            population: .shared)
        var lane = try #require(house.rollups)
        try house.exporter.take([
            try lane.cells([(key: key, samples: nil, devices: 0, histograms: CellHistograms())])
        ])
        #expect(try whole(house) == [Self.january.number - 1])
        let before = try await answers(house, house.exporter.token)
        #expect(try make(house) == 1)
        let after = try await answers(house, house.exporter.token)
        for (days, months) in zip(before, after) { expectSame(days, months) }
    }

    @Test func `what changes while a month is made is not counted`() async throws {
        let house = try FigureHouse(Self.rows()), ledger = house.exporter.effects.months
        var steps = 0
        let isMade = try house.exporter.monthMaker.next(completeTo: TestExporter.now) {
            steps += 1
            if steps == 15 {
                let day = LocalDay.begin(of: Self.january.days.lowerBound - 1, in: Self.zone) / 1_000
                try? house.exporter.folder.database.write { try ledger.daysChanged([day], $0) }
            }
            return true
        }
        #expect(!isMade && steps >= 15)
        #expect(try whole(house).isEmpty)
        #expect(try make(house) == 2)
    }

    @Test func `months have the days of the calendar`() throws {
        for (year, month, days) in [(2024, 2, 29), (2026, 2, 28), (2026, 12, 31), (2000, 2, 29), (2100, 2, 28)]
            as [(Int64, Int64, Int)]
        {
            #expect(CivilMonth(number: year * 12 + month - 1).days.count == days)
        }
        for day in stride(from: Int64(19_000), to: 22_000, by: 1) {
            #expect(CivilMonth(ofDay: day).days.contains(day))
        }
        let paris = try #require(TimeZone(identifier: "Europe/Paris"))
        let march = CivilMonth(number: 2026 * 12 + 2).begins(in: paris)
        #expect(march.count == 32 && march[31] - march[0] == 31 * 86_400 - 3_600)
    }

    @Test func `a sum that was kept is the sum`() throws {
        var dice = SplitMix64(seed: 4)
        for _ in 0..<50 {
            var parts: [MetricSum] = []
            for _ in 0..<3 {
                var sum = MetricSum()
                for _ in 0..<Int.random(in: 0...4, using: &dice) {
                    var writer = CellHistogramWriter()
                    writer.begin()
                    for bin in 0..<Int.random(in: 1...5, using: &dice) {
                        writer.append(.init(metric: 0, bin: Int32(bin * 3), count: .random(in: 1...9, using: &dice)))
                    }
                    let isSound = writer.withBytes { bytes in
                        sum.add(
                            StoredCell(
                                rows: 40, devices: 7, histograms: bytes,
                                spreads: UnsafeRawBufferPointer(start: nil, count: 0), isOther: false), of: 0)
                    }
                    #expect(isSound)
                }
                parts.append(sum)
            }
            var whole = MetricSum()
            for part in parts { #expect(part.encoded.withUnsafeBytes { whole.add(kept: $0) }) }
            #expect(whole.samples == parts.reduce(0) { $0 + $1.samples })
            let bytes = whole.encoded
            for length in 0..<bytes.count {
                var broken = MetricSum()
                #expect(!bytes[..<length].withUnsafeBytes { broken.add(kept: $0) })
            }
        }
    }

    /// The same but for the last digits of what is computed with floating point.
    private func expectSame(_ one: JSONValue, _ other: JSONValue, _ path: String = "") {
        if let left = one.object, let right = other.object {
            #expect(Set(left.keys) == Set(right.keys), "\(path)")
            for (name, value) in left where name != "as_of_ms" {
                expectSame(value, right[name] ?? .null, path + "." + name)
            }
        } else if let left = one.array, let right = other.array {
            #expect(left.count == right.count, "\(path)")
            for (place, pair) in zip(left, right).enumerated() { expectSame(pair.0, pair.1, path + "[\(place)]") }
        } else if let left = one.double, let right = other.double {
            #expect(abs(left - right) <= 0.0101, "\(path): \(left) \(right)")
        } else {
            #expect(one == other, "\(path)")
        }
    }
}
