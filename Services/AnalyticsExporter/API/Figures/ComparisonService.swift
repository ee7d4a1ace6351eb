internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit

/// `GET /v1/compare`: networks side by side on one scale, ranked only as far as their intervals are apart.
package struct ComparisonService: Sendable {
    /// Names of the parameters.
    static let parameters =
        MetricChoice.parameters + FigureSelection.parameters.filter { !["scope", "programme"].contains($0) }
    static let networks = 2...8

    let source: FigureSource

    package init(_ source: FigureSource) { self.source = source }

    func respond(to request: Request, of tenant: Tenant, now: UnixMilliseconds) async throws -> Response {
        let scope = tenant.scope
        let parameters = try FigureSource.parameters(request, known: Self.parameters, repeated: ["plmn"])
        let selection = try FigureSelection(
            parameters, source.networkProgrammes, source.regions, of: "comparisons of networks", now: now)
        let choice = try MetricChoice(parameters, selection.cells.programme)
        let networks = try Self.networks(parameters, scope)
        let reader = source.reader(
            selection.cells, metric: choice.metric.number, scope: scope, networks: .only(Set(networks)),
            byMonth: true)
        let answer = source.answer(now: now)
        let seconds = selection.cells.seconds
        let period = BucketCover.rounded(from: seconds.from, to: seconds.to)
        let buckets = source.cover.buckets(from: seconds.from, to: seconds.to)
        let annotations = answer.annotations(of: tenant, .only(Set(networks)), from: period.from, to: period.to)
        let (figures, noted) = try await source.cells.state.read { db in
            let sums: [Int64: MetricSum] = try reader.cells(db, of: buckets, in: selection.area) { _, _, scope in scope
            }
            return (networks.map { sums[$0.rawValue]?.figures }, try annotations.list(db))
        }
        var members = FigureAnswer.head(selection, from: period.from, to: period.to)
        members.merge(FigureDocument.head(choice)) { $1 }
        members["annotations"] = noted
        members.merge(Self.compared(networks, figures, choice)) { $1 }
        return try answer.response(members, to: request)
    }

    /// The networks in order, with their ranks, and the scale that shows all of them.
    static func compared(
        _ networks: [PLMN], _ figures: [CellFigures?], _ choice: MetricChoice
    ) -> [String: JSONValue] {
        let intervals = figures.map { figures in
            figures.flatMap { $0.state == .ok ? FigureDocument.interval(of: $0, choice) : nil }
        }
        let direction = NetworkRanking.direction(of: choice.metric.name)
        let ranking = NetworkRanking(intervals, direction)
        let shown = networks.indices.map { place -> JSONValue in
            var members = FigureDocument.members(figures[place], choice)
            members["plmn"] = .string(FigureAnswer.name(of: networks[place]))
            members["rank"] = ranking.ranks[place].map { .integer(Int64($0)) } ?? .null
            members["better_than"] = .array(
                ranking.betterThan[place].map { .string(FigureAnswer.name(of: networks[$0])) })
            return .object(members)
        }
        let ends = figures.compactMap { figures -> ClosedRange<Int64>? in
            guard let figures, let bin = figures.quantile(permille: choice.figures.permille) else { return nil }
            let value = choice.values.value(of: bin)
            return FigureDocument.interval(of: figures, choice) ?? value...value
        }
        return [
            "networks": .array(shown), "better": direction.map { .string($0.rawValue) } ?? .null,
            "ranking": ranking.isComplete ? "complete" : "insufficient",
            "scale": ends.isEmpty
                ? .null
                : .array([
                    FigureDocument.number(ends.map(\.lowerBound).min()!, scale: choice.scale),
                    FigureDocument.number(ends.map(\.upperBound).max()!, scale: choice.scale),
                ]),
        ]
    }

    /// The networks that `plmn` names.
    static func networks(_ parameters: QueryParameters) throws(ParameterFault) -> [PLMN] {
        let networks = try parameters.plmns("plmn")
        guard Self.networks.contains(networks.count), Set(networks).count == networks.count else {
            throw ParameterFault(
                "plmn",
                "\(networks.count) given; expected \(Self.networks.lowerBound) to \(Self.networks.upperBound) different networks, as plmn=62401&plmn=62402"
            )
        }
        return networks
    }

    /// The networks that `plmn` names, all of which the caller must own.
    private static func networks(_ parameters: QueryParameters, _ scope: NetworkScope) throws -> [PLMN] {
        let networks = try networks(parameters)
        if let foreign = networks.first(where: { !scope.contains($0) }) {
            throw ExporterAPIError(
                .forbidden, "foreign_network",
                "plmn: \(FigureAnswer.name(of: foreign)) is none of your networks; live figures are compared among your own, /v1/released/compare compares what was released of any",
                field: "plmn")
        }
        return networks
    }
}
