import ExporterAPI
import ExporterStores
import Foundation
import GRDB
import Hummingbird
import Models
import Storage
import TemporaryFiles
import Testing

@testable import AnalyticsExporter

/// How long a year takes with and without sums of months: `make bench-year`. Cells are made up: so many of the finest, in a square, each with two networks' phones on
/// each day; it prints figures and holds none of them against a bar.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["NKUL_YEAR_BENCH"] == "1"))
struct YearBench {
    private static let zone = TimeZone(identifier: "Africa/Douala")!
    private static let months = (0..<12).map { CivilMonth(number: 2025 * 12 + $0) }
    private static let scopes: [Int64] = [624_001, 624_002, 624_003, 624_004]
    private static let strata: [Int64] = [3, 4]

    /// Bins of the day of a cell: of downloads and latencies, around something.
    private static func histograms(_ rows: Int, _ dice: inout SplitMix64) -> [UInt8] {
        let middle = Int32.random(in: 400...600, using: &dice)
        var entries: [UInt32: Int64] = [:]
        for _ in 0..<rows {
            for metric in [UInt8(0), 2] {
                let bin = middle + Int32.random(in: -30...30, using: &dice) + Int32.random(in: -30...30, using: &dice)
                entries[CellHistograms.Entry(metric: metric, bin: bin, count: 1).slot, default: 0] += 1
            }
        }
        var writer = CellHistogramWriter()
        writer.begin()
        for (slot, count) in entries.sorted(by: { $0.key < $1.key }) {
            writer.append(CellHistograms.Entry(slot: slot, count: count))
        }
        return writer.bytes
    }

    /// Fills a year with day cells of all levels.
    ///
    /// - Returns: how many reports they have.
    private static func fill(_ exporter: TestExporter, cells: Int, reports: Int) throws -> Int {
        var dice = SplitMix64(seed: 1), total = 0
        let side = Int(Double(cells).squareRoot()), corner = Quadkey(latitude: 38_667_000, longitude: 115_167_000)!
        var byLevel: [Int: Set<UInt64>] = [:]
        for column in 0..<side {
            for row in 0..<side {
                let cell = Quadkey(
                    latitude: 38_667_000 + Int64(row) * 54_000, longitude: 115_167_000 + Int64(column) * 54_932)!
                for level in Quadkey.coarsestLevel...16 {
                    byLevel[level, default: []].insert(cell.parent(at: level).code)
                }
            }
        }
        precondition(corner.level == 16)
        let kinds = scopes.count * strata.count, days = months.reduce(0) { $0 + $1.days.count }
        for month in months {
            for day in month.begins(in: zone).dropLast() {
                try exporter.folder.database.write { db in
                    let insert = try db.cachedStatement(
                        sql: "INSERT INTO cells VALUES (1, 2, ?, ?, ?, ?, ?, 1, ?, ?, ?, NULL, NULL)")
                    for (level, codes) in byLevel.sorted(by: { $0.key < $1.key }) {
                        let rows = max(1, reports / days / kinds / codes.count)
                        for code in codes.sorted() {
                            for scope in scopes {
                                for stratum in strata {
                                    if level == 16 { total += rows }
                                    try insert.execute(arguments: [
                                        day, level, Int64(code), scope, stratum, rows, rows,
                                        Blob.value(histograms(min(rows, 400), &dice)),
                                    ])
                                }
                            }
                        }
                    }
                }
            }
        }
        return total
    }

    private func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await body()
        let elapsed = (ContinuousClock.now - start).components
        return Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
    }

    @Test func `a year of day cells, and of months`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let cells = Int(environment["NKUL_YEAR_CELLS"] ?? "") ?? 400
        let reports = Int(environment["NKUL_YEAR_REPORTS"] ?? "") ?? 100_000_000
        let directory = try TemporaryDirectory(), exporter = try TestExporter(directory)
        let total = try Self.fill(exporter, cells: cells, reports: reports)
        let from = LocalDay.begin(of: Self.months[0].days.lowerBound, in: Self.zone)
        let to = LocalDay.begin(of: Self.months[11].days.upperBound, in: Self.zone)
        print("year: \(cells) cells of level 16, \(total) reports of \(Self.scopes.count) networks")
        for isByMonth in [false, true] {
            if isByMonth {
                let took = try await seconds {
                    while try exporter.monthMaker.next(completeTo: .max, while: { true }) {}
                }
                print("year: sums of 12 months made in \(Int(took)) s")
            }
            for query in [
                "/v1/heatmap?metric=download_kbps&level=12", "/v1/heatmap?metric=download_kbps&level=16&plmn=62401",
                "/v1/kpis?metric=download_kbps&bucket=month", "/v1/kpis?metric=download_kbps&bucket=day&plmn=62401",
                "/v1/compare?metric=download_kbps&plmn=62401&plmn=62402",
            ] {
                var times: [Double] = [], status = 0
                for _ in 0..<(isByMonth ? 20 : 3) {
                    times.append(
                        try await seconds {
                            let response = await exporter.request(query + "&from=\(from)&to=\(to)")
                            status = response.status.code
                            _ = try await response.bytes()
                        })
                }
                times.sort()
                let middle = Int(times[times.count / 2] * 1_000), most = Int(times[times.count - 1] * 1_000)
                print(
                    "year: \(isByMonth ? "months" : "days  ") \(query): \(status), median \(middle) ms, most \(most) ms"
                )
            }
        }
    }
}
