internal import ExporterStores
internal import ExporterSupport
internal import Models

/// The points of a series: buckets of one length, or local months.
struct PointSeries: Sendable {
    /// Names of the lengths in queries.
    static let names = BucketSeries.names + [month]
    private static let month = "month"

    let name: String
    /// In Unix seconds, ascending.
    let points: [Range<Int64>]
    /// The stored buckets that they are made of, ascending.
    let buckets: [Bucket]
    /// The begin of the month by that of the day; empty where points are buckets.
    private let months: [Int64: Int64]

    /// - Parameters:
    ///   - seconds: the period.
    ///   - cover: of the home's zone.
    init(
        _ parameters: QueryParameters, _ seconds: (from: Int64, to: Int64), _ cover: BucketCover
    ) throws(ParameterFault) {
        let name = try parameters.choice("bucket", of: Self.names) ?? "hour"
        self.name = name
        guard name == Self.month else {
            let place = BucketSeries.names.firstIndex(of: name) ?? 1
            let length = CellKey.Bucket(rawValue: UInt8(place)) ?? .hour
            let series = try BucketSeries(length, from: seconds.from, to: seconds.to, cover)
            buckets = series.buckets
            points = buckets.map { $0.start..<BucketSeries.end(of: $0, length, cover) }
            months = [:]
            return
        }
        var points: [Range<Int64>] = [], buckets: [Bucket] = [], months: [Int64: Int64] = [:]
        let zone = cover.zone
        var month = CivilMonth(ofDay: CivilDay.number(of: seconds.from * 1_000, in: zone))
        while case let begins = month.begins(in: zone), begins[0] < seconds.to || points.isEmpty {
            for begin in begins.dropLast() {
                buckets.append(Bucket(seconds: 86_400, start: begin))
                months[begin] = begins[0]
            }
            points.append(begins[0]..<begins[begins.count - 1])
            month = CivilMonth(number: month.number + 1)
        }
        (self.points, self.buckets, self.months) = (points, buckets, months)
    }

    var isByMonth: Bool { !months.isEmpty }

    /// The period with its ends moved outwards to whole points, in Unix seconds.
    var period: (from: Int64, to: Int64) { (points.first?.lowerBound ?? 0, points.last?.upperBound ?? 0) }

    /// The begin of the point that a bucket is of.
    func point(of bucket: Bucket) -> Int64 { months[bucket.start] ?? bucket.start }
}
