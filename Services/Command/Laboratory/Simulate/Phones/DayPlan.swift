import Models

/// Where somebody is on one day: legs between places, with stays between them.
struct DayPlan: Sendable {
    struct Leg: Sendable {
        let from: UnixMilliseconds
        let to: UnixMilliseconds
        let path: RoadPath
    }

    struct Situation: Sendable {
        let place: PlanePoint
        /// m/s; 0 during a stay.
        let speed: Double
    }

    private(set) var start: PlanePoint
    private(set) var legs: [Leg] = []

    init(start: PlanePoint) { self.start = start }

    /// Where the day ends.
    var end: PlanePoint { legs.last?.path.end ?? start }

    /// Adds a way at the end of the day, not before the leg above it is over.
    ///
    /// - Parameter speed: m/s along the straight line.
    mutating func go(_ path: RoadPath, at time: UnixMilliseconds, speed: Double) {
        let from = max(time, (legs.last?.to ?? .min))
        legs.append(Leg(from: from, to: from + Int64(path.length / speed * 1_000) + 1_000, path: path))
    }

    func situation(at time: UnixMilliseconds) -> Situation {
        guard let leg = legs.last(where: { $0.from <= time }) else { return Situation(place: start, speed: 0) }
        guard time < leg.to else { return Situation(place: leg.path.end, speed: 0) }
        let share = Double(time - leg.from) / Double(leg.to - leg.from)
        return Situation(place: leg.path.place(at: share), speed: leg.path.length / Double(leg.to - leg.from) * 1_000)
    }
}
