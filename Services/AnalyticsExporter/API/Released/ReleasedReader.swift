internal import ExporterStores
internal import ExporterSupport
internal import GRDB
internal import Models
internal import Releases

/// What was released of an area within a period, added up.
struct ReleasedFigures: Sendable {
    var sum = ReleasedSum()
    /// Atoms lie across the area, of whose samples some may be inside.
    var isPartial = false
}

/// Reads atoms of releases. Their time is that of whole releases: a day's counts where all of the day is asked for.
struct ReleasedReader: Sendable {
    let query: ReleasedQuery
    /// The most atoms behind one answer.
    let atomLimit: Int

    /// The sums of what was released, by what `key` makes of an atom, its network and the begin of its hour or day in Unix seconds.
    ///
    /// - Parameters:
    ///   - networks: nil for all.
    ///   - period: in Unix milliseconds.
    ///   - key: nil: the atom does not count.
    /// - Throws: ``ParameterFault`` if more atoms than the limit would have to be read.
    func sums<Key: Hashable>(
        _ db: Database, of networks: [PLMN]?, in period: Range<UnixMilliseconds>,
        by key: (_ network: PLMN, _ start: Int64, _ atom: ReleasedAtom) -> Key?
    ) throws -> [Key: ReleasedFigures] {
        var sums: [Key: ReleasedFigures] = [:], left = atomLimit
        for network in networks.map({ $0.map { Optional($0) } }) ?? [nil] {
            let releases = try ReleaseStore.list(
                query.kind.name, network?.text, starts: period, after: nil, limit: Self.mostReleases + 1, db)
            guard releases.count <= Self.mostReleases else {
                throw ParameterFault(
                    "from", "more than \(Self.mostReleases) releases; ask for a shorter period", code: "too_many_cells")
            }
            for release in releases {
                let head = release.head
                // Steps of another profile mean something else.
                guard head.programme == query.cells.programme.name, head.profile == ReleaseRules.profile,
                    head.toMs <= period.upperBound,
                    let owner = PLMN(text: head.network), let found = try ReleaseStore.find(head.id, db)
                else { continue }
                let atoms = try ReleaseStore.atoms(of: found.number, metric: query.choice.metric.number, db) { _ in true
                }
                left -= atoms.count
                guard left >= 0 else {
                    throw ParameterFault(
                        "from", "more than \(atomLimit) released cells; ask for a shorter period",
                        code: "too_many_cells")
                }
                for atom in atoms { add(atom, of: owner, from: head.fromMs / 1_000, by: key, to: &sums) }
            }
        }
        return sums
    }

    private static let mostReleases = 10_000

    private func add<Key: Hashable>(
        _ atom: ReleasedAtom, of network: PLMN, from start: Int64,
        by key: (PLMN, Int64, ReleasedAtom) -> Key?, to sums: inout [Key: ReleasedFigures]
    ) {
        let counts = query.counts(atom)
        guard counts != false else { return }
        // The hours of a local day are counted from its begin.
        guard let place = key(network, start + Int64(atom.hour) * 3_600, atom) else { return }
        if counts == true {
            sums[place, default: .init()].sum.add(atom.figures)
        } else {
            sums[place, default: .init()].isPartial = true
        }
    }
}
