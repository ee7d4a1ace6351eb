import Models

/// Middles of level-16 cells in 1e-7 degrees, each of another cell.
struct CellGrid: Sendable {
    let middles: [(latitude: Int64, longitude: Int64)]

    /// - Parameters: south-west corner in 1e-7 degrees.
    init(count: Int, south: Int64, west: Int64) {
        var seen: Set<Quadkey> = [], middles: [(latitude: Int64, longitude: Int64)] = []
        let columns = Int64(Double(count).squareRoot().rounded(.up))
        var row: Int64 = 0
        while middles.count < count {
            for column in 0..<columns where middles.count < count {
                let latitude = south + row * 50_000, longitude = west + column * 54_932
                guard let cell = Quadkey(latitude: latitude, longitude: longitude), seen.insert(cell).inserted else {
                    continue
                }
                let bounds = cell.bounds
                middles.append(
                    (Int64((bounds.south + bounds.north) / 2 * 1e7), Int64((bounds.west + bounds.east) / 2 * 1e7)))
            }
            row += 1
        }
        self.middles = middles
    }
}
