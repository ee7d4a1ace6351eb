import Models
import Testing

@testable import Releases

@Suite struct CarryTests {
    private static let exact = ReleaseRules(k: 10, tellsBands: false)

    private func cell(_ text: String) -> Quadkey { Quadkey(text: text)! }

    private func world(_ cells: [(String?, devices: Range<Int>)]) -> World {
        World(
            sightings: cells.flatMap { text, devices in
                devices.map { Sighting(device: UInt32($0), cell: text.map(cell)) }
            })
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `every atom has k devices and every sample is in one atom or withheld`(seed: UInt64) {
        let world = World.random(devices: 60 + 40 * Int(seed), seed: seed),
            (atoms, withheld) = world.carried(Self.exact)
        for atom in atoms {
            let devices = world.devices(of: atom.samples)
            #expect(devices.count >= 10)
            #expect(atom.figures.devices == devices.count && atom.figures.samples == atom.samples.count)
        }
        #expect(atoms.reduce(0) { $0 + $1.samples.count } + Int(withheld) == world.sightings.count)
        #expect(Set(atoms.map(\.cell)).count == atoms.count)
    }

    @Test func `a cell with k devices is an atom and the others rise together`() {
        let base = "1222230123012301"
        let world = world([
            (base + "0", 0..<12), (base + "1", 12..<20), (base + "2", 20..<21), (base + "3", 21..<22),
        ])
        let atoms = world.carried(Self.exact).atoms
        #expect(atoms.map(\.cell) == [cell(base + "0"), cell(base)])
        #expect(atoms.map(\.figures.devices) == [12, 10])
    }

    @Test func `many samples of few devices make no atom`() {
        let world = World(sightings: (0..<900).map { Sighting(device: UInt32($0 % 9), cell: cell("1222230123012301")) })
        let (atoms, withheld) = world.carried(Self.exact)
        #expect(atoms.isEmpty && withheld == 900)
    }

    @Test func `samples that are too coarse enter where they are sure`() {
        let base = "1222230123012"
        let atoms = world([(base, 0..<9), (base + "301", 9..<10), (nil, 10..<21)]).carried(Self.exact).atoms
        #expect(atoms.map(\.cell) == [cell(base), nil])
        #expect(atoms.map(\.figures.devices) == [10, 11])
    }

    @Test func `what has too few devices at the coarsest level is of the whole network`() {
        let atoms = world([("1222230123012301", 0..<6), ("0222230123012301", 6..<12)]).carried(Self.exact).atoms
        #expect(atoms.map(\.cell) == [nil] && atoms[0].figures.devices == 12)
    }

    @Test func `a device that is in two cells counts once where they come together`() {
        let base = "122223012301230"
        let (atoms, withheld) = world([(base + "0", 0..<6), (base + "1", 3..<9)]).carried(Self.exact)
        #expect(atoms.isEmpty && withheld == 12)
    }

    @Test func `places and cells are told by each other`() {
        for cell in [cell("122223"), cell("1222230123012301"), cell("33333333333333333333"), nil] {
            #expect(Carry.cell(at: Carry.order(of: cell)) == cell)
        }
        let parent = cell("122223")
        #expect(Carry.order(of: parent) < Carry.order(of: cell("1222230000000000")))
        #expect(Carry.order(of: cell("1222233333333333")) < Carry.order(of: cell("122230")))
        #expect(Carry.order(of: nil) > Carry.order(of: cell("33333333333333333333")))
    }
}
