import ServiceKit

/// What alarms and uploads feel of erasures.
extension BenchRun {
    /// The same load without and with an erasure under way, in pairs, so that what drifts is in both; every other pair begins
    /// with the erasure. A load begins when nothing of the one before is left.
    ///
    /// - Parameters:
    ///   - share: the load, of the rate at full load.
    ///   - subjects: enough to be erased one after another as long as the loads last.
    func compareBesideErasures(
        share: Double, _ fleet: Fleet, _ erasures: ErasureProbe, _ probe: AlertProbe, _ ingest: HostPort,
        _ totals: ExporterTotals, _ subjects: [Phone]
    ) async throws -> BenchResult.Erasure.Comparison {
        var without: [LoadedAlerts] = [], during: [LoadedAlerts] = [], erased = 0
        for number in 0..<2 * erasurePairs {
            let erases = [1, 2].contains(number % 4)
            _ = try await settled(totals)
            let load = try await pacedLoad(
                share: share, seconds + 2, seed: 60 + UInt64(number) + UInt64(1_000 * share), ingest)
            let rest = erases ? Array(subjects.dropFirst(erased)) : []
            let erasing = Task {
                var count = 0
                for phone in rest where !Task.isCancelled {
                    _ = try await erasures.erase(phone, asking: .seconds(1))
                    count += 1
                }
                return count
            }
            let run = try await alerts(beside: load, fleet, probe, for: .seconds(seconds))
            erasing.cancel()
            try await load.end()
            erased += try await erasing.value
            if erases { during.append(run) } else { without.append(run) }
        }
        return .init(share: share, without: without, during: during, erased: erased)
    }
}
