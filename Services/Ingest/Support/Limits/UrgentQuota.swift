package import Models

/// How many urgent records of a device travel on the real-time lane: so many a minute, the others on `batch`.
///
/// Token buckets (``BucketTable``) in memory: after a restart each device begins anew, so that a crash lets through one
/// minute's records more. What a transaction took is given back when it fails, since its records come again. Determined by
/// its inputs; confined to the thread of the engine.
package struct UrgentQuota {
    private let buckets: BucketTable
    private var taken: [(device: UInt64, count: Int)] = []

    /// - Parameters:
    ///   - perMinute: urgent records of a device, also all at once; 0: any number.
    ///   - devices: how many may be sending urgent records at the same time; others are not limited.
    package init(perMinute: Int = 10, devices: Int = 131_072) {
        buckets = BucketTable(BucketRate(perMinute: perMinute, burst: perMinute), slots: devices, largest: perMinute)
    }

    /// Urgent records that a device may send now.
    package func left(to device: UInt64, now: UnixMilliseconds) -> Int { buckets.available(to: device, now: now) }

    /// Counts urgent records of a device, no more than are left to it.
    package mutating func take(_ count: Int, of device: UInt64, now: UnixMilliseconds) {
        guard count > 0 else { return }
        _ = buckets.take(count, of: device, now: now)
        taken.append((device, count))
    }

    /// The transaction is on disk.
    package mutating func commit() { taken.removeAll(keepingCapacity: true) }

    /// The transaction did not happen.
    package mutating func rollBack(now: UnixMilliseconds) {
        for (device, count) in taken { buckets.giveBack(count, of: device, now: now) }
        commit()
    }
}
