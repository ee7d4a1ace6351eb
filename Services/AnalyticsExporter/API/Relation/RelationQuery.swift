internal import ExporterSupport
internal import Models
internal import Statistics

/// What is to be held against what.
struct RelationQuery: Sendable {
    /// Names of the parameters.
    static let parameters =
        ["x", "y"] + FigureSelection.parameters.filter { !["programme", "scope", "stratum"].contains($0) }
    static let felt = "rating"

    let selection: FigureSelection
    let x, y: ProgrammeMetric
    /// Whose rows have both.
    let kind: RecordKind
    /// Whether y is expected to rise with x.
    let isRising: Bool

    /// - Parameters:
    ///   - programmes: of networks.
    ///   - now: without `from` and `to` the period is the last 24 hours.
    init(
        _ parameters: QueryParameters, _ programmes: [Programme], _ regions: RegionTable, now: UnixMilliseconds
    ) throws(ParameterFault) {
        let shown = programmes.filter { !Self.measured(of: $0).isEmpty }
        selection = try FigureSelection(parameters, shown, regions, of: "ratings beside measurements", now: now)
        let programme = selection.cells.programme, measured = Self.measured(of: programme)
        let name = try parameters.choice("x", of: measured.map(\.name)) ?? measured[0].name
        _ = try parameters.choice("y", of: [Self.felt])
        guard let x = measured.first(where: { $0.name == name }), let y = programme.metric(named: Self.felt),
            let kind = Self.kind(of: programme, with: [x, y])
        else { throw ParameterFault("x", "no kind of record has \(name) and \(Self.felt)") }
        self.x = x
        self.y = y
        self.kind = kind
        isRising = NetworkRanking.direction(of: x.name) == .higher
    }

    /// What a rating can be held against: metrics of the same rows of which it is known which way is better.
    static func measured(of programme: Programme) -> [ProgrammeMetric] {
        guard let felt = programme.metric(named: felt) else { return [] }
        return programme.metrics.filter { metric in
            metric != felt && NetworkRanking.direction(of: metric.name) != nil
                && kind(of: programme, with: [metric, felt]) != nil
        }
    }

    private static func kind(of programme: Programme, with metrics: [ProgrammeMetric]) -> RecordKind? {
        programme.kinds.first { kind in
            kind.isCounted && kind.isRawRow && metrics.allSatisfy { kind.kind.field($0.column) != nil }
        }?.kind
    }
}
