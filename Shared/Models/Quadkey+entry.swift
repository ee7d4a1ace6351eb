extension Quadkey {
    /// Positions less sure than this (0.1 m) are counted, but stay out of maps.
    package static let accuracyLimit: Int64 = 100_000
    /// Phones faster than this (0.01 m/s) are counted, but stay out of maps.
    public static let speedLimit: Int64 = 5_000
    /// A little less than the width of the cell of level 0 at ``latitudeLimit``, in 0.1 m.
    private static let narrowestWorld = width(level: 0, latitude: latitudeLimit) * 9.99

    /// The cell by which a row enters statistics: the finest one that is at least as wide as the position is unsure.
    ///
    /// - Parameters: position in 1e-7 degrees, accuracy in 0.1 m (nil: the finest level), speed in 0.01 m/s, and the finest
    ///   level that the programme's statistics know.
    /// - Returns: nil if the row counts without a cell: no position, beyond ±85.05°, accuracy over 10 km, over 50 m/s.
    public static func entry(
        latitude: Int64?, longitude: Int64?, accuracy: Int64?, speed: Int64?, finestLevel: Int = Quadkey.finestLevel
    ) -> Quadkey? {
        guard let latitude, let longitude, (accuracy ?? 0) <= accuracyLimit, (speed ?? 0) <= speedLimit else {
            return nil
        }
        guard let finest = Quadkey(latitude: latitude, longitude: longitude, level: finestLevel) else { return nil }
        guard let accuracy else { return finest }
        // Wherever it lies, its cell is at least so wide.
        if Double(accuracy) <= narrowestWorld / Double(1 << finestLevel) { return finest }
        let world = width(level: 0, latitude: latitude)
        var level = finestLevel
        // Rounded up as accuracies are: a position that was coarsened to a cell is as unsure as that is wide, and enters there.
        while level > coarsestLevel, (world / Double(1 << level) * 10).rounded(.up) < Double(accuracy) {
            level -= 1
        }
        return level == finestLevel ? finest : finest.parent(at: level)
    }
}
