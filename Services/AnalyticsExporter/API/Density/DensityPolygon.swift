/// A place in degrees.
struct DensityPoint: Equatable {
    let latitude, longitude: Double
}

/// A polygon on the plane of degrees.
struct DensityPolygon {
    private let points: [DensityPoint]
    private let edges: [(from: DensityPoint, to: DensityPoint)]

    /// - Parameter points: its corners in order, at least three; the first may be repeated at the end.
    init(_ points: [DensityPoint]) {
        let isClosed = points.count > 3 && points.first == points.last
        let corners = isClosed ? Array(points.dropLast()) : points
        self.points = corners
        edges = corners.indices.map { (corners[$0], corners[($0 + 1) % corners.count]) }
    }

    var bounds: (south: Double, west: Double, north: Double, east: Double) {
        let latitudes = points.map(\.latitude), longitudes = points.map(\.longitude)
        return (latitudes.min() ?? 0, longitudes.min() ?? 0, latitudes.max() ?? 0, longitudes.max() ?? 0)
    }

    /// Whether no edge has no length, and none meets another but at their common corner.
    var isSimple: Bool {
        for (place, edge) in edges.enumerated() {
            guard edge.from != edge.to else { return false }
            for (next, other) in edges.enumerated().dropFirst(place + 1) {
                let areNeighbours = next == place + 1 || place == 0 && next == edges.count - 1
                guard !areNeighbours else {
                    // Neighbours may not fold back onto each other.
                    let far = next == place + 1 ? other.to : other.from
                    let near = next == place + 1 ? edge.from : edge.to
                    if Self.isOn(far, edge) || Self.isOn(near, other) { return false }
                    continue
                }
                if Self.meet(edge, other) { return false }
            }
        }
        return true
    }

    func contains(_ point: DensityPoint) -> Bool {
        var isInside = false
        for (from, to) in edges where (from.latitude > point.latitude) != (to.latitude > point.latitude) {
            let share = (point.latitude - from.latitude) / (to.latitude - from.latitude)
            if point.longitude < from.longitude + share * (to.longitude - from.longitude) { isInside.toggle() }
        }
        return isInside
    }

    /// Whether it has a point in common with a box.
    func touches(south: Double, west: Double, north: Double, east: Double) -> Bool {
        let corners = [
            DensityPoint(latitude: south, longitude: west), DensityPoint(latitude: south, longitude: east),
            DensityPoint(latitude: north, longitude: east), DensityPoint(latitude: north, longitude: west),
        ]
        if corners.contains(where: contains) { return true }
        let box = DensityPolygon(corners)
        return points.contains { south...north ~= $0.latitude && west...east ~= $0.longitude }
            || edges.contains { edge in box.edges.contains { Self.meet(edge, $0) } }
    }

    private typealias Edge = (from: DensityPoint, to: DensityPoint)

    private static func meet(_ one: Edge, _ other: Edge) -> Bool {
        let a = side(one, other.from), b = side(one, other.to), c = side(other, one.from), d = side(other, one.to)
        if (a > 0) != (b > 0), (c > 0) != (d > 0), a != 0, b != 0, c != 0, d != 0 { return true }
        return isOn(other.from, one) || isOn(other.to, one) || isOn(one.from, other) || isOn(one.to, other)
    }

    private static func isOn(_ point: DensityPoint, _ edge: Edge) -> Bool {
        side(edge, point) == 0
            && min(edge.from.longitude, edge.to.longitude)...max(edge.from.longitude, edge.to.longitude)
                ~= point.longitude
            && min(edge.from.latitude, edge.to.latitude)...max(edge.from.latitude, edge.to.latitude) ~= point.latitude
    }

    /// On which side of an edge a point lies: above 0 left, 0 on its line.
    private static func side(_ edge: Edge, _ point: DensityPoint) -> Double {
        (edge.to.longitude - edge.from.longitude) * (point.latitude - edge.from.latitude)
            - (edge.to.latitude - edge.from.latitude) * (point.longitude - edge.from.longitude)
    }
}
