import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Logging
import Models
import NIOCore
import ServiceKit
import Storage
import Synchronization
import ZeroMQ

@testable import Ingest

/// The device API with its commit thread over a database in a temporary directory, without a network.
final class APIBench: Sendable {
    struct Answer {
        let status: Int
        let headers: HTTPFields
        let body: [UInt8]
        var text: String { String(decoding: body, as: UTF8.self) }
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }
        var code: String? { json["code"] as? String }
        var items: [[String: Any]] { json["items"] as? [[String: Any]] ?? [] }
    }

    let api: DeviceAPI
    let calls: IngestCalls
    let copies: CopiesBench
    private let commits: CommitThread
    private let sockets: SocketThread
    private let directory: TemporaryDirectory

    init(rowLimit: Int = 10_000, queueRows: Int = 65_536, bodyLimit: Int = 1_000_000, started: Bool = true) throws {
        directory = try TemporaryDirectory()
        let database = try ServiceDatabase(path: directory.path + "/state.sqlite", migrations: IngestSchema.migrations)
        let lanes: [LaneName] = [.realtime, .batch, .requests]
        let journals = try lanes.map { try Journal(lane: $0, in: database) }
        sockets = SocketThread(name: "test", context: try Context())
        let path = directory.path
        let server = try LaneServer(
            journals: journals,
            endpoints: lanes.reduce(into: [:]) { $0[$1] = LaneEndpoint(address: "ipc://\(path)/\($1.rawValue)") },
            database: database, sockets: sockets, log: Logger(label: "test"))
        let queue = CommitQueue(rowLimit: queueRows, byteLimit: 10_000_000)
        let metrics = IngestMetrics(Metrics())
        let clock = WallClock { Reading.now }
        commits = CommitThread(
            engine: IngestEngine(database: database, realtime: journals[0], batch: journals[1], requests: journals[2]),
            queue: queue,
            linger: .milliseconds(1), clock: clock, metrics: metrics, lanes: server, logger: Logger(label: "test"),
            failure: { _ in })
        let devices = DeviceDirectory(reader: try database.reader(), cachedDevices: 4)
        copies = try CopiesBench(path: directory.path + "/copies.sqlite")
        let copied = CopiesReader(reader: try copies.database.reader(), timeZone: CopiesBench.timeZone)
        calls = IngestCalls(
            requests: commits.requests, register: DeviceRegister(reader: try database.reader()), directory: devices,
            copies: copied, clock: clock)
        api = DeviceAPI(
            directory: devices, copies: copied,
            reader: UploadReader(rowLimit: rowLimit, inflatedLimit: 2_000_000), queue: queue, clock: clock,
            metrics: metrics,
            budget: BodyBudget(limit: 10_000_000), bodyLimit: bodyLimit, logger: Logger(label: "test"))
        if started { commits.start() }
    }

    deinit { commits.stop() }

    func call(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], headers: HTTPFields = [:])
        async throws -> Answer
    {
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: path, headerFields: headers)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let response = try await api.respond(to: request, context: DeviceAPIContext())
        let writer = Collector()
        try await response.body.write(CollectingWriter(collector: writer))
        return Answer(status: response.status.code, headers: response.headers, body: writer.bytes.withLock { $0 })
    }

    static let enrolment = """
        {"platform":"android","app_version":"1.0","policy_version":"2025-1","consent":{"measurement":true,"location_precise":true,"call_events":true}}
        """

    /// Enrols a device and returns its token.
    func enrol(_ body: String = APIBench.enrolment) async throws -> String {
        let answer = try await call(.post, "/v1/devices", Array(body.utf8), headers: [.contentType: "application/json"])
        guard let token = answer.json["token"] as? String else {
            throw Problem(answer.status, answer.code ?? "?", answer.text)
        }
        return token
    }

    func send(_ text: String, token: String, path: String = "/v1/reports", headers: HTTPFields = [:]) async throws
        -> Answer
    {
        var headers = headers
        headers[.authorization] = "Bearer \(token)"
        if headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await call(.post, path, Array(text.utf8), headers: headers)
    }
}

private final class Collector: Sendable {
    let bytes = Mutex<[UInt8]>([])
}

private struct CollectingWriter: ResponseBodyWriter {
    let collector: Collector

    mutating func write(_ buffer: ByteBuffer) async throws {
        let bytes = Array(buffer: buffer)
        collector.bytes.withLock { $0 += bytes }
    }

    consuming func finish(_ trailers: HTTPFields?) async throws {}
}
