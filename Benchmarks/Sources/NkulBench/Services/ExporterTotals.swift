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
        try await wait(.seconds(60), for: "\(count) of both", since: base) { rows, samples in
            guard rows <= count, samples <= count else {
                throw BenchError("more was stored than accepted: \(rows) rows, \(samples) samples of \(count)")
            }
            return rows == count && samples == count
        }
    }

    /// Waits until both figures have grown by the same since `base`: statistics have all that is stored.
    ///
    /// - Throws: ``BenchError`` after two minutes without any growth.
    func waitUntilEven(since base: Totals) async throws {
        try await wait(.seconds(120), for: "as many of both", since: base) { $0 == $1 }
    }

    /// - Parameters:
    ///   - patience: for how long nothing may change.
    ///   - wanted: as the error says it.
    ///   - isThere: of the growth of rows and of samples.
    private func wait(
        _ patience: Duration, for wanted: String, since base: Totals,
        until isThere: (_ rows: Int, _ samples: Int) throws -> Bool
    ) async throws {
        var last = Totals(), lastChange = ContinuousClock.now
        while true {
            let now = try await read()
            let rows = now.rawRows - base.rawRows, samples = now.heatmapSamples - base.heatmapSamples
            if try isThere(rows, samples) { return }
            if now != last { (last, lastChange) = (now, .now) }
            guard ContinuousClock.now - lastChange < patience else {
                throw BenchError(
                    "nothing more is stored for \(patience): \(rows) rows, \(samples) samples, not \(wanted)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    func close() async { await counts.close() }
}
