internal import ExporterSupport
internal import HTTPTypes
internal import Models
internal import ServiceKit

extension ExporterServices {
    /// What tenants are to delete, and how erasures stand.
    var erasureRoutes: [ExporterRoute] {
        [
            ExporterRoute(
                .get, NoticeService.path, "listErasureNotices", .erasure, "What the tenant must delete from its copies",
                parameters: [
                    .choice("acknowledged", "whether somebody has said that it is done", of: ["true", "false"]),
                    .text("cursor", "`next` of the page before", pattern: "^[0-9a-f]{32}$"),
                    .integer("limit", "of a page", in: 1...1_000),
                ], answers: [APIAnswer(200, "A page", APISchemas.reference("ErasureNotices"))]
            ) { try await notices.list($0.request, of: $0.caller) },
            ExporterRoute(
                .post, NoticeService.path + "/{id}/ack", "acknowledgeErasureNotice", .erasure,
                "Says that it is deleted",
                answers: [APIAnswer(200, "Noted", APISchemas.reference("ErasureNotice"))]
            ) { try await notices.acknowledge($0["id"], $0.request, by: $0.caller) },
            ExporterRoute(
                .get, "/v1/erasures", "listErasures", .erasure, "How erasures stand; for regulators",
                parameters: [
                    .choice("state", "of them", of: ["pending", "in_progress", "completed"]),
                    .text("cursor", "`next` of the page before", pattern: "^[0-9]{1,15}-[0-9a-f]{1,64}$"),
                    .integer("limit", "of a page", in: 1...1_000),
                ], answers: [APIAnswer(200, "A page", APISchemas.reference("Erasures"))],
                problems: [403: "`regulator_only`"]
            ) { try await erasures.respond(to: $0.request, of: $0.caller, now: $0.now) },
        ]
    }
}
