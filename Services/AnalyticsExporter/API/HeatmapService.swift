package import ExporterStores
package import ExporterSupport
package import Foundation
internal import HTTPTypes
internal import Hummingbird
package import Models
internal import NIOCore
internal import ServiceKit
internal import Wire

/// `GET /v1/heatmap`. Who has it already is told so (RFC 9110, 13.1.2), with the moment to which it is complete now.
package struct HeatmapService: Sendable {
    let state: StateReaders
    let programmes: Programmes
    let zone: TimeZone
    let cellLimit: Int
    let freshness: Freshness

    package init(state: StateReaders, programmes: Programmes, zone: TimeZone, cellLimit: Int, freshness: Freshness) {
        self.state = state
        self.programmes = programmes
        self.zone = zone
        self.cellLimit = cellLimit
        self.freshness = freshness
    }

    func respond(to request: Request, scope: NetworkScope, now: UnixMilliseconds) async throws -> Response {
        let parameters = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) },
            known: HeatmapQuery.parameters)
        let query = try HeatmapQuery(parameters, programmes, now: now)
        let networks = try scope.narrowed(to: query.scope)
        let reader = HeatmapReader(
            query: query, networks: networks, withUnshared: scope == .everything, cover: BucketCover(zone: zone),
            cellLimit: cellLimit)
        // Asked before the cells are read, which may then say more.
        let document = HeatmapDocument(query: query, completeTo: freshness.completeTo(.statistics))
        let (text, tag) = try await state.read { db in document.text(of: try reader.cells(db)) }
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: "private, no-cache", .vary: "Accept-Encoding",
        ]
        if let completeTo = document.completeTo { headers[.completeTo] = SystemTime.text(completeTo) }
        if EntityTag(tag).isKnown(to: request.headers) {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "application/geo+json"
        guard AcceptEncoding.allowsGzip(request.headers[.acceptEncoding]) else {
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: text)))
        }
        headers[.contentEncoding] = "gzip"
        let deflated = try Deflater.deflate(text, format: .gzip)
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: deflated)))
    }
}
