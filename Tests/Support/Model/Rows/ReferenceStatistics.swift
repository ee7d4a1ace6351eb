import Foundation

/// Statistics of a set of rows, counted from the beginning each time, as `nkul-batch-aggregator --dump` prints them.
enum ReferenceStatistics {
    private struct Cell {
        var samples = 0
        var devices: Set<Int> = []
        var bins: [String: [Int: Int]] = [:]
        /// Bins of each device.
        var apart: [String: [Int: [Int: Int]]] = [:]

        mutating func add(_ counted: [String: Int], _ device: Int) {
            samples += 1
            devices.insert(device)
            for (metric, bin) in counted {
                bins[metric, default: [:]][bin, default: 0] += 1
                apart[metric, default: [:]][device, default: [:]][bin, default: 0] += 1
            }
        }
    }

    private static let speedsAndTimes: Set = ["download_kbps", "upload_kbps", "latency_ms", "jitter_ms"]
    private static let tenths: Set = ["loss_pct", "rsrp_dbm", "rsrq_db", "sinr_db", "rssi_dbm"]
    private static let ofSIM: Set = ["event", "rating"]
    private static let metrics = speedsAndTimes.union(tenths).union(ofSIM)

    /// The text of all cells: a line each. Behind ` |`, which no dump has, how the samples of each metric are spread over devices.
    ///
    /// - Parameter zoneOffset: seconds that local time is ahead of UTC, for day buckets.
    static func lines(_ rows: [ReferenceRow], zoneOffset: Int) -> [String] {
        var cells: [String: Cell] = [:]
        for row in rows where row.stored["mock_location"] != 1 {
            count(row, zoneOffset, &cells)
        }
        return cells.map { key, cell in key + " " + describe(cell) }
    }

    private static func count(_ row: ReferenceRow, _ zoneOffset: Int, _ cells: inout [String: Cell]) {
        let sim = plmn(row, "mcc", "mnc")
        let serving =
            row.stored["serving_mcc"] != nil && row.stored["serving_mnc"] != nil
            ? plmn(row, "serving_mcc", "serving_mnc") : sim
        let technology = ReferenceField.technology(row.record.text("network_type"))
        let population = row.purposes.contains("operator_sharing") ? "shared" : "unshared"
        let bins = Dictionary(
            uniqueKeysWithValues: metrics.compactMap { name in
                row.stored[name].map { (name, bin(name, $0)) }
            })
        let failed = technology == "NONE" || bins.keys.contains { ofSIM.contains($0) }
        var places = ReferenceGeography.cells(of: row.record)
        if places.isEmpty { places = ["-"] }
        for time in buckets(row.capturedAt, zoneOffset) {
            for place in places {
                for network in Set([serving, sim]) where network == serving || failed {
                    let key = "\(time) \(place) \(network) \(technology) \(population)"
                    let counted = bins.filter { network == (ofSIM.contains($0.key) ? sim : serving) }
                    cells[key, default: Cell()].add(counted, row.device)
                }
            }
        }
    }

    private static func buckets(_ capturedAt: Int, _ zoneOffset: Int) -> [String] {
        let second = Int((Double(capturedAt) / 1000).rounded(.down))
        let day = (second + zoneOffset) / 86_400 * 86_400 - zoneOffset
        return ["300 \(second / 300 * 300)", "3600 \(second / 3600 * 3600)", "86400 \(day)"]
    }

    /// PLMN text: three digits and at least two; `-` if one of the codes is missing.
    static func plmn(_ row: ReferenceRow, _ mcc: String, _ mnc: String) -> String {
        guard let country = row.stored[mcc], let network = row.stored[mnc] else { return "-" }
        return String(format: "%03d%02d", country, network)
    }

    private static func bin(_ metric: String, _ stored: Int) -> Int {
        if tenths.contains(metric) { return Int((Double(stored) / 10).rounded(.down)) }
        guard speedsAndTimes.contains(metric), stored >= 128 else { return stored }
        var halved = Double(stored), halvings = 0
        while halved >= 128 {
            halved /= 2
            halvings += 1
        }
        return 64 * halvings + Int(halved.rounded(.down))
    }

    private static func describe(_ cell: Cell) -> String {
        var line = "samples=\(cell.samples) devices=\(cell.devices.count)"
        for (metric, bins) in cell.bins.sorted(by: { $0.key < $1.key }) {
            line += " \(metric)=" + bins.sorted { $0.key < $1.key }.map { "\($0):\($1)" }.joined(separator: ",")
        }
        line += " |"
        for (metric, devices) in cell.apart.sorted(by: { $0.key < $1.key }) {
            line += " \(metric)=" + spread(Array(devices.values))
        }
        return line
    }

    /// Devices, the most by which one counts, ΣW, ΣW² and, if a device is capped, what bins weigh.
    private static func spread(_ devices: [[Int: Int]]) -> String {
        let counts = devices.map { $0.values.reduce(0, +) }
        var most = counts.max()!
        let isCapped = counts.count >= 5 && 5 * most > counts.reduce(0, +)
        if isCapped { while 5 * most > counts.reduce(0, { $0 + min($1, most) }) { most -= 1 } }
        let weighed = counts.map { min($0, most) }
        var text = "\(counts.count)/\(most)/\(weighed.reduce(0, +))/\(weighed.reduce(0) { $0 + $1 * $1 })"
        guard isCapped else { return text }
        var bins: [Int: Int] = [:]
        for (device, count) in zip(devices, counts) {
            for (bin, samples) in device {
                bins[bin, default: 0] += samples * (count > most ? (1 << 20) * most / count : 1 << 20)
            }
        }
        text += "/" + bins.sorted { $0.key < $1.key }.map { "\($0):\($1)" }.joined(separator: ",")
        return text
    }
}
