/// Whether one thing rises (or falls) with another, how surely, and along which curve.
///
/// Strength is Spearman's rank correlation, counted as positive in the direction that is asked for. Curve is the isotonic fit
/// (``IsotonicFit``) of means in at most ten parts of as many pairs each. Both have 95 % intervals from a bootstrap over devices: a
/// device is drawn with all its pairs, as pairs of one device are not independent (Davison and Hinkley, "Bootstrap methods and their
/// application", 1997, 2.4 and 3.8). No device counts for more than a fifth (``DeviceCap``).
public struct MonotoneRelation: Sendable, Equatable {
    /// Two things of one moment.
    public struct Pair: Sendable, Equatable {
        public let device: Int64
        public let x: Double
        public let y: Double

        public init(device: Int64, x: Double, y: Double) {
            self.device = device
            self.x = x
            self.y = y
        }
    }

    public enum Finding: String, Sendable, CaseIterable {
        /// The interval of the strength lies above zero.
        case found
        /// It holds zero, or lies below.
        case none_found
        /// There are fewer than ``fewestDevices`` devices, or all values are the same.
        case insufficient
    }

    /// A part of the curve.
    public struct Point: Sendable, Equatable {
        /// Of the pairs in it.
        public let x: ClosedRange<Double>
        public let pairs: Int
        public let devices: Int
        public let fit: Double
        public let interval: ClosedRange<Double>
    }

    /// Of fewer devices nothing is said.
    public static let fewestDevices = 20
    /// How often devices are drawn anew.
    public static let resamples = 500
    private static let mostPoints = 10

    public let finding: Finding
    public let pairs: Int
    public let devices: Int
    /// −1…1; nil where it is ``Finding/insufficient``.
    public let strength: Double?
    public let interval: ClosedRange<Double>?
    /// Empty where it is ``Finding/insufficient``.
    public let curve: [Point]

    /// - Parameters:
    ///   - pairs: in any order; the result depends neither on it nor on which number a device has.
    ///   - isRising: whether y is expected to rise with x.
    ///   - seed: equal seeds give equal intervals.
    public init(_ pairs: [Pair], isRising: Bool, seed: UInt64) {
        let sample = RelationSample(pairs, isRising: isRising)
        self.pairs = pairs.count
        devices = sample.devices.count
        guard sample.devices.count >= Self.fewestDevices,
            let strength = sample.strength(of: Array(repeating: 1, count: sample.devices.count))
        else {
            finding = .insufficient
            (self.strength, interval, curve) = (nil, nil, [])
            return
        }
        let cut = sample.cut(into: min(Self.mostPoints, sample.devices.count / 10))
        let fit = cut.fit(Array(repeating: 1, count: sample.devices.count))
        var strengths: [Double] = [], fits: [[Double]] = Array(repeating: [], count: cut.parts.count)
        var random = RelationSample.Random(seed: seed)
        for _ in 0..<Self.resamples {
            let drawn = random.draw(sample.devices.count)
            // Where nothing varies, nothing goes with anything.
            strengths.append(sample.strength(of: drawn) ?? 0)
            for (part, value) in cut.fit(drawn).enumerated() { if let value { fits[part].append(value) } }
        }
        let interval = Self.middle(strengths) ?? strength...strength
        self.strength = strength
        self.interval = interval
        finding = interval.lowerBound > 0 ? .found : .none_found
        curve = cut.parts.indices.map { index in
            let part = cut.parts[index], value = fit[index] ?? 0
            return Point(
                x: part.x, pairs: part.pairs, devices: part.devices, fit: value,
                interval: Self.middle(fits[index]) ?? value...value)
        }
    }

    /// The middle 95 %; nil without values.
    private static func middle(_ values: [Double]) -> ClosedRange<Double>? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted(), last = Double(sorted.count - 1)
        return sorted[Int((last * 0.025).rounded(.down))]...sorted[Int((last * 0.975).rounded(.up))]
    }
}
