import NIOCore
import NIOPosix
import ServiceKit
import SocketTesting
import TemporaryFiles
import Testing

@testable import IngestPanels

/// Panels over UDP when the socket is lost.
@Suite(.timeLimit(.minutes(1))) struct PanelDatagramTests {
    @Test func `a socket that is lost is bound again at its port, once nobody else has that`() async throws {
        let directory = try TemporaryDirectory(), home = Home(path: directory.path("home"))
        try home.prepare(for: .ingest, timeZone: "Africa/Douala")
        let host = ServiceHost(.ingest, home: home)
        let datagrams = PanelDatagrams(at: HostPort(host: "127.0.0.1", port: 0), host: host, busy: {}) { _ in
            Array("heard".utf8)
        }
        func problem() -> String? { host.readiness.conditions.first { $0.name == PanelDatagrams.name }?.problem }
        try await datagrams.start()
        let bound = try #require(datagrams.bound), port = try #require(bound.localAddress?.port)
        #expect(problem() == nil)
        try await bound.close()
        let other = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: port).get()
        let serving = Task { try await datagrams.run() }
        #expect(try await eventually { problem()?.contains("NKUL_INGEST_DC09_UDP: lost") ?? false })
        try await other.close()
        #expect(try await eventually { problem() == nil })
        #expect(try DatagramPanel(port: port).exchange(Panel.frame("one")) == Array("heard".utf8))
        serving.cancel()
        try await serving.value
    }
}
