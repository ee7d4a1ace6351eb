import Command
import NIOCore
import ServiceKit

/// Asks the exporter how many rows and samples it has.
final class ExporterTotals {
    struct Totals: Equatable {
        var rawRows = 0
        var heatmapSamples = 0
    }

    private let pool: LoadPool
    private let request: LoadRequest

    init(_ address: HostPort) throws {
        pool = try LoadPool(host: address.host, port: address.port, connections: 1)
        request = LoadRequest(method: "GET", host: address.description, path: "/metrics")
    }

    func read() async throws -> Totals {
        let text = try await pool.send(request).text
        return Totals(
            rawRows: try value("nkul_raw_rows_total", text), heatmapSamples: try value("nkul_heatmap_samples", text))
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

    func close() async { await pool.shutdown() }

    private func value(_ name: String, _ text: String) throws -> Int {
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            if let value = line.split(separator: " ").last.flatMap({ Double($0) }), !line.hasPrefix("#") {
                return Int(value)
            }
        }
        throw BenchError("the exporter's /metrics has no \(name)")
    }
}
