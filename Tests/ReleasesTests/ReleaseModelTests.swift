import Models
import Testing

@testable import Releases

/// Atoms against the model that says them again.
@Suite struct ReleaseModelTests {
    private static let rules = ReleaseRules(k: 10)
    private static let model = NaiveReleases(k: 10, binDevices: 5)
    private static let table = BinTable.linear(divisor: 1)

    /// Rows of phones that stay near a few places, of which one is diligent and some are unsure where they are.
    private static func rows(_ seed: UInt64) -> [NaiveReleases.Row] {
        var dice = SplitMix64(seed: seed)
        let towns = (0..<4).map { _ in
            "1222" + String((0..<12).map { _ in Character("\(Int.random(in: 0...3, using: &dice))") })
        }
        return (0..<Int.random(in: 50...3_000, using: &dice)).map { _ in
            let device = Int.random(in: 0..<5, using: &dice) == 0 ? 0 : Int.random(in: 1..<150, using: &dice)
            var cell = towns[device % 4]
            if Bool.random(using: &dice) {
                cell =
                    String(cell.dropLast(2))
                    + "\(Int.random(in: 0...3, using: &dice))\(Int.random(in: 0...3, using: &dice))"
            }
            switch Int.random(in: 0..<20, using: &dice) {
            case 0: cell = ""
            case 1...3: cell = String(cell.prefix(Int.random(in: 6...15, using: &dice)))
            default: break
            }
            return NaiveReleases.Row(device: device, cell: cell, bin: Int.random(in: 0...60, using: &dice) + device % 7)
        }
    }

    private static func carried(_ rows: [NaiveReleases.Row]) -> (atoms: [Carry.Atom], withheld: Int64) {
        var carry = Carry(rules, table)
        for row in rows.sorted(by: {
            (Carry.order(of: Quadkey(text: $0.cell, orNone: true)), $0.device, $0.bin)
                < (Carry.order(of: Quadkey(text: $1.cell, orNone: true)), $1.device, $1.bin)
        }) {
            carry.add(Quadkey(text: row.cell, orNone: true), device: UInt32(row.device), bin: Int32(row.bin))
        }
        carry.finish()
        return (carry.takeAtoms(), carry.withheld)
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `atoms, what is withheld and what is told are those of the model`(seed: UInt64) throws {
        let rows = Self.rows(seed), model = Self.model
        let (expected, withheld) = model.atoms(rows), (atoms, left) = Self.carried(rows)
        #expect(Int(left) == withheld.count)
        #expect(Set(atoms.map { $0.cell?.text ?? "" }) == Set(expected.map(\.cell)) && atoms.count == expected.count)
        for (cell, figures) in atoms {
            let atom = try #require(expected.first { $0.cell == cell?.text ?? "" })
            let devices = Set(atom.rows.map(\.device)).count
            #expect(Int(figures.devices) == NaiveReleases.band(devices))
            #expect(Int(figures.samples) == NaiveReleases.band(atom.rows.count))
            #expect(Int(figures.effectiveDevices) == NaiveReleases.band(Int(model.effectiveDevices(atom) + 1e-6)))
            expectSteps(figures, atom, devices)
        }
    }

    /// Each step is what it says of the weight, and between two of them, below the first and above the last are five devices.
    private func expectSteps(_ figures: AtomFigures, _ atom: NaiveReleases.Atom, _ devices: Int) {
        let percents: [Int64] =
            switch devices {
            case ..<20: [50]
            case ..<50: [25, 50, 75]
            case ..<100: [10, 25, 50, 75, 90]
            default: (1...19).map { $0 * 5 }
            }
        var last = Int.min
        for step in figures.steps {
            #expect(percents.contains(step.percent))
            // Weights of the product are whole numbers.
            #expect(Self.model.share(atom, upTo: Int(step.bin)) * 100 >= Double(step.percent) - 1e-3)
            #expect(Self.model.share(atom, upTo: Int(step.bin) - 1) * 100 < Double(step.percent) + 1e-3)
            #expect(Self.model.devices(atom, above: last, upTo: Int(step.bin)) >= 5)
            last = Int(step.bin)
        }
        if !figures.steps.isEmpty { #expect(Self.model.devices(atom, above: last, upTo: .max) >= 5) }
        #expect(figures.meanHundredths == nil || figures.steps.count > 1)
    }

    @Test func `no device has more than a fifth of what is told`() {
        for seed in 1...20 as ClosedRange<UInt64> {
            for atom in Self.model.atoms(Self.rows(seed)).atoms {
                let weights = Self.model.weights(atom).values
                #expect((weights.max() ?? 0) * 5 <= weights.reduce(0, +) + 1e-9)
            }
        }
    }
}

extension Quadkey {
    /// Nil for no digits.
    fileprivate init?(text: String, orNone: Bool) {
        guard !text.isEmpty else { return nil }
        self.init(text: text)
    }
}
