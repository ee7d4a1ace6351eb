import Foundation
import Hummingbird
import ServiceLifecycle
import TemporaryFiles
import Testing

@testable import ServiceKit

struct HTTPServerTests {
    private let directory = try! TemporaryDirectory()
    private let host: ServiceHost

    init() throws {
        let home = Home(path: directory.path)
        try home.prepare()
        host = ServiceHost(.ingest, home: home, logger: Log.logger("test", level: "critical"), clock: WallClock { 42 })
    }

    @Test(.timeLimit(.minutes(1)))
    func `port 0 is bound and the real port is reported`() async throws {
        let lock = try HomeLock(host.home, of: .ingest)
        try await whileRunning(AdminServer(at: HostPort("127.0.0.1:0")!, host: host), host) { address in
            #expect(HostPort(address)!.port != 0)
            let health = try await get(address, "/healthz")
            #expect(health.status == 200)
            #expect(health.json["listeners"] as? [String: String] == ["admin": address])
            #expect(health.json["started_at_ms"] as? Int == 42)
            let record = try #require(ServiceRecord.ofRunning(.ingest, in: host.home))
            #expect(record.listeners == ["admin": address] && record.pid == getpid())
        }
        withExtendedLifetime(lock) {}
    }

    @Test(.timeLimit(.minutes(1)))
    func `ready only while every condition holds, and says which does not`() async throws {
        host.readiness.declare("lanes", problem: "starting")
        try await whileRunning(AdminServer(at: HostPort("127.0.0.1:0")!, host: host), host) { address in
            #expect(try await get(address, "/readyz").status == 503)
            host.readiness.hold("lanes")
            #expect(try await get(address, "/readyz").status == 200)
            host.readiness.fail("lanes", "reader is ahead of the head of batch")
            let answer = try await get(address, "/readyz")
            #expect(answer.status == 503)
            #expect(answer.text.contains("reader is ahead of the head of batch"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `metrics are served as Prometheus text`() async throws {
        host.metrics.counter("nkul_rows_total", "Rows.").add(7)
        try await whileRunning(AdminServer(at: HostPort("127.0.0.1:0")!, host: host), host) { address in
            let text = try await get(address, "/metrics").text
            #expect(text.contains("\nnkul_rows_total 7\n") && text.contains("\nprocess_resident_memory_bytes "))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an address in use is an error with setting, address and cause`() async throws {
        try await whileRunning(AdminServer(at: HostPort("127.0.0.1:0")!, host: host), host) { address in
            let second = AdminServer(at: HostPort(address)!, host: ServiceHost(.ingest, home: host.home))
            await #expect {
                try await second.run()
            } throws: { error in
                (error as? ServiceError)?.code == .address
                    && ["NKUL_ADMIN_INGEST", address, "EADDRINUSE"].allSatisfy("\(error)".contains)
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a thread's failure ends the service with that error`() async throws {
        struct Broken: Error, Equatable {}
        let server = AdminServer(at: HostPort("127.0.0.1:0")!, host: host)
        host.stop.fail(Broken())
        await #expect(throws: Broken()) { try await host.serve(server) }
    }
}
