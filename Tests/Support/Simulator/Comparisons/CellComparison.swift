import Foundation
import GRDB
import Models
import QoE
import Storage

/// Compares the exporter's copies of cells, those that refer to another with its figures, with the text of all cells.
struct CellComparison {
    let exporter: ServiceDatabase

    func compare(_ expected: String) throws {
        let lines = try exporter.read { db in
            let find = try db.makeStatement(
                sql: """
                    SELECT * FROM cells WHERE programme = ? AND bucket = ? AND level = ? AND bucket_start = ?
                    AND quadkey = ? AND scope = ? AND stratum = ? AND population = ?
                    """)
            return try Row.fetchAll(db, sql: "SELECT * FROM cells").map { row in
                try text(row, figures: figures(of: row, find)) + "\n"
            }
        }
        // All of it is ASCII, so that the order of strings is that of their bytes.
        let shown = lines.sorted().joined()
        guard shown == expected else {
            throw SimulationFailure("the exporter's cells: " + TextDifference.first(shown, expected))
        }
    }

    private func figures(of row: Row, _ find: Statement) throws -> Row {
        guard let bytes = row["source"] as Data? else { return row }
        guard let source = CellKey(bytes: bytes),
            let found = try Row.fetchOne(
                find,
                arguments: [
                    source.programme, source.bucket.rawValue, source.quadkey?.level ?? 0, source.bucketStart,
                    Int64(source.quadkey?.code ?? 0), source.scope, source.stratum, source.population.rawValue,
                ]), found["source"] as Data? == nil
        else { throw SimulationFailure("the exporter has a reference to a cell without figures: \(row)") }
        return found
    }

    private func text(_ row: Row, figures: Row) throws -> String {
        let level: Int = row["level"], code: Int64 = row["quadkey"], plmn = PLMN(rawValue: row["scope"])
        let place = level == 0 ? "-" : Quadkey(level: level, code: UInt64(code)).text
        let technology = Technology(rawValue: row["stratum"])?.name ?? "?"
        let bucket: Int = row["bucket"], isShared = row["population"] as Int == 1
        guard let histograms = CellHistograms.decode(Array(figures["histograms"] as Data)) else {
            throw SimulationFailure("the exporter has a cell without histograms: \(row)")
        }
        var line = "\([300, 3_600, 86_400][bucket]) \(row["bucket_start"] as Int64) \(place) "
        line += "\(plmn == .unknown ? "-" : plmn.text) \(technology) \(isShared ? "shared" : "unshared") "
        line += "samples=\(figures["samples"] as Int64) devices=\(figures["devices"] as Int64)"
        for metric in Metric.allCases.sorted(by: { $0.name < $1.name }) where histograms.count(metric) > 0 {
            line += " \(metric.name)=" + histograms.bins(metric).map { "\($0.bin):\($0.count)" }.joined(separator: ",")
        }
        line += " |"
        for metric in Metric.allCases.sorted(by: { $0.name < $1.name }) where histograms.count(metric) > 0 {
            line += " \(metric.name)=" + (try spread(of: metric, histograms.count(metric), figures))
        }
        return line
    }

    /// Devices, the most by which one counts, ΣW, ΣW² and, if a device is capped, what bins weigh.
    private func spread(of metric: Metric, _ samples: Int64, _ figures: Row) throws -> String {
        let bytes = figures["spreads"] as Data? ?? Data()
        let spread = try bytes.withUnsafeBytes {
            try DeviceSpread(
                $0, metric: metric.rawValue, samples: samples, rows: figures["samples"], devices: figures["devices"])
        }
        guard let spread, let devices = spread.devices else { return "?" }
        let text = "\(devices)/\(spread.most)/\(spread.sum)/\(Int64(spread.squares))"
        return text + (spread.capped.map { "/" + $0.map { "\($0.bin):\($0.count)" }.joined(separator: ",") } ?? "")
    }
}
