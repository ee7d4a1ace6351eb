import ServiceKit

/// Alarms beside load.
extension BenchRun {
    func measureLoadedAlerts(
        _ fleet: Fleet, _ probe: AlertProbe, _ ingest: HostPort, _ totals: ExporterTotals
    ) async {
        var base: ExporterTotals.Totals?
        let run = await attempt("alert_latency_ms.loaded") {
            base = try await settled(totals)
            let load = try await pacedLoad(share: 0.8, seconds + 2, seed: 6, ingest)
            let run = try await alerts(beside: load, fleet, probe, for: .seconds(seconds))
            try await load.end()
            return run
        }
        result.loaded_reports_per_second = run?.reportsPerSecond.rounded()
        result.alert_latency_ms?.loaded = run.flatMap { Self.percentiles($0.latencies.all) }
        result.alert_latency_ms?.loaded_undisturbed = run.flatMap { Self.percentiles($0.latencies.undisturbed) }
        result.alert_latency_ms?.loaded_paused = run.map { .init([$0.latencies]) }
        guard let base else { return }
        // What follows is not to pay for this load's statistics.
        await attempt("statistics of the load beside alerts") { try await totals.waitUntilEven(since: base) }
    }

    /// What alarms and uploads felt beside load.
    struct LoadedAlerts {
        let latencies: AlertLatencies
        let reportsPerSecond: Double
        /// Cores in use, by service.
        let cores: [String: Double]
    }

    /// Uploads at a share of what was measured, for so many seconds at most; a second of them is over.
    func pacedLoad(share: Double, _ seconds: Int, seed: UInt64, _ ingest: HostPort) async throws -> PacedLoad {
        guard rate > 0 else { throw BenchError("the rate at full load is not known") }
        let uploads = share * rate / 100
        let stock = try stock(uploads: Int(uploads) * seconds, sizes: 100...100, seed: seed, ingest)
        say("alerts at \(Int((share * 100).rounded())) % of \(Int(rate)) reports/s")
        let load = try PacedLoad(stock, rate: uploads, at: ingest)
        try await Task.sleep(for: .seconds(1))
        return load
    }

    /// Alert latency beside a load, for so long.
    func alerts(
        beside load: PacedLoad, _ fleet: Fleet, _ probe: AlertProbe, for time: Duration
    ) async throws -> LoadedAlerts {
        let start = ContinuousClock.now, cpu = try fleet.cpu(), received = load.received
        let latencies = try await probe.measure(.max, every: .milliseconds(9)) { ContinuousClock.now - start > time }
        let elapsed = Self.seconds(since: start), reports = load.received - received
        let used = try fleet.cpu(since: cpu)
        guard load.isSending else { throw BenchError("the load was over before the alerts beside it") }
        return LoadedAlerts(
            latencies: latencies, reportsPerSecond: Double(reports) / elapsed,
            cores: Dictionary(uniqueKeysWithValues: used.map { ($0.rawValue, $1 / 1e6 / elapsed) }))
    }
}
