import Models
import QoE
import Releases

/// How much of a day is released how finely, and how large the tables are: `make bench-releases`.
///
/// A model of mobility, not of radio: 24 towns and 2 000 villages of Cameroon, four networks, 40 rows a phone and day. The
/// same seed, the same figures.
@main struct ReleasesBench {
    static func main() throws {
        print("| devices | release | level ≥ 16 | level ≥ 12 | level ≥ 6 | network | withheld | atoms | text |")
        print("|---|---|---|---|---|---|---|---|---|")
        for devices in [2_000, 20_000, 200_000] {
            let day = ModelDay(devices: devices, seed: 43)
            for part in ReleasePart.all { print(try Share(of: part, day).line(devices)) }
        }
    }
}

/// What is divided into atoms together.
struct ReleasePart {
    let name: String
    let kind: ReleaseClass?
    let isByHour, isByTechnology: Bool

    static let all = [
        ReleasePart(name: "undivided, for comparison", kind: nil, isByHour: false, isByTechnology: false),
        ReleasePart(name: "final", kind: .final, isByHour: false, isByTechnology: false),
        ReleasePart(name: "technology", kind: .technology, isByHour: true, isByTechnology: true),
        ReleasePart(name: "provisional, 24 of them", kind: .provisional, isByHour: true, isByTechnology: false),
    ]
}

/// A row of the model.
struct ModelRow {
    let device: UInt32
    let network, technology, hour: UInt8
    /// ``Carry/order(of:)``.
    let place: UInt64
}

/// A day of phones that are at home, at work, and on their way.
struct ModelDay {
    /// Rows in the order of the carry, by network.
    let rows: [[ModelRow]]
    static let rowsADevice = 40

    private struct Settlement {
        let latitude, longitude: Int64
        let people: Int
        /// How far people live from the middle, 1e-7 degrees.
        let radius: Int64
    }

    init(devices: Int, seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let settlements = Self.settlements(&dice), people = settlements.reduce(0) { $0 + $1.people }
        var rows = [[ModelRow]](repeating: [], count: 4)
        for device in 0..<UInt32(devices) {
            var number = dice.below(people), place = 0
            while number >= settlements[place].people {
                number -= settlements[place].people
                place += 1
            }
            let share = dice.below(100), network = share < 42 ? 0 : share < 80 ? 1 : share < 95 ? 2 : 3
            let town = settlements[place], home = Self.point(town, spread: town.radius, &dice)
            let work = Self.point(town, spread: town.radius / 3, &dice)
            for _ in 0..<Self.rowsADevice {
                let hour = dice.below(24), chance = dice.below(100)
                var (latitude, longitude) = chance < 55 ? home : work
                if chance >= 80 {
                    // On the way, or somewhere else.
                    let part = Int64(dice.below(100))
                    latitude = home.0 + (work.0 - home.0) * part / 100
                    longitude = home.1 + (work.1 - home.1) * part / 100
                }
                var cell = Quadkey(latitude: latitude, longitude: longitude)
                if chance < 6 { cell = cell?.parent(at: 13) }
                if chance >= 97 { cell = nil }
                rows[network].append(
                    ModelRow(
                        device: device, network: UInt8(network), technology: UInt8(2 + dice.below(2)),
                        hour: UInt8(hour),
                        place: Carry.order(of: cell)))
            }
        }
        for network in rows.indices { rows[network].sort { ($0.place, $0.device) < ($1.place, $1.device) } }
        self.rows = rows
    }

    private static func settlements(_ dice: inout SplitMix64) -> [Settlement] {
        var all = [
            Settlement(latitude: 38_667_000, longitude: 115_167_000, people: 4_000_000, radius: 1_000_000),
            Settlement(latitude: 40_500_000, longitude: 97_000_000, people: 3_900_000, radius: 1_000_000),
        ]
        func somewhere(_ people: Int, _ radius: Int64, _ dice: inout SplitMix64) -> Settlement {
            Settlement(
                latitude: 22_000_000 + dice.below(100_000_000 as Int64),
                longitude: 92_000_000 + dice.below(60_000_000 as Int64), people: people, radius: radius)
        }
        for rank in 2..<24 { all.append(somewhere(1_300_000 / rank, 350_000, &dice)) }
        for _ in 0..<2_000 { all.append(somewhere(4_500, 60_000, &dice)) }
        return all
    }

    /// Denser in the middle.
    private static func point(_ town: Settlement, spread: Int64, _ dice: inout SplitMix64) -> (Int64, Int64) {
        func away() -> Int64 { (dice.below(spread) + dice.below(spread) + dice.below(spread)) * 2 / 3 - spread }
        return (town.latitude + away(), town.longitude + away())
    }
}

/// What becomes of the rows of a day, and how large the release of the largest network is.
struct Share {
    private var released = [Int64](repeating: 0, count: Quadkey.deepestLevel + 1)
    private var withheld: Int64 = 0
    private var atoms = 0, bytes = 0
    private let name: String

    init(of part: ReleasePart, _ day: ModelDay) throws {
        name = part.name
        let rules = ReleaseRules(k: 10), classes = DeviceClasses(root: [UInt8](repeating: 1, count: 32), day: 0)
        let metrics: [(Metric, Int)] = [
            (.download, 30), (.upload, 30), (.latency, 50), (.jitter, 50), (.loss, 50), (.rsrp, 95), (.rsrq, 90),
            (.sinr, 60), (.rating, 5),
        ]
        for (network, rows) in day.rows.enumerated() {
            let counted = rows.filter { row in part.kind.map { classes.of(row.device) == $0 } ?? true }
            let groups = Dictionary(grouping: counted) { row in
                (part.isByHour ? Int(row.hour) : 0) << 8 | (part.isByTechnology ? Int(row.technology) : 0)
            }
            for (metric, percent) in metrics {
                var dice = SplitMix64(seed: UInt64(metric.rawValue) << 8 | UInt64(network))
                for group in groups.keys.sorted() {
                    var carry = Carry(rules, metric.bins)
                    for row in groups[group]! where dice.chance(percent: percent) {
                        let value = 100 + dice.below(900 as Int64) * dice.below(900 as Int64)
                        carry.add(Carry.cell(at: row.place), device: row.device, bin: metric.bins.bin(value))
                    }
                    carry.finish()
                    withheld += carry.withheld
                    for level in released.indices { released[level] += carry.released[level] }
                    if network == 0 { try count(carry.takeAtoms(), metric, hour: group >> 8, technology: group & 255) }
                }
            }
        }
    }

    private mutating func count(_ made: [Carry.Atom], _ metric: Metric, hour: Int, technology: Int) throws {
        let head = ReleaseHead(
            releaseClass: "technology", id: "", programme: "qoe", network: "62401", fromMs: 1_784_934_000_000,
            toMs: 1_785_020_400_000, k: 10, trust: "trusted", binTable: 1, profile: 1, atoms: 0, madeAtMs: 0)
        let text = ReleaseText(head, .qoe)
        atoms += made.count
        for atom in made {
            bytes +=
                text.line(
                    of: ReleasedAtom(
                        metric: metric.rawValue, hour: UInt8(hour), stratum: UInt8(technology), cell: atom.cell,
                        figures: atom.figures))?.count ?? 0
        }
    }

    func line(_ devices: Int) -> String {
        let total = released.reduce(withheld, +)
        func percent(_ samples: Int64) -> String { "\((samples * 1_000 / max(total, 1) + 5) / 10) %" }
        func from(_ level: Int) -> String { percent(released[level...].reduce(0, +)) }
        let size = bytes < 1_000_000 ? "\(bytes / 1_000) KB" : "\(bytes / 100_000 / 10).\(bytes / 100_000 % 10) MB"
        let shares = [from(16), from(12), from(6), percent(released[0]), percent(withheld)]
        return "| " + (["\(devices)", name] + shares + ["\(atoms)", size]).joined(separator: " | ") + " |"
    }
}
