import Models

/// A cell as `--dump` prints it.
///
///     300 1785000000 1222230123012301 62401 4G shared samples=2 devices=1 download_kbps=130:1,164:1 rsrp_dbm=-85:2
///
/// Bucket and its begin, cell (`-`: none), network, technology, population. Of another programme than that of mobile networks
/// there are numbers instead of names, and after the begin of the bucket that of the programme: `300 1785000000 #2 … 17 0 shared`.
struct CellLine {
    private static let mobileByName = Metric.allCases.sorted { $0.name < $1.name }

    static func bytes(_ cell: CellKey, samples: Int64, devices: Int, _ histograms: CellHistograms) -> [UInt8] {
        let isMobile = cell.programme == CellKey.mobile
        var line = "\(cell.bucketSeconds) \(cell.bucketStart) "
        if !isMobile { line += "#\(cell.programme) " }
        line += "\(cell.quadkey?.text ?? "-") "
        line += isMobile ? mobile(cell) : "\(cell.scope) \(cell.stratum)"
        line += " \(cell.population.name) samples=\(samples) devices=\(devices)"
        if isMobile {
            for metric in mobileByName { append(histograms.bins(metric), metric.name, to: &line) }
        }
        for metric in histograms.metrics where !isMobile || Metric(rawValue: metric) == nil {
            append(histograms.bins(metric), "metric_\(metric)", to: &line)
        }
        return Array(line.utf8)
    }

    private static func mobile(_ cell: CellKey) -> String {
        "\(cell.plmn == .unknown ? "-" : cell.plmn.text) \(cell.technology.name)"
    }

    private static func append(_ bins: ArraySlice<CellHistograms.Entry>, _ name: String, to line: inout String) {
        var separator = " \(name)="
        for entry in bins {
            line += "\(separator)\(entry.bin):\(entry.count)"
            separator = ","
        }
    }
}
