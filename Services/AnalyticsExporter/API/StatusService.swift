package import ExporterStores
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

    func respond() throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode(StatusDocument(freshness, clock: clock))
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }
}
