import Command
import Foundation
import ServiceKit

/// Erasure of one device among many stored reports, and what alarms and uploads feel of it.
extension BenchRun {
    /// Phones that are enrolled to be erased; they send like the others before.
    static let erasable = 60

    /// Fills the home, erases a few phones while it is idle, then others while uploads and alarms go on, next to the same without.
    func measureErasure(
        _ fleet: Fleet, _ probe: AlertProbe?, _ ingest: HostPort, _ totals: ExporterTotals, stored reports: Int,
        _ subjects: [Phone]
    ) async {
        result.erasure = await attempt("erasure") {
            let erasures = try ErasureProbe(at: ingest)
            try await fill(to: reports, subjects, ingest, totals)
            say("erasing a device, idle")
            var idle: [ErasureProbe.Erasure] = []
            for phone in subjects.prefix(6) { idle.append(try await erasures.erase(phone, asking: .milliseconds(20))) }
            var figures = BenchResult.Erasure(idle, stored: try await totals.read().rawRows)
            if let probe {
                try await compareLoaded(&figures, fleet, erasures, probe, ingest, Array(subjects.dropFirst(6)))
            }
            await erasures.close()
            return figures
        }
    }

    /// Reports of all phones, those to be erased among them, until so many are stored.
    private func fill(
        to reports: Int, _ subjects: [Phone], _ ingest: HostPort, _ totals: ExporterTotals
    ) async throws {
        let own = try UploadStock.make(
            uploads: subjects.count * 3, sizes: 30...60, phones: subjects, cells: cells, seed: 11, host: ingest,
            repeating: false)
        _ = try await play(own, ingest, totals)
        var seed: UInt64 = 100
        while true {
            let missing = reports - (try await totals.read().rawRows)
            guard missing > 0 else { return }
            say("\(missing) reports to go")
            let uploads = min(missing / 100 + 1, 40_000)
            _ = try await play(try stock(uploads: uploads, sizes: 100...100, seed: seed, ingest), ingest, totals)
            seed += 1
        }
    }

    /// The same load without erasures, twice with them, and without: what drifts meanwhile is in both.
    private func compareLoaded(
        _ figures: inout BenchResult.Erasure, _ fleet: Fleet, _ erasures: ErasureProbe, _ probe: AlertProbe,
        _ ingest: HostPort, _ subjects: [Phone]
    ) async throws {
        var without = [try await loaded(fleet, probe, ingest, seed: 60)], during: [LoadedAlerts] = [], erased = 0
        for seed in [70, 71] as [UInt64] {
            let rest = Array(subjects.dropFirst(erased))
            let erasing = Task {
                var count = 0
                for phone in rest where !Task.isCancelled {
                    guard (try? await erasures.erase(phone, asking: .seconds(1))) != nil else { break }
                    count += 1
                }
                return count
            }
            during.append(try await loaded(fleet, probe, ingest, seed: seed))
            erasing.cancel()
            // What is still being erased is no part of the next run.
            erased += await erasing.value
        }
        without.append(try await loaded(fleet, probe, ingest, seed: 61))
        figures.compare(Self.figures(without), Self.figures(during), erased: erased)
    }

    private struct LoadedAlerts {
        let latencies: [Double]
        let reportsPerSecond: Double
        /// Cores in use, by service.
        let cores: [String: Double]
    }

    private static func figures(_ runs: [LoadedAlerts]) -> BenchResult.Erasure.Loaded {
        BenchResult.Erasure.Loaded(
            alerts: percentiles(runs.flatMap(\.latencies).sorted()),
            reports_per_second: (runs.reduce(0) { $0 + $1.reportsPerSecond } / Double(runs.count)).rounded(),
            cores: runs.reduce(into: [:]) { sum, run in
                for (name, cores) in run.cores { sum[name, default: 0] += cores / Double(runs.count) }
            })
    }

    /// Alert latency beside uploads at 80 % of what was measured.
    private func loaded(_ fleet: Fleet, _ probe: AlertProbe, _ ingest: HostPort, seed: UInt64) async throws
        -> LoadedAlerts
    {
        guard rate > 0 else { throw BenchError("the rate at full load is not known") }
        say("alerts at 80 % of \(Int(rate)) reports/s")
        let uploads = Int(0.8 * rate / 100) * (seconds + 2)
        let stock = try stock(uploads: uploads, sizes: 100...100, seed: seed, ingest)
        let pool = try LoadPool(host: ingest.host, port: ingest.port, connections: 64)
        let load = BatchLoad(stock, pool: pool, interval: .seconds(100 / (0.8 * rate)))
        let start = ContinuousClock.now, cpu = try fleet.cpu()
        async let running = load.run()
        try await Task.sleep(for: .seconds(1))
        let latencies = try await probe.measure(seconds * 100, every: .milliseconds(9)) {
            ContinuousClock.now - start > .seconds(self.seconds + 1)
        }
        let counts = load.current, elapsed = Self.seconds(since: start)
        _ = try await running
        await pool.shutdown()
        let used = try fleet.cpu().merging(cpu) { $0 - $1 }
        return LoadedAlerts(
            latencies: latencies, reportsPerSecond: Double(counts.accepted) / elapsed,
            cores: Dictionary(uniqueKeysWithValues: used.map { ($0.rawValue, $1 / 1e6 / elapsed) }))
    }
}
