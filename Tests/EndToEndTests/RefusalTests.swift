import Foundation
import PipelineTesting
import TemporaryFiles
import Testing

/// What a service says when it cannot start: always what is wrong, and where.
@Suite(.serialized, .enabled(if: EndToEnd.isEnabled))
struct RefusalTests {
    @Test
    func `a second process on the same home is refused, and the error names the home`() throws {
        let pack = try ServicePack()
        for name in ServicePack.names {
            try pack.start([name])
            let ports = [
                ServicePack.adminKey(of: name): "127.0.0.1:\(try UnusedPorts.take())",
                "NKUL_INGEST_HTTP": "127.0.0.1:\(try UnusedPorts.take())",
                "NKUL_EXPORTER_HTTP": "127.0.0.1:\(try UnusedPorts.take())",
                "NKUL_ALERTS_PORT": String(try UnusedPorts.take(2)),
            ]
            let second = pack.program(name, [], ports)
            try second.start()
            #expect(second.exitCode(within: 60) == 1)
            #expect(second.output.contains(pack.home.path("home")), "\(name): \(second.output)")
            pack.processes[name]!.kill()
        }
    }

    @Test
    func `a port in use is refused, and the error names the address`() throws {
        let pack = try ServicePack()
        let held = try CuttingProxy(target: 9, seed: 1)
        defer { held.stop() }
        for (name, key) in [("nkul-ingest", "NKUL_INGEST_HTTP"), ("nkul-analytics-exporter", "NKUL_EXPORTER_HTTP")] {
            let service = pack.program(name, [], [key: "127.0.0.1:\(held.port)"])
            try service.start()
            #expect(service.exitCode(within: 60) == 1)
            #expect(service.output.contains("\(held.port)"), "\(service.output)")
        }
    }

    @Test
    func `a socket path over 107 bytes is refused, and the error names the path`() throws {
        let pack = try ServicePack()
        let deep = pack.home.path(String(repeating: "d", count: 110))
        let service = pack.program("nkul-ingest", [], ["NKUL_HOME": deep])
        try service.start()
        #expect(service.exitCode(within: 60) == 2)
        #expect(service.output.contains(deep) && service.output.contains("107"), "\(service.output)")
    }

    @Test
    func `a home of a newer version is refused, and the error says so`() throws {
        let pack = try ServicePack()
        try pack.start()
        for process in pack.processes.values { process.kill() }
        let version = pack.home.path("home/version")
        let known = try String(contentsOfFile: version, encoding: .utf8)
        try known.replacing(/[0-9]+/, with: "999").write(toFile: version, atomically: true, encoding: .utf8)
        for name in ServicePack.names {
            let service = pack.program(name, [])
            try service.start()
            #expect(service.exitCode(within: 60) == 1)
            #expect(service.output.lowercased().contains("newer"), "\(name): \(service.output)")
        }
    }

    @Test(.enabled(if: geteuid() != 0))
    func `a directory without permission is refused, and the error names it`() throws {
        let pack = try ServicePack()
        let closed = pack.home.path("closed")
        try FileManager.default.createDirectory(
            atPath: closed, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        let service = pack.program("nkul-ingest", [], ["NKUL_HOME": closed + "/home"])
        try service.start()
        #expect(service.exitCode(within: 60) == 1)
        #expect(service.output.contains(closed), "\(service.output)")
    }
}
