package import ExporterStores
internal import ExporterSupport
internal import Foundation
internal import Hummingbird
internal import NIOCore
package import ServiceKit

/// `GET /v1/status`.
package struct StatusService: Sendable {
    let freshness: Freshness
    let clock: WallClock

    package init(freshness: Freshness, clock: WallClock) {
        self.freshness = freshness
        self.clock = clock
    }

    func respond(to request: Request) throws -> Response {
        _ = try QueryParameters(
            request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) }, known: [])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(StatusDocument(freshness, clock: clock))
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }
}
