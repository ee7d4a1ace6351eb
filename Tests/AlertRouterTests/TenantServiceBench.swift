import Foundation
import Lanes
import Logging
import Models
import QoE
import ServiceKit
import TemporaryFiles
import Wire
import ZeroMQ

@testable import AlertRouter

/// The built service in a home of its own, between lanes that the test writes and the one it reads.
final class TenantServiceBench {
    let configuration: AlertRouterConfiguration
    let host: ServiceHost
    private let directory: TestHome
    let ingest: LaneWriter
    let exporter: LaneWriter
    let announcements: Announcements
    private let running: Task<Void, any Error>

    /// - Parameters:
    ///   - port: first of the alert ports; 0 for any.
    ///   - before: what an earlier bench left; nil for a new home.
    ///   - logger: what the service logs to; nil: its own.
    ///   - more: further settings.
    init(
        port: Int = 0, before: Kept? = nil, programmes: Programmes = .raisingAll, logger: Logger? = nil,
        _ more: [String: String] = [:]
    ) throws {
        directory = try before?.home ?? TestHome()
        configuration = try AlertRouterConfiguration(
            Settings(
                environment: [
                    "NKUL_HOME": directory.path, "NKUL_ALERTS_PORT": "\(port)",
                    "NKUL_ADMIN_ALERT_ROUTER": "127.0.0.1:0",
                ].merging(more) { $1 }))
        try configuration.common.home.prepare(for: .alertRouter, timeZone: "Africa/Douala")
        host = ServiceHost(.alertRouter, home: configuration.common.home, logger: logger)
        ingest = try before?.ingest ?? LaneWriter(configuration)
        exporter = try before?.exporter ?? LaneWriter(configuration, .operations)
        let service = try buildAlertRouter(configuration, host, programmes)
        running = Task { try await service.run() }
        announcements = try Announcements(configuration)
    }

    /// What outlives a stopped service.
    struct Kept {
        let home: TestHome
        let ingest: LaneWriter
        let exporter: LaneWriter
    }

    var home: String { directory.path }

    /// Stops the service and leaves everything else.
    func stop() async throws -> Kept {
        announcements.stop()
        host.stop.stop()
        try await running.value
        return Kept(home: directory, ingest: ingest, exporter: exporter)
    }

    /// Stops everything.
    func end() async throws {
        let kept = try await stop()
        kept.ingest.stop()
        kept.exporter.stop()
    }

    /// Puts tenants on the lane and waits until their endpoints are announced.
    func add(_ tenants: [Added]) async throws -> [AlertKeys] {
        try exporter.append(.tenant, Added.columns(tenants))
        var keys: [AlertKeys] = []
        for tenant in tenants { keys.append(tenant.keys(at: try await announcements.endpoint(tenant.document.name))) }
        return keys
    }

    /// The built-in regulator's file.
    func regulatorKeys() throws -> AlertKeys { try keyFile("regulator") }

    func keyFile(_ tenant: String) throws -> AlertKeys {
        try AlertKeys(json: Array(Data(contentsOf: URL(fileURLWithPath: "\(home)/keys/\(tenant).alerts.json"))))
    }
}

/// A home that several services of one test use one after another.
final class TestHome: Sendable {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    var path: String { directory.path }
}
