package import Models

/// Hours and days whose cells have changed.
package struct ChangedBuckets {
    package struct Bucket: Hashable {
        package let bucket: CellKey.Bucket
        /// Its begin in Unix seconds.
        package let start: Int64
    }

    package private(set) var all: Set<Bucket> = []
    /// The last that was noted: cells of a bucket come one behind the other.
    private var last: Bucket?

    package init() {}

    mutating func note(_ key: CellKey) {
        guard key.bucket != .fiveMinutes else { return }
        let bucket = Bucket(bucket: key.bucket, start: key.bucketStart)
        guard bucket != last else { return }
        last = bucket
        all.insert(bucket)
    }
}
