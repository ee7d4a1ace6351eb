import Foundation
import Testing

@testable import Statistics

@Suite struct MonotoneRelationTests {
    /// A generator that test data follow from.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var mixed = state
            mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
            return mixed ^ (mixed >> 33)
        }
    }

    /// Ratings 1…5 of phones that send one to four each, with noise of each phone and each moment.
    private func pairs(_ devices: Int, _ dice: inout Dice, truth: (Double) -> Double) -> [MonotoneRelation.Pair] {
        (0..<devices).flatMap { device -> [MonotoneRelation.Pair] in
            let taste = Double.random(in: -0.7...0.7, using: &dice)
            return (0..<Int.random(in: 1...4, using: &dice)).map { _ in
                let x = exp(Double.random(in: 5...11, using: &dice))
                let noise = Double.random(in: -1...1, using: &dice)
                return .init(device: Int64(device), x: x, y: truth(x) + taste + noise)
            }
        }
    }

    @Test func `the fit pools what falls`() {
        #expect(IsotonicFit.rising([1, 3, 2, 4], weights: [1, 1, 1, 1]) == [1, 2.5, 2.5, 4])
        #expect(IsotonicFit.rising([3, 2, 1], weights: [1, 1, 2]) == [1.75, 1.75, 1.75])
        #expect(IsotonicFit.rising([1, 2, 3], weights: [5, 1, 2]) == [1, 2, 3])
        #expect(IsotonicFit.rising([], weights: []) == [])
    }

    @Test(arguments: [true, false])
    func `a known relation is found, and its curve lies within the interval`(isRising: Bool) {
        var dice = Dice(state: 9), inside = 0, all = 0
        let truth = { (x: Double) in 3 + (isRising ? 1 : -1) * (log(x) - 8) / 3 * 1.5 }
        for seed in 0..<40 {
            let pairs = pairs(150, &dice, truth: truth)
            let relation = MonotoneRelation(pairs, isRising: isRising, seed: UInt64(seed))
            #expect(relation.finding == .found && relation.devices == 150)
            #expect(relation.curve.map(\.pairs).reduce(0, +) == pairs.count)
            for point in relation.curve {
                let there = pairs.filter { point.x.contains($0.x) }
                let mean = there.map { truth($0.x) }.reduce(0, +) / Double(there.count)
                all += 1
                if point.interval.contains(mean) { inside += 1 }
            }
        }
        #expect(Double(inside) >= 0.9 * Double(all), "\(inside) of \(all)")
    }

    @Test func `where there is none, none is found in nineteen of twenty`() {
        var dice = Dice(state: 11), none = 0
        for seed in 0..<200 {
            let relation = MonotoneRelation(pairs(80, &dice) { _ in 3 }, isRising: true, seed: UInt64(seed))
            if relation.finding == .none_found { none += 1 }
        }
        #expect(none >= 190, "\(none) of 200")
    }

    @Test func `a relation the other way round is none`() {
        var dice = Dice(state: 12)
        let pairs = pairs(150, &dice) { 3 - (log($0) - 8) / 3 }
        let relation = MonotoneRelation(pairs, isRising: true, seed: 1)
        #expect(relation.finding == .none_found && relation.interval!.upperBound < 0)
    }

    @Test func `one phone that sends much makes no relation`() {
        var dice = Dice(state: 13)
        var pairs = pairs(60, &dice) { _ in 3 }
        for step in 0..<600 {
            pairs.append(.init(device: 1_000, x: Double(200 + step * 100), y: 1 + Double(step) / 150))
        }
        #expect(MonotoneRelation(pairs, isRising: true, seed: 1).finding == .none_found)
    }

    @Test func `under twenty devices nothing is said, nor where all rate the same`() {
        var dice = Dice(state: 14)
        #expect(MonotoneRelation(pairs(19, &dice) { log($0) }, isRising: true, seed: 1).finding == .insufficient)
        let same = (0..<50).map { MonotoneRelation.Pair(device: $0, x: Double($0), y: 3) }
        #expect(MonotoneRelation(same, isRising: true, seed: 1).finding == .insufficient)
    }

    @Test func `neither order nor numbers of devices matter, and the same seed gives the same`() {
        var dice = Dice(state: 15)
        let pairs = pairs(50, &dice) { log($0) }
        let relation = MonotoneRelation(pairs, isRising: true, seed: 5)
        #expect(relation == MonotoneRelation(pairs.shuffled(), isRising: true, seed: 5))
        let numbers = (0..<50).map(Int64.init).shuffled()
        let renumbered = pairs.map {
            MonotoneRelation.Pair(device: numbers[Int($0.device)], x: $0.x, y: $0.y)
        }
        #expect(relation == MonotoneRelation(renumbered, isRising: true, seed: 5))
    }
}
