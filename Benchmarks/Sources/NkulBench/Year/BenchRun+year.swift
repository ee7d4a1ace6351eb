import Foundation
import Laboratory
import ServiceKit

/// How long the exporter takes to answer from a year of statistics.
extension BenchRun {
    func measureYear() async {
        result.year = await attempt("year") {
            let home = try Fleet.makeHome(in: directory)
            defer { try? FileManager.default.removeItem(atPath: home.path) }
            // The services make their files.
            let first = try Fleet(bin: bin, home: home)
            defer { first.stop() }
            try await first.waitUntilReady()
            first.stop()
            let days = try Self.year(of: home)
            var cells = YearCells(days: days, grid: yearCells, reports: yearReports)
            let made = try cells.write(to: home.database(of: .analyticsExporter), say: say)
            say("\(made.reports) reports in \(made.cells) cells")
            let fleet = try Fleet(bin: bin, home: home)
            defer { fleet.stop() }
            try await fleet.waitUntilReady()
            let seconds = try await waitForMonths(fleet)
            let token = try SmallFile.read(home.keys + "/regulator.token").trimmingCharacters(
                in: .whitespacesAndNewlines)
            let queries = try YearQueries(
                at: fleet.address("mno_api", of: .analyticsExporter), token: token, days: days)
            let month = try await queries.measure(days: 31, times: 100, say),
                year = try await queries.measure(days: 365, times: 40, say)
            await queries.close()
            return BenchResult.Year(
                places: yearCells.middles.count, reports: made.reports, cells: made.cells,
                seconds_of_sums_of_months: seconds,
                worst_p99_ms: .init(
                    days_31: month.values.map(\.p99).max() ?? 0, year: year.values.map(\.p99).max() ?? 0),
                days_31: month, year: year,
                exporter_peak_bytes: try ProcessUsage.peakResidentBytes(fleet.pid(of: .analyticsExporter)))
        }
    }

    /// The days of the twelve months that are the last to have their sums, in the home's zone.
    private static func year(of home: Home) throws -> [Int64] {
        let name = try SmallFile.read(home.timeZoneFile).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let zone = TimeZone(identifier: name) else { throw BenchError("no time zone \(name)") }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        // Sums of a month are made when no late row can come any more: ten days after it.
        let settled = Date.now.addingTimeInterval(-11 * 86_400)
        guard let end = calendar.dateInterval(of: .month, for: settled)?.start,
            var day = calendar.date(byAdding: .month, value: -12, to: end)
        else { throw BenchError("the calendar has no months") }
        var days: [Int64] = []
        while day < end, let next = calendar.date(byAdding: .day, value: 1, to: day) {
            days.append(Int64(day.timeIntervalSince1970))
            day = next
        }
        return days + [Int64(end.timeIntervalSince1970)]
    }

    /// Seconds until the exporter has the sums of all months.
    private func waitForMonths(_ fleet: Fleet) async throws -> Int {
        let counts = try ServiceCounts(fleet.address("admin", of: .analyticsExporter)), start = ContinuousClock.now
        var last = (made: 0, at: ContinuousClock.now)
        while last.made < 12 {
            try await Task.sleep(for: .seconds(1))
            let made = try await counts.read(["nkul_months_made_total"])[0]
            if made != last.made {
                last = (made, .now)
                say("sums of months: \(made) of 12")
            }
            guard ContinuousClock.now - last.at < .seconds(900) else {
                throw BenchError("no further month in a quarter of an hour: \(made) of 12")
            }
        }
        await counts.close()
        return Int(Self.seconds(since: start))
    }
}
