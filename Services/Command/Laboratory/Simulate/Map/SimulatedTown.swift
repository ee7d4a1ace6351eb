import Models

/// A town with the plane it covers.
struct SimulatedTown: Sendable {
    let town: Town
    let centre: PlanePoint
    /// Metres. People's homes thin out towards it; 1.5 km for 100 000 people, growing with the root of their number.
    let radius: Double

    init(_ town: Town) {
        self.town = town
        centre = PlanePoint(latitude: town.latitude, longitude: town.longitude)
        radius = 1_500 * (Double(town.population) / 100_000).squareRoot()
    }

    /// A place where somebody may live or work.
    func place(_ random: inout SplitMix64) -> PlanePoint {
        for _ in 0..<8 {
            let offset = PlanePoint(east: random.normal(), north: random.normal()) * (radius / 2)
            if offset.distance(to: PlanePoint(east: 0, north: 0)) < radius { return centre + offset }
        }
        return centre
    }
}
