internal import ExporterRows
internal import ExporterStores
internal import ExporterSupport
internal import HTTPTypes
internal import Models
internal import Releases
internal import ServiceKit

extension ExporterServices {
    /// A pattern of dates that exist; of the years that end in 00 it has no 29 February.
    private static let dates = """
        [0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))\
        |[0-9]{2}(0[48]|[2468][048]|[13579][26])-02-29
        """

    /// Raw rows, as a stream and as files.
    var rowRoutes: [ExporterRoute] { [rows(.ndjson), rows(.csv)] + exportRoutes + releaseRoutes }

    private func rows(_ format: RowPrinter.Format) -> ExporterRoute {
        ExporterRoute(
            .get, "/v1/reports.\(format == .csv ? "csv" : "ndjson")", format == .csv ? "rowsAsCSV" : "rowsAsLines",
            .rows,
            "Raw rows of the tenant's own networks, in the order of arrival",
            description:
                "Streamed, with gzip if that is accepted. What is cut off continues after the `cursor` of its last row.",
            parameters: [
                .time("from", "captured then or later"), .time("to", "captured before"), .plmn(),
                .choice("kind", "of record", of: reports.rows.layout.kinds.map(\.name)),
                .integer("limit", "rows at most", in: 1...Int.max),
                .text("cursor", "rows after the one that had it", pattern: "^[0-9]{1,18}-[0-9]{1,18}$"),
            ],
            answers: [
                APIAnswer(
                    200, "A row a line", APISchemas.text, type: format == .csv ? "text/csv" : "application/x-ndjson",
                    headers: ["Nkul-Complete-To": "everything that was acknowledged before is there"])
            ],
            problems: [403: "`foreign_network`"]
        ) { try await reports.respond(to: $0.request, of: $0.caller, format: format) }
    }

    private var exportRoutes: [ExporterRoute] {
        let parameters: [APIParameter] = [
            .choice("content", "of files", of: ExportSpan.Content.allCases.map(\.rawValue)),
            .choice("period", "of files", of: ExportSpan.Period.allCases.map(\.rawValue)),
            .time("from", "of files that begin then or later; days of statistics go by their date"),
            .time("to", "that begin before"),
            .text(
                "cursor", "`next` of the page before",
                pattern: "^(reports|statistics)-(\(Self.dates))(T([01][0-9]|2[0-3]))?\\.csv\\.gz$"),
            .integer("limit", "files of a page", in: 1...1_000),
        ]
        let off = [404: "`exports_off`: none are made here"]
        return [
            ExporterRoute(
                .get, ExportService.path, "listExports", .rows,
                "Files of raw rows by hour and day of reception, and of statistics",
                parameters: parameters, answers: [APIAnswer(200, "A page", APISchemas.reference("ExportList"))],
                problems: off
            ) { try await exports.list($0.request, of: $0.caller, isSigned: false, now: $0.now) },
            ExporterRoute(
                .get, ExportService.signedPath, "listExportsSigned", .rows,
                "The same list, signed (compact JWS, Ed25519)",
                parameters: parameters,
                answers: [APIAnswer(200, "A page", APISchemas.text, type: "application/jose")], problems: off
            ) { try await exports.list($0.request, of: $0.caller, isSigned: true, now: $0.now) },
            ExporterRoute(
                .get, ExportService.path + "/{name}", "downloadExport", .rows, "A file, or a part of it",
                description: "Ranges of bytes as in RFC 9110.",
                answers: [
                    APIAnswer(
                        200, "The file", ["type": "string", "format": "binary"], type: "application/gzip",
                        headers: ["ETag": "its SHA-256", "Repr-Digest": "the same (RFC 9530)"]),
                    APIAnswer(206, "A part", ["type": "string", "format": "binary"], type: "application/gzip"),
                    APIAnswer.unchanged,
                ], problems: [416: "`range_not_satisfiable`", 503: "`export_rewriting`, `busy`, `stopping`"]
            ) { try await exports.file($0["name"], $0.request, of: $0.caller) },
        ]
    }

    private var releaseRoutes: [ExporterRoute] {
        let parameters: [APIParameter] = [
            .choice("class", "of releases", of: ReleaseClass.allCases.map(\.name)), .plmn(),
            .time("from", "of hours and days that begin then or later"), .time("to", "that begin before"),
            .text("cursor", "`next` of the page before", pattern: "^[a-z]+-[a-z_]+-[0-9]{5,6}-[0-9]{8}T[0-9]{6}Z$"),
            .integer("limit", "releases of a page", in: 1...1_000),
        ]
        return [
            ExporterRoute(
                .get, ReleaseService.path, "listReleases", .statistics,
                "Statistics that protect people, of all networks; the same for everybody",
                description: "`none` says why there is none, `rounds` what was made last.",
                parameters: parameters, answers: [APIAnswer(200, "A page", APISchemas.reference("ReleaseList"))]
            ) { try await releases.list($0.request, isSigned: false, now: $0.now) },
            ExporterRoute(
                .get, ReleaseService.signedPath, "listReleasesSigned", .statistics,
                "The same list, signed (compact JWS, Ed25519)",
                parameters: parameters,
                answers: [APIAnswer(200, "A page", APISchemas.text, type: "application/jose")]
            ) { try await releases.list($0.request, isSigned: true, now: $0.now) },
            ExporterRoute(
                .get, ReleaseService.path + "/{id}", "downloadRelease", .statistics, "A release, a line an atom",
                description: "It never changes.", parameters: [.ifNoneMatch],
                answers: [
                    APIAnswer(
                        200, "Its head, then its atoms", APISchemas.text, type: "application/x-ndjson",
                        headers: ["ETag": "its SHA-256", "Repr-Digest": "the same (RFC 9530)"]),
                    APIAnswer.unchanged,
                ], problems: [503: "`busy`, `stopping`"]
            ) { try await releases.release($0["id"], $0.request) },
        ] + OpenDataService.Format.allCases.map(openDataRoute) + [tileRoute]
    }

    private func openDataRoute(_ format: OpenDataService.Format) -> ExporterRoute {
        ExporterRoute(
            .get, "\(ReleaseService.path)/{id}/open-data.\(format.rawValue)",
            format == .csv ? "downloadOpenDataCSV" : "downloadOpenDataParquet", .statistics,
            "A release by the columns of Ookla's open data and some more", parameters: [.ifNoneMatch],
            answers: [
                APIAnswer(
                    200, "The file", APISchemas.text, type: format.mediaType, headers: ["ETag": "of what it has"]),
                APIAnswer.unchanged,
            ], problems: [404: "`no_licence`: none is set, so nothing is given", 503: "`busy`, `stopping`"]
        ) { try await openData.file($0["id"], format, $0.request) }
    }

    private var tileRoute: ExporterRoute {
        let shown = releases.programmes.all
        return ExporterRoute(
            .get, ReleaseService.path + "/{id}/tiles/{z}/{x}/{y}", "showReleaseTile", .statistics,
            "Atoms of a release as a Mapbox vector tile",
            description:
                "Layer `cells`: the atoms inside the tile, up to \(ReleaseTiles.depth) levels finer, and those around it.",
            parameters: [
                .choice(
                    "metric", "the first of the programme if none is named",
                    of: shown.flatMap(HeatmapQuery.metrics).map(\.name)),
                .integer(
                    "hour",
                    "needed for a release by hour and technology, of others not there: from the begin of the day",
                    in: 0...25),
                .choice("technology", "likewise", of: shown.flatMap(\.strata.names)), .ifNoneMatch,
            ],
            answers: [
                APIAnswer(
                    200, "The tile; empty where nothing was released", APISchemas.text,
                    type: "application/vnd.mapbox-vector-tile",
                    headers: ["ETag": "of the release and the form of tiles"]),
                APIAnswer.unchanged,
            ],
            problems: [
                400: "`unknown_parameter`, `invalid_parameter`: `field` names it; `too_many_cells`", 503: "`busy`",
            ]
        ) { try await tiles.tile($0["id"], zoom: $0["z"], column: $0["x"], row: $0["y"], $0.request) }
    }
}
