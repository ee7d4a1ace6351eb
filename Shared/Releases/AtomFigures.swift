internal import Models
internal import Statistics

/// What is told of an atom. No device speaks for more than a fifth of it (``DeviceCap``).
public struct AtomFigures: Sendable, Equatable {
    /// A quantile: the first bin with which so much of the weight is in it or below.
    public struct Step: Sendable, Equatable {
        public var bin: Int32
        /// One of ``ReleaseRules/percents(devices:)``.
        public var percent: Int64

        public init(bin: Int32, percent: Int64) {
            self.bin = bin
            self.percent = percent
        }
    }

    /// Devices and samples: the lower ends of their bands (``CountBand``).
    public var devices, samples: Int64
    /// The number of devices that would be as sure if all had as many samples: the lower end of its band.
    public var effectiveDevices: Int64
    /// The mean with the cap, of values clamped to the bins of the first and the last step, hundredths of stored units, rounded to three
    /// digits. Nil where there are not two steps.
    public var meanHundredths: Int64?
    /// The inner bounds of the histogram, ascending. Between two of them, below the first and above the last are the samples of at least
    /// ``ReleaseRules/binDevices`` devices; nothing is told of how they lie there.
    public var steps: [Step]

    public init(devices: Int64, samples: Int64, effectiveDevices: Int64, meanHundredths: Int64?, steps: [Step]) {
        self.devices = devices
        self.samples = samples
        self.effectiveDevices = effectiveDevices
        self.meanHundredths = meanHundredths
        self.steps = steps
    }

    /// - Parameter pool: merged, with a device.
    init(_ pool: DevicePool, _ rules: ReleaseRules, _ table: BinTable) {
        var counts: [(device: UInt32, count: Int64)] = []
        for entry in pool.entries {
            if counts.last?.device == entry.device {
                counts[counts.count - 1].count += entry.count
            } else {
                counts.append((entry.device, entry.count))
            }
        }
        let threshold = DeviceCap.threshold(counts.map(\.count))
        var samples: [(bin: Int32, device: UInt32, weight: Int64)] = [], place = 0
        samples.reserveCapacity(pool.entries.count)
        for entry in pool.entries {
            if counts[place].device != entry.device { place += 1 }
            let weight = entry.count * DeviceCap.weight(count: counts[place].count, threshold: threshold)
            samples.append((entry.bin, entry.device, weight))
        }
        samples.sort { ($0.bin, $0.device) < ($1.bin, $1.device) }
        let steps = Self.steps(samples, devices: Int64(counts.count), rules)
        self.steps = steps
        meanHundredths = Self.mean(samples, steps, table)
        func told(_ count: Int64) -> Int64 { rules.tellsBands ? CountBand.of(count).lowerBound : count }
        devices = told(Int64(counts.count))
        self.samples = told(counts.reduce(0) { $0 + $1.count })
        let effective = DeviceCap.effectiveDevices(counts.lazy.map(\.count), threshold: threshold)
        effectiveDevices = told(max(1, Int64(effective)))
    }

    /// The bins of the percents that may be told. Neighbouring ones are merged until each has enough devices, the one behind the last
    /// step too; of percents that lie in one bin the last is told.
    ///
    /// - Parameters:
    ///   - samples: ascending by bin.
    ///   - devices: how many there are.
    private static func steps(
        _ samples: [(bin: Int32, device: UInt32, weight: Int64)], devices: Int64, _ rules: ReleaseRules
    ) -> [Step] {
        let total = samples.reduce(Int128(0)) { $0 + Int128($1.weight) }
        var percents = rules.percents(devices: devices)[...]
        var steps: [Step] = [], below: Int128 = 0, since: [UInt32] = []
        for (place, sample) in samples.enumerated() {
            below += Int128(sample.weight)
            if since.count < rules.binDevices, !since.contains(sample.device) { since.append(sample.device) }
            guard place + 1 < samples.count else { break }
            guard samples[place + 1].bin != sample.bin else { continue }
            var reached: Int64?
            while let percent = percents.first, Int128(percent) * total <= below * 100 {
                reached = percent
                percents.removeFirst()
            }
            guard let reached, since.count >= rules.binDevices else { continue }
            steps.append(Step(bin: sample.bin, percent: reached))
            since = []
        }
        if since.count < rules.binDevices, !steps.isEmpty { steps.removeLast() }
        return steps
    }

    private static func mean(
        _ samples: [(bin: Int32, device: UInt32, weight: Int64)], _ steps: [Step], _ table: BinTable
    ) -> Int64? {
        guard steps.count > 1, let first = steps.first?.bin, let last = steps.last?.bin else { return nil }
        var sum: Int128 = 0, total: Int128 = 0
        for sample in samples {
            sum += Int128(sample.weight) * Int128(table.value(of: min(max(sample.bin, first), last)))
            total += Int128(sample.weight)
        }
        return rounded(Int64(quotient(sum * 100, total)))
    }

    /// Rounded to three digits, half away from zero.
    static func rounded(_ value: Int64) -> Int64 {
        var unit: Int64 = 1
        while abs(value) >= 1_000 * unit { unit *= 10 }
        let rounded = Int64(quotient(Int128(value), Int128(unit))) * unit
        return rounded
    }

    /// Rounded half away from zero; the divisor is above zero.
    private static func quotient(_ dividend: Int128, _ divisor: Int128) -> Int128 {
        let half = dividend < 0 ? -(divisor / 2) : divisor / 2
        return (dividend + half) / divisor
    }
}
