import Models

/// The towns of a simulation and the roads between them.
struct SimulatedMap: Sendable {
    let towns: [SimulatedTown]
    /// Indices into ``towns``.
    let roads: [(from: Int, to: Int)]

    /// - Parameter towns: some of ``Town/cameroon``; one that no road joins to another gets one to the nearest.
    init(_ towns: [Town]) {
        let simulated = towns.map(SimulatedTown.init)
        var roads = Town.roads.compactMap { road -> (from: Int, to: Int)? in
            guard let from = towns.firstIndex(where: { $0.name == road.from }),
                let to = towns.firstIndex(where: { $0.name == road.to })
            else { return nil }
            return (from, to)
        }
        for index in towns.indices where !roads.contains(where: { $0.from == index || $0.to == index }) {
            let others = towns.indices.filter { $0 != index }
            let centre = simulated[index].centre
            guard
                let nearest = others.min(by: {
                    simulated[$0].centre.distance(to: centre) < simulated[$1].centre.distance(to: centre)
                })
            else { continue }
            roads.append((index, nearest))
        }
        self.towns = simulated
        self.roads = roads
    }

    /// Towns at the other ends of a town's roads.
    func neighbours(of town: Int) -> [Int] {
        roads.compactMap { $0.from == town ? $0.to : $0.to == town ? $0.from : nil }
    }

    /// The largest population of the towns that a place lies in, with the town's reach stretched; nil outside all.
    func population(at place: PlanePoint, stretched factor: Double) -> UInt64? {
        towns.filter { $0.centre.distance(to: place) < $0.radius * factor }.map(\.town.population).max()
    }

    /// Metres to the nearest road (as the crow flies between its towns) or town centre.
    func distanceToRoad(_ place: PlanePoint) -> Double {
        let toRoads = roads.map { place.distance(toLineFrom: towns[$0.from].centre, to: towns[$0.to].centre) }
        return (toRoads + towns.map { $0.centre.distance(to: place) }).min() ?? .infinity
    }
}

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
