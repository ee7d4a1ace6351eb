import Foundation
import GRDB
import Lanes
import Logging
import Models
import QoE
import SocketTesting
import Storage
import SubjectRights
import Synchronization
import Testing

@testable import AlertRouter
@testable import ServiceKit

/// The windows' thread in the running service: what it shows, and what waits for it.
@Suite(.timeLimit(.minutes(2))) struct WindowsServiceTests {
    @Test func `a stored rule that does not compile is counted, logged and shown, and the router stays ready`()
        async throws
    {
        let lines = Mutex<[String]>([])
        let logger = Logger(label: "test") { _ in LineLog { line in lines.withLock { $0.append(line) } } }
        let bench = try TenantServiceBench(programmes: .qoe, logger: logger)
        let batch = try LaneWriter(bench.configuration, .batch)
        let privacy = try LaneWriter(bench.configuration, .privacy)
        try bench.exporter.append(.rule, WindowsBench.ruleColumns("broken", "{\"version\": 1}"))
        let condition = { bench.host.readiness.conditions.first { $0.name == AlertWindows.condition } }
        #expect(try await eventually { condition()?.note?.hasPrefix("broken is not run: ") == true })
        #expect(condition()?.problem == nil && condition()?.note?.contains("kind") == true)
        #expect(try await eventually { bench.host.readiness.isReady })
        #expect(bench.figure("nkul_alert_refused_rules") == 1)
        #expect(bench.figure("nkul_alert_rules") == 7)
        let said = lines.withLock { $0.filter { $0.contains("a rule is not run") } }
        #expect(said.count == 1 && said[0].contains("broken"))
        try bench.exporter.append(.rule, WindowsBench.ruleColumns("broken", nil))
        #expect(try await eventually { condition()?.note == nil && bench.figure("nkul_alert_refused_rules") == 0 })
        try await bench.end()
        batch.stop()
        privacy.stop()
    }

    @Test func `an erasure is signed when the windows, too, have nothing left of the device, and not before`()
        async throws
    {
        let bench = try TenantServiceBench(programmes: .qoe)
        let batch = try LaneWriter(bench.configuration, .batch)
        let privacy = try LaneWriter(bench.configuration, .privacy)
        // The router reads no `batch`, and its own tables are empty of the device at once; the windows wait for the block.
        let document = ErasureSubjectDocument(
            request: "r1", subject: "ab", scope: .everything,
            barriers: [Position(lane: .batch, generation: batch.generation, block: 1)])
        try privacy.append(.erasureSubject, ErasureSubject.columns([ErasureSubject(device: 7, document: document)]))
        let erased = { "SELECT count(*) FROM erasures" }
        #expect(
            try await eventually { try bench.count("state", erased()) == 1 && bench.count("windows", erased()) == 1 })
        for _ in 0..<10 {
            #expect(try bench.signed("state") == [])
            try await apart { Thread.sleep(forTimeInterval: 0.05) }
        }
        try batch.append([Urgent(device: 7, event: .noService)])
        #expect(try await eventually { try bench.signed("windows") == ["r1"] })
        #expect(try await eventually { try bench.signed("state") == ["r1"] })
        try await bench.end()
        batch.stop()
        privacy.stop()
    }

    @Test func `rows of a device whose number has no room are counted and named, and erase nobody else`() throws {
        let bench = try WindowsBench(), start = WindowsBench.start, far = Int64(UInt32.max) + 2
        var told: [WindowsEffects.Told] = []
        let before = bench.windows.told
        bench.windows.told = { one in
            told.append(one)
            before(one)
        }
        // Cut to 32 bits it were device 1.
        let phones = [1, 2, far].map { Urgent(device: $0, receivedAt: start, event: .noService) }
        try bench.step([WindowsBench.block(1, phones)], now: start)
        #expect(try bench.alarms().isEmpty)
        #expect(told.reduce(0) { $0 + ($1.skipped[.device] ?? 0) } == 1)
        #expect(told.compactMap(\.unknownDevice) == [far])
        let document = ErasureSubjectDocument(
            request: "r1", subject: "ab", scope: .everything,
            barriers: [Position(lane: .batch, generation: 7, block: 1)])
        let columns = try ErasureSubject.columns([ErasureSubject(device: UInt64(far), document: document)])
        try bench.step([LaneBlock(.privacy, 1, .erasureSubject, columns, subjects: [UInt64(far)])], now: start)
        for _ in 0..<20 { try bench.step([], now: start) }
        #expect(try bench.database.read { try ErasureExecutor.done($0) } == ["r1"])
        try bench.step([WindowsBench.block(2, [Urgent(device: 3, receivedAt: start, event: .noService)])], now: start)
        #expect(try bench.alarms().count == 1)
    }
}

extension TenantServiceBench {
    /// A figure without labels.
    fileprivate func figure(_ name: String) -> Int? {
        MetricsText.text(of: host.metrics).split(separator: "\n").first { $0.hasPrefix(name + " ") }
            .flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    fileprivate func signed(_ database: String) throws -> [String] {
        try reading(database) { try ErasureExecutor.done($0) }
    }

    fileprivate func count(_ database: String, _ sql: String) throws -> Int {
        try reading(database) { try $0.tableExists("erasures") ? Int.fetchOne($0, sql: sql) ?? 0 : 0 }
    }

    private func reading<Result>(_ database: String, _ body: (Database) throws -> Result) throws -> Result {
        var options = Configuration()
        options.readonly = true
        options.busyMode = .timeout(5)
        return try DatabaseQueue(path: "\(home)/alert-router/\(database).sqlite", configuration: options).read(body)
    }
}

/// Hands every line over as text.
private struct LineLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info
    private let take: @Sendable (String) -> Void

    init(_ take: @escaping @Sendable (String) -> Void) { self.take = take }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        take("\(event.level) \(event.message) \(event.metadata ?? [:])")
    }
}
