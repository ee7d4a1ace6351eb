public import Models

/// Divides the samples of one metric into atoms of at least k devices, from the finest cells up.
///
///     level 16   9 devices   12   3   1        k = 10: the second cell is an atom
///                    └────┐   ■   ├───┘        the others rise into their parent,
///     level 15           13 devices            where they are one
///
/// A cell with fewer devices than k, and samples that are too coarse for it, rise into the pool of its parent; a pool with k devices is
/// an atom there. Every sample is in one atom at most, so whatever is added or subtracted is a union of atoms. What has too few
/// devices at the coarsest level rises into the pool of the whole network; what is too little even there is withheld.
///
/// Samples come in the order of ``order(of:)``, so that only the cells above the present one are in memory.
public struct Carry: Sendable {
    /// An atom's cell, nil for the whole network, and what is told of it.
    public typealias Atom = (cell: Quadkey?, figures: AtomFigures)

    private let rules: ReleaseRules
    private let table: BinTable
    /// By level; that of the whole network comes first.
    private var pools: [DevicePool]
    /// The present cell; none at first.
    private var cell: Quadkey?
    /// Since they were taken last.
    public private(set) var atoms: [Atom] = []
    /// Samples that were in too small a pool at the end.
    public private(set) var withheld: Int64 = 0
    /// Samples in atoms, by the level of the atom; 0 for the whole network.
    public private(set) var released: [Int64]

    /// - Parameter table: of the metric.
    public init(_ rules: ReleaseRules, _ table: BinTable) {
        self.rules = rules
        self.table = table
        pools = Array(repeating: DevicePool(), count: Quadkey.deepestLevel + 1)
        released = Array(repeating: 0, count: Quadkey.deepestLevel + 1)
    }

    /// The place of a cell in the order in which samples come: a cell, then those inside it; without a cell last.
    public static func order(of cell: Quadkey?) -> UInt64 {
        guard let cell else { return noCell }
        return cell.code << UInt64(2 * (Quadkey.deepestLevel - cell.level) + 5) | UInt64(cell.level)
    }

    /// The cell of a place in the order.
    public static func cell(at order: UInt64) -> Quadkey? {
        guard order != noCell else { return nil }
        let level = Int(order & 31)
        return Quadkey(level: level, code: order >> UInt64(2 * (Quadkey.deepestLevel - level) + 5))
    }

    /// Bits of an ``order(of:)``.
    public static let orderBits = 45
    private static let noCell: UInt64 = 1 << 45 - 1

    /// Adds a sample; cells must not go back in the order.
    @inline(__always)
    public mutating func add(_ cell: Quadkey?, device: UInt32, bin: Int32) {
        guard let cell, cell.level >= Quadkey.coarsestLevel else { return pools[0].add(device, bin: bin) }
        if cell != self.cell { move(to: cell) }
        pools[cell.level].add(device, bin: bin)
    }

    /// Ends the division: everything is in an atom or withheld. The next sample begins a new one.
    public mutating func finish() {
        if let cell { close(from: cell.level, to: Quadkey.coarsestLevel) }
        cell = nil
        pools[0].merge()
        if pools[0].devices >= rules.k {
            make(nil)
        } else {
            withheld += pools[0].entries.reduce(0) { $0 + $1.count }
        }
        pools[0].removeAll()
    }

    /// The atoms since it was asked last.
    public mutating func takeAtoms() -> [Atom] {
        defer { atoms.removeAll(keepingCapacity: true) }
        return atoms
    }

    /// Closes the cells that the next one is not inside.
    private mutating func move(to next: Quadkey) {
        if let cell {
            var shared = min(cell.level, next.level)
            while shared >= Quadkey.coarsestLevel, cell.parent(at: shared) != next.parent(at: shared) { shared -= 1 }
            if shared < cell.level { close(from: cell.level, to: max(shared + 1, Quadkey.coarsestLevel)) }
        }
        cell = next
    }

    private mutating func close(from finest: Int, to coarsest: Int) {
        for level in stride(from: finest, through: coarsest, by: -1) where !pools[level].isEmpty {
            pools[level].merge()
            if pools[level].devices >= rules.k {
                make(cell?.parent(at: level))
            } else {
                pools[level == Quadkey.coarsestLevel ? 0 : level - 1].add(pools[level])
            }
            pools[level].removeAll()
        }
    }

    private mutating func make(_ cell: Quadkey?) {
        let level = cell?.level ?? 0
        released[level] += pools[level].entries.reduce(0) { $0 + $1.count }
        atoms.append((cell: cell, figures: AtomFigures(pools[level], rules, table)))
    }
}
