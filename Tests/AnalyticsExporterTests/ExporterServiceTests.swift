import Models
import QoE
import ServiceKit
import TemporaryFiles
import Testing
import ZeroMQ

@testable import AnalyticsExporter

@Suite(.timeLimit(.minutes(1))) struct ExporterServiceTests {
    @Test func `a service whose sockets fail ends`() async throws {
        let directory = try TemporaryDirectory()
        let configuration = try AnalyticsExporterConfiguration(
            Settings(environment: ["NKUL_HOME": directory.path, "NKUL_EXPORTER_HTTP": "127.0.0.1:0"]))
        try configuration.common.home.prepare(for: .analyticsExporter, timeZone: "Africa/Douala")
        let host = ServiceHost(.analyticsExporter, home: configuration.common.home, logger: TestExporter.logger)
        let service = try #require(try build(configuration, host, .qoe) as? ExporterService)
        async let running: Void = service.run()
        while host.listeners.address(of: "mno_api") == nil { await Task.yield() }
        service.threads.context.shutdown()
        do {
            try await running
            Issue.record("it ran until the test was given up")
        } catch let error as ZeroMQError { #expect(error.isStopped) }
    }
}
