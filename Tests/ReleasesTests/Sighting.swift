import Models

@testable import Releases

/// A sample of a metric, as tests know it: all of it.
struct Sighting {
    var device: UInt32
    /// Nil without a place.
    var cell: Quadkey?
    var bin: Int32 = 100
    var hour = 0
    var isTrusted = true
}

/// What a release tells, and which samples it tells it of: no attacker knows more.
struct Published {
    var cell: Quadkey?
    var figures: AtomFigures
    /// Places of the samples among all of the world.
    var samples: Set<Int>
}

/// Samples of a metric, and what may become of them.
struct World {
    var sightings: [Sighting]

    /// Phones at home and on the way to work, on a grid of cells of level 16, in two hours.
    static func random(devices: Int, seed: UInt64) -> World {
        var dice = SplitMix64(seed: seed), sightings: [Sighting] = []
        let origin = Quadkey(latitude: 38_667_000, longitude: 115_167_000)!
        func cell(_ column: Int, _ row: Int) -> Quadkey {
            Quadkey(latitude: 38_667_000 + Int64(row) * 54_000, longitude: 115_167_000 + Int64(column) * 54_932)!
        }
        for device in 0..<UInt32(devices) {
            let home = cell(dice.below(8) * dice.below(8), dice.below(8) * dice.below(4)), work = cell(dice.below(3), 1)
            for _ in 0...dice.below(6) {
                var place: Quadkey? = dice.chance(percent: 60) ? home : work
                if dice.chance(percent: 10) { place = home.parent(at: 13) }
                if dice.chance(percent: 5) { place = nil }
                sightings.append(
                    Sighting(device: device, cell: place, bin: Int32(80 + dice.below(60)), hour: dice.below(2)))
            }
        }
        precondition(origin.level == 16)
        return World(sightings: sightings)
    }

    var all: [Int] { Array(sightings.indices) }

    func devices(of samples: some Sequence<Int>) -> Set<UInt32> { Set(samples.map { sightings[$0].device }) }

    /// The atoms of some samples, by the carry.
    func carried(_ rules: ReleaseRules, _ samples: [Int]? = nil) -> (atoms: [Published], withheld: Int64) {
        let chosen = (samples ?? all).sorted {
            (Carry.order(of: sightings[$0].cell), $0) < (Carry.order(of: sightings[$1].cell), $1)
        }
        var carry = Carry(rules, .logarithmic)
        for place in chosen {
            carry.add(sightings[place].cell, device: sightings[place].device, bin: sightings[place].bin)
        }
        carry.finish()
        let atoms = carry.takeAtoms()
        var members: [Quadkey?: Set<Int>] = [:]
        let cells = Set(atoms.map(\.cell))
        for place in chosen {
            var levels =
                sightings[place].cell.map { cell in
                    stride(from: cell.level, through: Quadkey.coarsestLevel, by: -1).map {
                        Optional(cell.parent(at: $0))
                    }
                } ?? []
            levels.append(nil)
            if let home = levels.first(where: { cells.contains($0) }) { members[home, default: []].insert(place) }
        }
        return (
            atoms.map { Published(cell: $0.cell, figures: $0.figures, samples: members[$0.cell] ?? []) }, carry.withheld
        )
    }

    /// Every cell of every level that has k devices, as one would publish without the carry.
    func cells(_ rules: ReleaseRules, levels: ClosedRange<Int>, _ samples: [Int]? = nil) -> [Published] {
        var members: [Quadkey: Set<Int>] = [:]
        for place in samples ?? all {
            guard let cell = sightings[place].cell else { continue }
            for level in levels where level <= cell.level { members[cell.parent(at: level), default: []].insert(place) }
        }
        return members.filter { devices(of: $0.value).count >= rules.k }.map { cell, samples in
            var pool = DevicePool()
            for place in samples { pool.add(sightings[place].device, bin: sightings[place].bin) }
            pool.merge()
            return Published(cell: cell, figures: AtomFigures(pool, rules, .logarithmic), samples: samples)
        }
    }
}
