internal import ExporterSupport
internal import Models

/// A box of the map in 1e-7 degrees; a cell belongs to it if the two touch.
struct BoundingBox: Equatable {
    let west: Int64
    let south: Int64
    let east: Int64
    let north: Int64

    /// The whole world.
    static let world = BoundingBox(west: -1_800_000_000, south: -900_000_000, east: 1_800_000_000, north: 900_000_000)

    init(west: Int64, south: Int64, east: Int64, north: Int64) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// Reads `west,south,east,north` in degrees.
    init(text: String) throws(ParameterFault) {
        let fault = ParameterFault(
            "bbox",
            "\"\(text)\": expected west,south,east,north in degrees, west < east, south < north, within ±180 and ±90")
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(Double.init)
        guard parts.count == 4, !parts.contains(nil) else { throw fault }
        let degrees = parts.compactMap { $0 }
        guard degrees.allSatisfy(\.isFinite), degrees[0] < degrees[2], degrees[1] < degrees[3], degrees[0] >= -180,
            degrees[2] <= 180, degrees[1] >= -90, degrees[3] <= 90
        else { throw fault }
        let units = degrees.map { Int64(($0 * 1e7).rounded()) }
        self.init(west: units[0], south: units[1], east: units[2], north: units[3])
    }

    /// The columns and rows of a level that the box touches, ends included.
    func tiles(level: Int) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let limit = Quadkey.latitudeLimit
        let clamp = { (latitude: Int64) in min(max(latitude, -limit), limit) }
        let topLeft = Quadkey(latitude: clamp(north), longitude: west, level: level)!
        let bottomRight = Quadkey(latitude: clamp(south), longitude: east, level: level)!
        return (topLeft.column...bottomRight.column, topLeft.row...bottomRight.row)
    }

    /// Ranges of Morton codes of a level that together hold every cell of the box, and as few others as so many ranges
    /// allow; ascending and disjoint.
    func codeRanges(level: Int, atMost limit: Int = 12) -> [ClosedRange<UInt64>] {
        let (columns, rows) = tiles(level: level)
        var parts = [Quadkey(level: 0, code: 0)]
        while let next = split(parts, columns, rows, level), next.count <= limit, next != parts { parts = next }
        return parts.map { part in
            let shift = UInt64(2 * (level - part.level))
            return part.code << shift...(part.code << shift | (1 << shift - 1))
        }
    }

    /// Every part that is not wholly inside, in four, without those outside; nil if nothing is left to split.
    private func split(_ parts: [Quadkey], _ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>, _ level: Int)
        -> [Quadkey]?
    {
        let next = parts.flatMap { part -> [Quadkey] in
            let (partColumns, partRows) = Self.tiles(of: part, level: level)
            if part.level == level || (columns.contains(partColumns) && rows.contains(partRows)) { return [part] }
            return (0..<4).map { Quadkey(level: part.level + 1, code: part.code << 2 | $0) }.filter {
                let (childColumns, childRows) = Self.tiles(of: $0, level: level)
                return childColumns.overlaps(columns) && childRows.overlaps(rows)
            }
        }
        return next == parts ? nil : next
    }

    private static func tiles(of part: Quadkey, level: Int) -> (ClosedRange<Int>, ClosedRange<Int>) {
        let width = 1 << (level - part.level)
        let column = part.column * width, row = part.row * width
        return (column...column + width - 1, row...row + width - 1)
    }
}
