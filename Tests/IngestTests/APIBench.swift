import Foundation
import HTTPTypes
import IngestCommands
import IngestUploads
import Lanes
import Logging
import Models
import QoE
import ServiceKit
import Storage
import SubjectRights
import TemporaryFiles
import Wire
import ZeroMQ

@testable import Ingest
@testable import IngestAPI
@testable import IngestCommit
@testable import IngestEdge
@testable import IngestSupport

/// The device API as it is served, on a free port of this machine, with its commit thread over a database in a temporary
/// directory.
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

    /// What came instead of an answer that a test needs to go on.
    struct Unexpected: Error { let text: String }

    let calls: IngestCalls
    let copies: CopiesBench
    let budget = BodyBudget(limit: 10_000_000)
    let port: Int
    /// Where its databases are.
    var path: String { directory.path }
    let admission: Admission
    let load: LoadGauge
    let failureCalls: FailureCalls
    let queue: CommitQueue
    private let database: ServiceDatabase
    private let clock: WallClock
    private let commits: CommitThread
    private let sockets: SocketThread
    private let directory: TemporaryDirectory
    private let serving: Task<Void, any Error>

    init(
        rowLimit: Int = 10_000, queueRows: Int = 65_536, bodyLimit: Int = 1_000_000, limits: EdgeLimits = EdgeLimits(),
        activation: ActivationPolicy = .optional, admission wanted: AdmissionLimits = AdmissionLimits(),
        urgentPerMinute: Int = 10, lookUps: Int = 1_024, tls: TLSFiles? = nil,
        origins: AllowedOrigins = .none, speedTests: SpeedTestLimits = SpeedTestLimits(),
        app: WebApp? = nil, policyText: PolicyText? = nil, passkeys: PasskeyOrigin? = nil,
        hasNotifier: Bool = false, orders: DeviceOrders = DeviceOrders(),
        now: @escaping @Sendable () -> UnixMilliseconds = { Reading.now }
    ) async throws {
        directory = try TemporaryDirectory()
        let database = try ServiceDatabase(path: directory.path + "/state.sqlite", migrations: IngestSchema.migrations)
        self.database = database
        let lanes: [LaneName] = [.realtime, .batch, .requests]
        let journals = try lanes.map { try Journal(lane: $0, in: database) }
        sockets = SocketThread(name: "test", context: try Context())
        let path = directory.path
        let lanesServer = try LaneServer(
            journals: journals,
            endpoints: lanes.reduce(into: [:]) { $0[$1] = LaneEndpoint(address: "ipc://\(path)/\($1.rawValue)") },
            database: database, sockets: sockets, clock: now, log: Logger(label: "test"))
        let host = ServiceHost(.ingest, home: Home(path: path + "/home"), clock: WallClock(now))
        try host.home.prepare(for: .ingest, timeZone: CopiesBench.timeZone)
        clock = host.clock
        queue = CommitQueue(rowLimit: queueRows, byteLimit: 10_000_000)
        let metrics = IngestMetrics(host.metrics, .qoe)
        load = LoadGauge(queueRows: queueRows, directory: path)
        admission = Admission(wanted, uploadRows: rowLimit, pace: UploadPace(), load: load, clock: host.clock, seed: 1)
        failureCalls = FailureCalls(reader: try database.reader())
        commits = CommitThread(
            engine: try IngestEngine(
                database: database, realtime: journals[0], batch: journals[1], requests: journals[2],
                keys: ErasureKeys(secret: [UInt8](1...32)), urgentPerMinute: urgentPerMinute, now: host.clock.now()),
            queue: queue, linger: .milliseconds(1), clock: host.clock, metrics: metrics, lanes: lanesServer,
            failures: admission.failures, load: load, logger: host.logger, failure: { _ in })
        let devices = DeviceDirectory(
            reader: try database.reader(), cachedDevices: 4, lookUpLimit: lookUps,
            suppression: SuppressionKey(secret: [UInt8](1...32)))
        copies = try CopiesBench(path: path + "/copies.sqlite")
        let copied = CopiesReader(reader: try copies.database.reader(), timeZone: CopiesBench.timeZone)
        calls = IngestCalls(
            requests: commits.requests, register: DeviceRegister(reader: try database.reader()), directory: devices,
            copies: copied, queue: queue, erasureDeadline: 86_400_000, clock: host.clock)
        let api = try DeviceAPI(
            .qoe, directory: devices, copies: copied,
            reader: UploadReader(.qoe, rowLimit: rowLimit, inflatedLimit: 2_000_000),
            queue: queue, clock: host.clock, metrics: metrics, logger: host.logger, admission: admission,
            activation: activation, operators: OperatorTable(text: OperatorTable.cameroon)!,
            app: app, policyText: policyText, passkeyOrigin: passkeys, hasNotifier: hasNotifier,
            orders: orders)
        var limits = limits
        limits.uploadBytes = bodyLimit
        let server = EdgeServer(
            Edge(
                api: api, limits: limits, budget: budget, certificates: try TLSCertificates.named(tls, host: host),
                origins: origins, speedTests: SpeedTestBudget(speedTests, host.metrics),
                echoes: EchoPlaces(speedTests, host.metrics)),
            at: HostPort(host: "127.0.0.1", port: 0), host: host)
        port = try await server.start()
        commits.start()
        serving = Task { try await server.run() }
    }

    /// Who asks devices about alarms of the bench's copies.
    func questions(
        perMinute: Int = 600, count: @escaping @Sendable (QuestionOutcome, Int) -> Void = { _, _ in }
    ) throws -> AlarmQuestions {
        AlarmQuestions(reader: try database.reader(), queue: queue, perMinute: perMinute, count: count)
    }

    deinit {
        serving.cancel()
        commits.stop()
    }

    /// Asks the server to stop; what is under way is answered.
    func stop() { serving.cancel() }

    /// Runs `body` while the commit thread does nothing.
    func holdingCommits<Result>(_ body: () async throws -> Result) async throws -> Result {
        let held = DispatchSemaphore(value: 0), (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
        let hold = Task { [requests = calls.requests] in
            try await requests.perform { _ in
                isEntered.finish()
                held.wait()
            }
        }
        for await _ in entered {}
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        held.signal()
        try await hold.value
        return try result.get()
    }

    /// Rows that are in a lane's journal.
    func rows(on lane: LaneName) -> Int {
        let all = JournalPage.Limit(blocks: .max, bytes: .max)
        let page = try? Journal.read(lane: lane, from: database.reader(), after: 0, limit: all)
        return page?.blocks.reduce(0) { $0 + $1.header.rowCount } ?? -1
    }

    /// The documents of a kind in a lane's journal.
    func documents<Document: Decodable>(_ kind: RecordKind, on lane: LaneName, as type: Document.Type) throws
        -> [Document]
    {
        var decoder = ColumnDecoder()
        return try Journal.read(lane: lane, from: database.reader(), after: 0, kinds: [kind.id]).blocks.flatMap {
            try $0.columns(with: &decoder).documents(type).map(\.document)
        }
    }

    /// The blocks of some kinds in a lane's journal, as a reader gets them.
    func blocks(_ kinds: [RecordKind], on lane: LaneName) throws -> [LaneBlock] {
        try Journal.read(lane: lane, from: database.reader(), after: 0, kinds: Set(kinds.map(\.id))).blocks.map {
            LaneBlock(lane: lane, block: $0)
        }
    }

    /// Has the commit thread do its housekeeping now.
    func maintain() async throws {
        _ = try await calls.requests.perform { [clock] engine in try engine.maintain([:], now: clock.now()) }
    }

    /// What the rows in a lane's journal carry.
    func flags(on lane: LaneName) throws -> [RowFlags] {
        try values(of: ColumnID.flags, on: lane).map { RowFlags(rawValue: $0 ?? 0) }
    }

    /// What the rows in a lane's journal have in a column.
    func values(of column: UInt8, on lane: LaneName) throws -> [Int64?] {
        let all = JournalPage.Limit(blocks: .max, bytes: .max)
        var decoder = ColumnDecoder()
        return try Journal.read(lane: lane, from: database.reader(), after: 0, limit: all).blocks.flatMap { block in
            let columns = try block.columns(with: &decoder)
            return (0..<columns.rowCount).map { columns[column]?.integer($0) }
        }
    }

    /// One request on a connection of its own, whose answer is in the document.
    func call(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8] = [], headers: HTTPFields = [:])
        async throws -> Answer
    {
        let result = try await raw(method.rawValue, path, body, headers: headers)
        DocumentedAnswers.check(method.rawValue, path, result.status, result.code)
        return result
    }

    /// One request on a connection of its own.
    func raw(_ method: String, _ path: String, _ body: [UInt8] = [], headers: HTTPFields = [:]) async throws -> Answer {
        let fields = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(fields)"
        let text = try await RawClient.with(port: port) { client in
            try await client.send(Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body)
            return try await client.receive()
        }
        guard let answer = RawAnswer(text) else { throw Unexpected(text: text) }
        var found = HTTPFields()
        for (name, value) in answer.fields { found[HTTPField.Name(name)!] = value }
        return Answer(status: answer.status, headers: found, body: Array(answer.body.utf8))
    }

    static let enrolment = """
        {"platform":"android","app_version":"1.0","policy_version":"2025-1","consent":{"measurement":true,"location_precise":true,"call_events":true}}
        """

    /// Enrols a device and returns its token.
    func enrol(_ body: String = APIBench.enrolment) async throws -> String {
        let answer = try await call(.post, "/v1/devices", Array(body.utf8), headers: [.contentType: "application/json"])
        guard let token = answer.json["token"] as? String else {
            throw Unexpected(text: answer.text)
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
