internal import Models

/// What a heat map is asked for.
struct HeatmapQuery: Equatable {
    /// Names of the parameters.
    static let parameters = ["metric", "plmn", "technology", "from", "to", "bbox", "level"]
    /// Metrics that have quantiles; what happened (`event`) has none.
    static let metrics = Metric.allCases.filter { $0 != .event }
    /// The longest period: a year and a day.
    static let longestPeriod: Int64 = 367 * 86_400_000
    static let levels = Quadkey.coarsestLevel...Quadkey.finestLevel
    static let defaultLevel = 12

    let metric: Metric
    /// Nil: all networks together.
    let plmn: PLMN?
    /// Nil: all technologies together.
    let technology: Technology?
    /// In Unix milliseconds.
    let period: Range<UnixMilliseconds>
    let box: BoundingBox
    let level: Int

    /// - Parameter now: without `from` and `to` the period is the last 24 hours.
    init(_ parameters: QueryParameters, now: UnixMilliseconds) throws(ParameterFault) {
        let name = try parameters.choice("metric", of: Self.metrics.map(\.name))
        metric = name.flatMap(Metric.init(name:)) ?? .download
        plmn = try parameters.plmn("plmn")
        let technologies = Technology.allCases.map(\.name)
        technology = try parameters.choice("technology", of: technologies).flatMap(Technology.init(name:))
        let end = try parameters.instant("to") ?? now
        period = try parameters.period(from: max(0, end - 86_400_000), to: end)
        guard period.upperBound - period.lowerBound <= Self.longestPeriod else {
            throw ParameterFault(
                "from", "the period from \(period.lowerBound) to \(period.upperBound) is longer than 367 days")
        }
        box = try parameters.text("bbox").map { text throws(ParameterFault) in try BoundingBox(text: text) } ?? .world
        level = try parameters.integer("level", in: Self.levels) ?? Self.defaultLevel
    }
}
