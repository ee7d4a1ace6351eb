internal import ExporterStores
internal import ExporterSupport
internal import HTTPTypes
internal import Models
internal import QoE
internal import ServiceKit

extension ExporterServices {
    /// What is counted of all rows.
    var statisticsRoutes: [ExporterRoute] {
        [
            ExporterRoute(
                .get, "/v1/heatmap", "showHeatmap", .statistics, "A map of cells as GeoJSON",
                parameters: cells(heatmap.programmes, HeatmapQuery.metrics) + Self.figures + [.ifNoneMatch],
                answers: [
                    APIAnswer(
                        200, "Cells", APISchemas.reference("Heatmap"), type: "application/geo+json",
                        headers: ["ETag": "of what it shows"]),
                    APIAnswer.unchanged,
                ], problems: [400: Self.wrongCells, 403: "`foreign_network`, `foreign_scope`"]
            ) { try await heatmap.respond(to: $0.request, scope: $0.scope, now: $0.now) },
            ExporterRoute(
                .get, "/v1/events", "countEvents", .statistics, "Counts of what happened, by cell and bucket",
                parameters: [.choice("bucket", "by which counts are told apart", of: ["5min", "hour", "day"])]
                    + cells(heatmap.programmes, EventQuery.metrics) + [.ifNoneMatch],
                answers: [
                    APIAnswer(200, "Counts", APISchemas.reference("Events"), headers: ["ETag": "of what it shows"]),
                    APIAnswer.unchanged,
                ], problems: [400: Self.wrongCells, 403: "`foreign_network`, `foreign_scope`"]
            ) { try await events.respond(to: $0.request, scope: $0.scope, now: $0.now) },
            ExporterRoute(
                .get, "/v1/engagement", "showEngagement", .statistics, "What became of prompts, by policy version",
                parameters: [
                    .time("from", "local days from then on"), .time("to", "until then"), .plmn(),
                    .choice("rule", "by which phones asked", of: PromptRule.allCases.map(\.name)),
                    .text("policy_version", "as phones say it", pattern: "^.{1,64}$"),
                ],
                answers: [APIAnswer(200, "Counts", APISchemas.reference("Engagement"))],
                problems: [
                    400: "`unknown_parameter`, `invalid_parameter`, `too_many_rows`", 403: "`foreign_network`",
                ]
            ) { try await engagement.respond(to: $0.request, scope: $0.scope, now: $0.now) },
            campaignRoute(.json), campaignRoute(.csv), densityRoute,
        ]
    }

    private func campaignRoute(_ format: CampaignService.Format) -> ExporterRoute {
        let isJSON = format == .json
        return ExporterRoute(
            .get, isJSON ? "/v1/campaigns" : "/v1/campaigns.csv", isJSON ? "listCampaigns" : "campaignsAsCSV",
            .statistics, "What reward campaigns spent, by local day of receipt, and what came of it",
            description: """
                Campaigns all of whose networks are the caller's own; regulators see all. Amounts are whole XAF. \
                `useful`: granted records with a position about which nothing is odd. `new_cells`: cells of `coverage.level` \
                of a network from which nothing accepted had come for `coverage.days` days before a granted record.
                """,
            parameters: [
                .time("from", "local days from then on; 30 days before `to` if not said"),
                .time("to", "until then; now if not said"),
                .text("campaign", "only this one", pattern: "^[A-Za-z0-9._-]{1,64}$"), .ifNoneMatch,
            ],
            answers: [
                APIAnswer(
                    200, isJSON ? "By campaign and day" : "A row a campaign and day",
                    isJSON ? APISchemas.reference("Campaigns") : APISchemas.text,
                    type: isJSON ? "application/json" : "text/csv", headers: ["ETag": "of what it shows"]),
                APIAnswer.unchanged,
            ],
            problems: [400: "`unknown_parameter`, `invalid_parameter`, `too_many_rows`"]
        ) { try await campaigns.respond(to: $0.request, format: format, scope: $0.scope, now: $0.now) }
    }

    private var densityRoute: ExporterRoute {
        let fault = APISchemas.reference("DensityFault")
        return ExporterRoute(
            .post, DensityService.path, "retrievePopulationDensity", .statistics,
            "Crowd density by the hour, in the shape of CAMARA's Population Density Data",
            description: "From what was released by the hour. For regulators, and for tenants who are given the right.",
            body: APIBody(APISchemas.densityRequest),
            answers: [
                APIAnswer(200, "Cells of geohashes, hour by hour", APISchemas.reference("Density")),
                APIAnswer(400, "What is asked for cannot be; `field` names the member", fault),
                APIAnswer(403, "`PERMISSION_DENIED`", fault),
                APIAnswer(422, "More or finer than is given", fault),
            ]
        ) { try await density.respond(to: $0.request, of: $0.tenant, now: $0.now) }
    }

    static let wrongCells = """
        `unknown_parameter`, `invalid_parameter`: `field` names it, also where two say the same (`plmn` and `scope`, `technology` and \
        `stratum`) or the period is longer than 367 days; `too_many_cells`
        """

    /// Which figures are asked for.
    static let figures: [APIParameter] = [
        .number("quantile", "which value is; the median if not said", in: 0.01...0.99),
        .number("below", "a threshold in the unit of the metric: tells the share of values below it", in: nil),
    ]

    /// Which cells are asked for.
    func cells(_ programmes: Programmes, _ metrics: (Programme) -> [ProgrammeMetric]) -> [APIParameter] {
        let shown = programmes.all.filter { !metrics($0).isEmpty && $0.cellScope != nil }
        let strata = shown.flatMap(\.strata.names)
        return [
            .choice("metric", "the first of the programme if none is named", of: shown.flatMap(metrics).map(\.name)),
            .choice("programme", "the first if none is named", of: shown.map(\.name)), .plmn(),
            .choice("technology", "of networks", of: strata),
            .text("scope", "whose cells, in any programme: scheme:number", pattern: "^[a-z]{1,16}:[0-9]{1,9}$"),
            .choice("stratum", "of any programme", of: strata), .time("from", "24 hours ago if not said"),
            .time("to", "now if not said"),
            .text(
                "bbox", "west,south,east,north in degrees",
                pattern: "^-?[0-9]{1,3}(\\.[0-9]{1,7})?(,-?[0-9]{1,3}(\\.[0-9]{1,7})?){3}$"),
            .integer(
                "level", "of quadkeys", in: Quadkey.coarsestLevel...(shown.map(\.finestLevel).max() ?? 16)),
        ]
    }
}
