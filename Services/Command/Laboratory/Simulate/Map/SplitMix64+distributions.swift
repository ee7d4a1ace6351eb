import Foundation
import Models

extension SplitMix64 {
    /// Uniform in 0 ..< 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    mutating func index(below count: Int) -> Int { min(count - 1, Int(unit() * Double(count))) }

    /// The index of one of the weights, each as likely as its share of the sum (which is above 0).
    mutating func index(weights: [UInt64]) -> Int {
        var rest = next() % weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            if rest < weight { return index }
            rest -= weight
        }
        return weights.count - 1
    }

    /// Normal with mean 0 and deviation 1 (Box and Muller).
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }
}
