/// How much of a figure one device may speak for: a fifth.
///
/// With n_d samples of device d, T is the largest integer with 5·T ≤ Σ min(n_d, T). Where T ≥ max n_d nothing changes. Else each
/// sample of d weighs ⌊2²⁰·min(n_d, T) ÷ n_d⌋, so that a device weighs as much as T samples do at most. Applied where a figure is
/// published, never to what is stored. `docs/figures.md` says which cells are capped.
public enum DeviceCap {
    /// The weight of a sample that counts whole.
    public static let whole: Int64 = 1 << 20
    /// The share that a device may have is one in so many; fewer devices have no cap.
    public static let devices = 5

    /// The most samples by which a device counts, T.
    ///
    /// At most four devices have more than T samples: with five of them T could be larger.
    ///
    /// - Parameter counts: samples of each device, in any order; those without samples do not count.
    /// - Returns: nil under ``devices`` devices, of which one always has more than a fifth.
    public static func threshold(_ counts: [Int64]) -> Int64? {
        var rest: Int64 = 0
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: devices) { largest in
            largest.initialize(repeating: 0)
            for count in counts where count > 0 {
                rest += count
                var place = devices
                while place > 0, largest[place - 1] < count {
                    if place < devices { largest[place] = largest[place - 1] }
                    place -= 1
                }
                if place < devices { largest[place] = count }
            }
            guard largest[devices - 1] > 0 else { return nil }
            // With T between the counts before and after a place, the devices after it count by T each.
            for above in 0..<devices {
                let threshold = rest / Int64(devices - above)
                if threshold >= largest[above] { return threshold }
                rest -= largest[above]
            }
            // The fifth largest: five devices of so many samples are five times that.
            return largest[devices - 1]
        }
    }

    /// What a sample of a device weighs.
    ///
    /// - Parameters:
    ///   - count: samples of the device, above zero.
    ///   - threshold: ``threshold(_:)``; nil where there is none.
    public static func weight(count: Int64, threshold: Int64?) -> Int64 {
        guard let threshold, count > threshold else { return whole }
        return whole * threshold / count
    }

    /// The number of independent devices that would be as sure: (Σ W_d)² ÷ Σ W_d² (Kish 1965), with W_d the samples of a
    /// device that count. At most the number of devices.
    ///
    /// - Parameter counts: samples of each device, in any order.
    /// - Returns: 0 without samples.
    public static func effectiveDevices(_ counts: some Sequence<Int64>, threshold: Int64?) -> Double {
        var sum = 0.0, squares = 0.0
        for count in counts where count > 0 {
            let weight = Double(min(count, threshold ?? count))
            sum += weight
            squares += weight * weight
        }
        return squares > 0 ? sum * sum / squares : 0
    }
}
