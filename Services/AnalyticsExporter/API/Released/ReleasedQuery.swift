internal import ExporterSupport
internal import Models
internal import Releases

/// Which released figures somebody asks for. Anybody who may log in sees those of every network.
struct ReleasedQuery: Sendable {
    /// Names of the parameters.
    static let parameters = map + FigurePlace.parameters
    /// Those of a map, which shows every place.
    static let map =
        MetricChoice.parameters + CellSelection.parameters.filter { !["scope", "stratum"].contains($0) } + ["class"]
    /// The period that is asked for if not said: releases by day come nine days after it.
    private static let recent: [ReleaseClass: UnixMilliseconds] = [
        .provisional: 86_400_000, .technology: 31 * 86_400_000, .final: 31 * 86_400_000,
    ]

    let kind: ReleaseClass
    let choice: MetricChoice
    let cells: CellSelection
    let place: FigurePlace
    let area: CellArea

    /// - Parameters:
    ///   - shown: programmes that may be asked for; the first one if none is named.
    ///   - isMap: `level` is that of the cells shown, and `bbox` what of them.
    init(
        _ parameters: QueryParameters, _ shown: [Programme], _ regions: RegionTable, isMap: Bool, now: UnixMilliseconds
    ) throws(ParameterFault) {
        let name = try parameters.choice("class", of: ReleaseClass.allCases.map(\.name))
        kind = name.flatMap { ReleaseClass(name: $0) } ?? .final
        guard kind == .technology || parameters.text("technology") == nil else {
            throw ParameterFault("technology", "only releases of class technology have it; give class=technology")
        }
        cells = try CellSelection(parameters, shown, of: "releases", recent: Self.recent[kind] ?? 0, now: now)
        place = isMap ? .everywhere : try FigurePlace(parameters, cells, regions)
        area = try place.area
        choice = try MetricChoice(parameters, cells.programme)
    }

    /// Whether an atom counts, whatever its time.
    ///
    /// - Returns: nil if it lies across the area: some of its samples may be inside.
    func counts(_ atom: ReleasedAtom) -> Bool? {
        if let stratum = cells.stratum, kind == .technology, atom.stratum != stratum { return false }
        if case .everywhere = place { return true }
        guard let cell = atom.cell else { return nil }
        if area.contains(cell) { return true }
        return area.touches(cell) ? nil : false
    }
}

extension CellArea {
    /// Whether some of it lies inside a cell.
    func touches(_ cell: Quadkey) -> Bool {
        parts.contains { part in
            guard part.level >= cell.level else { return false }
            let shift = UInt64(2 * (part.level - cell.level)), first = cell.code << shift
            let last = first + (1 << shift) - 1
            return part.ranges.contains { $0.overlaps(first...last) }
        }
    }
}
