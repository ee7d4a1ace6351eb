import ServiceKit

/// Asks the exporter how many rows and samples it has.
final class ExporterTotals {
    struct Totals: Equatable {
        var rawRows = 0
        var heatmapSamples = 0
    }

    private let counts: ServiceCounts

    init(_ address: HostPort) throws { counts = try ServiceCounts(address) }

    func read() async throws -> Totals {
        let values = try await counts.read(["nkul_raw_rows_total", "nkul_heatmap_samples"])
        return Totals(rawRows: values[0], heatmapSamples: values[1])
    }

    /// Waits until both figures have grown by `count` since `base`.
    ///
    /// - Throws: ``BenchError`` after a minute without any growth.
    func wait(for count: Int, since base: Totals) async throws {
        var last = Totals(), lastChange = ContinuousClock.now
        while true {
            let now = try await read()
            if now.rawRows - base.rawRows == count, now.heatmapSamples - base.heatmapSamples == count { return }
            guard now.rawRows - base.rawRows <= count, now.heatmapSamples - base.heatmapSamples <= count else {
                throw BenchError("more was stored than accepted: \(now) since \(base), accepted \(count)")
            }
            if now != last { (last, lastChange) = (now, .now) }
            guard ContinuousClock.now - lastChange < .seconds(60) else {
                throw BenchError("nothing more is stored for a minute: \(now) since \(base), accepted \(count)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Waits until both figures have grown by the same since `base`: statistics have all that is stored.
    ///
    /// - Throws: ``BenchError`` after two minutes without any growth.
    func waitUntilEven(since base: Totals) async throws {
        var last = Totals(), lastChange = ContinuousClock.now
        while true {
            let now = try await read()
            if now.rawRows - base.rawRows == now.heatmapSamples - base.heatmapSamples { return }
            if now != last { (last, lastChange) = (now, .now) }
            guard ContinuousClock.now - lastChange < .seconds(120) else {
                throw BenchError("statistics do not have all that is stored: \(now) since \(base)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func close() async { await counts.close() }
}
