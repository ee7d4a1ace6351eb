package import ExporterOperations
package import ExporterStores
package import ExporterSupport
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
package import Models
internal import NIOCore
internal import Releases
internal import ServiceKit
internal import Wire

/// `GET /v1/releases`, `/v1/releases.jws` and `/v1/releases/{id}`: what was released, the same for every contact.
package struct ReleaseService: Sendable {
    static let path = "/v1/releases"
    static let signedPath = "/v1/releases.jws"
    static let parameters = ["class", "plmn", "from", "to", "cursor", "limit"]
    /// Atoms that are read at once, some 100 KB of text.
    private static let atomsAtOnce = 512

    let state: StateReaders
    let changes: ChangeQueue
    let key: ExportKey
    let programmes: Programmes
    let permits: Permits

    package init(
        state: StateReaders, changes: ChangeQueue, key: ExportKey, programmes: Programmes, permits: Permits
    ) {
        self.state = state
        self.changes = changes
        self.key = key
        self.programmes = programmes
        self.permits = permits
    }

    /// - Parameter isSigned: as a JWS, else as JSON.
    func list(_ request: Request, isSigned: Bool, now: UnixMilliseconds) async throws -> Response {
        let text = try SortedJSON.bytes(of: try await document(request, now: now))
        guard isSigned else {
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: text)))
        }
        try await announceKey()
        return Response(
            status: .ok, headers: [.contentType: "application/jose"],
            body: .init(byteBuffer: ByteBuffer(string: try key.signed(text).text + "\n")))
    }

    /// The text of a release.
    func release(_ id: String, _ request: Request) async throws -> Response {
        guard let found = try await state.read({ try ReleaseStore.find(id, $0) }),
            let programme = programmes.all.first(where: { $0.name == found.document.head.programme })
        else { throw ExporterAPIError.notFound }
        let document = found.document, tag = "\"\(document.sha256)\""
        var headers: HTTPFields = [.eTag: tag, .cacheControl: "private, max-age=31536000, immutable"]
        if EntityTag(tag).isKnown(to: request.headers) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = "application/x-ndjson"
        if let digest = Hexadecimal.bytes(document.sha256) {
            headers[.reprDigest] = "sha-256=:\(Data(digest).base64EncodedString()):"
        }
        let seat = try permits.seat(), text = ReleaseText(document.head, programme), state = state
        return Response(
            status: .ok, headers: headers,
            body: .init(contentLength: Int(document.bytes)) { writer in
                defer { withExtendedLifetime(seat) {} }
                try await writer.write(ByteBuffer(bytes: try ReleaseText.line(of: document.head)))
                var place = 0
                while place < document.head.atoms {
                    let from = place
                    let atoms = try await state.read { db in
                        try ReleaseStore.atoms(of: found.number, from: from, limit: Self.atomsAtOnce, db)
                    }
                    guard !atoms.isEmpty else { throw WireError.corrupt(what: "atoms of \(id)") }
                    var lines = ByteBuffer()
                    for atom in atoms { lines.writeBytes(text.line(of: atom) ?? []) }
                    try await writer.write(lines)
                    place += atoms.count
                }
                try await writer.finish(nil)
            })
    }

    private func document(_ request: Request, now: UnixMilliseconds) async throws -> ReleaseListDocument {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: Self.parameters)
        let kind = try parameters.choice("class", of: ReleaseClass.allCases.map(\.name))
        let network = try parameters.plmn("plmn").map(\.text)
        let time = try parameters.period(from: 0, to: 32_503_680_000_000)
        let limit = try parameters.integer("limit", in: 1...1_000) ?? 1_000
        let cursor = parameters.text("cursor")
        let (found, rounds, made) = try await state.read { db in
            if let cursor, try ReleaseStore.find(cursor, db) == nil {
                throw ParameterFault("cursor", "\"\(cursor)\": expected the value of next of the page before")
            }
            return (
                try ReleaseStore.list(kind, network, starts: time, after: cursor, limit: limit + 1, db),
                try ReleaseStore.lastRounds(db).filter { kind == nil || $0.releaseClass == kind },
                try ReleaseStore.rounds(kind, in: time, db)
            )
        }
        return ReleaseListDocument(
            at: now, found, rounds: rounds, made: made, limit: limit, isFirst: cursor == nil)
    }

    /// Says by which key lists are signed, if that has not been said.
    private func announceKey() async throws {
        guard try await state.read({ try !ExportStore.isAnnounced(key: key.id, $0) }) else { return }
        try await changes.submit { db, now in
            ((), try ExportStore.announce(key: key.id, db) ? [try key.record(since: now)] : [])
        }
    }
}
