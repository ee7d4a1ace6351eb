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

    @Test func `keys of panels are refused where no panel connects`() throws {
        let keys = ["NKUL_INGEST_DC09_KEYS": "/etc/nkul/dc09.json"]
        let error = #expect(throws: ServiceError.self) {
            try IngestConfiguration(Settings(environment: keys))
        }
        #expect(error?.code == .usage && error?.message.contains("neither NKUL_INGEST_DC09 nor") == true)
        let both = keys.merging(["NKUL_INGEST_DC09": "127.0.0.1:0"]) { first, _ in first }
        #expect(try IngestConfiguration(Settings(environment: both)).panelKeys == "/etc/nkul/dc09.json")
    }
}
