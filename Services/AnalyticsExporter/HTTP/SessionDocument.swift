internal import Foundation
internal import Hummingbird
internal import Models
internal import NIOCore

/// What a browser that is logged in learns about this server: who it is, and what it may choose from.
struct SessionDocument: Sendable {
    private struct Content: Encodable {
        struct Operator: Encodable {
            let plmn: String
            let name: String
        }

        let tenant: String
        let regulator: Bool
        let now_ms: Int64
        let clock: String
        let time_zone: String
        let metrics: [String]
        let technologies: [String]
        let operators: [Operator]
        let base_map: String?
    }

    private struct LogIn: Decodable {
        let token: String
    }

    let timeZone: String
    let operators: [(plmn: PLMN, name: String)]
    /// URL template of a base map; nil: none.
    let baseMap: String?

    func response(now: UnixMilliseconds) -> Response {
        let content = Content(
            tenant: Regulator.tenant, regulator: true, now_ms: now, clock: "system", time_zone: timeZone,
            metrics: HeatmapQuery.metrics.map(\.name), technologies: Technology.allCases.map(\.name),
            operators: operators.map { .init(plmn: $0.plmn.text, name: $0.name) }, base_map: baseMap)
        // Texts and numbers always have a JSON form.
        let text = try! JSONEncoder().encode(content)
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: ByteBuffer(bytes: text)))
    }

    /// The token in a log-in's body.
    static func token(in request: Request) async throws -> String {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: 4096)
        } catch is NIOTooManyBytesError {
            throw Problem(.contentTooLarge, "too_large", "a log-in has at most 4096 bytes")
        }
        guard let logIn = try? JSONDecoder().decode(LogIn.self, from: Data(body.readableBytesView)) else {
            throw Problem(.badRequest, "invalid_body", "expected a JSON object {\"token\": text}", field: "token")
        }
        return logIn.token
    }
}
