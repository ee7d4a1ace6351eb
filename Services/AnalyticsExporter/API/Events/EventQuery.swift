internal import ExporterSupport
internal import Models

/// What counts of events are asked for.
struct EventQuery: Sendable {
    /// Names of the parameters.
    static let parameters = ["metric", "bucket"] + CellSelection.parameters
    /// The most buckets of a series.
    static let mostBuckets = 1_000

    let cells: CellSelection
    /// Whose bins are what happened.
    let metric: ProgrammeMetric
    /// The buckets that counts are told apart by; nil: the period is one.
    let bucket: CellKey.Bucket?
    /// The stored cells that the period is made of.
    let buckets: [Bucket]
    /// The period with its ends moved outwards to whole buckets, in Unix seconds.
    let period: (from: Int64, to: Int64)

    /// - Parameters:
    ///   - programmes: those that may be asked for; the first one that counts what happened if none is named.
    ///   - cover: of the home's zone.
    ///   - now: without `from` and `to` the period is the last 24 hours.
    init(
        _ parameters: QueryParameters, _ programmes: Programmes, _ cover: BucketCover, now: UnixMilliseconds
    ) throws(ParameterFault) {
        let shown = programmes.all.filter { !Self.metrics(of: $0).isEmpty && $0.cellScope != nil }
        cells = try CellSelection(parameters, shown, of: "counts of events", now: now)
        let metrics = Self.metrics(of: cells.programme)
        let metric = try parameters.choice("metric", of: metrics.map(\.name))
        self.metric = metric.flatMap { name in metrics.first { $0.name == name } } ?? metrics[0]
        let names: [String: CellKey.Bucket] = ["5min": .fiveMinutes, "hour": .hour, "day": .day]
        bucket = try parameters.choice("bucket", of: ["5min", "hour", "day"]).flatMap { names[$0] }
        let (from, to) = cells.seconds
        guard let bucket else {
            buckets = cover.buckets(from: from, to: to)
            period = BucketCover.rounded(from: from, to: to)
            return
        }
        guard (to - from) / Int64(bucket.seconds) < Self.mostBuckets else {
            throw ParameterFault(
                "bucket",
                "the period has more than \(Self.mostBuckets) of these buckets; ask for a shorter period or longer buckets"
            )
        }
        buckets = cover.buckets(of: bucket, from: from, to: to)
        let last = buckets.last.map { bucket == .day ? cover.nextDay(after: $0.start) : $0.start + $0.seconds }
        period = (buckets.first?.start ?? from, last ?? to)
    }

    /// The metrics of a programme that name what happened.
    static func metrics(of programme: Programme) -> [ProgrammeMetric] { programme.metrics.filter { !$0.isOrdered } }
}
