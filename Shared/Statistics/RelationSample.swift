/// Pairs by device, so that devices can be drawn anew without looking at the pairs.
struct RelationSample {
    /// What the rank correlation needs of a device's pairs.
    struct Device: Comparable {
        var weight = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0

        mutating func add(_ x: Double, _ y: Double, weight: Double) {
            self.weight += weight
            self.x += weight * x
            self.y += weight * y
            xx += weight * x * x
            yy += weight * y * y
            xy += weight * x * y
        }

        /// By its sums, one after another.
        static func < (one: Device, other: Device) -> Bool {
            let (first, second) = ((one.weight, one.x, one.y, one.xx), (other.weight, other.x, other.y, other.xx))
            return first == second ? (one.yy, one.xy) < (other.yy, other.xy) : first < second
        }
    }

    /// In an order that follows from their pairs, not from their numbers: the same pairs give the same intervals, whoever was enrolled
    /// first.
    private(set) var devices: [Device]
    private let isRising: Bool
    /// By x, then y, then device.
    private let pairs: [MonotoneRelation.Pair]
    /// Of each pair the place of its device, and its weight.
    private let owners: [Int]
    private let weights: [Double]

    init(_ unsorted: [MonotoneRelation.Pair], isRising: Bool) {
        pairs = unsorted.sorted { ($0.x, $0.y, $0.device) < ($1.x, $1.y, $1.device) }
        self.isRising = isRising
        let counts = pairs.reduce(into: [Int64: Int64]()) { $0[$1.device, default: 0] += 1 }
        let threshold = DeviceCap.threshold(Array(counts.values))
        weights = pairs.map {
            Double(DeviceCap.weight(count: counts[$0.device]!, threshold: threshold)) / Double(DeviceCap.whole)
        }
        let xs = Self.ranks(pairs.map(\.x)), ys = Self.ranks(pairs.map(\.y))
        var sums: [Int64: Device] = [:]
        for index in pairs.indices {
            let x = xs[index], y = isRising ? ys[index] : -ys[index]
            sums[pairs[index].device, default: Device()].add(x, y, weight: weights[index])
        }
        let ordered = sums.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        let places = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1.key, $0) })
        owners = pairs.map { places[$0.device]! }
        devices = ordered.map(\.value)
    }

    /// Places from −½ to ½, those of equal values being the same.
    private static func ranks(_ values: [Double]) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        var ranks = [Double](repeating: 0, count: values.count)
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, values[order[end]] == values[order[start]] { end += 1 }
            let rank = Double(start + end) / 2 / Double(order.count) - 0.5
            for place in start..<end { ranks[order[place]] = rank }
            start = end
        }
        return ranks
    }

    /// The rank correlation of devices that count so many times each; nil if all of x or y are the same.
    func strength(of drawn: [Double]) -> Double? {
        var sum = Device()
        for (device, times) in zip(devices, drawn) where times > 0 {
            sum.weight += times * device.weight
            sum.x += times * device.x
            sum.y += times * device.y
            sum.xx += times * device.xx
            sum.yy += times * device.yy
            sum.xy += times * device.xy
        }
        guard sum.weight > 0 else { return nil }
        let x = sum.x / sum.weight, y = sum.y / sum.weight
        let xx = sum.xx / sum.weight - x * x, yy = sum.yy / sum.weight - y * y
        guard xx > 1e-12, yy > 1e-12 else { return nil }
        return max(-1, min(1, (sum.xy / sum.weight - x * y) / (xx * yy).squareRoot()))
    }

    /// Cuts x into parts of about as many pairs each; equal x stay together.
    func cut(into count: Int) -> Cut {
        var parts: [Cut.Part] = [], entries: [Cut.Entry] = []
        var start = 0
        while start < pairs.count {
            let wanted = max(1, (pairs.count - start) / max(1, count - parts.count))
            var end = min(pairs.count, start + wanted)
            while end < pairs.count, pairs[end].x == pairs[end - 1].x { end += 1 }
            var sums: [Int: (weight: Double, sum: Double)] = [:]
            for index in start..<end {
                let sum = sums[owners[index]] ?? (0, 0)
                sums[owners[index]] = (sum.weight + weights[index], sum.sum + weights[index] * pairs[index].y)
            }
            for (device, sum) in sums.sorted(by: { $0.key < $1.key }) {
                entries.append(Cut.Entry(part: parts.count, device: device, weight: sum.weight, sum: sum.sum))
            }
            parts.append(
                Cut.Part(x: pairs[start].x...pairs[end - 1].x, pairs: end - start, devices: sums.count))
            start = end
        }
        return Cut(parts: parts, entries: entries, isRising: isRising)
    }

    /// Pairs by part of x and device.
    struct Cut {
        struct Part {
            let x: ClosedRange<Double>
            let pairs: Int
            let devices: Int
        }

        struct Entry {
            let part: Int
            let device: Int
            let weight: Double
            /// Of weight times y.
            let sum: Double
        }

        let parts: [Part]
        fileprivate let entries: [Entry]
        fileprivate let isRising: Bool

        /// The isotonic fit of each part for devices that count so many times each; nil for a part in which none of them is.
        func fit(_ drawn: [Double]) -> [Double?] {
            var weights = [Double](repeating: 0, count: parts.count), sums = weights
            for entry in entries {
                weights[entry.part] += drawn[entry.device] * entry.weight
                sums[entry.part] += drawn[entry.device] * entry.sum
            }
            let there = parts.indices.filter { weights[$0] > 0 }
            let sign = isRising ? 1.0 : -1.0
            let fit = IsotonicFit.rising(
                there.map { sign * sums[$0] / weights[$0] }, weights: there.map { weights[$0] })
            var values = [Double?](repeating: nil, count: parts.count)
            for (part, value) in zip(there, fit) { values[part] = sign * value }
            return values
        }
    }

    /// Numbers that follow from a seed (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
    struct Random {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        /// How often each of so many is drawn in as many draws.
        mutating func draw(_ count: Int) -> [Double] {
            var drawn = [Double](repeating: 0, count: count)
            for _ in 0..<count { drawn[Int(next().multipliedFullWidth(by: UInt64(count)).high)] += 1 }
            return drawn
        }

        private mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
