internal import ExporterStores
internal import ExporterSupport
internal import Hummingbird
internal import Models
internal import Releases
internal import ServiceKit

/// `GET /v1/released/kpis`, `/compare` and `/heatmap`: figures of any network, from what was released of it. Live figures never come
/// into them.
package struct ReleasedService: Sendable {
    /// Names of the parameters.
    static let series = ReleasedQuery.parameters + ["bucket"]
    static let comparison = ReleasedQuery.parameters.filter { $0 != "programme" }
    /// Lengths of buckets, of which releases by day have the last alone.
    static let buckets = ["hour", "day"]
    /// Most cells of a map.
    static let mostCells = 10_000

    let source: FigureSource

    package init(_ source: FigureSource) { self.source = source }

    func series(_ request: Request, now: UnixMilliseconds) async throws -> Response {
        let parameters = try FigureSource.parameters(request, known: Self.series)
        let query = try query(parameters, now)
        let names = query.kind == .final ? ["day"] : Self.buckets
        let name = try parameters.choice("bucket", of: names) ?? names[0]
        let length: CellKey.Bucket = name == "day" ? .day : .hour
        let seconds = query.cells.seconds, cover = source.cover
        let series = try BucketSeries(length, from: seconds.from, to: seconds.to, cover)
        let networks = Self.networks(query)
        let reader = reader(query), period = series.period.from * 1_000..<series.period.to * 1_000
        let sums = try await source.cells.state.read { db in
            // Of each hour that has atoms; a calendar is dear.
            var days: [Int64: Int64] = [:]
            return try reader.sums(db, of: networks, in: period) { _, start, _ in
                if length == .hour { return start / 3_600 * 3_600 }
                if let day = days[start] { return day }
                let day = cover.dayStart(of: start)
                days[start] = day
                return day
            }
        }
        var members = ReleasedDocument.head(query, from: series.period.from, to: series.period.to)
        members["bucket"] = .string(name)
        members["plmn"] = networks.map { .string(FigureAnswer.name(of: $0[0])) } ?? .null
        members["points"] = .array(
            series.buckets.map { bucket in
                var point = ReleasedDocument.members(sums[bucket.start], query.choice)
                point["from_ms"] = .integer(bucket.start * 1_000)
                point["to_ms"] = .integer(BucketSeries.end(of: bucket, length, cover) * 1_000)
                return .object(point)
            })
        return try answer(now).response(members, to: request)
    }

    func compare(_ request: Request, now: UnixMilliseconds) async throws -> Response {
        let parameters = try FigureSource.parameters(request, known: Self.comparison, repeated: ["plmn"])
        let query = try query(parameters, now), choice = query.choice
        let networks = try ComparisonService.networks(parameters)
        let reader = reader(query)
        let sums = try await source.cells.state.read { db in
            try reader.sums(db, of: networks, in: query.cells.period) { network, _, _ in network }
        }
        let direction = NetworkRanking.direction(of: choice.metric.name)
        let intervals = networks.map { ReleasedDocument.interval(sums[$0], choice) }
        let ranking = NetworkRanking(intervals, direction)
        let ends = intervals.compactMap(\.self)
        let seconds = query.cells.seconds
        var members = ReleasedDocument.head(query, from: seconds.from, to: seconds.to)
        members["better"] = direction.map { .string($0.rawValue) } ?? .null
        members["ranking"] = ranking.isComplete ? "complete" : "insufficient"
        members["scale"] =
            ends.isEmpty
            ? .null
            : FigureDocument.interval(
                ends.map(\.lowerBound).min()!...ends.map(\.upperBound).max()!, scale: choice.scale)
        members["networks"] = .array(
            networks.indices.map { place in
                var shown = ReleasedDocument.members(sums[networks[place]], choice)
                shown["plmn"] = .string(FigureAnswer.name(of: networks[place]))
                shown["rank"] = ranking.ranks[place].map { .integer(Int64($0)) } ?? .null
                shown["better_than"] = .array(
                    ranking.betterThan[place].map { .string(FigureAnswer.name(of: networks[$0])) })
                return .object(shown)
            })
        return try answer(now).response(members, to: request)
    }

    /// A cell of the map is the union of the released cells inside it.
    func map(_ request: Request, now: UnixMilliseconds) async throws -> Response {
        let parameters = try FigureSource.parameters(request, known: ReleasedQuery.map)
        let query = try query(parameters, now, isMap: true)
        let networks = Self.networks(query), level = query.cells.level, box = query.cells.box
        let (columns, rows) = box.tiles(level: level)
        let reader = reader(query)
        let sums: [Quadkey: ReleasedFigures] = try await source.cells.state.read { db in
            try reader.sums(db, of: networks, in: query.cells.period) { _, _, atom in
                guard let cell = atom.cell, cell.level >= level, case let parent = cell.parent(at: level),
                    columns.contains(parent.column), rows.contains(parent.row)
                else { return nil }
                return parent
            }
        }
        guard sums.count <= Self.mostCells else {
            throw ParameterFault(
                "bbox", "more than \(Self.mostCells) cells; ask for a smaller bbox or a lower level",
                code: "too_many_cells")
        }
        let seconds = query.cells.seconds
        var members = ReleasedDocument.head(query, from: seconds.from, to: seconds.to)
        members["type"] = "FeatureCollection"
        members["level"] = .integer(Int64(level))
        members["place"] = nil
        members["plmn"] = networks.map { .string(FigureAnswer.name(of: $0[0])) } ?? .null
        members["features"] = .array(
            sums.sorted { $0.key.code < $1.key.code }.map { Self.feature($0.key, $0.value, query.choice) })
        return try answer(now).response(members, to: request)
    }

    private static func feature(_ cell: Quadkey, _ figures: ReleasedFigures, _ choice: MetricChoice) -> JSONValue {
        let (west, south, east, north) = cell.bounds
        let ring = [(west, south), (east, south), (east, north), (west, north), (west, south)].map {
            corner -> JSONValue in
            [.number((corner.0 * 1e7).rounded() / 1e7), .number((corner.1 * 1e7).rounded() / 1e7)]
        }
        var properties = ReleasedDocument.members(figures, choice)
        properties["quadkey"] = .string(cell.text)
        properties["partial"] = nil
        return [
            "type": "Feature", "geometry": ["type": "Polygon", "coordinates": [.array(ring)]],
            "properties": .object(properties),
        ]
    }

    private func query(
        _ parameters: QueryParameters, _ now: UnixMilliseconds, isMap: Bool = false
    ) throws(ParameterFault) -> ReleasedQuery {
        try ReleasedQuery(parameters, source.networkProgrammes, source.regions, isMap: isMap, now: now)
    }

    private func reader(_ query: ReleasedQuery) -> ReleasedReader {
        ReleasedReader(query: query, atomLimit: source.cells.cellLimit)
    }

    /// What was released does not change by what comes later.
    private func answer(_ now: UnixMilliseconds) -> FigureAnswer { FigureAnswer(now: now, completeTo: nil) }

    private static func networks(_ query: ReleasedQuery) -> [PLMN]? {
        query.cells.scope.map { [PLMN(rawValue: $0.number)] }
    }
}
