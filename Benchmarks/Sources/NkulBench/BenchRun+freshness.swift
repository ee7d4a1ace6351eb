import Foundation
import ServiceKit

/// How old the heat map is under load, with every core wanted by others, too.
extension BenchRun {
    /// A load and how fresh the heat map is promised to be under it.
    struct FreshnessLoad {
        let name: String
        /// Reports a second; nil: as many as are taken.
        let rate: Double?
        /// Seconds.
        let bar: Double

        static let all = [
            FreshnessLoad(name: "at_1000", rate: 1_000, bar: 3), FreshnessLoad(name: "at_20000", rate: 20_000, bar: 15),
            FreshnessLoad(name: "full_load", rate: nil, bar: 60),
        ]
    }

    func measureFreshness(_ fleet: Fleet, _ ingest: HostPort, _ totals: ExporterTotals) async {
        let others = (0..<ProcessInfo.processInfo.activeProcessorCount).compactMap { number in
            // It ends when this process does, however that is.
            try? ChildProcess(
                "/bin/sh", ["-c", "while kill -0 $PPID; do :; done"], log: "\(fleet.home.path)/busy-\(number).log")
        }
        defer { for other in others { other.kill() } }
        for load in FreshnessLoad.all {
            await attempt("freshness_seconds.\(load.name)") {
                result.freshness_seconds[load.name] = try await freshness(under: load, ingest, totals)
            }
        }
    }

    /// Looks every tenth of a second at how many rows have a receipt and how many the heat map holds. It is as old as the
    /// moment at which so many had one.
    private func freshness(
        under load: FreshnessLoad, _ ingest: HostPort, _ totals: ExporterTotals
    ) async throws -> BenchResult.Percentiles? {
        let length = max(seconds, 20), base = try await settled(totals)
        say("freshness \(load.name), with two other programs")
        let size = load.rate == nil ? 100 : 50, uploads = load.rate.map { $0 / Double(size) }
        let stock = try stock(
            uploads: Int((uploads ?? 2_500) * Double(length)), sizes: size...size, seed: 8, ingest, repeating: false)
        let paced = try PacedLoad(stock, rate: uploads ?? .infinity, at: ingest)
        let start = ContinuousClock.now
        var ages = HeatmapAges()
        while true {
            let shown = try await totals.read().heatmapSamples - base.heatmapSamples
            let elapsed = Self.seconds(since: start), isOver = elapsed > Double(length) || !paced.isSending
            ages.look(at: elapsed, received: paced.accepted, shown: shown)
            if isOver { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        try await paced.end()
        // The last rows of the load are the ones that wait longest.
        while ages.isBehind {
            let shown = try await totals.read().heatmapSamples - base.heatmapSamples
            let elapsed = Self.seconds(since: start)
            ages.look(at: elapsed, received: paced.accepted, shown: shown)
            guard elapsed < Double(length) + 120 else { throw BenchError("the heat map lacks rows after two minutes") }
            try await Task.sleep(for: .milliseconds(100))
        }
        say("\(paced.accepted / max(1, Int(ages.sendingEnd))) reports/s, oldest \(ages.ages.max() ?? 0) s")
        return Self.percentiles(ages.ages.sorted())
    }
}

/// From counts of rows that have a receipt and of rows that are shown: the age of what is shown.
struct HeatmapAges {
    /// Seconds, one of each look.
    private(set) var ages: [Double] = []
    private var receipts: [(at: Double, rows: Int)] = []
    private var place = 0
    /// When the last row had its receipt.
    private(set) var sendingEnd = 0.0
    private(set) var isBehind = true

    mutating func look(at now: Double, received: Int, shown: Int) {
        if received > (receipts.last?.rows ?? 0) {
            receipts.append((now, received))
            sendingEnd = now
        }
        // The first moment at which more rows had a receipt than are shown now: the oldest row that is missing.
        while place < receipts.count, receipts[place].rows <= shown { place += 1 }
        isBehind = place < receipts.count
        ages.append(isBehind ? now - receipts[place].at : 0)
    }
}
