import Models

/// One of the three sizes of buckets: 5 minutes, an hour of UTC, a local day.
struct BucketSize {
    let bucket: CellKey.Bucket
    /// Buckets of 5 minutes in one; nil for the day, whose begin is given.
    let fine: Int64?
    let day: Int64

    static let fiveMinutes = BucketSize(bucket: .fiveMinutes, fine: 1, day: 0)
    static let hour = BucketSize(bucket: .hour, fine: 12, day: 0)
    static func day(_ day: Int64) -> BucketSize { BucketSize(bucket: .day, fine: nil, day: day) }

    /// The key with its bucket replaced by the number of the bucket of this size.
    func coarse(_ key: PlaceKey) -> PlaceKey { key.with(bucket: fine.map { key.bucket / $0 } ?? 0) }

    /// The cell of a coarse key at a place.
    func cell(_ key: PlaceKey, _ quadkey: Quadkey?) -> CellKey {
        CellKey(
            programme: key.programme, bucket: bucket,
            bucketStart: fine.map { key.bucket * $0 * OpenRowColumn.bucketSeconds } ?? day, quadkey: quadkey,
            scope: key.scope, stratum: key.stratum, population: key.population)
    }
}
