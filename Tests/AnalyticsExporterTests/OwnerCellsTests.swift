import Foundation
import Lanes
import Models
import QoE
import ReferenceCells
import TemporaryFiles
import Testing

/// An owner's live cells are those of its raw rows: less one the other shows nobody.
@Suite struct OwnerCellsTests {
    /// 23:52 and 23:58 in Douala, 0:01, 0:03 and 9:14 of the next day.
    private static let times: [Int64] = [82_320, 82_680, 82_860, 82_980, 116_040]
    private static let midnight = TestExporter.now / 86_400_000 * 86_400_000 - 2 * 86_400_000

    /// What phones send in a day: every third does not share, some roam, some fail, some change their minds.
    private func rows(_ seed: UInt64) -> [TestRow] {
        var dice = SplitMix64(seed: seed)
        return (0..<400).map { number in
            let phone = Int64.random(in: 1...30, using: &dice)
            let captured = Self.midnight + 1_000 * Self.times.randomElement(using: &dice)!
            var values: [UInt8: Int64] = [
                ColumnID.latitude: 38_600_000 + .random(in: 0..<400_000, using: &dice),
                ColumnID.longitude: 115_100_000 + .random(in: 0..<400_000, using: &dice),
                ColumnID.mcc: 624, ColumnID.mnc: 1 + phone % 2,
            ]
            func maybe(_ percent: UInt64, _ column: UInt8, _ range: ClosedRange<Int64>) {
                if dice.next() % 100 < percent { values[column] = .random(in: range, using: &dice) }
            }
            let flags = RowFlags(rawValue: .random(in: 0..<128, using: &dice)).subtracting(.notForOperators)
            values[ColumnID.flags] = flags.union(phone % 3 == 0 || number % 20 == 0 ? .notForOperators : []).rawValue
            maybe(90, ColumnID.networkType, 0...13)
            maybe(30, ColumnID.servingMCC, 624...624)
            maybe(90, ColumnID.servingMNC, 1...4)
            maybe(50, ColumnID.accuracy, 0...110_000)
            maybe(20, ColumnID.speed, 0...6_000)
            maybe(5, ColumnID.mockLocation, 0...1)
            maybe(20, ColumnID.event, 0...4)
            maybe(20, ColumnID.rating, 1...5)
            for metric in Metric.allCases where metric != .event && metric != .rating {
                let field = RecordKind.report.field(metric.column)!
                maybe(60, metric.column, field.range.lowerBound...min(field.range.upperBound, 100_000))
            }
            return TestRow(
                device: phone, received: TestExporter.now - 1_000, captured: captured, seq: Int64(number + 1),
                values: values)
        }
    }

    /// Exporter and aggregator have read the same rows.
    private func filled(_ directory: TemporaryDirectory, _ rows: [TestRow]) throws -> TestExporter {
        let exporter = try TestExporter(directory), aggregator = try TestAggregator()
        var lane = TestLane(.batch)
        for part in stride(from: 0, to: rows.count, by: 90) {
            let block = try lane.block(Array(rows[part..<min(part + 90, rows.count)]))
            try exporter.take([block])
            try exporter.take(try aggregator.take([block]))
        }
        return exporter
    }

    /// The cells of a map by quadkey.
    private func map(_ exporter: TestExporter, _ grid: OwnerCells.Grid, _ query: String, _ token: String) async throws
        -> [String: [String: Any]]
    {
        let from = grid.start * 1_000, to = (grid.start + grid.seconds) * 1_000
        let text = try await exporter.text(
            "/v1/heatmap?level=\(grid.level)&from=\(from)&to=\(to)" + query, headers: TestExporter.bearer(token))
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(document?["features"] as? [[String: Any]], "\(text)")
        let properties = features.map { $0["properties"] as! [String: Any] }
        return Dictionary(uniqueKeysWithValues: properties.map { ($0["quadkey"] as! String, $0) })
    }

    @Test(arguments: [(1, ["62401"]), (2, ["62402", "62404"])] as [(UInt64, [String])])
    func `an owners cells are those of its raw rows`(seed: UInt64, networks: [String]) async throws {
        let directory = try TemporaryDirectory()
        let all = rows(seed), exporter = try filled(directory, all)
        let token = try await exporter.tenant("owner", networks)
        let raw = try await exporter.rows(headers: TestExporter.bearer(token))
        #expect(raw.count > 100 && raw.count < all.count)
        for technology in [nil, "4G"] {
            let expected = OwnerCells(raw, networks: Set(networks), technology: technology).cells
            #expect(Set(expected.keys.map(\.level)) == Set(6...16))
            #expect(Set(expected.keys.map(\.seconds)) == [300, 3_600, 86_400])
            for (grid, cells) in expected {
                for metric in Metric.allCases where metric != .event {
                    let query = "&metric=\(metric.name)" + (technology.map { "&technology=\($0)" } ?? "")
                    let found = try await map(exporter, grid, query, token)
                    #expect(Set(found.keys) == Set(cells.keys), "\(grid) \(metric)")
                    for (quadkey, cell) in cells { check(found[quadkey] ?? [:], cell, metric, "\(grid) \(quadkey)") }
                }
            }
        }
    }

    private func check(_ found: [String: Any], _ cell: OwnerCells.Cell, _ metric: Metric, _ comment: Comment) {
        let figures = OwnerCells.figures(of: cell, metric)
        #expect(found["samples"] as? Int == figures.samples, comment)
        for (place, name) in ["p10", "p50", "p90"].enumerated() {
            #expect(found[name] as? Double == figures.quantiles?[place], comment)
        }
    }

    @Test func `of thirty phones ten refuse and the owner has as many samples as rows`() async throws {
        let directory = try TemporaryDirectory()
        let rows = (0..<120).map { number in
            var values: [UInt8: Int64] = [
                ColumnID.latitude: 38_667_000, ColumnID.longitude: 115_167_000, ColumnID.mcc: 624, ColumnID.mnc: 1,
                ColumnID.networkType: NetworkType.lte.rawValue, ColumnID.download: 5_000,
            ]
            if number % 30 < 10 { values[ColumnID.flags] = RowFlags.notForOperators.rawValue }
            return TestRow(
                device: Int64(number % 30 + 1), received: TestExporter.now, captured: TestExporter.now - 1_000,
                seq: Int64(number / 30 + 1), values: values)
        }
        let exporter = try filled(directory, rows)
        let owner = try await exporter.tenant("owner", ["62401"])
        #expect(try await exporter.rows(headers: TestExporter.bearer(owner)).count == 80)
        #expect(try await exporter.rows().count == 120)
        let now = TestExporter.now / 1_000
        for (seconds, start) in [(300, now / 300 * 300 - 300), (3_600, now / 3_600 * 3_600 - 3_600)] {
            for level in 6...16 {
                let grid = OwnerCells.Grid(seconds: Int64(seconds), start: start, level: level)
                for (token, samples, devices) in [(owner, 80, 20), (exporter.token, 120, 30)] {
                    let cells = try await map(exporter, grid, "", token).values
                    #expect(cells.map { $0["samples"] as? Int } == [samples])
                    #expect(cells.map { $0["devices"] as? Int } == [devices])
                }
            }
        }
    }
}
