extension CellKey {
    /// Whether the cell is one of those that together count every sample once: days at the coarsest level, and days of
    /// what counts without a cell. On `rollups` these always come with figures of their own, so that a reader keeps a
    /// total without looking anything up.
    public var isOfWhole: Bool {
        bucketSeconds == 86_400 && (quadkey == nil || quadkey?.level == Quadkey.coarsestLevel)
    }

    /// Whether this cell is a part of another: of its place and its bucket, with the same network and technology.
    ///
    /// A day counts as 26 hours here, the longest there are. From cell to cell inside there are at most ``longestDescent``
    /// steps.
    public func isInside(_ other: CellKey) -> Bool {
        guard plmn == other.plmn, technology == other.technology, bucketSeconds <= other.bucketSeconds,
            bucketStart >= other.bucketStart, self != other
        else { return false }
        // The longest local days have 26 hours.
        let length = other.bucketSeconds == 86_400 ? 93_600 : Int64(other.bucketSeconds)
        guard
            bucketSeconds == other.bucketSeconds
                ? bucketStart == other.bucketStart : bucketStart - other.bucketStart < length
        else { return false }
        guard let place = quadkey, let around = other.quadkey else { return quadkey == nil && other.quadkey == nil }
        return place.level >= around.level && place.parent(at: around.level) == around
    }

    /// Ten levels and two sizes of buckets.
    public static let longestDescent = Quadkey.finestLevel - Quadkey.coarsestLevel + 2
}
