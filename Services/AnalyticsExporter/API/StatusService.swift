internal import Foundation
internal import Hummingbird
internal import NIOCore
internal import ServiceKit

/// `GET /v1/status`.
struct StatusService: Sendable {
    let freshness: Freshness
    let clock: WallClock

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
