package import ExporterOperations
internal import ExporterRows
internal import ExporterStores
package import ExporterSupport
internal import Hummingbird
internal import Models
internal import NIOCore
internal import ServiceKit

/// `GET /v1/erasure-notices` and `POST /v1/erasure-notices/{id}/ack`: what a tenant must delete from its copies of raw rows.
package struct NoticeService: Sendable {
    static let path = "/v1/erasure-notices"
    private static let parameters = ["acknowledged", "cursor", "limit"]

    let state: StateReaders
    let changes: ChangeQueue
    let gate: Gate

    package init(state: StateReaders, changes: ChangeQueue, gate: Gate) {
        self.state = state
        self.changes = changes
        self.gate = gate
    }

    /// The tenant's notices, by identifier.
    func list(_ request: Request, of caller: Caller) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: Self.parameters)
        let isAcknowledged = try parameters.choice("acknowledged", of: ["true", "false"]).map { $0 == "true" }
        let after = parameters.text("cursor") ?? ""
        guard after.isEmpty || Self.isIdentifier(after) else {
            throw ParameterFault("cursor", "\"\(after)\": expected the value of next of the page before")
        }
        let limit = try parameters.integer("limit", in: 1...1_000) ?? 100
        let tenant = caller.tenant.number
        var notices = try await state.read {
            try NoticeStore.list(of: tenant, after: after, isAcknowledged: isAcknowledged, limit: limit + 1, $0)
        }
        let hasMore = notices.count > limit
        notices = Array(notices.prefix(limit))
        return try Self.response(
            NoticePage(notices: notices.map(NoticeDocument.init), next: hasMore ? notices.last?.id : nil))
    }

    /// Notes that the caller's tenant has deleted what a notice names; the first who says so is the one who did. A notice of
    /// another tenant is not there.
    func acknowledge(_ id: String, _ request: Request, by caller: Caller) async throws -> Response {
        try gate.checkWrite(caller, request)
        let notice = try await changes.submit { db, now in
            (try NoticeStore.acknowledge(id, of: caller.tenant.number, by: caller.contact, now: now, db), [])
        }
        guard let notice else { throw ExporterAPIError.notFound }
        return try Self.response(NoticeDocument(notice))
    }

    private static func isIdentifier(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    private static func response(_ document: some Encodable) throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try SortedJSON.bytes(of: document))))
    }
}

/// A page of erasure notices.
struct NoticePage: Encodable {
    let notices: [NoticeDocument]
    /// The `cursor` of the next page; left out on the last.
    let next: String?
}

/// An erasure notice as its tenant sees it.
struct NoticeDocument: Encodable {
    struct Acknowledged: Encodable {
        let contact: String
        let at_ms: Int64
    }

    let id: String
    /// UTC day of reception and pseudonym of that day: the rows of these two are meant.
    let day, device: String
    /// How many rows the tenant could have downloaded.
    let rows: Int
    /// `everything`, or `part`: only what was captured from `captured_from_ms` to `captured_to_ms`, both included.
    let scope: String
    let captured_from_ms, captured_to_ms: Int64?
    /// UTC day since which it can be asked for. Not the moment: notices of one moment would belong to one device.
    let since: String
    /// Left out until somebody has said that it is done.
    let acknowledged: Acknowledged?

    init(_ notice: ErasureNotice) {
        id = notice.id
        day = notice.day
        device = notice.device
        rows = notice.rows
        scope = notice.isWhole ? "everything" : "part"
        captured_from_ms = notice.isWhole ? nil : notice.captured.lowerBound
        captured_to_ms = notice.isWhole ? nil : notice.captured.upperBound
        since = ReceivedDay.text(of: ReceivedDay.number(of: notice.publishedAt))
        acknowledged = notice.acknowledgedAt.map { Acknowledged(contact: notice.acknowledgedBy ?? "", at_ms: $0) }
    }
}
