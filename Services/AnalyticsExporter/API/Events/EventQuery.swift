internal import ExporterSupport
internal import Models

/// What counts of events are asked for.
struct EventQuery: Sendable {
    /// Names of the parameters.
    static let parameters = ["metric", "bucket"] + CellSelection.parameters
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
        bucket = try BucketSeries.length(parameters)
        let (from, to) = cells.seconds
        guard let bucket else {
            buckets = cover.buckets(from: from, to: to)
            period = BucketCover.rounded(from: from, to: to)
            return
        }
        let series = try BucketSeries(bucket, from: from, to: to, cover)
        (buckets, period) = (series.buckets, series.period)
    }

    /// The metrics of a programme that name what happened.
    static func metrics(of programme: Programme) -> [ProgrammeMetric] { programme.metrics.filter { !$0.isOrdered } }
}
