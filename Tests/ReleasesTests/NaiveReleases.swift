import Foundation

/// What a division into atoms must come to, said again in text, sets and floating-point numbers. It shares no decision with the product: places are
/// digits, pools are lists of rows, weights are fractions.
struct NaiveReleases {
    /// One value of a metric.
    struct Row: Hashable {
        let device: Int
        /// Digits; empty without a place.
        let cell: String
        let bin: Int
    }

    struct Atom {
        /// Digits; empty: the whole network.
        let cell: String
        let rows: [Row]
    }

    let k: Int
    let binDevices: Int

    /// Level by level: a cell with k devices is an atom, and what is left in others belongs to their parents from then on.
    func atoms(_ rows: [Row]) -> (atoms: [Atom], withheld: [Row]) {
        var atoms: [Atom] = [], rest = rows
        for level in stride(from: 20, through: 6, by: -1) {
            var pools: [String: [Row]] = [:], coarser: [Row] = []
            for row in rest {
                if row.cell.count == level { pools[row.cell, default: []].append(row) } else { coarser.append(row) }
            }
            for (cell, pool) in pools {
                if Set(pool.map(\.device)).count >= k {
                    atoms.append(Atom(cell: cell, rows: pool))
                } else {
                    let parent = level > 6 ? String(cell.dropLast()) : ""
                    coarser += pool.map { Row(device: $0.device, cell: parent, bin: $0.bin) }
                }
            }
            rest = coarser
        }
        let left = rest
        guard Set(left.map(\.device)).count >= k else { return (atoms, left) }
        return (atoms + [Atom(cell: "", rows: left)], [])
    }

    // MARK: Figures of an atom

    /// By device, how much its samples weigh together: T is the largest number for which five times T is at most the sum of all min(n, T).
    func weights(_ atom: Atom) -> [Int: Double] {
        let counts = Dictionary(grouping: atom.rows, by: \.device).mapValues { Double($0.count) }
        let most = counts.values.max() ?? 0
        var threshold = most
        while threshold > 0, 5 * threshold > counts.values.reduce(0, { $0 + min($1, threshold) }) { threshold -= 1 }
        return counts.mapValues { threshold >= most ? $0 : min($0, threshold) }
    }

    /// (Σ W)² ÷ Σ W².
    func effectiveDevices(_ atom: Atom) -> Double {
        let weights = weights(atom).values
        let sum = weights.reduce(0, +)
        return sum * sum / weights.reduce(0) { $0 + $1 * $1 }
    }

    /// The first of 1, 2 and 5 times a power of ten that is not above a count, counted down.
    static func band(_ count: Int) -> Int {
        var lower = 0
        for power in 0..<18 {
            for digit in [1, 2, 5] {
                let end = digit * Int(pow(10, Double(power)))
                if end <= count { lower = end }
            }
        }
        return lower
    }

    /// The share of the weight up to a bin.
    func share(_ atom: Atom, upTo bin: Int) -> Double {
        let counts = Dictionary(grouping: atom.rows, by: \.device).mapValues { Double($0.count) }
        let weights = weights(atom)
        var total = 0.0, below = 0.0
        for row in atom.rows {
            let weight = weights[row.device]! / counts[row.device]!
            total += weight
            if row.bin <= bin { below += weight }
        }
        return below / total
    }

    /// Devices with a value above one bin, up to another.
    func devices(_ atom: Atom, above low: Int, upTo high: Int) -> Int {
        Set(atom.rows.filter { $0.bin > low && $0.bin <= high }.map(\.device)).count
    }
}
