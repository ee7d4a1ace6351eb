import Models

/// A cell as `--dump` prints it.
///
///     300 1785000000 1222230123012301 62401 4G shared samples=2 devices=1 download_kbps=130:1,164:1 rsrp_dbm=-85:2
///
/// Bucket and its begin, cell (`-`: none), scope (`-`: unknown), stratum (`-`: there are none), population. Of another
/// programme than QoE its name stands after the begin of the bucket; of one that is not known here a number, and numbers for what
/// it counts: `300 1785000000 #2 … 17 0 shared samples=2 devices=1 metric_64=3:2`.
struct CellLine {
    static func bytes(
        _ programmes: Programmes, _ cell: CellKey, samples: Int64, devices: Int, _ histograms: CellHistograms
    ) -> [UInt8] {
        let programme = programmes.all.first { $0.number == cell.programme }
        var line = "\(cell.bucketSeconds) \(cell.bucketStart) "
        if cell.programme != Programme.qoeNumber { line += "\(programme?.name ?? "#\(cell.programme)") " }
        line += "\(cell.quadkey?.text ?? "-") \(scope(cell, programme)) "
        line += "\(programme.map { word($0.strata.name(cell.stratum)) } ?? "\(cell.stratum)") "
        line += "\(cell.population.name) samples=\(samples) devices=\(devices)"
        var known: Set<UInt8> = []
        for metric in programme?.metrics.sorted(by: { $0.name < $1.name }) ?? [] {
            known.insert(metric.number)
            append(histograms.bins(metric.number), metric.name, to: &line)
        }
        for metric in histograms.metrics where !known.contains(metric) {
            append(histograms.bins(metric), "metric_\(metric)", to: &line)
        }
        return Array(line.utf8)
    }

    private static func scope(_ cell: CellKey, _ programme: Programme?) -> String {
        guard let scope = programme?.cellScope else { return "\(cell.scope)" }
        return cell.scope == 0 ? "-" : Scope(scheme: scope.scheme, number: Int64(cell.scope)).name
    }

    private static func word(_ text: String) -> String { text.isEmpty ? "-" : text }

    private static func append(_ bins: ArraySlice<CellHistograms.Entry>, _ name: String, to line: inout String) {
        var separator = " \(name)="
        for entry in bins {
            line += "\(separator)\(entry.bin):\(entry.count)"
            separator = ","
        }
    }
}
