import Foundation

/// What releases say, worked out in text and sets: which rows may be in one, which of them are an atom, and how many devices are told of.
public struct ReferenceReleases: Sendable {
    /// Of which rows a release is made.
    public struct Series: Sendable, Hashable, Comparable {
        /// `provisional`, `technology` or `final`.
        public let kind: String
        /// Text of the network.
        public let network: String
        /// Begin of the hour or of the local day, Unix seconds.
        public let start: Int

        public init(kind: String, network: String, start: Int) {
            (self.kind, self.network, self.start) = (kind, network, start)
        }

        public static func < (left: Self, right: Self) -> Bool {
            (left.start, left.kind, left.network) < (right.start, right.kind, right.network)
        }
    }

    /// A value that may be released.
    private struct Value {
        let series: Series
        /// Metric, and, where a release is by them, hour and technology.
        let group: String
        let device: Int
        /// Quadkey; empty without a place.
        let cell: String
    }

    private static let metrics = [
        "download_kbps", "upload_kbps", "latency_ms", "jitter_ms", "loss_pct", "rsrp_dbm", "rsrq_db", "sinr_db",
        "rssi_dbm", "rating",
    ]

    /// Least devices of an atom.
    public let k: Int
    /// Whose rows count.
    public let trust: ReferenceTrustPolicy
    private let zoneOffset: Int
    /// The class of a device on a local day, which begins at a Unix second.
    private let classOf: @Sendable (_ device: Int, _ day: Int) -> String

    public init(
        k: Int, trust: ReferenceTrustPolicy, zoneOffset: Int = 3600,
        classOf: @escaping @Sendable (_ device: Int, _ day: Int) -> String
    ) {
        (self.k, self.trust, self.zoneOffset, self.classOf) = (k, trust, zoneOffset, classOf)
    }

    /// The begin of a row's local day, Unix seconds.
    public func day(of row: ReferenceRow) -> Int {
        (second(of: row) + zoneOffset) / 86_400 * 86_400 - zoneOffset
    }

    private func second(of row: ReferenceRow) -> Int { Int((Double(row.capturedAt) / 1000).rounded(.down)) }

    /// The lines of each release that these rows make, in the order of their texts.
    public func lines(_ rows: [ReferenceRow]) -> [Series: [String]] {
        var lines: [Series: [String]] = [:]
        for (_, values) in Dictionary(grouping: rows.flatMap(values), by: { [$0.series.described, $0.group] }) {
            for (cell, atom) in atoms(values) {
                lines[values[0].series, default: []].append(line(values[0].group, cell, atom))
            }
        }
        return lines.mapValues { $0.sorted() }
    }

    private func line(_ group: String, _ cell: String, _ atom: [Value]) -> String {
        let counts = Dictionary(grouping: atom, by: \.device).mapValues(\.count).values
        return """
            \(group) \(cell.isEmpty ? "-" : cell) devices=\(Self.band(counts.count)) samples=\(Self.band(atom.count)) \
            effective=\(Self.band(Int(Self.effective(Array(counts)) + 1e-6)))
            """
    }

    /// The values of a row by the releases in which they may be.
    private func values(_ row: ReferenceRow) -> [Value] {
        guard row.stored["mock_location"] != 1, row.purposes.isSuperset(of: ["research", "operator_sharing"]),
            trust.counts(row)
        else { return [] }
        let day = day(of: row), kind = classOf(row.device, day), hour = (second(of: row) - day) / 3_600
        let start = kind == "provisional" ? day + hour * 3_600 : day
        let cell = ReferenceGeography.cells(of: row.record).first ?? ""
        return Self.metrics.filter { row.stored[$0] != nil }.compactMap { metric in
            let network = metric == "rating" || row.serving == "-" ? row.sim : row.serving
            guard network != "-" else { return nil }
            let technology = ReferenceField.technology(row.record.text("network_type"))
            return Value(
                series: Series(kind: kind, network: network, start: start),
                group: kind == "technology" ? "\(metric) \(hour) \(technology)" : "\(metric) 0 -",
                device: row.device, cell: cell)
        }
    }

    /// From the finest cells up: one with k devices is an atom, and what is left of others belongs to their parents.
    private func atoms(_ values: [Value]) -> [(cell: String, values: [Value])] {
        var atoms: [(cell: String, values: [Value])] = [], rest = values.map { (cell: $0.cell, value: $0) }
        for level in stride(from: 16, through: 6, by: -1) {
            var coarser = rest.filter { $0.cell.count != level }
            for (cell, pool) in Dictionary(grouping: rest.filter { $0.cell.count == level }, by: \.cell) {
                if Set(pool.map(\.value.device)).count >= k {
                    atoms.append((cell, pool.map(\.value)))
                } else {
                    coarser += pool.map { (level > 6 ? String(cell.dropLast()) : "", $0.value) }
                }
            }
            rest = coarser
        }
        return Set(rest.map(\.value.device)).count >= k ? atoms + [("", rest.map(\.value))] : atoms
    }

    /// (Σ W)² ÷ Σ W², where no device weighs more than T, the largest number for which five times T is at most the sum of all min(n, T).
    private static func effective(_ counts: [Int]) -> Double {
        var threshold = counts.max() ?? 0
        while threshold > 0, 5 * threshold > counts.reduce(0, { $0 + min($1, threshold) }) { threshold -= 1 }
        let weights = counts.map { Double(threshold > 0 ? min($0, threshold) : $0) }, sum = weights.reduce(0, +)
        return sum * sum / weights.reduce(0) { $0 + $1 * $1 }
    }

    /// The greatest of 1, 2 and 5 times a power of ten that is not above a count.
    static func band(_ count: Int) -> Int {
        var ends: [Int] = [0]
        for power in 0..<12 { ends += [1, 2, 5].map { $0 * Int(pow(10, Double(power))) } }
        return ends.filter { $0 <= count }.max()!
    }
}

extension ReferenceReleases.Series {
    fileprivate var described: String { "\(kind) \(network) \(start)" }
}
