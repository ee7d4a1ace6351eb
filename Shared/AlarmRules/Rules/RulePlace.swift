public import Models

/// Where a rule looks: in cells, and in those inside them, or in a box.
public enum RulePlace: Sendable, Hashable {
    case everywhere
    case cells([Quadkey])
    /// Edges in 1e-7 degrees. A cell is in a box if its middle is.
    case box(west: Int64, south: Int64, east: Int64, north: Int64)

    func contains(_ cell: Quadkey?) -> Bool {
        switch self {
        case .everywhere: return true
        case .cells(let cells):
            guard let cell else { return false }
            return cells.contains { $0.level <= cell.level && cell.parent(at: $0.level) == $0 }
        case .box(let west, let south, let east, let north):
            guard let bounds = cell?.bounds else { return false }
            let latitude = Int64((bounds.south + bounds.north) * 0.5e7)
            let longitude = Int64((bounds.west + bounds.east) * 0.5e7)
            return (south...north).contains(latitude) && (west...east).contains(longitude)
        }
    }
}
