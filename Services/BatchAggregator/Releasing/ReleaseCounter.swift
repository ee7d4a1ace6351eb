import AggregatorCells
import Models
import Releases

/// Makes atoms of the rows of releases, which come in the order of ``ReleaseRows``, release after release.
struct ReleaseCounter {
    /// A release that has all its atoms.
    struct Finished {
        let release: Int
        var atoms = AtomList()
    }

    private let rules: ReleaseRules
    /// By the place of the metric; nil where there is none, or no order of its values. Of each release by its number.
    private let metrics: (Int) -> [ProgrammeMetric?]
    /// Release, hour and stratum of the rows that come.
    private var group: UInt128?
    /// Where the last row was.
    private var place: UInt64?
    private var cell: Quadkey?
    private var present: [ProgrammeMetric?] = []
    private var carries: [Carry?] = []
    private var release: Finished?
    /// Samples since the beginning, by the level of their atom; 0 for whole networks.
    private(set) var released = [Int64](repeating: 0, count: Quadkey.deepestLevel + 1)
    private(set) var withheld: Int64 = 0

    init(_ rules: ReleaseRules, metrics: @escaping (Int) -> [ProgrammeMetric?]) {
        self.rules = rules
        self.metrics = metrics
    }

    /// Adds a row; returns the release before, if the row begins another one.
    mutating func add(_ key: UInt128, _ bins: ArraySlice<UInt16>) -> Finished? {
        var before: Finished?
        if key >> 103 != group {
            closeGroup()
            group = key >> 103
            let number = ReleaseRows.release(key)
            if release?.release != number {
                before = release
                release = Finished(release: number)
                present = metrics(number)
            }
            carries = present.map { $0.map { Carry(rules, $0.bins) } }
        }
        let place = ReleaseRows.place(key), device = ReleaseRows.device(key)
        if place != self.place {
            // Cells were closed.
            takeAtoms()
            (self.place, cell) = (place, Carry.cell(at: place))
        }
        for code in bins { carries[SlotCode.place(code)]?.add(cell, device: device, bin: SlotCode.bin(code)) }
        return before
    }

    /// No row is left; returns the last release.
    mutating func finish() -> Finished? {
        closeGroup()
        defer { release = nil }
        return release
    }

    private mutating func closeGroup() {
        guard group != nil else { return }
        for place in carries.indices { carries[place]?.finish() }
        takeAtoms()
        for carry in carries.compactMap(\.self) {
            withheld += carry.withheld
            for level in released.indices { released[level] += carry.released[level] }
        }
        (group, place, carries) = (nil, nil, [])
    }

    private mutating func takeAtoms() {
        guard let group else { return }
        let key = group << 103
        for place in carries.indices where carries[place]?.atoms.isEmpty == false {
            for atom in carries[place]!.takeAtoms() {
                release?.atoms.append(
                    ReleasedAtom(
                        metric: present[place]!.number, hour: ReleaseRows.hour(key),
                        stratum: ReleaseRows.stratum(key), cell: atom.cell, figures: atom.figures))
            }
        }
    }
}

/// Atoms of a release, as the bytes in which they travel.
struct AtomList {
    private struct Entry {
        /// Metric, hour and stratum.
        let group: UInt32
        let place: UInt64
        let start, end: Int
    }

    private var entries: [Entry] = []
    private var bytes: [UInt8] = []

    var count: Int { entries.count }

    mutating func append(_ atom: ReleasedAtom) {
        let start = bytes.count
        bytes.append(contentsOf: atom.bytes)
        entries.append(
            Entry(
                group: UInt32(atom.metric) << 16 | UInt32(atom.hour) << 8 | UInt32(atom.stratum),
                place: Carry.order(of: atom.cell), start: start, end: bytes.count))
    }

    /// Goes through the atoms in the order of the release's text.
    func forEach(_ body: (ArraySlice<UInt8>) throws -> Void) rethrows {
        for entry in entries.sorted(by: { ($0.group, $0.place) < ($1.group, $1.place) }) {
            try body(bytes[entry.start..<entry.end])
        }
    }
}
