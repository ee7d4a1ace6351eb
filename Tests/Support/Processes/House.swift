import AlertRouter
import AnalyticsExporter
import BatchAggregator
import Foundation
import Ingest
import IngestSupport
import Logging
public import Models
import Notifier
import PrivacyWorker
public import QoE
import RewardDispatcher
public import ServiceKit
import ServiceLifecycle
import SocketTesting
import TemporaryFiles

/// Services in this process, built as their programs build them, on a home of their own; each logs to a file.
public final class House {
    public let hosts: [ServiceName: ServiceHost]
    private let home: TemporaryDirectory
    private let running: [Task<Void, any Error>]

    /// Builds and runs the services.
    ///
    /// - Parameters:
    ///   - programmes: what all of them are put together with.
    ///   - clock: that all of them follow.
    ///   - settings: of theirs, beside those of every house.
    public init(
        _ services: [ServiceName] = ServiceName.built, programmes: Programmes = .qoe, clock: WallClock = .system,
        settings more: [String: String] = [:]
    ) throws {
        let home = try TemporaryDirectory()
        self.home = home
        let usual = [
            "NKUL_HOME": home.path("home"), "NKUL_INGEST_HTTP": "127.0.0.1:0", "NKUL_EXPORTER_HTTP": "127.0.0.1:0",
            "NKUL_ALERTS_PORT": "0",
        ]
        let settings = Settings(environment: usual.merging(more) { $1 })
        var hosts: [ServiceName: ServiceHost] = [:]
        var built: [any Service] = []
        for service in services {
            let common = try CommonConfiguration(settings)
            try common.home.prepare(for: service, timeZone: common.timeZone)
            let log = open(home.path("\(service.rawValue).log"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            let host = ServiceHost(
                service, home: common.home,
                logger: Logger(label: service.rawValue) { LogWriter(label: $0, format: common.logFormat, output: log) },
                clock: clock)
            hosts[service] = host
            built.append(try Self.build(service, settings, host, programmes))
        }
        self.hosts = hosts
        running = built.map { service in Task { try await service.run() } }
    }

    /// Stops all services, servers included, and throws what one of them failed with.
    public func stop() async throws {
        for host in hosts.values { host.stop.stop() }
        for task in running { task.cancel() }
        for task in running {
            do { try await task.value } catch is CancellationError {}
        }
    }

    /// The port of a listener once it is bound.
    public func port(of listener: String, _ service: ServiceName) -> Int? {
        hosts[service]?.listeners.current.listeners[listener].flatMap { HostPort($0)?.port }
    }

    /// Runs a shell script in the directory of the logs; what it printed.
    public func shell(_ script: String) async throws -> String {
        let directory = home.path
        return try await apart {
            let process = Process(), output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script]
            process.currentDirectoryURL = URL(fileURLWithPath: directory)
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return text
        }
    }

    private static func build(
        _ service: ServiceName, _ settings: Settings, _ host: ServiceHost, _ programmes: Programmes
    ) throws -> any Service {
        switch service {
        case .ingest: try buildIngest(IngestConfiguration(settings), host, programmes)
        case .alertRouter: try buildAlertRouter(AlertRouterConfiguration(settings), host, programmes)
        case .batchAggregator: try buildBatchAggregator(BatchAggregatorConfiguration(settings), host, programmes)
        case .rewardDispatcher: try buildRewardDispatcher(RewardDispatcherConfiguration(settings), host, programmes)
        case .privacyWorker: try buildPrivacyWorker(PrivacyWorkerConfiguration(settings), host)
        case .notifier: try buildNotifier(NotifierConfiguration(settings), host)
        case .analyticsExporter: try AnalyticsExporter.build(AnalyticsExporterConfiguration(settings), host, programmes)
        }
    }
}
