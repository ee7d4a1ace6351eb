import Foundation
import Models
import ServiceKit
import Testing
import SocketTesting
import ZeroMQ

@testable import AlertRouter

@Suite(.timeLimit(.minutes(2)), .serialized)
struct TenantServiceTests {
    @Test
    func `a restart keeps ports, keys and numbers, and announces nothing anew`() async throws {
        let port = FreePorts.take(10)
        let mtn = try Added("mtn", 2, ["62401"])
        let first = try TenantServiceBench(port: port)
        let keys = try await first.add([mtn])[0]
        #expect(keys.alertsPub == "tcp://127.0.0.1:\(port + 4)" && keys.alertsReplay == "tcp://127.0.0.1:\(port + 5)")
        let before = try Subscriber(keys)
        _ = try await before.heartbeats.wait(for: 1)
        try first.ingest.append([.drop()])
        #expect(try await seq(before.alarms.wait(for: 1)[0]) == 1)
        before.stop()
        let file = try first.keyFile("mtn")
        #expect(file.clientSecretKey == nil && file.clientPublicKey == mtn.pair.publicKey)
        let rows = first.announcements.rows
        let second = try TenantServiceBench(port: port, before: try await first.stop())
        #expect(try await keys == mtn.keys(at: second.announcements.endpoint("mtn")))
        let after = try Subscriber(keys)
        _ = try await after.heartbeats.wait(for: 1)
        try second.ingest.append([.emergency(device: 2)])
        #expect(try await after.alarms.wait(for: 2).map(seq) == [2, 3])
        #expect(try second.keyFile("mtn") == file)
        #expect(second.announcements.rows == rows)
        after.stop()
        try await second.end()
    }

    @Test
    func `a port in use keeps one tenant out and says which, until it is free; the others are served`() async throws {
        let port = FreePorts.take(10)
        let blocker = SocketThread(name: "blocker", context: try Context())
        blocker.start()
        _ = try blocker.call { loop in
            try loop.open(.pub, options: SocketOptions(security: .clearText), bind: "tcp://127.0.0.1:\(port + 3)")
        }
        let mtn = try Added("mtn", 1, ["62401"]), orange = try Added("orange", 2, ["62402"])
        let bench = try TenantServiceBench(port: port)
        try bench.exporter.append(.tenant, Added.columns([mtn, orange]))
        let served = try Subscriber(orange.keys(at: try await bench.announcements.endpoint("orange")))
        _ = try await served.heartbeats.wait(for: 1)
        let problem = { bench.host.readiness.conditions.first { $0.name == AlertEndpoints.condition }?.problem }
        #expect(problem()?.contains("tenant mtn has no alert endpoint") == true)
        #expect(problem()?.contains(":\(port + 3)") == true)
        try bench.ingest.append([.drop(), .drop(mnc: 2)])
        #expect(try await seq(served.alarms.wait(for: 1)[0]) == 1)
        blocker.stop()
        let late = mtn.keys(at: try await bench.announcements.endpoint("mtn"))
        #expect(problem() == nil)
        #expect(try await Replay.of(late) == [Urgent.key.topic(.major)])
        served.stop()
        try await bench.end()
    }

    @Test
    func `a tenant whose keys cannot be saved keeps no port bound, and is served as soon as they can be`() async throws
    {
        let bench = try TenantServiceBench(port: FreePorts.take(4))
        _ = try await bench.announcements.endpoint("regulator")
        let keys = bench.home + "/keys", away = bench.home + "/away"
        try FileManager.default.moveItem(atPath: keys, toPath: away)
        let mtn = try Added("mtn", 1, ["62401"])
        try bench.exporter.append(.tenant, Added.columns([mtn]))
        let problem = { bench.host.readiness.conditions.first { $0.name == AlertEndpoints.condition }?.problem }
        #expect(try await eventually(within: 60) { problem()?.contains("mtn.alerts.json") == true })
        try FileManager.default.moveItem(atPath: away, toPath: keys)
        let late = mtn.keys(at: try await bench.announcements.endpoint("mtn"))
        #expect(problem() == nil)
        #expect(try await Replay.of(late).isEmpty)
        try await bench.end()
    }

    @Test
    func `subscribers with another key take the place of those before, on the same ports`() async throws {
        let port = FreePorts.take(10)
        let bench = try TenantServiceBench(port: port)
        let old = try Added("mtn", 1, ["62401"])
        let oldKeys = try await bench.add([old])[0]
        let before = try Subscriber(oldKeys)
        _ = try await before.heartbeats.wait(for: 1)
        let new = try Added("mtn", 1, ["62401"])
        try bench.exporter.append(.tenant, Added.columns([new]))
        #expect(try await eventually(within: 60) { (try? bench.keyFile("mtn"))?.clientPublicKey == new.pair.publicKey })
        let newKeys = new.keys(at: try await bench.announcements.endpoint("mtn"))
        #expect((newKeys.alertsPub, newKeys.serverPublicKey) == (oldKeys.alertsPub, oldKeys.serverPublicKey))
        let after = try Subscriber(newKeys)
        _ = try await after.heartbeats.wait(for: 1)
        try bench.ingest.append([.drop()])
        _ = try await after.alarms.wait(for: 1)
        #expect(before.alarms.items.isEmpty)
        before.stop()
        after.stop()
        try await bench.end()
    }

    @Test
    func `subscribers are told the name that is advertised, this machine its own address`() async throws {
        let bench = try TenantServiceBench([
            "NKUL_ALERTS_HOST": "0.0.0.0", "NKUL_ALERTS_ADVERTISE": "alerts.example.net",
        ])
        let mtn = try Added("mtn", 1, ["62401"])
        let keys = try await bench.add([mtn])[0]
        let file = try bench.keyFile("mtn")
        #expect(keys.alertsPub.replacing("alerts.example.net", with: "127.0.0.1") == file.alertsPub)
        #expect(keys.alertsReplay.replacing("alerts.example.net", with: "127.0.0.1") == file.alertsReplay)
        #expect(keys.alertsPub != file.alertsPub)
        let regulator = try await bench.announcements.endpoint("regulator")
        #expect(regulator.alertsPub.hasPrefix("tcp://alerts.example.net:"))
        let subscriber = try Subscriber(bench.regulatorKeys())
        _ = try await subscriber.heartbeats.wait(for: 1)
        subscriber.stop()
        try await bench.end()
    }

    @Test
    func `a tenant whose number leads beyond the last port is told so, and the rest goes on`() async throws {
        let bench = try TenantServiceBench(port: FreePorts.take(4))
        let far = try Added("far", 32_000, ["62401"]), near = try Added("near", 1, ["62401"])
        try bench.exporter.append(.tenant, Added.columns([far, near]))
        _ = try await bench.announcements.endpoint("near")
        let problem = bench.host.readiness.conditions.first { $0.name == AlertEndpoints.condition }?.problem
        #expect(problem?.contains("leaves no ports for tenant number 32000") == true)
        try await bench.end()
    }

    private func seq(_ frames: [Frame]) throws -> Int {
        let header = try JSONSerialization.jsonObject(with: Data(frames[1])) as? [String: Any]
        return try #require(header?["seq"] as? Int)
    }
}
