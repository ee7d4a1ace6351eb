internal import Models
internal import Statistics

/// What is told of an atom. No device speaks for more than a fifth of it (``DeviceCap``).
public struct AtomFigures: Sendable, Equatable {
    /// That so much of the weight is in this bin or below.
    public struct Step: Sendable, Equatable {
        public var bin: Int32
        /// 1 to 99, rounded to the ``AtomFigures/grid(samples:)``.
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
    /// digits. Nil without steps.
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
        let threshold = DeviceCap.threshold(counts.lazy.map(\.count))
        var samples: [(bin: Int32, device: UInt32, weight: Int64)] = [], place = 0
        samples.reserveCapacity(pool.entries.count)
        for entry in pool.entries {
            if counts[place].device != entry.device { place += 1 }
            let weight = entry.count * DeviceCap.weight(count: counts[place].count, threshold: threshold)
            samples.append((entry.bin, entry.device, weight))
        }
        samples.sort { ($0.bin, $0.device) < ($1.bin, $1.device) }
        let steps = Self.steps(samples, count: counts.reduce(0) { $0 + $1.count }, rules)
        self.steps = steps
        meanHundredths = Self.mean(samples, steps, table)
        func told(_ count: Int64) -> Int64 { rules.tellsBands ? CountBand.of(count).lowerBound : count }
        devices = told(Int64(counts.count))
        self.samples = told(counts.reduce(0) { $0 + $1.count })
        let effective = DeviceCap.effectiveDevices(counts.lazy.map(\.count), threshold: threshold)
        effectiveDevices = told(max(1, Int64(effective)))
    }

    /// To how many per cent steps are rounded: exact shares of few samples would tell how many there are.
    ///
    /// - Parameter samples: how many there are, or the lower end of their band.
    static func grid(samples: Int64) -> Int64 { samples < 20 ? 10 : samples < 100 ? 5 : 1 }

    /// Merges neighbouring bins until each has enough devices and weight; the last one joins the bin before it if it has too little, and
    /// so does a bin whose share is rounded to nothing.
    ///
    /// - Parameter count: of the samples that are weighed.
    private static func steps(
        _ samples: [(bin: Int32, device: UInt32, weight: Int64)], count: Int64, _ rules: ReleaseRules
    ) -> [Step] {
        let grid = Self.grid(samples: count), total = samples.reduce(Int128(0)) { $0 + Int128($1.weight) }
        let unit = total * Int128(grid)
        var steps: [Step] = [], below: Int128 = 0, since: Int128 = 0, devices: [UInt32] = []
        for (place, sample) in samples.enumerated() {
            since += Int128(sample.weight)
            if devices.count < rules.binDevices, !devices.contains(sample.device) { devices.append(sample.device) }
            let isLast = place + 1 == samples.count
            guard isLast || samples[place + 1].bin != sample.bin else { continue }
            let isEnough = devices.count >= rules.binDevices && since * 100 >= total * Int128(rules.binPercent)
            if isLast {
                if !isEnough, !steps.isEmpty { steps.removeLast() }
            } else if isEnough {
                below += since
                steps.append(Step(bin: sample.bin, percent: Int64((below * 200 + unit) / (2 * unit)) * grid))
                (since, devices) = (0, [])
            }
        }
        var told: [Step] = []
        for step in steps where step.percent > 0 && step.percent < 100 && step.percent != told.last?.percent {
            told.append(step)
        }
        return told
    }

    private static func mean(
        _ samples: [(bin: Int32, device: UInt32, weight: Int64)], _ steps: [Step], _ table: BinTable
    ) -> Int64? {
        guard let first = steps.first?.bin, let last = steps.last?.bin else { return nil }
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

extension AtomFigures {
    /// Where the value lies below which a share of the weight is; an open end where nothing is told.
    ///
    /// - Parameter percent: 0 to 100.
    public func bins(at percent: Int64) -> (above: Int32?, upTo: Int32?) {
        let upper = steps.first { $0.percent >= percent }
        return (steps.last { $0.percent < percent }?.bin, upper?.bin)
    }
}
