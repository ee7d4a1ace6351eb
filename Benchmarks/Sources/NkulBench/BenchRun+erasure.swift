import Foundation
import ServiceKit

/// Erasure of one device among many stored reports, and what alarms and uploads feel of it.
extension BenchRun {
    /// Phones that are enrolled to be erased; they send like the others before.
    static let erasable = 100

    /// Fills the home, erases a few phones while it is idle, then others while uploads and alarms go on, and tells both from
    /// the same without.
    func measureErasure(
        _ fleet: Fleet, _ probe: AlertProbe?, _ ingest: HostPort, _ totals: ExporterTotals, stored reports: Int,
        _ subjects: [Phone]
    ) async {
        result.erasure = await attempt("erasure") {
            let erasures = try ErasureProbe(at: ingest)
            try await fill(to: reports, subjects, ingest, totals)
            say("erasing a device, idle")
            var idle: [ErasureProbe.Erasure] = []
            let cpu = try fleet.cpu()
            for phone in subjects.prefix(6) {
                let erasure = try await erasures.erase(phone, asking: .milliseconds(20))
                say("erased in \(erasure)")
                idle.append(erasure)
            }
            let used = try fleet.cpu(since: cpu)
            var figures = BenchResult.Erasure(
                idle, stored: try await totals.read().rawRows,
                cpu: Dictionary(uniqueKeysWithValues: used.map { ($0.rawValue, $1 / 1e6 / Double(idle.count)) }))
            if let probe {
                var subjects = subjects.dropFirst(6)
                for share in [0.5, 0.8] {
                    let comparison = await attempt("erasure.beside_load of \(share)") {
                        try await compareBesideErasures(
                            share: share, fleet, erasures, probe, ingest, totals, Array(subjects))
                    }
                    guard let comparison else { break }
                    subjects = subjects.dropFirst(comparison.erased)
                    figures.beside_load.append(comparison)
                }
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
}
