import Command
import ServiceKit

/// Alarms beside load.
extension BenchRun {
    func measureLoadedAlerts(_ fleet: Fleet, _ probe: AlertProbe, _ ingest: HostPort) async {
        let run = await attempt("alert_latency_ms.loaded") { try await loaded(fleet, probe, ingest, seed: 6) }
        result.loaded_reports_per_second = run?.reportsPerSecond.rounded()
        result.alert_latency_ms?.loaded = run.map { Self.percentiles($0.latencies) }
    }

    /// What alarms and uploads felt beside load.
    struct LoadedAlerts {
        /// In ms, sorted.
        let latencies: [Double]
        let reportsPerSecond: Double
        /// Cores in use, by service.
        let cores: [String: Double]
    }

    /// Alert latency beside uploads at 80 % of what was measured.
    func loaded(_ fleet: Fleet, _ probe: AlertProbe, _ ingest: HostPort, seed: UInt64) async throws -> LoadedAlerts {
        guard rate > 0 else { throw BenchError("the rate at full load is not known") }
        let uploads = Int(0.8 * rate / 100) * (seconds + 2)
        let stock = try stock(uploads: uploads, sizes: 100...100, seed: seed, ingest)
        let pool = try LoadPool(host: ingest.host, port: ingest.port, connections: 64)
        let load = BatchLoad(stock, pool: pool, interval: .seconds(100 / (0.8 * rate)))
        say("alerts at 80 % of \(Int(rate)) reports/s")
        let start = ContinuousClock.now, cpu = try fleet.cpu()
        let running = Task { try await load.run() }
        try await Task.sleep(for: .seconds(1))
        let latencies = try await probe.measure(seconds * 100, every: .milliseconds(9)) {
            ContinuousClock.now - start > .seconds(self.seconds + 1)
        }
        let counts = load.current, elapsed = Self.seconds(since: start)
        let used = try fleet.cpu().merging(cpu) { $0 - $1 }
        _ = try await running.value
        await pool.shutdown()
        return LoadedAlerts(
            latencies: latencies, reportsPerSecond: Double(counts.accepted + counts.duplicates) / elapsed,
            cores: Dictionary(uniqueKeysWithValues: used.map { ($0.rawValue, $1 / 1e6 / elapsed) }))
    }
}
