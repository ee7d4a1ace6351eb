import Foundation

extension SeededRandom {
    /// Uniform in 0 ..< 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

    mutating func chance(_ probability: Double) -> Bool { unit() < probability }

    mutating func index(below count: Int) -> Int { min(count - 1, Int(unit() * Double(count))) }

    /// Normal with mean 0 and deviation 1 (Box and Muller).
    mutating func normal() -> Double {
        let radius = (-2 * log(1 - unit())).squareRoot()
        return radius * cos(2 * .pi * unit())
    }
}
