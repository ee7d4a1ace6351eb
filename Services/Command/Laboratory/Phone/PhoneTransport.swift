import Foundation
import Models
import NIOCore
import NkulDevice
import ServiceKit

/// HTTP and the WebSocket of a phone, over the connections of a load.
struct PhoneTransport: DeviceTransport {
    let target: ReplayTarget
    let pool: LoadPool
    let socket: PhoneSocket
    /// Told of what can never work, such as a certificate that is not trusted.
    private let refused: @Sendable (String) -> Void

    init(
        target: ReplayTarget, pool: LoadPool, socket: PhoneSocket, refused: @escaping @Sendable (String) -> Void
    ) {
        self.target = target
        self.pool = pool
        self.socket = socket
        self.refused = refused
    }

    /// About what TLS and TCP add to a request on a connection that is open.
    private static let overhead = 120

    func send(_ request: DeviceRequest) async -> DeviceExchange {
        request.route == .realtime ? await message(request) : await call(request)
    }

    private func call(_ request: DeviceRequest) async -> DeviceExchange {
        let bytes = LoadRequest(
            method: request.method, host: "\(target.address)", path: request.path,
            headers: request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, body: request.body)
        let sent = bytes.bytes.readableBytes + Self.overhead
        do {
            let answer = try await pool.send(bytes)
            let response = DeviceResponse(
                status: answer.status, retryAfter: answer.retryAfter.map(Int64.init),
                nextUpload: answer.nextUpload.map(Int64.init), etag: answer.etag, body: Array(buffer: answer.body))
            return DeviceExchange(
                response: response, sentBytes: sent, receivedBytes: answer.body.readableBytes + Self.overhead + 150)
        } catch {
            if case .insecure(let cause) = error { refused(cause) }
            return DeviceExchange(response: nil, sentBytes: sent, receivedBytes: 0)
        }
    }

    private func message(_ request: DeviceRequest) async -> DeviceExchange {
        let text = await socket.send(request.body, opening: request)
        let response = text.map { text in
            let problem = MessageProblem(text)
            return DeviceResponse(status: problem?.status ?? 200, retryAfter: problem?.retry_after, body: text)
        }
        return DeviceExchange(
            response: response, sentBytes: request.body.count + Self.overhead,
            receivedBytes: text.map { $0.count + Self.overhead } ?? 0)
    }
}

/// A message that is a problem document and no receipt (`docs/realtime.md`).
private struct MessageProblem: Decodable {
    let type: String
    let status: Int
    let retry_after: Int64?

    /// Nil for a receipt.
    init?(_ text: [UInt8]) {
        guard let problem = try? JSONDecoder().decode(MessageProblem.self, from: Data(text)) else { return nil }
        self = problem
    }
}
