public import Models

extension CellHistograms.Entry {
    /// A bin of a metric; traps unless the bin is within ±2²³.
    public init(_ metric: Metric, bin: Int32, count: Int64) {
        self.init(metric: metric.rawValue, bin: bin, count: count)
    }
}

/// Figures of mobile QoE.
extension CellHistograms {
    /// The bins of a metric that have samples, ascending.
    public func bins(_ metric: Metric) -> ArraySlice<Entry> { bins(metric.rawValue) }

    /// Samples of a metric.
    public func count(_ metric: Metric) -> Int64 {
        bins(metric).reduce(0) { $0 + $1.count }
    }

    /// The value, in stored units, below or at which a share `p` (0…1) of a metric's samples lie; nil without samples.
    ///
    /// Nearest rank: the value of the bin that holds sample number ⌈p·n⌉ of n.
    public func quantile(_ metric: Metric, p: Double) -> Int64? {
        let bins = bins(metric)
        let total = bins.reduce(0) { $0 + $1.count }
        guard total > 0, p.isFinite else { return nil }
        let rank = min(max(Int64((p * Double(total)).rounded(.up)), 1), total)
        var seen: Int64 = 0
        for entry in bins {
            seen += entry.count
            if seen >= rank { return metric.bins.value(of: entry.bin) }
        }
        return nil
    }

    /// The mean of a metric in stored units, every sample taken as the value of its bin; nil without samples.
    public func mean(_ metric: Metric) -> Double? {
        let bins = bins(metric)
        let total = bins.reduce(0) { $0 + $1.count }
        guard total > 0 else { return nil }
        return bins.reduce(0) { $0 + Double($1.count) * Double(metric.bins.value(of: $1.bin)) } / Double(total)
    }
}

/// Cells of mobile networks: the scope is a network, the stratum its technology.
extension CellKey {
    /// Traps unless there is a bucket of so many seconds.
    public init(
        bucketSeconds: UInt32, bucketStart: Int64, quadkey: Quadkey?, plmn: PLMN, technology: Technology,
        population: Population
    ) {
        self.init(
            programme: Programme.qoeNumber, bucket: Bucket(seconds: bucketSeconds)!, bucketStart: bucketStart,
            quadkey: quadkey, scope: UInt32(truncatingIfNeeded: plmn.rawValue),
            stratum: UInt8(truncatingIfNeeded: technology.rawValue), population: population)
    }

    public var plmn: PLMN { PLMN(rawValue: Int64(scope)) }
    public var technology: Technology { Technology(rawValue: Int64(stratum)) ?? .unknown }
}
