internal import Models
internal import Releases

/// Devices per km² in one hour, as released of all networks.
///
/// An atom is what its cell has besides the atoms inside it: so its devices are taken to be spread evenly over what is left of the cell.
struct DensityHour {
    /// Devices per km²: at least, at most, and in the middle.
    struct Density: Equatable {
        var low = 0.0, high = 0.0, middle = 0.0

        static func + (one: Density, other: Density) -> Density {
            Density(low: one.low + other.low, high: one.high + other.high, middle: one.middle + other.middle)
        }

        static func * (one: Density, factor: Double) -> Density {
            Density(low: one.low * factor, high: one.high * factor, middle: one.middle * factor)
        }
    }

    /// The atoms of one network.
    private struct Layer {
        /// By level, then by code.
        private var cells: [Int: [UInt64: Density]] = [:]
        /// Those that have cells, the finest first.
        private let levels: [Int]

        init(_ atoms: [ReleasedAtom]) {
            var left: [Quadkey: Double] = [:]
            for atom in atoms { if let cell = atom.cell { left[cell] = Self.area(cell) } }
            // Of a cell that holds others, what they leave.
            for cell in Array(left.keys) {
                let around = (0..<cell.level).reversed().lazy.map(cell.parent(at:)).first { left[$0] != nil }
                if let around { left[around]? -= Self.area(cell) }
            }
            for atom in atoms {
                guard let cell = atom.cell, let rest = left[cell] else { continue }
                let whole = Self.area(cell), band = CountBand.of(max(1, atom.figures.devices))
                // Rows too unsure for finer cells, where these cover everything.
                let area = rest > whole * 1e-6 ? rest : whole
                let low = Double(band.lowerBound) / area, high = Double(band.upperBound) / area
                cells[cell.level, default: [:]][cell.code] = Density(low: low, high: high, middle: (low + high) / 2)
            }
            levels = cells.keys.sorted(by: >)
        }

        /// Of the finest atom around a place, and its level.
        func density(at place: Quadkey) -> (Density, level: Int)? {
            for level in levels {
                if let found = cells[level]?[place.parent(at: level).code] { return (found, level) }
            }
            return nil
        }

        /// In km²: Web Mercator keeps angles, so that a cell is as high as wide.
        private static func area(_ cell: Quadkey) -> Double {
            let (_, south, _, north) = cell.bounds
            let side = Quadkey.width(level: cell.level, latitude: Int64((south + north) / 2 * 1e7)) / 1_000
            return side * side
        }
    }

    private let layers: [Layer]

    /// - Parameter networks: the atoms of one metric, of each network.
    init(_ networks: [[ReleasedAtom]]) { layers = networks.map(Layer.init) }

    /// Of a cell, from places spread evenly over it; nil where too little is known at most of them: what is there is in atoms that are much
    /// larger, because near the place there were fewer than k devices.
    func density(in cell: Geohash) -> Density? {
        let (south, west, north, east) = cell.bounds, side = Self.places(length: cell.length)
        let needed = Self.coarsest(length: cell.length)
        var sum = Density(), known = 0
        for row in 0..<side {
            for column in 0..<side {
                let latitude = south + (north - south) * (Double(row) + 0.5) / Double(side)
                let longitude = west + (east - west) * (Double(column) + 0.5) / Double(side)
                guard
                    let place = Quadkey(
                        latitude: Int64(latitude * 1e7), longitude: Int64(longitude * 1e7), level: Quadkey.deepestLevel)
                else { continue }
                let found = layers.compactMap { $0.density(at: place) }
                if found.contains(where: { $0.level >= needed }) { known += 1 }
                sum = found.reduce(sum) { $0 + $1.0 }
            }
        }
        guard 2 * known >= side * side else { return nil }
        return sum * (1 / Double(side * side))
    }

    /// How many places along a side a cell is known by.
    private static func places(length: Int) -> Int { max(1, 14 - 2 * length) }

    /// The coarsest atom that says something of a cell: not much larger than the cell, or than 10 km.
    private static func coarsest(length: Int) -> Int { length <= 4 ? 10 : 12 }
}
