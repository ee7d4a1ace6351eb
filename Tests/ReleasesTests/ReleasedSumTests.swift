import Models
import QoE
import Testing

@testable import Releases

/// What is told of several atoms together, held against their samples.
@Suite struct ReleasedSumTests {
    private static let rules = ReleaseRules(k: 10)

    private func atom(_ bins: [Int32], from device: UInt32 = 0) -> AtomFigures {
        var pool = DevicePool()
        for (place, bin) in bins.enumerated() { pool.add(device + UInt32(place), bin: bin) }
        pool.merge()
        return AtomFigures(pool, Self.rules, .linear(divisor: 1))
    }

    /// The first bin up to which so much of the samples lies.
    private func quantile(_ bins: [Int32], permille: Int) -> Int32 {
        bins.sorted()[max(0, (bins.count * permille + 999) / 1_000 - 1)]
    }

    @Test(arguments: 0..<60) func `bounds hold whatever atoms hide`(seed: UInt64) throws {
        var dice = SplitMix64(seed: seed), sum = ReleasedSum(), all: [Int32] = []
        for _ in 0..<dice.pick([1, 2, 5, 12]) {
            let middle = Int32.random(in: -50...50, using: &dice), width = dice.pick([0, 3, 30]) as Int32
            let bins = (0..<Int.random(in: 10...dice.pick([12, 60, 700]), using: &dice)).map { _ in
                middle + .random(in: -width...width, using: &dice)
            }
            sum.add(atom(bins))
            all += bins
        }
        for bin in stride(from: Int32(-90), through: 90, by: 3) {
            let share = Double(all.count { $0 <= bin }) / Double(all.count)
            let told = try #require(sum.share(upTo: bin))
            #expect(told.bounds.lowerBound - 1e-9 <= share && share <= told.bounds.upperBound + 1e-9)
            #expect(told.bounds.contains(told.estimate) || sum.atoms > 1)
        }
        for permille in [50, 100, 250, 500, 750, 900, 950] {
            let found = sum.quantile(permille: permille), truth = quantile(all, permille: permille)
            #expect(found.from ?? .min <= truth && truth <= found.upTo ?? .max, "\(permille)")
            #expect(found.from ?? .min <= found.upTo ?? .max)
        }
        #expect(sum.samplesAtLeast <= all.count && sum.devicesAtLeast <= all.count)
    }

    @Test func `the median of one atom is the bin of its step`() {
        var sum = ReleasedSum()
        sum.add(atom((0..<30).map { Int32($0) }))
        #expect(sum.quantile(permille: 500) == .init(estimate: 14, from: 14, upTo: 14))
        #expect(sum.quantile(permille: 100) == .init(estimate: nil, from: nil, upTo: 7))
        #expect(sum.quantile(permille: 990).upTo == nil)
        #expect(sum.interval(permille: 500) == (from: 7, upTo: 22))
        #expect(sum.devicesAtLeast == 20 && sum.samplesAtLeast == 20 && sum.effectiveDevices == 20)
    }

    @Test func `without atoms nothing is known`() {
        let sum = ReleasedSum()
        #expect(sum.isEmpty && sum.share(upTo: 0) == nil && sum.quantile(permille: 500) == .init())
        #expect(sum.interval(permille: 500) == (nil, nil) && sum.interval(ofShareBelow: 3) == nil)
    }

    /// The same phones in two hours are as sure as in one.
    @Test func `atoms of the same phones make nothing surer`() {
        var one = ReleasedSum(), two = ReleasedSum()
        one.add(atom((0..<30).map { Int32($0) }))
        for _ in 0..<2 { two.add(atom((0..<30).map { Int32($0) })) }
        #expect(abs(two.effectiveDevices - one.effectiveDevices) < 1e-6)
        #expect(two.devicesAtLeast == one.devicesAtLeast && two.samplesAtLeast == 2 * one.samplesAtLeast)
    }

    @Test func `in 95 of 100 samples of phones the true median is within the interval`() {
        var dice = SplitMix64(seed: 8), hits = 0
        for _ in 0..<400 {
            var sum = ReleasedSum()
            // Half of all phones lie at 50 or below.
            for place in 0..<4 as Range<UInt32> {
                sum.add(atom((0..<40).map { _ in .random(in: 1...100, using: &dice) }, from: place * 40))
            }
            let interval = sum.interval(permille: 500)
            if interval.from ?? .min <= 50, interval.upTo ?? .max >= 50 { hits += 1 }
        }
        #expect(hits >= 376)
    }

    @Test func `a share below a bin has bounds and an interval around them`() throws {
        var sum = ReleasedSum()
        sum.add(atom((0..<100).map { Int32($0) }))
        let share = try #require(sum.share(upTo: 32)), interval = try #require(sum.interval(ofShareBelow: 33))
        #expect(abs(share.bounds.lowerBound - 0.3) < 1e-9 && abs(share.bounds.upperBound - 0.35) < 1e-9)
        #expect(interval.lowerBound < 0.3 && interval.upperBound > 0.35 && interval.lowerBound > 0.1)
    }
}
