import ExporterOperations
import ExporterRows
import ExporterStores
import ExporterSupport
import Foundation
import HTTPTypes
import Hummingbird
import Lanes
import Logging
import Models
import NIOCore
import QoE
import ServiceKit
import Storage
import SubjectRights
import Synchronization
import TemporaryFiles

@testable import AnalyticsExporter
@testable import ExporterAPI

/// An exporter over a directory, without lanes or sockets: blocks go in at the engine, requests at the API.
final class TestExporter {
    final class Told: Sendable {
        let count = Atomic(0)
    }

    static let now: Int64 = 1_772_366_400_000  // 2026-03-01T12:00:00Z
    let folder: ExporterFolder
    let worker: TestWorker
    let changes: ChangeQueue
    let effects: ExporterEffects
    let api: ExporterAPI
    let alarmChanges = ChangeBroadcast()
    /// How often somebody who waited was told.
    let told = Told()
    let token: String
    let exportThread: ExportThread
    let monthMaker: MonthMaker
    let clock = TestClock(TestExporter.now)

    init(
        _ directory: TemporaryDirectory, sealer: BlockSealer? = nil, settings: [String: String] = [:],
        recording: RecordingClock? = nil, limits: LaneLimits? = nil
    ) throws {
        folder = try ExporterFolder(.qoe, directory: directory.path, sealer: sealer)
        let alarmChanges = alarmChanges
        let keys = try KeyStore(directory: directory.path + "/keys")
        let secrets = try ExporterKeys(keys)
        let changes = try ChangeQueue(folder.database, builtIn: secrets.token) { [told] message in
            told.count.add(1, ordering: .relaxed)
            message()
        }
        self.changes = changes
        let effects = try ExporterEffects(
            database: folder.database, files: folder.files, exports: folder.exports, changes: changes,
            zone: TimeZone(identifier: "Africa/Douala")!,
            pseudonymKey: secrets.pseudonyms
        ) { _, changed in
            if changed { alarmChanges.send() }
        }
        self.effects = effects
        let journal = try Journal(lane: .operations, in: folder.database, limits: limits)
        let clock = clock
        let worker = TestWorker(
            try EffectEngine(
                database: folder.database, reads: AnalyticsExporterConfiguration.subscriptions(.qoe, hasNotifier: true),
                journals: [journal],
                effects: SubjectRightsEffects(
                    effects, effects.subjects(in: folder.database), database: folder.database, journals: [journal],
                    key: ReceiptKey(secret: [UInt8](repeating: 5, count: 32), service: "analytics-exporter"))), clock)
        self.worker = worker
        // Whoever waits when the engine dies learns that the service stops.
        changes.wake { [unowned changes] in
            do { try worker.step([]) } catch { changes.close() }
        }
        let configuration = try AnalyticsExporterConfiguration(
            Settings(environment: ["NKUL_HOME": directory.path].merging(settings) { $1 }))
        api = try ExporterAPI.build(
            configuration, folder: folder, exports: folder.exports!, secrets: secrets, changes: changes,
            alarmChanges: alarmChanges,
            decided: effects.decided, freshness: effects.freshness, metrics: Metrics(),
            clock: recording.map { WallClock($0) } ?? WallClock { clock.now }, systemClock: WallClock { clock.now },
            logger: Self.logger)
        exportThread = ExportThread(
            ExportJobs(
                folder.exports!, rows: folder.files.opener, state: try folder.database.reader(),
                pseudonymKey: secrets.pseudonyms, days: configuration.exportDays,
                statistics: (StatisticsFile(.qoe, zone: effects.zone), effects.zone)), changes: changes,
            clock: WallClock { clock.now }, systemClock: WallClock { clock.now }, metrics: ExportMetrics(Metrics()),
            logger: Self.logger)
        monthMaker = MonthMaker(.qoe, effects.months, state: try folder.database.reader(), changes: changes)
        token = String(decoding: try keys.existing("regulator.token")!, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    static let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    /// Applies blocks as the effect loop does.
    func take(_ blocks: [LaneBlock]) throws { try worker.step(blocks) }

    /// Everything in memory is gone, and files are closed.
    func end() {
        changes.wake {}
        try? folder.files.close()
        try? folder.database.close()
    }

    /// A request by Bearer token unless `headers` say otherwise.
    func request(
        _ method: HTTPRequest.Method = .get, _ path: String, headers: HTTPFields? = nil, body: String = "",
        from prefix: AddressPrefix = .none
    ) async -> Response {
        let fields = headers ?? [.authorization: "Bearer \(token)"]
        let head = HTTPRequest(method: method, scheme: "http", authority: "nkul.test", path: path, headerFields: fields)
        return await api.respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body))), from: prefix)
    }

    /// The whole body of an answer.
    func text(_ path: String, headers: HTTPFields? = nil) async throws -> String {
        String(decoding: try await request(path, headers: headers).bytes(), as: UTF8.self)
    }

    func request(_ path: String, headers: HTTPFields? = nil) async -> Response {
        await request(.get, path, headers: headers)
    }

    /// The rows of an NDJSON download.
    func rows(_ query: String = "", headers: HTTPFields? = nil) async throws -> [[String: Any]] {
        try await text("/v1/reports.ndjson" + query, headers: headers).split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as! [String: Any]
        }
    }
}

extension Response {
    /// All bytes of the body.
    func bytes() async throws -> [UInt8] {
        let collected = CollectedBody()
        try await body.write(collected)
        return collected.content.withLock { $0 }
    }
}

/// Gathers what a response writes.
final class CollectedBody: ResponseBodyWriter, Sendable {
    let content = Mutex<[UInt8]>([])
    private let news: AsyncStream<[UInt8]>.Continuation?

    init(news: AsyncStream<[UInt8]>.Continuation? = nil) { self.news = news }

    func write(_ buffer: ByteBuffer) async throws {
        content.withLock { $0.append(contentsOf: buffer.readableBytesView) }
        news?.yield(Array(buffer.readableBytesView))
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { news?.finish() }
}

/// A clock that a test sets. Thread-safe.
final class TestClock: Sendable {
    private let time: Mutex<Int64>

    init(_ time: Int64) { self.time = Mutex(time) }

    var now: Int64 { time.withLock { $0 } }

    func advance(by milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
