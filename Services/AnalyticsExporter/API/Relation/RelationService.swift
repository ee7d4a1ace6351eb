package import ExporterRows
internal import ExporterStores
package import ExporterSupport
internal import Hummingbird
internal import Models
internal import ServiceKit
internal import Statistics

/// `GET /v1/relation`: how ratings go with what was measured at the same moment.
///
/// Pairs come from single rows: a rating that a phone sent together with a measurement. Cells hold how each metric is distributed, not
/// what goes with what, and cells paired by place and hour would show how towns and evenings differ.
package struct RelationService: Sendable {
    let source: FigureSource
    let rows: RawRowFiles.Opener
    let permits: Permits
    private let thread = ReadingThread("relation")

    /// - Parameter permits: of downloads, whose files it reads.
    package init(_ source: FigureSource, rows: RawRowFiles.Opener, permits: Permits) {
        self.source = source
        self.rows = rows
        self.permits = permits
    }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try FigureSource.parameters(request, known: RelationQuery.parameters)
        let query = try RelationQuery(parameters, source.networkProgrammes, source.regions, now: now)
        let cells = query.selection.cells
        let scan = RawRowScan(
            of: query.kind, rows.layout, period: cells.period, scope: scope,
            networks: try scope.narrowed(to: cells.scope), isWanted: query.selection.rowFilter)
        let pairs = RawRowPairs(scan, x: query.x.column, y: query.y.column)
        let answer = FigureAnswer(now: now, completeTo: source.cells.freshness.completeTo(.rows))
        // Held here, and not by the thread, which may give it back only after the next one was asked for.
        let seat = try permits.seat()
        defer { withExtendedLifetime(seat) {} }
        let (found, relation) = try await thread.run { [rows] in
            let found = try pairs.read(rows)
            let scale = Self.scales(query)
            return (
                found,
                MonotoneRelation(
                    found.pairs.map {
                        .init(device: $0.device, x: Double($0.x) / scale.x, y: Double($0.y) / scale.y)
                    }, isRising: query.isRising, seed: Self.seed)
            )
        }
        var members = FigureAnswer.head(
            query.selection, from: cells.period.lowerBound / 1_000, to: cells.period.upperBound / 1_000)
        members["from_ms"] = .integer(cells.period.lowerBound)
        members["to_ms"] = .integer(cells.period.upperBound)
        members["plmn"] = cells.scope.map { .string(FigureAnswer.name(of: PLMN(rawValue: $0.number))) } ?? .null
        members.merge(RelationDocument.members(query, relation, withoutX: found.withoutX)) { $1 }
        return try answer.response(members, to: request)
    }

    /// Of the bootstrap: the same rows give the same answer.
    private static let seed: UInt64 = 43

    private static func scales(_ query: RelationQuery) -> (x: Double, y: Double) {
        let programme = query.selection.cells.programme
        return (
            Double(programme.field(of: query.x)?.scale ?? 1), Double(programme.field(of: query.y)?.scale ?? 1)
        )
    }
}
