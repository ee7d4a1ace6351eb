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
                try await compareLoaded(
                    &figures, fleet, erasures, probe, ingest, totals, Array(subjects.dropFirst(6)))
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

    /// Runs of the same load, with erasures and without.
    private static let order = [false, true, true, false, true, false, false, true, false, true, true, false]

    /// The same load six times without and six times with erasures, in turn, so that what drifts meanwhile is in both. Each run
    /// begins when nothing of the one before is left.
    private func compareLoaded(
        _ figures: inout BenchResult.Erasure, _ fleet: Fleet, _ erasures: ErasureProbe, _ probe: AlertProbe,
        _ ingest: HostPort, _ totals: ExporterTotals, _ subjects: [Phone]
    ) async throws {
        var without: [LoadedAlerts] = [], during: [LoadedAlerts] = [], erased = 0
        for (number, erases) in Self.order.enumerated() {
            let rest = erases ? Array(subjects.dropFirst(erased)) : []
            _ = try await settled(totals)
            let erasing = Task {
                var count = 0
                for phone in rest where !Task.isCancelled {
                    guard (try? await erasures.erase(phone, asking: .seconds(1))) != nil else { break }
                    count += 1
                }
                return count
            }
            let run = try await loaded(fleet, probe, ingest, seed: 60 + UInt64(number))
            if erases { during.append(run) } else { without.append(run) }
            erasing.cancel()
            erased += await erasing.value
        }
        figures.compare(Self.figures(without), Self.figures(during), erased: erased)
    }

    private static func figures(_ runs: [LoadedAlerts]) -> BenchResult.Erasure.Loaded {
        BenchResult.Erasure.Loaded(
            alerts: percentiles(runs.flatMap(\.latencies).sorted()),
            alerts_of_runs: runs.map { percentiles($0.latencies) },
            reports_per_second: (runs.reduce(0) { $0 + $1.reportsPerSecond } / Double(runs.count)).rounded(),
            cores: runs.reduce(into: [:]) { sum, run in
                for (name, cores) in run.cores { sum[name, default: 0] += cores / Double(runs.count) }
            })
    }
}
