import Crypto
import Foundation
import Models
import NIOCore
import NIOHTTP1
import NIOPosix
import SubjectRights
import Synchronization

/// A small HTTP server that lists exports and gives them, signed by a key of its own, as the exporter does; and breaks off where it is told to.
final class ExportServer: Sendable {
    struct State: Sendable {
        /// Bytes of files by name; what is listed of them may be another thing.
        var files: [String: [UInt8]] = [:]
        var listed: [Listed] = []
        /// Files that are being made anew.
        var rewriting: Set<String> = []
        /// Bytes after which a download breaks off, once each.
        var cuts: [String: Int] = [:]
        /// What was asked for: paths, with the range if there was one.
        var requests: [String] = []
        var pageSize = 1_000
        var token = "secret"
    }

    struct Listed: Encodable, Sendable {
        let name: String
        var sha256: String?
        var bytes: Int?
    }

    private struct List: Encodable {
        let tenant = "mtn"
        let at_ms = 1_772_366_400_000
        let files: [Listed]
        let next: String?
    }

    let state = Mutex(State())
    let key = Curve25519.Signing.PrivateKey()
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let channel: any Channel

    init() async throws {
        let box = Box()
        channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler { box.server.withLock { $0 } })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        box.server.withLock { $0 = self }
    }

    private final class Box: Sendable {
        let server = Mutex<ExportServer?>(nil)
    }

    var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

    func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }

    /// Puts a file into the list.
    func add(_ name: String, _ bytes: [UInt8]) {
        state.withLock { state in
            state.files[name] = bytes
            state.listed.removeAll { $0.name == name }
            state.listed.append(
                Listed(name: name, sha256: Hexadecimal.text(SHA256.hash(data: bytes)), bytes: bytes.count))
            state.listed.sort { $0.name < $1.name }
        }
    }

    /// What `/.well-known/nkul-keys.json` answers.
    var keys: String {
        get throws {
            struct Keys: Encodable { let keys: [VerificationKeyDocument] }
            return try SortedJSON.text(of: Keys(keys: [document]))
        }
    }

    private var document: VerificationKeyDocument {
        VerificationKeyDocument(
            publicKey: Array(key.publicKey.rawRepresentation), service: "analytics-exporter", use: .exports, since: 0)
    }

    /// The answer to a request.
    fileprivate func answer(_ head: HTTPRequestHead) -> (status: Int, headers: HTTPHeaders, body: [UInt8], cut: Int?) {
        let range = head.headers.first(name: "range")
        let (path, query) = Self.parts(head.uri)
        return state.withLock { state in
            state.requests.append(path + (range.map { " " + $0 } ?? ""))
            guard head.headers.first(name: "authorization") == "Bearer \(state.token)" else {
                return (401, [:], Array(#"{"code":"unauthorized","detail":"a Bearer token is needed"}"#.utf8), nil)
            }
            if path == "/v1/exports.jws" { return list(after: query["cursor"], state) }
            let name = String(path.dropFirst("/v1/exports/".count))
            if state.rewriting.contains(name) { return (503, [:], Array(#"{"code":"export_rewriting"}"#.utf8), nil) }
            guard let file = state.files[name] else { return (404, [:], Array(#"{"code":"not_found"}"#.utf8), nil) }
            let cut = state.cuts.removeValue(forKey: name)
            let tag = "\"\(Hexadecimal.text(SHA256.hash(data: file)))\""
            let isSame = head.headers.first(name: "if-range").map { $0 == tag } ?? true
            guard isSame, let range, let first = Int(range.dropFirst("bytes=".count).dropLast()) else {
                return (200, [:], file, cut)
            }
            guard first < file.count else { return (416, [:], [], nil) }
            return (
                206, ["content-range": "bytes \(first)-\(file.count - 1)/\(file.count)"], Array(file[first...]), cut
            )
        }
    }

    private func list(
        after cursor: String?, _ state: State
    ) -> (status: Int, headers: HTTPHeaders, body: [UInt8], cut: Int?) {
        let files = state.listed.filter { listed in cursor.map { listed.name > $0 } ?? true }
        let page = Array(files.prefix(state.pageSize))
        guard
            let payload = try? SortedJSON.bytes(
                of: List(files: page, next: files.count > page.count ? page.last?.name : nil)),
            let text = try? CompactJWS(payload, keyID: document.keyID, sign: { try key.signature(for: Data($0)) }).text
        else { return (500, [:], [], nil) }
        return (200, [:], Array((text + "\n").utf8), nil)
    }

    private static func parts(_ uri: String) -> (path: String, query: [String: String]) {
        let parts = uri.split(separator: "?", maxSplits: 1).map(String.init)
        var query: [String: String] = [:]
        for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
            let words = pair.split(separator: "=", maxSplits: 1).map(String.init)
            query[words[0]] = words.count > 1 ? words[1].removingPercentEncoding : ""
        }
        return (parts[0], query)
    }

    /// One connection.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: () -> ExportServer?
        private var head: HTTPRequestHead?

        init(_ server: @escaping () -> ExportServer?) { self.server = server }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): self.head = head
            case .body: break
            case .end:
                guard let head, let server = server() else { return context.close(promise: nil) }
                send(server.answer(head), context)
            }
        }

        private func send(
            _ answer: (status: Int, headers: HTTPHeaders, body: [UInt8], cut: Int?), _ context: ChannelHandlerContext
        ) {
            var headers = answer.headers
            headers.add(name: "content-length", value: "\(answer.body.count)")
            let head = HTTPResponseHead(
                version: .http1_1, status: .init(statusCode: answer.status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            guard let cut = answer.cut else {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: answer.body)))), promise: nil)
                return context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
            let part = ByteBuffer(bytes: answer.body.prefix(cut))
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(part)))).assumeIsolated().whenComplete { _ in
                context.close(promise: nil)
            }
        }
    }
}
