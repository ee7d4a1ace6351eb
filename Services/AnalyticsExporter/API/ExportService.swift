package import ExporterOperations
internal import ExporterRows
package import ExporterStores
package import ExporterSupport
package import Foundation
internal import Hummingbird
package import Logging
internal import Models
internal import NIOCore
package import ServiceKit
internal import ServiceLifecycle

/// `GET /v1/exports`, `/v1/exports.jws` and `/v1/exports/{name}`: files of raw rows by hour and day of reception, and of
/// statistics by hour and day.
package struct ExportService: Sendable {
    static let path = "/v1/exports"
    static let signedPath = "/v1/exports.jws"
    private static let parameters = ["content", "period", "from", "to", "cursor", "limit"]

    let shelf: ExportShelf
    let state: StateReaders
    let changes: ChangeQueue
    let key: ExportKey
    /// Whole days that files are kept; 0 if none are made.
    let days: Int
    /// Whose days statistics go by.
    let zone: TimeZone
    let permits: Permits
    let allowed: StillAllowed
    let systemClock: WallClock
    let logger: Logger

    package init(
        shelf: ExportShelf, state: StateReaders, changes: ChangeQueue, key: ExportKey, days: Int, zone: TimeZone,
        permits: Permits, allowed: StillAllowed, systemClock: WallClock, logger: Logger
    ) {
        self.shelf = shelf
        self.state = state
        self.changes = changes
        self.key = key
        self.days = days
        self.zone = zone
        self.permits = permits
        self.allowed = allowed
        self.systemClock = systemClock
        self.logger = logger
    }

    /// The files of the caller's tenant. Who asks for the first time has them made from now on.
    ///
    /// - Parameter isSigned: as a JWS, else as JSON.
    func list(_ request: Request, of caller: Caller, isSigned: Bool, now: UnixMilliseconds) async throws -> Response {
        try checkIsOn()
        let document = try await document(request, caller.tenant, now: now)
        let text = try SortedJSON.bytes(of: document)
        return Response(
            status: .ok, headers: [.contentType: isSigned ? "application/jose" : "application/json"],
            body: .init(
                byteBuffer: isSigned ? ByteBuffer(string: try key.signed(text).text + "\n") : ByteBuffer(bytes: text)))
    }

    /// A file, or the part of it that is asked for.
    func file(_ name: String, _ request: Request, of caller: Caller) async throws -> Response {
        try checkIsOn()
        let tenant = caller.tenant.number
        guard let span = ExportSpan(name: name) else { throw ExporterAPIError.notFound }
        let (found, hours) = try await state.read { db in
            let found = try ExportStore.find(span, of: tenant, db)
            return (
                found,
                try span.hasFile ? [found].compactMap(\.self) : ExportStore.hours(of: span, of: tenant, db)
            )
        }
        guard let export = found else { throw ExporterAPIError.notFound }
        guard export.isCurrent, hours.allSatisfy(\.isCurrent), !hours.isEmpty else { throw Self.rewriting }
        let parts = ExportParts(hours, shelf)
        guard parts.length == export.bytes else { throw Self.rewriting }
        let range = try ExportRange(of: request.headers, export)
        var headers = Self.headers(of: export)
        switch range {
        case .unchanged: return Response(status: .notModified, headers: headers)
        case .bytes(let bytes) where bytes.count < export.bytes:
            headers[.contentRange] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(export.bytes)"
            return try response(.partialContent, headers, parts, bytes, caller, export)
        case .bytes(let bytes): return try response(.ok, headers, parts, bytes, caller, export)
        }
    }

    private func response(
        _ status: HTTPResponse.Status, _ headers: HTTPFields, _ parts: ExportParts, _ bytes: Range<Int64>,
        _ caller: Caller, _ export: StoredExport
    ) throws -> Response {
        let seat = try permits.seat()
        if caller.tenant.showsOriginalIDs {
            logger.notice(
                "export with original ids",
                metadata: [
                    "tenant": "\(caller.tenant.name)", "contact": "\(caller.contact)", "file": "\(export.span.name)",
                ])
        }
        let thread = ReadingThread("export")
        return Response(
            status: status, headers: headers,
            body: .init(contentLength: Int(bytes.count)) { writer in
                defer { withExtendedLifetime(seat) {} }
                var offset = bytes.lowerBound
                while offset < bytes.upperBound {
                    let place = offset
                    // What is cut off can be continued, unless rows were erased since it began: then its file is gone.
                    guard !Task.isShuttingDownGracefully, allowed.current(caller) != nil,
                        let read = try await thread.run({ try parts.read(from: place) })
                    else { throw CancellationError() }
                    let wanted = read.prefix(Int(bytes.upperBound - offset))
                    try await writer.write(ByteBuffer(bytes: wanted))
                    offset += Int64(wanted.count)
                }
                try await writer.finish(nil)
            })
    }

    private func document(
        _ request: Request, _ tenant: Tenant, now: UnixMilliseconds
    ) async throws -> ExportListDocument {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: Self.parameters)
        let content = try parameters.choice("content", of: ExportSpan.Content.allCases.map(\.rawValue))
            .flatMap(ExportSpan.Content.init)
        let period = try parameters.choice("period", of: ExportSpan.Period.allCases.map(\.rawValue))
            .flatMap(ExportSpan.Period.init)
        let time = try parameters.period(from: 0, to: 32_503_680_000_000)
        let first = ReceivedHour.number(of: time.lowerBound + ReceivedHour.milliseconds - 1)
        let starts = first..<max(first, ReceivedHour.number(of: time.upperBound + ReceivedHour.milliseconds - 1))
        let after = try parameters.text("cursor").map { text throws(ParameterFault) in
            guard let span = ExportSpan(name: text) else {
                throw ParameterFault("cursor", "\"\(text)\": expected the value of next of the page before")
            }
            return span
        }
        let limit = try parameters.integer("limit", in: 1...1_000) ?? 1_000
        try await noteReader(tenant)
        let (found, complete) = try await state.read { db in
            (
                try ExportStore.list(
                    of: tenant.number, content, period, starts: starts, after: after, limit: limit + 1, db),
                try ExportStore.complete(of: tenant.number, db)
            )
        }
        return ExportListDocument(
            tenant: tenant.name, at_ms: now, kept_days: days,
            complete_to_ms: complete.map { $0 * ReceivedHour.milliseconds },
            files: found.prefix(limit).map { ExportDocument($0, in: zone) },
            next: found.count > limit ? found[limit - 1].span.name : nil)
    }

    /// Notes who asks, and announces the key by which the answer is signed if that has not been done.
    private func noteReader(_ tenant: Tenant) async throws {
        let now = systemClock.now()
        let isKnown = try await state.read { db in
            try !ExportStore.isNew(tenant.number, now: now, db) && ExportStore.isAnnounced(key: key.id, db)
        }
        guard !isKnown else { return }
        try await changes.submit { db, now in
            try ExportStore.noteReader(tenant.number, now: systemClock.now(), db)
            return ((), try ExportStore.announce(key: key.id, db) ? [try key.record(since: now)] : [])
        }
        shelf.signal()
    }

    private func checkIsOn() throws(ExporterAPIError) {
        guard days > 0 else {
            throw ExporterAPIError(.notFound, "exports_off", "no exports are made here: NKUL_EXPORTER_EXPORT_DAYS is 0")
        }
    }

    private static func headers(of export: StoredExport) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: "application/gzip", .acceptRanges: "bytes", .eTag: ExportRange.tag(of: export),
            .contentDisposition: "attachment; filename=\"\(export.span.name)\"",
        ]
        headers[.reprDigest] = "sha-256=:\(Data(export.sha256).base64EncodedString()):"
        return headers
    }

    private static let rewriting = ExporterAPIError(
        .serviceUnavailable, "export_rewriting",
        "rows of this file have gone or come since it was made; it is made anew, under a new version if its bytes are others",
        headers: [.retryAfter: "15"])
}
