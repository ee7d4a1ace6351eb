import Models
import Testing

@testable import Releases

/// What somebody finds out who has every release and knows of each figure which samples are in it. Each attack finds nothing as long as
/// the rule holds that defeats it, and something as soon as it does not.
@Suite struct AttackerTests {
    private static let k = 10
    private static let rules = ReleaseRules(k: k)
    private static let seeds: ClosedRange<UInt64> = 1...6

    /// The fewest devices of a figure that follows from others: whatever lies whole within a figure, and not within another that was
    /// subtracted already, is subtracted from it, the largest first.
    private func fewest(_ figures: [Published], _ world: World) -> Int {
        let ascending = figures.sorted { $0.samples.count > $1.samples.count }
        var fewest = Int.max
        for (place, figure) in ascending.enumerated() {
            var rest = figure.samples
            fewest = min(fewest, world.devices(of: rest).count)
            for part in ascending[(place + 1)...] where !part.samples.isEmpty && part.samples.isSubset(of: rest) {
                rest.subtract(part.samples)
                if !rest.isEmpty { fewest = min(fewest, world.devices(of: rest).count) }
            }
        }
        return fewest
    }

    /// Unions of the atoms inside each cell, as maps show them at coarser levels.
    private func unions(_ atoms: [Published]) -> [Published] {
        var unions: [Quadkey: Set<Int>] = [:]
        for atom in atoms {
            guard let cell = atom.cell else { continue }
            for level in Quadkey.coarsestLevel..<cell.level {
                unions[cell.parent(at: level), default: []].formUnion(atom.samples)
            }
        }
        return unions.map { Published(cell: $0, figures: atoms[0].figures, samples: $1) }
    }

    @Test(arguments: seeds)
    func `subtracting cells from the cells around them finds nobody, but for the carry`(seed: UInt64) {
        let world = World.random(devices: 400, seed: seed), atoms = world.carried(Self.rules).atoms
        #expect(atoms.count > 5)
        #expect(fewest(atoms + unions(atoms), world) >= Self.k)
        let cells = world.cells(Self.rules, levels: Quadkey.coarsestLevel...16)
        #expect(fewest(cells, world) < Self.k)
    }

    @Test(arguments: seeds)
    func `subtracting hours from days finds nobody, but for devices that count once`(seed: UInt64) {
        let world = World.random(devices: 900, seed: seed)
        let classes = DeviceClasses(root: [UInt8](repeating: 3, count: 32), day: Int64(seed) * 86_400)
        func released(_ counts: (UInt32, ReleaseClass) -> Bool) -> [Published] {
            func atoms(_ kind: ReleaseClass, _ hour: Int?) -> [Published] {
                world.carried(
                    Self.rules,
                    world.all.filter { place in
                        let sighting = world.sightings[place]
                        return counts(sighting.device, kind) && hour.map { sighting.hour == $0 } ?? true
                    }
                ).atoms
            }
            return atoms(.final, nil) + [0, 1].flatMap { atoms(.provisional, $0) + atoms(.technology, $0) }
        }
        let figures = released { classes.of($0) == $1 }
        #expect(figures.count > 5)
        #expect(fewest(figures + unions(figures), world) >= Self.k)
        #expect(fewest(released { _, _ in true }, world) < Self.k)
    }

    @Test func `a phone that comes late is not the difference of two releases, as there is no second one`() {
        var world = World.random(devices: 300, seed: 3)
        let early = world.all
        world.sightings.append(Sighting(device: 9_999, cell: world.sightings[0].cell))
        let issued = world.carried(Self.rules, early).atoms
        #expect(fewest(issued, world) >= Self.k)
        #expect(fewest(issued + world.carried(Self.rules).atoms, world) < Self.k)
    }

    /// The count of phones that measured one metric and not the other, as far as two bands leave it open.
    private func difference(_ one: AtomFigures, _ other: AtomFigures, _ rules: ReleaseRules) -> ClosedRange<Int64> {
        func band(_ count: Int64) -> ClosedRange<Int64> { rules.tellsBands ? CountBand.of(count) : count...count }
        let (one, other) = (band(one.devices), band(other.devices))
        return one.lowerBound - other.upperBound...one.upperBound - other.lowerBound
    }

    @Test func `counts of two metrics do not tell how many phones have one of them, but for bands`() {
        let cell = Quadkey(text: "1222230123012301")!
        let latency = World(sightings: (0..<16).map { Sighting(device: $0, cell: cell) })
        let speed = World(sightings: (0..<15).map { Sighting(device: $0, cell: cell) })
        for rules in [Self.rules, ReleaseRules(k: Self.k, tellsBands: false)] {
            let found = difference(
                latency.carried(rules).atoms[0].figures, speed.carried(rules).atoms[0].figures, rules)
            #expect(found == (rules.tellsBands ? -9...9 : 1...1))
        }
    }

    @Test func `steps of 16 phones are at the percents of 17, but for fixed percents`() {
        let cell = Quadkey(text: "1222230123012301")!
        func percents(_ count: UInt32, _ rules: ReleaseRules) -> [Int64] {
            World(sightings: (0..<count).map { Sighting(device: $0, cell: cell, bin: 100 + Int32($0)) })
                .carried(rules).atoms[0].figures.steps.map(\.percent)
        }
        func told(_ band: ClosedRange<UInt32>, _ rules: ReleaseRules) -> Int {
            Set(band.map { percents($0, rules) }).count
        }
        let loose = ReleaseRules(k: Self.k, fixesPercents: false)
        for band in [10...19, 20...49, 50...99] as [ClosedRange<UInt32>] {
            #expect(told(band, Self.rules) == 1)
            #expect(told(band, loose) > band.count / 2)
        }
    }

    @Test
    func `counts of two hours and of both do not tell who was there twice, but for bands and devices that count once`()
    {
        let cell = Quadkey(text: "1222230123012301")!
        // Three phones are there in both hours.
        let world = World(
            sightings: (0..<14).map { Sighting(device: $0, cell: cell, hour: 0) }
                + (11..<24).map { Sighting(device: $0, cell: cell, hour: 1) })
        func devices(_ rules: ReleaseRules, _ hour: Int?) -> Int64 {
            world.carried(rules, world.all.filter { hour == nil || world.sightings[$0].hour == hour }).atoms[0].figures
                .devices
        }
        func twice(_ rules: ReleaseRules) -> Int64 { devices(rules, 0) + devices(rules, 1) - devices(rules, nil) }
        #expect(twice(ReleaseRules(k: Self.k, tellsBands: false)) == 3)
        #expect(twice(Self.rules) == 0, "lower ends of bands")
        let classes = DeviceClasses(root: [UInt8](repeating: 3, count: 32), day: 86_400)
        #expect(
            (0..<24 as Range<UInt32>).allSatisfy { device in
                ReleaseClass.allCases.filter { classes.of(device) == $0 }.count == 1
            })
    }

    @Test(arguments: seeds)
    func `no bin, quantile or share is of fewer than five phones, but for the rule of bins`(seed: UInt64) {
        let world = World.random(devices: 400, seed: seed)
        func fewest(_ rules: ReleaseRules) -> Int {
            var fewest = Int.max
            for atom in world.carried(rules).atoms {
                let bounds = [Int32.min] + atom.figures.steps.map(\.bin) + [.max]
                for (lower, upper) in zip(bounds, bounds.dropFirst()) {
                    let inside = atom.samples.filter {
                        lower < world.sightings[$0].bin && world.sightings[$0].bin <= upper
                    }
                    fewest = min(fewest, world.devices(of: inside).count)
                }
            }
            return fewest
        }
        #expect(fewest(Self.rules) >= 5)
        #expect(fewest(ReleaseRules(k: Self.k, binDevices: 1, fixesPercents: false)) < 5)
    }

    @Test func `nine invented phones beside one find nothing of it, but for trust`() {
        let cell = Quadkey(text: "1222230123012301")!
        var world = World(sightings: (0..<9).map { Sighting(device: $0, cell: cell, bin: 90, isTrusted: false) })
        world.sightings.append(Sighting(device: 99, cell: cell, bin: 117))
        func victims(_ trust: TrustPolicy) -> [Set<UInt32>] {
            let counted = world.all.filter {
                trust.counts(world.sightings[$0].isTrusted ? [] : [.notTrusted])
            }
            // Who sent the others takes them away.
            return world.carried(Self.rules, counted).atoms.map { atom in
                world.devices(of: atom.samples.filter { world.sightings[$0].isTrusted })
            }
        }
        #expect(victims(.trusted).isEmpty)
        #expect(victims(.any) == [[99]])
    }

    @Test func `a beacon moves the mean of an atom no more than a fifth of the way`() throws {
        let cell = Quadkey(text: "1222230123012301")!
        // What is above 127 counts as 127.
        let quiet = World(
            sightings: (0..<25).map { Sighting(device: $0, cell: cell, bin: $0 < 15 ? 100 : $0 < 20 ? 127 : 130) })
        var loud = quiet
        loud.sightings += (0..<75).map { _ in Sighting(device: 25, cell: cell, bin: 127) }
        let before = try #require(quiet.carried(Self.rules).atoms[0].figures.meanHundredths)
        let after = try #require(loud.carried(Self.rules).atoms[0].figures.meanHundredths)
        #expect(before == 11_100 && after > before && after <= 11_080 + 1_620 / 5 + 50)
        let uncapped = (15 * 100 + 85 * 127) * 100 / 100
        #expect(uncapped > 12_000)
    }
}
