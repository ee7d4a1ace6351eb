extension CellKey {
    /// Whether the cell is one of those that together count every sample once: days at the coarsest level, and days of
    /// what counts without a cell. On `rollups` these always come with figures of their own, so that a reader keeps a
    /// total without looking anything up.
    public var isOfWhole: Bool {
        bucket == .day && (quadkey == nil || quadkey?.level == Quadkey.coarsestLevel)
    }

    /// Whether this cell is a part of another: of its place and its bucket, and the same otherwise.
    ///
    /// A day counts as 26 hours here, the longest there are. From cell to cell inside there are at most ``longestDescent``
    /// steps.
    public func isInside(_ other: CellKey) -> Bool {
        guard programme == other.programme, scope == other.scope, stratum == other.stratum,
            population == other.population, bucket <= other.bucket, bucketStart >= other.bucketStart, self != other
        else { return false }
        // The longest local days have 26 hours.
        let length = other.bucket == .day ? 93_600 : Int64(other.bucketSeconds)
        guard bucket == other.bucket ? bucketStart == other.bucketStart : bucketStart - other.bucketStart < length
        else { return false }
        guard let place = quadkey, let around = other.quadkey else { return quadkey == nil && other.quadkey == nil }
        return place.level >= around.level && place.parent(at: around.level) == around
    }

    /// Fourteen levels and two sizes of buckets.
    public static let longestDescent = Quadkey.deepestLevel - Quadkey.coarsestLevel + 2
}
