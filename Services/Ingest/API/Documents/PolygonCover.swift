internal import Models

/// The cells that together hold a polygon: as fine as level 16 where few are enough, coarser ones where it is large. Outward:
/// no point of the polygon is in none of them. Edges are straight in longitude and latitude.
struct PolygonCover {
    typealias Corner = (longitude: Double, latitude: Double)

    /// Cells of a cover at most.
    static let most = 256

    /// None is inside another.
    private(set) var cells: [Quadkey]
    private let corners: [Corner]

    /// - Parameter corners: at least three; the last one is joined to the first. Degrees.
    init(_ corners: [Corner]) {
        self.corners = corners
        cells = [Quadkey(level: 0, code: 0)]
        for _ in 0..<Quadkey.finestLevel {
            let finer = cells.flatMap { refined($0) }
            guard finer.count <= Self.most else { return }
            cells = finer
        }
    }

    /// The children of a cell that meet the polygon; a cell that is wholly inside stays as it is.
    private func refined(_ cell: Quadkey) -> [Quadkey] {
        guard cell.level < Quadkey.finestLevel, !isInside(cell) else { return [cell] }
        return (0..<4).map { Quadkey(level: cell.level + 1, code: cell.code << 2 | $0) }.filter(meets)
    }

    private func isInside(_ cell: Quadkey) -> Bool {
        !crosses(cell) && contains(corner(of: cell))
    }

    private func meets(_ cell: Quadkey) -> Bool {
        crosses(cell) || contains(corner(of: cell))
    }

    private func corner(of cell: Quadkey) -> Corner { (cell.bounds.west, cell.bounds.south) }

    /// Whether an edge of the polygon touches the cell.
    private func crosses(_ cell: Quadkey) -> Bool {
        let bounds = cell.bounds
        return corners.indices.contains { index in
            Self.touches(corners[index], corners[(index + 1) % corners.count], bounds)
        }
    }

    /// Liang and Barsky's clipping: what of the edge is in the rectangle.
    private static func touches(
        _ a: Corner, _ b: Corner, _ bounds: (west: Double, south: Double, east: Double, north: Double)
    ) -> Bool {
        var enters = 0.0, leaves = 1.0
        let dx = b.longitude - a.longitude, dy = b.latitude - a.latitude
        let sides = [
            (-dx, a.longitude - bounds.west), (dx, bounds.east - a.longitude), (-dy, a.latitude - bounds.south),
            (dy, bounds.north - a.latitude),
        ]
        for (step, room) in sides {
            if step == 0 {
                if room < 0 { return false }
            } else if step < 0 {
                enters = max(enters, room / step)
            } else {
                leaves = min(leaves, room / step)
            }
        }
        return enters <= leaves
    }

    /// Even–odd rule.
    private func contains(_ point: Corner) -> Bool {
        var isInside = false
        for index in corners.indices {
            let a = corners[index], b = corners[(index + 1) % corners.count]
            guard (a.latitude > point.latitude) != (b.latitude > point.latitude) else { continue }
            let cut =
                a.longitude + (point.latitude - a.latitude) / (b.latitude - a.latitude) * (b.longitude - a.longitude)
            if point.longitude < cut { isInside.toggle() }
        }
        return isInside
    }
}
