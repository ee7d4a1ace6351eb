import Models

/// One of the three sizes of buckets: 5 minutes, an hour of UTC, a local day.
struct BucketSize {
    let seconds: UInt32
    /// Buckets of 5 minutes in one; nil for the day, whose begin is given.
    let fine: Int64?
    let day: Int64

    init(seconds: UInt32, fine: Int64?, day: Int64 = 0) {
        self.seconds = seconds
        self.fine = fine
        self.day = day
    }

    /// The key with its bucket replaced by the number of the bucket of this size.
    func coarse(_ key: PlaceKey) -> PlaceKey {
        var coarse = key
        let bucket = fine.map { UInt64(key.bucket / $0) } ?? 0
        coarse.time = bucket << 28 | key.network
        return coarse
    }

    /// The cell of a coarse key's time and a place.
    func cell(time: UInt64, quadkey: Quadkey?) -> CellKey {
        var key = PlaceKey(bucket: 0, plmn: 0, technology: 0, level: 0, code: 0)
        key.time = time
        let start = fine.map { key.bucket * $0 * OpenRowColumn.bucketSeconds } ?? day
        return CellKey(
            bucketSeconds: seconds, bucketStart: start, quadkey: quadkey, plmn: key.plmn, technology: key.technology)
    }
}
