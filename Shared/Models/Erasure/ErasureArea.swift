/// The cells of a scope, ready to be asked for many rows.
public struct ErasureArea: Sendable {
    private let cells: [Quadkey]

    /// nil if the scope has no area; cells that are no quadkeys are left out.
    public init?(_ scope: ErasureScope) {
        guard let cells = scope.cells else { return nil }
        self.cells = cells.compactMap(Quadkey.init(text:))
    }

    /// Whether the cell by which a row enters statistics meets the area: is inside one of its cells, or has one inside.
    public func meets(_ cell: Quadkey) -> Bool {
        cells.contains { other in
            let level = min(cell.level, other.level)
            return cell.parent(at: level) == other.parent(at: level)
        }
    }
}
