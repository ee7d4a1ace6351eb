internal import Statistics

/// Atoms of one metric added up: what can be said of all their samples together.
///
/// How many samples an atom has is known as a band only, and how its samples lie between two steps is not known at all. So a share has
/// two bounds, between which it lies whatever the atoms hide, and an estimate that takes the middle of what each atom leaves open.
public struct ReleasedSum: Sendable, Equatable {
    /// Atoms that were added.
    public private(set) var atoms = 0
    /// Samples: the lower ends of all bands together.
    public private(set) var samplesAtLeast: Int64 = 0
    /// Devices: the lower end of the largest band, as devices may be in several atoms.
    public private(set) var devicesAtLeast: Int64 = 0
    private var parts: [Part] = []

    private struct Part: Equatable {
        /// Least and most samples.
        let samples: ClosedRange<Double>
        let steps: [AtomFigures.Step]
        let effectiveDevices: Double

        /// Between what the share of the samples in a bin and those below it lies.
        func share(upTo bin: Int32) -> ClosedRange<Double> {
            // Steps ascend by bin.
            let next = steps.firstIndex { $0.bin > bin } ?? steps.count
            let least = next > 0 ? Double(steps[next - 1].percent) / 100 : 0
            let most = next < steps.count ? Double(steps[next].percent) / 100 : 1
            return least...most
        }
    }

    public init() {}

    public mutating func add(_ figures: AtomFigures) {
        atoms += 1
        samplesAtLeast += figures.samples
        devicesAtLeast = max(devicesAtLeast, figures.devices)
        let band = CountBand.of(max(1, figures.samples))
        parts.append(
            Part(
                samples: Double(band.lowerBound)...Double(band.upperBound), steps: figures.steps,
                effectiveDevices: Double(figures.effectiveDevices)))
    }

    public var isEmpty: Bool { parts.isEmpty }

    /// At least so many independent devices would be as sure; 0 without atoms.
    ///
    /// With the weight W of an atom and its number n of effective devices, (Σ W)² ÷ (Σ W ÷ √n)², as the same devices may be in all of
    /// them (Minkowski's inequality).
    public var effectiveDevices: Double {
        var sum = 0.0, root = 0.0
        for part in parts {
            sum += part.samples.lowerBound
            root += part.samples.lowerBound / max(1, part.effectiveDevices).squareRoot()
        }
        // What is whole stays whole.
        return root > 0 ? ((sum / root) * (sum / root) * 1e6).rounded() / 1e6 : 0
    }

    /// Between what the share of the samples up to a bin lies, and what it is if each atom leaves the middle of what it leaves open; nil
    /// without atoms.
    public func share(upTo bin: Int32) -> (bounds: ClosedRange<Double>, estimate: Double)? {
        guard !parts.isEmpty else { return nil }
        var least = Shares(), most = Shares(), middle = 0.0, total = 0.0
        for part in parts {
            let share = part.share(upTo: bin)
            least.add(share.lowerBound, part.samples)
            most.add(1 - share.upperBound, part.samples)
            let weight = part.samples.lowerBound
            middle += weight * (share.lowerBound + share.upperBound) / 2
            total += weight
        }
        let low = least.smallestMean, high = 1 - most.smallestMean
        return (low...max(low, high), middle / total)
    }

    /// Shares of atoms in whole per cent, each with the least and the most samples that it may be of.
    private struct Shares {
        private var least = [Double](repeating: 0, count: 101)
        private var most = [Double](repeating: 0, count: 101)

        mutating func add(_ share: Double, _ samples: ClosedRange<Double>) {
            let percent = Int((share * 100).rounded())
            least[percent] += samples.lowerBound
            most[percent] += samples.upperBound
        }

        /// The mean is smallest if atoms up to some share have as many samples as they may, and the others as few.
        var smallestMean: Double {
            var weight = least.reduce(0, +), sum = least.indices.reduce(0.0) { $0 + least[$1] * Double($1) }
            var smallest = sum / weight
            for percent in least.indices {
                weight += most[percent] - least[percent]
                sum += (most[percent] - least[percent]) * Double(percent)
                smallest = min(smallest, sum / weight)
            }
            return smallest / 100
        }
    }

    /// What is known of a quantile, in bins.
    public struct Quantile: Sendable, Equatable {
        /// Nil where the middle of what is open lies beyond all steps.
        public var estimate: Int32?
        /// It lies in this bin or above; nil where nothing is told.
        public var from: Int32?
        /// It lies in this bin or below; nil where nothing is told.
        public var upTo: Int32?
    }

    /// - Parameter permille: 1…999, in thousandths.
    public func quantile(permille: Int) -> Quantile {
        let share = Double(permille) / 1_000
        return Quantile(
            estimate: first { $0.estimate >= share - Self.rounding },
            from: first { $0.bounds.upperBound > share + Self.rounding },
            upTo: first { $0.bounds.lowerBound >= share - Self.rounding })
    }

    /// The bins between which a quantile lies with 95 % (``OrderInterval``), whatever the atoms hide; an end is nil where nothing is told
    /// there, and both are where too few devices are as sure.
    public func interval(permille: Int) -> (from: Int32?, upTo: Int32?) {
        guard let interval = OrderInterval(count: effectiveDevices, permille: permille) else { return (nil, nil) }
        let count = Double(interval.count)
        let low = Double(interval.ranks.lowerBound - 1) / count, high = Double(interval.ranks.upperBound) / count
        return (
            first { $0.bounds.upperBound > low + Self.rounding }, first { $0.bounds.lowerBound >= high - Self.rounding }
        )
    }

    /// Between what the share of the samples below a bin lies with 95 %, whatever the atoms hide (Wilson); nil where too few devices are
    /// as sure.
    public func interval(ofShareBelow bin: Int32) -> ClosedRange<Double>? {
        let count = effectiveDevices.rounded(.down)
        guard let share = share(upTo: bin - 1)?.bounds,
            let low = ShareInterval.wilson(share.lowerBound, count: count),
            let high = ShareInterval.wilson(share.upperBound, count: count)
        else { return nil }
        return low.lowerBound...high.upperBound
    }

    private static let rounding = 1e-9

    /// The first bin of a step from which on something holds of the share; nil if it holds below all steps or nowhere.
    private func first(where holds: ((bounds: ClosedRange<Double>, estimate: Double)) -> Bool) -> Int32? {
        let bins = Set(parts.flatMap { $0.steps.lazy.map(\.bin) }).sorted()
        guard let lowest = bins.first, let below = share(upTo: lowest - 1), !holds(below) else { return nil }
        // It holds for all bins above one for which it does.
        var low = 0, high = bins.count
        while low < high {
            let middle = (low + high) / 2
            if let found = share(upTo: bins[middle]), holds(found) { high = middle } else { low = middle + 1 }
        }
        return low < bins.count ? bins[low] : nil
    }
}
