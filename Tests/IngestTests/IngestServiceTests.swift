import IngestSupport
import Logging
import Models
import QoE
import ServiceKit
import TemporaryFiles
import Testing
import ZeroMQ

@testable import Ingest

@Suite(.timeLimit(.minutes(1))) struct IngestServiceTests {
    @Test func `a service whose sockets fail ends`() async throws {
        let directory = try TemporaryDirectory()
        let configuration = try IngestConfiguration(
            Settings(environment: ["NKUL_HOME": directory.path, "NKUL_INGEST_HTTP": "127.0.0.1:0"]))
        try configuration.common.home.prepare(for: .ingest, timeZone: "Africa/Douala")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let host = ServiceHost(.ingest, home: configuration.common.home, logger: logger)
        let service = try buildIngest(configuration, host, .qoe)
        async let running: Void = service.run()
        while host.listeners.address(of: "device_api") == nil { await Task.yield() }
        service.sockets.context.shutdown()
        do {
            try await running
            Issue.record("it ran until the test was given up")
        } catch let error as ZeroMQError { #expect(error.isStopped) }
    }
}
