import Models

/// A cell as `--dump` prints it.
///
///     300 1785000000 1222230123012301 62401 4G samples=2 devices=1 download_kbps=130:1,164:1 rsrp_dbm=-85:2
struct CellLine {
    private static let metricsByName = Metric.allCases.sorted { $0.name < $1.name }

    static func bytes(_ cell: CellKey, samples: Int64, devices: Int, _ histograms: CellHistograms) -> [UInt8] {
        var line = "\(cell.bucketSeconds) \(cell.bucketStart) \(cell.quadkey?.text ?? "-")"
        line += " \(cell.plmn == .unknown ? "-" : cell.plmn.text) \(cell.technology.name)"
        line += " samples=\(samples) devices=\(devices)"
        for metric in metricsByName {
            var separator = " \(metric.name)="
            for entry in histograms.bins(metric) {
                line += "\(separator)\(entry.bin):\(entry.count)"
                separator = ","
            }
        }
        return Array(line.utf8)
    }
}
