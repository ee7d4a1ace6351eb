/// A circle on the map.
struct FaultArea: Sendable, Equatable {
    let centre: PlanePoint
    /// Metres.
    let radius: Double

    func contains(_ place: PlanePoint) -> Bool { centre.distance(to: place) <= radius }
}
