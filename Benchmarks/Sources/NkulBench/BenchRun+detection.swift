import ServiceKit

/// How soon a rule finds what completes it.
extension BenchRun {
    func measureDetection(
        _ fleet: Fleet, _ phones: [Phone], _ ingest: HostPort, _ totals: ExporterTotals
    ) async {
        let probe = await attempt("detection_ms") { try await DetectionProbe(fleet, phones: phones) }
        guard let probe else { return }
        say("detection by a rule, idle")
        let idle = await attempt("detection_ms.idle") { try await probe.measure(100, every: .milliseconds(50)) }
        let loaded = await attempt("detection_ms.full_load") { try await detection(probe, ingest, totals) }
        result.detection_ms = BenchResult.Detection(
            idle: idle.flatMap(Self.percentiles), full_load: loaded.flatMap(Self.percentiles))
        await probe.close()
    }

    /// Beside uploads of 100, as many as are taken.
    private func detection(
        _ probe: DetectionProbe, _ ingest: HostPort, _ totals: ExporterTotals
    ) async throws -> [Double] {
        let base = try await settled(totals)
        let stock = try stock(uploads: (seconds + 2) * 4_000, sizes: 100...100, seed: 9, ingest)
        say("detection by a rule, beside full load")
        let load = try PacedLoad(stock, rate: .infinity, at: ingest)
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        let milliseconds = try await probe.measure(.max, every: .milliseconds(50)) { [seconds] in
            ContinuousClock.now - start > .seconds(seconds) || !load.isSending
        }
        say(
            "\(Int(Double(load.received) / (Self.seconds(since: start) + 1))) reports/s, \(milliseconds.count) detections"
        )
        try await load.end()
        // What follows is not to pay for this load's statistics.
        try await totals.waitUntilEven(since: base)
        return milliseconds
    }
}
