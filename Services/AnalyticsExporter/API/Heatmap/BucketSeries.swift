internal import ExporterSupport
internal import Models

/// The buckets of one length that a period is made of, each a point of a series.
struct BucketSeries: Sendable {
    /// The most buckets of a series.
    static let mostBuckets = 1_000
    /// Names of the lengths in queries, in the order of ``CellKey/Bucket``.
    static let names = ["5min", "hour", "day"]

    let length: CellKey.Bucket
    /// Ascending.
    let buckets: [Bucket]
    /// The period with its ends moved outwards to whole buckets, in Unix seconds.
    let period: (from: Int64, to: Int64)

    /// - Parameters:
    ///   - from: begin of the period in Unix seconds.
    ///   - to: its end.
    ///   - cover: of the home's zone.
    init(_ length: CellKey.Bucket, from: Int64, to: Int64, _ cover: BucketCover) throws(ParameterFault) {
        guard (to - from) / Int64(length.seconds) < Self.mostBuckets else {
            throw ParameterFault(
                "bucket",
                "the period has more than \(Self.mostBuckets) of these buckets; ask for a shorter period or longer buckets"
            )
        }
        self.length = length
        buckets = cover.buckets(of: length, from: from, to: to)
        period = (
            buckets.first?.start ?? from, buckets.last.map { Self.end(of: $0, length, cover) } ?? to
        )
    }

    /// The length that `bucket` names; nil if it is not given.
    static func length(_ parameters: QueryParameters) throws(ParameterFault) -> CellKey.Bucket? {
        try parameters.choice("bucket", of: names).flatMap { names.firstIndex(of: $0) }
            .flatMap { CellKey.Bucket(rawValue: UInt8($0)) }
    }

    /// The end of a bucket in Unix seconds.
    static func end(of bucket: Bucket, _ length: CellKey.Bucket, _ cover: BucketCover) -> Int64 {
        length == .day ? cover.nextDay(after: bucket.start) : bucket.start + bucket.seconds
    }
}
