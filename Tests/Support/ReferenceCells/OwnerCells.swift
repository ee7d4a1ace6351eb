internal import Foundation
internal import Models
public import QoE

/// What an owner's map must be: counted, cell by cell, from the raw rows that the owner can download.
public struct OwnerCells {
    public struct Cell: Equatable {
        public fileprivate(set) var rows = 0
        /// Bins by network and technology, metric and device, in no order.
        fileprivate var parts: [String: [String: [String: [Int32]]]] = [:]
    }

    /// Seconds, begin and level of the cells at hand.
    public struct Grid: Hashable, Sendable {
        public let seconds: Int64
        public let start: Int64
        public let level: Int

        public init(seconds: Int64, start: Int64, level: Int) {
            self.seconds = seconds
            self.start = start
            self.level = level
        }
    }

    /// By quadkey.
    public private(set) var cells: [Grid: [String: Cell]] = [:]
    private static let ofSIM: Set = ["rating", "event"]
    private static let speedsAndTimes: Set = ["download_kbps", "upload_kbps", "latency_ms", "jitter_ms"]

    /// - Parameters:
    ///   - rows: as they were downloaded.
    ///   - networks: of the owner.
    ///   - technology: name of the only one that counts; nil: all.
    public init(_ rows: [[String: Any]], networks: Set<String>, technology: String? = nil) {
        for row in rows where row["mock_location"] as? Bool != true {
            let type = NetworkType.allCases.first { $0.name == row["network_type"] as? String } ?? .unknown
            if technology == nil || type.technology.name == technology { count(row, type, networks) }
        }
    }

    private mutating func count(_ row: [String: Any], _ type: NetworkType, _ networks: Set<String>) {
        let sim = Self.network(row, "mcc", "mnc") ?? "-",
            serving = Self.network(row, "serving_mcc", "serving_mnc") ?? sim
        let isFailure = type == .none || Self.ofSIM.contains { !(row[$0] is NSNull) && row[$0] != nil }
        for network in Set([sim, serving]) where networks.contains(network) && (network == serving || isFailure) {
            for place in Self.places(row) {
                for (seconds, start) in Self.buckets(row["captured_at_ms"] as! Int64 / 1_000) {
                    let grid = Grid(seconds: seconds, start: start, level: place.count)
                    var cell = cells[grid, default: [:]][place, default: Cell()]
                    cell.rows += 1
                    for (name, scale) in Self.scales where network == (Self.ofSIM.contains(name) ? sim : serving) {
                        guard let value = row[name] as? Double else { continue }
                        let part = "\(network) \(type.technology.name)", device = "\(row["device"] ?? "")"
                        cell.parts[part, default: [:]][name, default: [:]][device, default: []].append(
                            Self.bin(name, Int64((value * scale).rounded())))
                    }
                    cells[grid, default: [:]][place] = cell
                }
            }
        }
    }

    /// Stored units of a natural one.
    public static let scales: [String: Double] = [
        "download_kbps": 1, "upload_kbps": 1, "latency_ms": 10, "jitter_ms": 10, "loss_pct": 100, "rsrp_dbm": 10,
        "rsrq_db": 10, "sinr_db": 10, "rssi_dbm": 10, "rating": 1,
    ]

    private static func bin(_ metric: String, _ stored: Int64) -> Int32 {
        if metric == "rating" { return Int32(stored) }
        guard speedsAndTimes.contains(metric) else { return Int32((Double(stored) / 10).rounded(.down)) }
        var value = stored, halvings: Int64 = 0
        while value >= 128 { (value, halvings) = (value / 2, halvings + 1) }
        return Int32(64 * halvings + value)
    }

    private static func network(_ row: [String: Any], _ mcc: String, _ mnc: String) -> String? {
        guard let country = Int("\(row[mcc] ?? "")"), let network = Int("\(row[mnc] ?? "")") else { return nil }
        return "\(country)" + (network < 10 ? "0" : "") + "\(network)"
    }

    /// Local days of Douala.
    private static func buckets(_ second: Int64) -> [(Int64, Int64)] {
        [
            (300, second / 300 * 300), (3_600, second / 3_600 * 3_600),
            (86_400, (second + 3_600) / 86_400 * 86_400 - 3_600),
        ]
    }

    /// What a heat map must say of a cell and a metric: its samples, and the values up to which 10, 50 and 90 % of the weight lie.
    public static func figures(of cell: Cell, _ metric: Metric) -> (samples: Int, quantiles: [Double]?) {
        let parts = cell.parts.values.compactMap { $0[metric.name].map { Part(Array($0.values)) } }
        let even = parts.filter { 5 * $0.most <= $0.sum }, uneven = parts.filter { 5 * $0.most > $0.sum }
        // One device may be the heaviest of all even ones and alone in the uneven ones.
        let room = even.reduce(0) { $0 + $1.sum - 5 * $1.most }, rest = uneven.reduce(0) { $0 + $1.sum }
        let scale = even.isEmpty || uneven.isEmpty ? Part.whole : min(Part.whole, Part.whole * room / (4 * rest))
        var weights: [Int32: Int] = even.reduce(into: [:]) { $0.merge($1.weights, uniquingKeysWith: +) }
        let others: [Int32: Int] = uneven.reduce(into: [:]) { $0.merge($1.weights, uniquingKeysWith: +) }
        weights.merge(others.mapValues { $0 * scale / Part.whole }, uniquingKeysWith: +)
        let total = weights.values.reduce(0, +), ascending = weights.sorted { $0.key < $1.key }
        guard total > 0 else { return (0, nil) }
        let values = [10, 50, 90].map { percent in
            var below = 0
            let bin = ascending.first { _, weight in
                below += weight
                return 100 * below >= percent * total
            }!.key
            return Double(metric.bins.value(of: bin)) / scales[metric.name]!
        }
        return (parts.reduce(0) { $0 + $1.samples }, values)
    }

    /// What the samples of a stored cell weigh, of few devices.
    private struct Part {
        static let whole = 1 << 20
        let samples: Int, sum: Int, most: Int
        var weights: [Int32: Int] = [:]

        init(_ devices: [[Int32]]) {
            let counts = devices.map(\.count), largest = counts.max()!
            let most =
                counts.count < 5
                ? largest : (0...largest).last { most in 5 * most <= counts.reduce(0) { $0 + min($1, most) } }!
            for bins in devices {
                for bin in bins {
                    weights[bin, default: 0] += bins.count > most ? Self.whole * most / bins.count : Self.whole
                }
            }
            samples = counts.reduce(0, +)
            sum = counts.reduce(0) { $0 + min($1, most) }
            self.most = most
        }
    }

    private static func places(_ row: [String: Any]) -> [String] {
        guard let latitude = row["latitude"] as? Double, let longitude = row["longitude"] as? Double,
            row["accuracy_m"] as? Double ?? 0 <= 10_000, row["speed_mps"] as? Double ?? 0 <= 50,
            let finest = Quadkey(
                latitude: Int64((latitude * 1e7).rounded()), longitude: Int64((longitude * 1e7).rounded()))
        else { return [] }
        return (6...16).filter { level in
            let width = 40_075_016.686 * cos(latitude * .pi / 180) / pow(2, Double(level))
            return level == 6 || (width * 10).rounded(.up) >= ((row["accuracy_m"] as? Double ?? 0) * 10).rounded()
        }.map { String(finest.text.prefix($0)) }
    }
}
