package import Crypto
package import ExporterRows
package import ExporterStores
package import ExporterSupport
internal import Hummingbird
package import Logging
internal import NIOCore
internal import ServiceKit
internal import ServiceLifecycle

/// `GET /v1/reports.ndjson` and `.csv`: raw rows as a stream, read no faster than the client takes them.
package struct ReportDownloads: Sendable {
    let rows: RawRowFiles.Opener
    let pseudonymKey: SymmetricKey
    let permits: Permits
    let allowed: StillAllowed
    let freshness: Freshness
    let logger: Logger

    package init(
        rows: RawRowFiles.Opener, pseudonymKey: SymmetricKey, permits: Permits, allowed: StillAllowed,
        freshness: Freshness, logger: Logger
    ) {
        self.rows = rows
        self.pseudonymKey = pseudonymKey
        self.permits = permits
        self.allowed = allowed
        self.freshness = freshness
        self.logger = logger
    }

    func respond(to request: Request, of caller: Caller, format: RowPrinter.Format) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: RawRowQuery.parameters)
        let query = try RawRowQuery(parameters, rows.layout, scope: caller.tenant.scope)
        let completeTo = freshness.completeTo(.rows)
        let isCompressed = AcceptEncoding.allowsGzip(request.headers[.acceptEncoding])
        try permits.take()
        if caller.tenant.showsOriginalIDs {
            logger.notice(
                "raw rows with original ids",
                metadata: ["tenant": "\(caller.tenant.name)", "contact": "\(caller.contact)"])
        }
        let stream = RawRowStream(
            reader: try rows.reader(after: query.cursor), query: query,
            printer: RowPrinter(
                format: format, layout: rows.layout,
                pseudonyms: Pseudonyms(key: pseudonymKey, tenant: caller.tenant)),
            isCompressed: isCompressed, permits: permits)
        var headers: HTTPFields = [.contentType: format.mediaType, .vary: "Accept-Encoding"]
        if isCompressed { headers[.contentEncoding] = "gzip" }
        if let completeTo { headers[.completeTo] = SystemTime.text(completeTo) }
        if format == .csv { headers[.contentDisposition] = "attachment; filename=\"reports.csv\"" }
        return Response(
            status: .ok, headers: headers,
            body: .init { writer in
                while let page = try await stream.next() {
                    // A stream that is cut off shows its client that it is not whole; the cursor continues it.
                    guard !Task.isShuttingDownGracefully, allowed.current(caller) != nil else {
                        throw CancellationError()
                    }
                    // Rows that were erased since the page was made are not sent any more.
                    guard stream.isCurrent(page) else { throw CancellationError() }
                    if !page.bytes.isEmpty { try await writer.write(ByteBuffer(bytes: page.bytes)) }
                }
                try await writer.finish(nil)
            })
    }
}
