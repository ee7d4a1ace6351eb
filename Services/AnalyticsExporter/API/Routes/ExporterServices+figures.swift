internal import ExporterScores
internal import ExporterSupport
internal import HTTPTypes
internal import Models
internal import ServiceKit

extension ExporterServices {
    /// Figures with their error: series, comparisons, scores, and the map as rows.
    var figureRoutes: [ExporterRoute] {
        [kpiRoute, comparisonRoute, cellRows(.json), cellRows(.csv), regionRoute, relationRoute] + scoreRoutes
    }

    private var kpiRoute: ExporterRoute {
        ExporterRoute(
            .get, "/v1/kpis", "showKPIs", .statistics, "A metric as a series of buckets, with intervals",
            description: "At most \(BucketSeries.mostBuckets) buckets. What is empty is null, never 0.",
            parameters: [.choice("bucket", "hour if not said", of: BucketSeries.names)]
                + cells(heatmap.programmes, HeatmapQuery.metrics) + Self.figures + Self.places + [.ifNoneMatch],
            answers: Self.tagged("A series", "KPIs"),
            problems: [400: Self.wrongCells, 403: "`foreign_network`, `foreign_scope`"]
        ) { try await kpis.respond(to: $0.request, of: $0.tenant, now: $0.now) }
    }

    private var comparisonRoute: ExporterRoute {
        ExporterRoute(
            .get, "/v1/compare", "compareNetworks", .statistics, "Networks side by side on one scale",
            description: "Ranked only as far as their 95 % intervals are apart; else `insufficient`.",
            parameters: networkCells(HeatmapQuery.metrics).filter { $0.name != "plmn" }
                + [.plmns(count: ComparisonService.networks)] + Self.figures + Self.places + [.ifNoneMatch],
            answers: Self.tagged("A comparison", "Comparison"),
            problems: [400: Self.wrongCells, 403: "`foreign_network`: none of the caller's own"]
        ) { try await comparison.respond(to: $0.request, of: $0.tenant, now: $0.now) }
    }

    private func cellRows(_ format: CellTable.Format) -> ExporterRoute {
        let type = format == .json ? "application/json" : "text/csv"
        return ExporterRoute(
            .get, "/v1/cells.\(format.rawValue)", format == .json ? "listCells" : "cellsAsCSV", .statistics,
            "The heat map as flat rows with the place of each cell's middle",
            parameters: cells(heatmap.programmes, HeatmapQuery.metrics) + Self.figures + [.ifNoneMatch],
            answers: [
                APIAnswer(
                    200, "A row a cell", format == .json ? APISchemas.reference("CellRows") : APISchemas.text,
                    type: type,
                    headers: [
                        "ETag": "of what it shows", "Nkul-Complete-To": "everything acknowledged before counts",
                    ]),
                APIAnswer.unchanged,
            ], problems: [400: Self.wrongCells, 403: "`foreign_network`, `foreign_scope`"]
        ) { try await cellTable.respond(to: $0.request, format: format, scope: $0.scope, now: $0.now) }
    }

    private var regionRoute: ExporterRoute {
        ExporterRoute(
            .get, "/v1/regions", "listRegions", .statistics, "Regions and towns that figures can be asked for by name",
            parameters: [.ifNoneMatch], answers: Self.tagged("The list", "Regions")
        ) { try regions.respond(to: $0.request) }
    }

    private var relationRoute: ExporterRoute {
        let measured = relation.source.networkProgrammes.flatMap(RelationQuery.measured).map(\.name)
        return ExporterRoute(
            .get, "/v1/relation", "showRelation", .statistics,
            "How ratings go with what was measured at the same moment",
            parameters: [
                .choice("x", "what was measured, the first if none is named", of: measured),
                .choice("y", "what was felt", of: [RelationQuery.felt]),
            ] + networkCells(HeatmapQuery.metrics).filter { $0.name != "metric" } + Self.places + [.ifNoneMatch],
            answers: Self.tagged("A relation, or that none was found", "Relation"),
            problems: [400: Self.wrongCells + "; `too_many_rows`", 403: "`foreign_network`"]
        ) { try await relation.respond(to: $0.request, scope: $0.scope, now: $0.now) }
    }

    private var scoreRoutes: [ExporterRoute] {
        [
            ExporterRoute(
                .get, "/v1/scores", "showScores", .statistics, "Networks judged by a profile",
                description:
                    "Each with the indicators that were used, those that are missing, and how good the data are.",
                parameters: [
                    .choice("profile", "the first if none is named", of: scores.profiles.map(\.id))
                ] + networkCells(HeatmapQuery.metrics).filter { $0.name != "metric" } + Self.places + [.ifNoneMatch],
                answers: Self.tagged("Scores", "Scores"),
                problems: [400: Self.wrongCells, 403: "`foreign_network`"]
            ) { try await scores.respond(to: $0.request, of: $0.tenant, now: $0.now) },
            ExporterRoute(
                .get, "/v1/score-profiles", "listScoreProfiles", .statistics, "What scores are made of",
                parameters: [.ifNoneMatch], answers: Self.tagged("Profiles", "ScoreProfiles")
            ) { try scores.profiles(to: $0.request, now: $0.now) },
        ]
    }

    private static func tagged(_ what: String, _ schema: String) -> [APIAnswer] {
        [
            APIAnswer(200, what, APISchemas.reference(schema), headers: ["ETag": "of what it shows"]),
            APIAnswer.unchanged,
        ]
    }

    /// Which cells of networks are asked for.
    private func networkCells(_ metrics: (Programme) -> [ProgrammeMetric]) -> [APIParameter] {
        cells(heatmap.programmes, metrics).filter { !["programme", "scope", "stratum"].contains($0.name) }
    }

    /// Where figures are asked for beside `bbox`.
    private static let places: [APIParameter] = [
        APIParameter(
            "region", "a region or town, by identifier, English or French name: `/v1/regions`", APISchemas.text),
        .text("quadkey", "a cell", pattern: "^[0-3]{6,20}$"),
    ]
}
