internal import ExporterSupport
internal import Models

/// Cells that together are an area, of one level or several, none inside another.
struct CellArea: Equatable, Sendable {
    /// An area of more cells is refused, so that the time of an answer stays bounded.
    static let mostCells = 1_024

    /// The cells of one level.
    struct Part: Equatable, Sendable {
        let level: Int
        /// Of Morton codes, ascending and disjoint.
        let ranges: [ClosedRange<UInt64>]
    }

    let parts: [Part]

    /// - Parameter cells: each once, none inside another.
    init(_ cells: some Sequence<Quadkey>) {
        var parts: [Part] = []
        for (level, cells) in Dictionary(grouping: cells, by: \.level).sorted(by: { $0.key < $1.key }) {
            var ranges: [ClosedRange<UInt64>] = []
            for code in cells.map(\.code).sorted() {
                if let last = ranges.last, last.upperBound + 1 == code {
                    ranges[ranges.count - 1] = last.lowerBound...code
                } else {
                    ranges.append(code...code)
                }
            }
            parts.append(Part(level: level, ranges: ranges))
        }
        self.parts = parts
    }

    /// The cells of a level that a box touches.
    ///
    /// - Throws: ``ParameterFault`` `too_many_cells` if they are more than ``mostCells``.
    init(_ box: BoundingBox, level: Int) throws(ParameterFault) {
        let (columns, rows) = box.tiles(level: level)
        guard columns.count * rows.count <= Self.mostCells else {
            throw ParameterFault(
                "bbox",
                "touches \(columns.count * rows.count) cells of level \(level), more than \(Self.mostCells); ask for a smaller bbox or a lower level",
                code: "too_many_cells")
        }
        self.init(
            rows.flatMap { row in columns.map { Quadkey(column: $0, row: row, level: level) } })
    }

    /// The finest level at which a box touches at most 64 cells.
    static func level(for box: BoundingBox, finest: Int) -> Int {
        let levels = Quadkey.coarsestLevel...finest
        return levels.last { level in
            let (columns, rows) = box.tiles(level: level)
            return columns.count * rows.count <= 64
        } ?? levels.lowerBound
    }

    /// Everything that has a place, by cells of a level.
    static func everyPlace(level: Int) -> CellArea {
        CellArea(parts: [Part(level: level, ranges: [0...UInt64(1) << UInt64(2 * level) - 1])])
    }

    /// What has a place and what has none.
    static let everything = CellArea(
        parts: [Part(level: 0, ranges: [0...0])] + everyPlace(level: Quadkey.coarsestLevel).parts)

    /// Whether a cell lies in it.
    func contains(_ cell: Quadkey) -> Bool {
        parts.contains { part in
            guard part.level <= cell.level else { return false }
            let code = cell.parent(at: part.level).code
            return part.ranges.contains { $0.contains(code) }
        }
    }

    private init(parts: [Part]) { self.parts = parts }
}

extension Quadkey {
    /// The cell of a column and a row of its level.
    fileprivate init(column: Int, row: Int, level: Int) {
        var code: UInt64 = 0
        for bit in (0..<level).reversed() {
            let digit = UInt64(column >> bit & 1) | UInt64(row >> bit & 1) << 1
            code = code << 2 | digit
        }
        self.init(level: level, code: code)
    }
}
