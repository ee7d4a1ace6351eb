internal import Foundation

/// Rows of cells between 60° south and north without sine and logarithm: cubic Hermite interpolation of y(φ) between sixteenths of a
/// degree, with y′(φ) = −1 / (2π cos φ) for φ in radians.
///
/// Its error is below h⁴ · max |y⁗| / 384, for h = 1/16° and |φ| ≤ 60° less than 1e-13 of the world: a ten-millionth of a cell of level 20.
/// What lies within ``margin`` of an edge is left to the formula, so that both have the same cells.
enum MercatorTable {
    /// A sixteenth of a degree, in 1e-7 degrees.
    private static let step: Int64 = 625_000
    /// 60°, in 1e-7 degrees.
    private static let limit: Int64 = 600_000_000
    /// The part of a cell's height beside its edges that is left to the formula.
    private static let margin = 1e-4

    /// y at each place, and by how much it would change to the next with the slope it has there.
    private static let places: [(y: Double, slope: Double)] = stride(from: -limit, through: limit, by: Int(step)).map {
        let radians = Double($0) * 1e-7 * .pi / 180, width = Double(step) * 1e-7 * .pi / 180
        return (Quadkey.northing($0), -width / (2 * .pi * cos(radians)))
    }

    /// The row of a latitude in 1e-7 degrees; nil where the formula is to be used.
    static func row(_ latitude: Int64, level: Int) -> Int? {
        guard abs(latitude) < limit, level <= Quadkey.deepestLevel else { return nil }
        let (place, rest) = (latitude &+ limit).quotientAndRemainder(dividingBy: step)
        let t = Double(rest) / Double(step)
        let y = places.withUnsafeBufferPointer { places in
            let from = places[Int(place)], to = places[Int(place) + 1], rise = to.y - from.y
            return from.y + t
                * (from.slope + t * (3 * rise - 2 * from.slope - to.slope + t * (from.slope + to.slope - 2 * rise)))
        }
        let rows = y * Double(1 << level), row = rows.rounded(.down), part = rows - row
        return part > margin && part < 1 - margin ? Int(row) : nil
    }
}
