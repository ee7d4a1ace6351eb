import Models

/// One thing that goes wrong on purpose.
struct SimulatedFault: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        /// The operator's phones in the area have no service.
        case outage
        /// The operator's base stations in the area are as busy as `load` says.
        case congestion
        /// Some phones' clocks run fast or slow.
        case clock
        /// Phones that sit in one room, tell a false position and rate one operator.
        case farm
    }

    let kind: Kind
    /// nil: every operator.
    let plmn: PLMN?
    /// nil: everywhere.
    let area: FaultArea?
    /// From the first to before the second.
    let from: UnixMilliseconds
    let to: UnixMilliseconds
    /// Of congestion, 0…1.
    var load = 0.97
    /// Phones of a clock or farm.
    var devices = 0
    /// Milliseconds that the clocks gain in an hour; negative: lose.
    var drift = 0.0
    /// What a farm rates, 1…5.
    var rating: Int64 = 5

    func isActive(at time: UnixMilliseconds) -> Bool { from <= time && time < to }

    func concerns(_ plmn: PLMN, at place: PlanePoint, _ time: UnixMilliseconds) -> Bool {
        isActive(at: time) && (self.plmn ?? plmn) == plmn && area?.contains(place) ?? true
    }
}

/// A circle on the map.
struct FaultArea: Sendable, Equatable {
    let centre: PlanePoint
    /// Metres.
    let radius: Double

    func contains(_ place: PlanePoint) -> Bool { centre.distance(to: place) <= radius }
}
