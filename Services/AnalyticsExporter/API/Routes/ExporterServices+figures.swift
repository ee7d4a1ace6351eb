internal import ExporterScores
internal import ExporterSupport
internal import HTTPTypes
internal import Models
internal import Releases
internal import ServiceKit

extension ExporterServices {
    /// Figures with their error: series, comparisons, scores, and the map as rows.
    var figureRoutes: [ExporterRoute] {
        [kpiRoute, comparisonRoute, cellRows(.json), cellRows(.csv), regionRoute, relationRoute, wordRoute]
            + scoreRoutes
            + releasedRoutes
    }

    private var kpiRoute: ExporterRoute {
        ExporterRoute(
            .get, "/v1/kpis", "showKPIs", .statistics, "A metric as a series of buckets, with intervals",
            description: "At most \(BucketSeries.mostBuckets) buckets. What is empty is null, never 0.",
            parameters: [.choice("bucket", "hour if not said", of: PointSeries.names)]
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

    private var wordRoute: ExporterRoute {
        ExporterRoute(
            .get, "/v1/words", "showWords", .statistics, "Words of the comments of bad ratings",
            description: "Each of \(CommentWords.fewestDevices) devices at least; at most \(CommentWords.most) words.",
            parameters: [.integer("rating", "the best rating that is bad, 2 if not said", in: 1...5)]
                + networkCells(HeatmapQuery.metrics).filter { $0.name != "metric" } + Self.places + [.ifNoneMatch],
            answers: Self.tagged("Words", "Words"),
            problems: [400: Self.wrongCells + "; `too_many_rows`", 403: "`foreign_network`"]
        ) { try await words.respond(to: $0.request, scope: $0.scope, now: $0.now) }
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

    /// Figures of any network, from what was released of it.
    private var releasedRoutes: [ExporterRoute] {
        let cells =
            networkCells(HeatmapQuery.metrics).filter { $0.name != "from" } + [
                .choice("class", "of releases, final if not said", of: ReleaseClass.allCases.map(\.name)),
                .time("from", "if not said, 24 hours ago for class provisional and else 31 days ago"),
            ]
        return [
            ExporterRoute(
                .get, "/v1/released/kpis", "showReleasedKPIs", .statistics,
                "A metric of any network as a series, from releases",
                description:
                    "`technology` needs class=technology, which has hours and days as provisional has; final has days.",
                parameters: [.choice("bucket", "hour if not said, of final day", of: ReleasedService.buckets)] + cells
                    + Self.figures + Self.places + [.ifNoneMatch],
                answers: Self.tagged("A series", "ReleasedKPIs"), problems: [400: Self.wrongCells]
            ) { try await released.series($0.request, now: $0.now) },
            ExporterRoute(
                .get, "/v1/released/compare", "compareReleased", .statistics,
                "Networks side by side on one scale, from releases",
                parameters: cells.filter { $0.name != "plmn" } + [.plmns(count: ComparisonService.networks)]
                    + Self.figures + Self.places + [.ifNoneMatch],
                answers: Self.tagged("A comparison", "ReleasedComparison"), problems: [400: Self.wrongCells]
            ) { try await released.compare($0.request, now: $0.now) },
            ExporterRoute(
                .get, "/v1/released/heatmap", "showReleasedHeatmap", .statistics,
                "What was released of any network as GeoJSON",
                description: "A cell is the union of the released cells inside it, and no total.",
                parameters: cells + Self.figures + [.ifNoneMatch],
                answers: [
                    APIAnswer(
                        200, "A FeatureCollection", APISchemas.reference("ReleasedHeatmap"),
                        type: "application/json", headers: ["ETag": "of what it shows"]), APIAnswer.unchanged,
                ], problems: [400: Self.wrongCells]
            ) { try await released.map($0.request, now: $0.now) },
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
