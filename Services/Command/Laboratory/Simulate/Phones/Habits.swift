import Models

/// How somebody lives: where they sleep and work, and how they spend a day.
struct Habits: Sendable {
    let town: Int
    let home: PlanePoint
    /// nil: works at home, or not at all.
    let work: PlanePoint?
    /// How likely a day is one of travel to another town.
    let travels: Double

    init(_ map: SimulatedMap, _ random: inout SplitMix64) {
        town = random.index(weights: map.towns.map(\.town.population))
        home = map.towns[town].place(&random)
        work = random.chance(0.72) ? map.towns[town].place(&random) : nil
        travels = random.chance(0.15) ? 0.3 : 0.03
    }

    /// - Parameter place: where the day begins: at home, or where yesterday's journey ended.
    func plan(
        _ day: Int64, from place: PlanePoint, _ map: SimulatedMap, _ noise: WorldNoise, _ random: inout SplitMix64
    ) -> DayPlan {
        var plan = DayPlan(start: place)
        let midnight = LocalDay.start(day)
        let at = { (hour: Double) in midnight + Int64(hour * Double(LocalDay.hour)) }
        let neighbours = map.neighbours(of: town)
        if place != home {
            plan.go(RoadPath(from: place, to: home, noise: noise), at: at(random.between(8, 14)), speed: 17)
        } else if !neighbours.isEmpty, random.chance(travels) {
            let other = map.towns[neighbours[random.index(below: neighbours.count)]].place(&random)
            let speed = random.between(13, 21), leaves = random.between(6, 9)
            plan.go(RoadPath(from: home, to: other, noise: noise), at: at(leaves), speed: speed)
            if random.chance(0.5) {
                plan.go(
                    RoadPath(from: other, to: home, noise: noise), at: at(leaves + random.between(5, 8)), speed: speed)
            }
        } else {
            localDay(LocalDay.isWeekend(day), &plan, at, map, noise, &random)
        }
        return plan
    }

    private func localDay(
        _ isWeekend: Bool, _ plan: inout DayPlan, _ at: (Double) -> UnixMilliseconds, _ map: SimulatedMap,
        _ noise: WorldNoise, _ random: inout SplitMix64
    ) {
        let speed = random.between(3, 9)
        if let work, !isWeekend {
            plan.go(RoadPath(from: home, to: work, noise: noise), at: at(7.3 + 0.7 * random.normal()), speed: speed)
            if random.chance(0.3) {
                let lunch = map.towns[town].place(&random)
                plan.go(RoadPath(from: work, to: lunch, noise: noise), at: at(random.between(12, 13)), speed: speed)
                plan.go(RoadPath(from: lunch, to: work, noise: noise), at: at(random.between(13.2, 14)), speed: speed)
            }
            plan.go(RoadPath(from: work, to: home, noise: noise), at: at(17.2 + 0.8 * random.normal()), speed: speed)
        }
        guard random.chance(isWeekend ? 0.7 : 0.35) else { return }
        let visit = map.towns[town].place(&random)
        plan.go(RoadPath(from: home, to: visit, noise: noise), at: at(random.between(18.3, 19.5)), speed: speed)
        plan.go(RoadPath(from: visit, to: home, noise: noise), at: at(random.between(20, 21.8)), speed: speed)
    }
}
