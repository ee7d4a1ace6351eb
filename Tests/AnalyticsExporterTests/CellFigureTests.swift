import Models
import Statistics
import Testing

@testable import AggregatorCells
@testable import ExporterAPI

/// A day in one place, as it is published: each phone has its own level, around which its samples lie.
private struct PlaceDay {
    /// The samples of each device, as bins.
    var devices: [[Int32]] = []
    private static let table = BinTable.logarithmic

    /// Of a metric whose true median is `median`; no value depends on how many samples a device has.
    init(_ counts: [Int], median: Double, _ dice: inout SplitMix64) {
        devices = counts.map { count in
            let level = Self.normal(&dice)
            return (0..<count).map { _ in
                let factor = 0.6 * level + 0.3 * Self.normal(&dice)
                return Self.table.bin(Int64((median * Self.exponential(factor)).rounded()))
            }
        }
    }

    init(_ devices: [[Int32]]) { self.devices = devices }

    /// The aggregator's bytes of a cell with these samples, added to an exporter's sum.
    func add(to sum: inout MetricSum, names: [UInt32]? = nil, isOther: Bool = false) -> Bool {
        var entries: [DeviceCounts.Entry] = [], all: [CellHistograms.Entry] = []
        for (place, bins) in devices.enumerated() where !bins.isEmpty {
            let samples = CellHistograms(bins.map { .init(metric: 1, bin: $0, count: 1) })
            let name = names?[place] ?? UInt32(place)
            entries.append(.init(device: name, slot: 0, count: Int64(bins.count)))
            entries += samples.entries.map { .init(device: name, slot: $0.slot, count: $0.count) }
            all += samples.entries
        }
        var cell = CellSum(), stored = CellDevices()
        cell.devices = DeviceCounts(entries, areApart: true)
        cell.samples = Int64(devices.reduce(0) { $0 + $1.count })
        cell.entries = CellHistograms(all).entries
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        guard stored.add(cell, to: .init(samples: 0, devices: nothing, histograms: nothing)) else { return false }
        return CellHistograms(all).encoded().withUnsafeBytes { histograms in
            stored.spreads.withUnsafeBytes {
                sum.add(
                    StoredCell(
                        rows: cell.samples, devices: Int64(stored.count), histograms: histograms, spreads: $0,
                        isOther: isOther), of: 1)
            }
        }
    }

    var figures: CellFigures {
        var sum = MetricSum()
        #expect(add(to: &sum))
        return sum.figures
    }

    /// The width of a bootstrap interval of the capped median, in which devices are drawn.
    func bootstrap(_ dice: inout SplitMix64) -> Double {
        let medians = (0..<100).map { _ in
            let drawn = PlaceDay(devices.map { _ in devices.randomElement(using: &dice)! })
            return Self.value(drawn.figures.quantile(permille: 500)!)
        }.sorted()
        return medians[97] - medians[2]
    }

    static func value(_ bin: Int32) -> Double { Double(table.value(of: bin)) }
    static func values(_ bins: ClosedRange<Int32>) -> ClosedRange<Double> {
        Double(table.values(in: bins.lowerBound).lowerBound)...Double(table.values(in: bins.upperBound).upperBound)
    }

    /// The sum of twelve uniform numbers less six: mean 0, variance 1, symmetric. Three of them from each number of 64 bits.
    private static func normal(_ dice: inout SplitMix64) -> Double {
        var sum: UInt64 = 0
        for _ in 0..<4 {
            let bits = dice.next()
            sum += (bits & 0x1F_FFFF) + (bits >> 21 & 0x1F_FFFF) + (bits >> 42 & 0x1F_FFFF)
        }
        return Double(sum) / Double(1 << 21) - 6
    }

    /// e to a power, by its series: no Foundation is needed.
    private static func exponential(_ power: Double) -> Double {
        var sum = 1.0, term = 1.0
        for place in 1..<40 {
            term *= power / Double(place)
            sum += term
        }
        return sum
    }
}

/// Figures of cells, from what devices contributed to what is published.
@Suite struct CellFigureTests {
    /// Over a thousand days; a few phones give most samples, all give the same, or anything between.
    @Test(arguments: [
        Array(repeating: 3, count: 12), Array(repeating: 1, count: 40),
        [200, 150, 90] + Array(repeating: 2, count: 17),
        (1...30).map { $0 * $0 / 9 + 1 }, [400] + Array(repeating: 1, count: 20),
    ]) func `the true median lies in the interval on 94 of 100 days`(counts: [Int]) {
        var dice = SplitMix64(seed: UInt64(counts.count))
        var covered = 0, width = 0.0, bootstrap = 0.0, bootstraps = 0.0, compared = 0.0
        for day in 0..<1_000 {
            let median = 2_000 + Double(day), place = PlaceDay(counts, median: median, &dice)
            guard let interval = place.figures.interval(permille: 500).map(PlaceDay.values) else { continue }
            covered += interval.contains(median) ? 1 : 0
            width += interval.upperBound - interval.lowerBound
            if day % 40 == 0 {
                compared += interval.upperBound - interval.lowerBound
                bootstrap += place.bootstrap(&dice)
                bootstraps += 1
            }
        }
        #expect(covered >= 940, "\(covered) of 1000 days with \(counts.prefix(5))…")
        #expect(compared <= 2 * bootstrap, "width \(compared / bootstraps), of a bootstrap \(bootstrap / bootstraps)")
    }

    @Test func `under six devices there is no interval, and it says so`() {
        var dice = SplitMix64(seed: 1)
        for devices in 1...12 {
            let figures = PlaceDay(Array(repeating: 4, count: devices), median: 5_000, &dice).figures
            #expect((figures.interval(permille: 500) == nil) == (devices < 6))
            #expect(figures.interval(ofShare: 0.4) == nil || devices >= 6)
            #expect(figures.state == (devices < 5 ? .dominated : devices < 10 ? .low_density : .ok))
            #expect(figures.devices == Int64(devices) && figures.effectiveDevices == Double(devices))
            #expect(figures.quantile(permille: 500) != nil && figures.method == .exact)
        }
        let nothing = MetricSum().figures
        #expect(nothing.state == .no_data && nothing.quantile(permille: 500) == nil && nothing.devices == 0)
    }

    /// 75 rows of one phone against one each of twenty.
    @Test(arguments: [Int32(0), 400, 900]) func `a beacon moves no figure beyond the cap`(bin: Int32) {
        let others = (0..<20).map { [Int32(300 + 10 * $0)] }
        let without = PlaceDay(others).figures
        let with = PlaceDay(others + [Array(repeating: bin, count: 75)]).figures
        #expect(with.samples == 95 && with.devices == 21 && with.state == .ok)
        for permille in [10, 100, 250, 500, 750, 900, 990] {
            let found = with.quantile(permille: permille)!
            // A fifth of the weight is the beacon's; the rest is spread as before.
            let lowest = max(0, Double(permille - 200) / 0.8), highest = min(1_000, Double(permille) / 0.8)
            let least = without.quantile(permille: Int(lowest.rounded(.down)))!
            let most = without.quantile(permille: Int(highest.rounded(.up)))!
            #expect(
                (least...most).contains(found)
                    || found == bin && (permille <= 200 || permille >= 800 || least...most ~= bin),
                "p\(permille): \(found), \(least)…\(most)")
            #expect(abs(with.share(below: 401)! - without.share(below: 401)!) <= 0.2)
        }
    }

    /// The same phone alone in many buckets of the night, beside one bucket of many phones.
    @Test func `a beacon that is alone in many cells counts for a fifth of the sum at most`() {
        var sum = MetricSum()
        #expect(PlaceDay((0..<20).map { [Int32(300 + $0)] }).add(to: &sum))
        for _ in 0..<50 { #expect(PlaceDay([Array(repeating: Int32(900), count: 75)]).add(to: &sum)) }
        let figures = sum.figures
        #expect(figures.samples == 20 + 50 * 75 && figures.devices == nil && figures.devicesAtLeast == 20)
        let beacon = figures.bins.total - figures.bins.weight(below: 900)
        // It may be one of the twenty, too.
        #expect(5 * (beacon + DeviceCap.whole) <= figures.bins.total && beacon > 0)
        #expect(figures.quantile(permille: 500)! < 320)
    }

    /// Devices repeat in the cells, or not: the true number of effective devices of the sum is never smaller than what is told, and
    /// nobody has more than a fifth.
    @Test(arguments: 0..<200) func `effective devices of a sum are a lower bound`(seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        var sum = MetricSum(), parts: [(weights: [UInt32: Int64], isEven: Bool)] = []
        for _ in 0..<dice.pick([1, 2, 5, 20]) {
            let names = Set((0..<dice.pick([1, 3, 8, 24])).map { _ in UInt32.random(in: 0..<60, using: &dice) })
                .sorted()
            let counts = names.map { _ in
                dice.chance(percent: 20) ? dice.pick([9, 40]) : Int.random(in: 1...3, using: &dice)
            }
            #expect(PlaceDay(counts.map { Array(repeating: 500, count: $0) }).add(to: &sum, names: names))
            let threshold = DeviceCap.threshold(counts.map { Int64($0) }) ?? .max
            let weights = counts.map { min(Int64($0), threshold) }
            parts.append(
                (Dictionary(uniqueKeysWithValues: zip(names, weights)), 5 * weights.max()! <= weights.reduce(0, +)))
        }
        let figures = sum.figures
        let even = parts.filter(\.isEven).flatMap(\.weights.values).reduce(0, +)
        let uneven = parts.filter { !$0.isEven }.flatMap(\.weights.values).reduce(0, +)
        // How much a sample of uneven ones counts follows from the weight of all.
        let scale =
            even == 0 || uneven == 0
            ? 1 : (Double(figures.bins.total) / Double(DeviceCap.whole) - Double(even)) / Double(uneven)
        var weights: [UInt32: Double] = [:]
        for part in parts {
            for (name, weight) in part.weights {
                weights[name, default: 0] += Double(weight) * (part.isEven ? 1 : scale)
            }
        }
        let total = weights.values.reduce(0, +), squares = weights.values.reduce(0) { $0 + $1 * $1 }
        #expect(figures.effectiveDevices! <= total * total / squares + 0.01)
        #expect(figures.devicesAtLeast <= Int64(weights.count))
        if even > 0 { #expect(weights.values.max()! <= total / 5 + 0.01) } else { #expect(figures.state == .dominated) }
    }

    @Test func `what months keep holds a device to a fifth as their days do`() throws {
        // Six devices that are heard as often as each other on two days, and one that was alone on another.
        let even = PlaceDay((0..<6).map { Array(repeating: Int32(400 + $0), count: 10) })
        let alone = PlaceDay([Array(repeating: 900, count: 500)])
        var days = MetricSum(), months = MetricSum()
        for day in [even, even, alone] {
            var kept = MetricSum()
            #expect(day.add(to: &days) && day.add(to: &kept))
            #expect(kept.encoded.withUnsafeBytes { months.add(kept: $0) })
        }
        #expect(months.figures.bins == days.figures.bins)
        // Were it one of the six, it would have 20 of 120 samples and these, of which both sums know.
        let share = try #require(months.figures.bins.entries.last { $0.bin == 900 }).weight
        #expect(share > 0 && 5 * (share + 20 * DeviceCap.whole) <= 120 * DeviceCap.whole + share)
    }

    /// Cells of an older program: how many devices there are is known, and no more.
    @Test func `without spreads there is no interval`() {
        var sum = MetricSum()
        let histograms = CellHistograms([.init(metric: 1, bin: 500, count: 90)]).encoded()
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let isTaken = histograms.withUnsafeBytes {
            sum.add(StoredCell(rows: 90, devices: 12, histograms: $0, spreads: nothing, isOther: false), of: 1)
        }
        let figures = sum.figures
        #expect(isTaken && figures.state == .ok && figures.effectiveDevices == nil && figures.method == .unknown)
        #expect(figures.interval(permille: 500) == nil && figures.devices == 12)
    }

    @Test(arguments: [[3], [2, 1], [1, 1, 2], [1, 1, 0x80], [1, 1, 5, 1, 2, 3, 0x7f, 1]] as [[UInt8]])
    func `bytes that are no spreads are refused`(bytes: [UInt8]) {
        var sum = MetricSum()
        let histograms = CellHistograms([.init(metric: 1, bin: 500, count: 90)]).encoded()
        let isTaken = histograms.withUnsafeBytes { histograms in
            bytes.withUnsafeBytes {
                sum.add(StoredCell(rows: 90, devices: 12, histograms: histograms, spreads: $0, isOther: false), of: 1)
            }
        }
        #expect(!isTaken)
    }
}
