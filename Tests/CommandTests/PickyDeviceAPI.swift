import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Wire

/// A small HTTP server with the device API's manners and every bad habit of a network: it takes an upload and cuts the
/// connection, answers 503, or says nothing.
final class PickyDeviceAPI: Sendable {
    enum Habit: Sendable {
        case answer
        /// Does what was asked and cuts the connection.
        case takeAndCut
        /// Cuts the connection at once.
        case cut
        /// 503 with `Retry-After: 0`.
        case busy
        /// Another status with a problem document.
        case refuse(Int)
        /// Half an answer, then the end.
        case tearAnswer
        case silence
    }

    struct Taken: Hashable, Sendable {
        let token: String
        let path: String
        let seq: Int
        let capturedAt: Int64
    }

    struct State: Sendable {
        var enrolled = 0
        /// What phones consented to when they enrolled.
        var consents: [[String: Bool]] = []
        var requests = 0
        var rows: [Taken: Int] = [:]
        var uploadSizes: [Int] = []
        var receipts: [String: String] = [:]
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let state = Mutex(State())
    private let habit: @Sendable (Int) -> Habit
    private let channel: any Channel

    /// - Parameter habit: what to do with the n-th upload, from 0; enrolments are always answered.
    init(_ habit: @escaping @Sendable (Int) -> Habit = { _ in .answer }) async throws {
        self.habit = habit
        let shared = Box()
        channel = try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(PickyHandler { shared.api })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        shared.set(self)
    }

    var port: Int { channel.localAddress?.port ?? 0 }
    var current: State { state.withLock { $0 } }

    func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }

    func enrol(_ body: [UInt8]) -> String {
        struct Enrolment: Decodable { let consent: [String: Bool] }
        let consent = (try? JSONDecoder().decode(Enrolment.self, from: Data(body)))?.consent
        return state.withLock { state in
            state.enrolled += 1
            state.consents.append(consent ?? [:])
            return "{\"device_id\":\"x\",\"token\":\"token-\(state.enrolled)\"}"
        }
    }

    func nextHabit() -> Habit {
        habit(
            state.withLock { state in
                state.requests += 1
                return state.requests - 1
            })
    }

    /// Takes an upload and gives its receipt; the same idempotency key has the same receipt.
    func take(_ token: String, _ path: String, _ key: String, _ body: [UInt8]) throws -> String {
        struct Row: Decodable {
            let seq: Int
            let captured_at_ms: Int64
        }
        let rows = try JSONDecoder().decode(
            [Row].self, from: Data(Inflater.inflate(body, format: .gzip, limit: 10 << 20)))
        return state.withLock { state in
            if let receipt = state.receipts[token + key] { return receipt }
            var accepted = 0
            for row in rows {
                let taken = Taken(token: token, path: path, seq: row.seq, capturedAt: row.captured_at_ms)
                state.rows[taken, default: 0] += 1
                if state.rows[taken] == 1 { accepted += 1 }
            }
            state.uploadSizes.append(rows.count)
            let receipt =
                "{\"batch_id\":\"b\",\"accepted\":\(accepted),\"duplicates\":\(rows.count - accepted),\"rejected\":0,\"items\":[]}"
            state.receipts[token + key] = receipt
            return receipt
        }
    }
}

private final class Box: Sendable {
    private let content = Mutex<PickyDeviceAPI?>(nil)

    var api: PickyDeviceAPI? { content.withLock { $0 } }

    func set(_ api: PickyDeviceAPI) { content.withLock { $0 = api } }
}

/// One connection.
private final class PickyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let api: () -> PickyDeviceAPI?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ api: @escaping () -> PickyDeviceAPI?) { self.api = api }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part): body += part.readableBytesView
        case .end:
            guard let head, let api = api() else { return context.close(promise: nil) }
            answer(head, api, context)
        }
    }

    private func answer(_ head: HTTPRequestHead, _ api: PickyDeviceAPI, _ context: ChannelHandlerContext) {
        guard head.uri != "/v1/devices" else { return send(201, api.enrol(body), context) }
        let token = head.headers.first(name: "authorization").map { String($0.dropFirst("Bearer ".count)) } ?? ""
        func take() -> String {
            (try? api.take(token, head.uri, head.headers.first(name: "idempotency-key") ?? "", body)) ?? "unreadable"
        }
        switch api.nextHabit() {
        case .answer: send(200, take(), context)
        case .takeAndCut:
            _ = take()
            context.close(promise: nil)
        case .cut: context.close(promise: nil)
        case .busy: send(503, "{\"code\":\"busy\"}", context, retryAfter: "0")
        case .refuse(let status): send(status, "{\"code\":\"no\"}", context)
        case .tearAnswer:
            _ = take()
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-length": "500"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{\"batch")))), promise: nil)
            context.close(promise: nil)
        case .silence: break
        }
    }

    private func send(_ status: Int, _ text: String, _ context: ChannelHandlerContext, retryAfter: String? = nil) {
        var headers: HTTPHeaders = ["content-length": "\(text.utf8.count)"]
        if let retryAfter { headers.add(name: "retry-after", value: retryAfter) }
        let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
