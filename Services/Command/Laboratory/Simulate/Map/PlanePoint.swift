import Foundation

/// A place on the plane that the simulation draws Cameroon on, in metres east and north of 4° N 11° E.
///
/// Distances are true along meridians and within 2 % along parallels between 2° and 12° N, which is all a radio model needs.
struct PlanePoint: Sendable, Equatable {
    var east: Double
    var north: Double

    private static let metresPerDegree = 111_320.0
    private static let originLatitude = 4.0
    private static let originLongitude = 11.0
    private static let shrinking = cos(5.5 * Double.pi / 180)

    init(east: Double, north: Double) {
        self.east = east
        self.north = north
    }

    /// Of degrees times 10 000 000.
    init(latitude: Int64, longitude: Int64) {
        north = (Double(latitude) / 1e7 - Self.originLatitude) * Self.metresPerDegree
        east = (Double(longitude) / 1e7 - Self.originLongitude) * Self.metresPerDegree * Self.shrinking
    }

    /// 1e-7 degrees, to five decimals: more than a phone's position is worth.
    var latitude: Int64 { Self.stored(north / Self.metresPerDegree + Self.originLatitude) }
    var longitude: Int64 { Self.stored(east / Self.metresPerDegree / Self.shrinking + Self.originLongitude) }

    func distance(to other: PlanePoint) -> Double {
        ((east - other.east) * (east - other.east) + (north - other.north) * (north - other.north)).squareRoot()
    }

    /// To the nearest point of a straight line between two places.
    func distance(toLineFrom start: PlanePoint, to end: PlanePoint) -> Double {
        let along = end - start, length = along.east * along.east + along.north * along.north
        guard length > 0 else { return distance(to: start) }
        let offset = self - start
        let share = min(1, max(0, (offset.east * along.east + offset.north * along.north) / length))
        return distance(to: start + along * share)
    }

    static func + (left: Self, right: Self) -> Self {
        PlanePoint(east: left.east + right.east, north: left.north + right.north)
    }

    static func - (left: Self, right: Self) -> Self {
        PlanePoint(east: left.east - right.east, north: left.north - right.north)
    }

    static func * (left: Self, right: Double) -> Self {
        PlanePoint(east: left.east * right, north: left.north * right)
    }

    private static func stored(_ degrees: Double) -> Int64 { Int64((degrees * 1e5).rounded()) * 100 }
}
