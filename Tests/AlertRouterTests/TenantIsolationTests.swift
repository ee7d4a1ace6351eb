import Foundation
import Models
import Testing
import SocketTesting
import ZeroMQ

@testable import AlertRouter

/// Two tenants and the regulator on the running service: who hears what.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct TenantIsolationTests {
    /// Drops of four operators, each in a cell of its own.
    private func rows(_ numbers: Range<Int>) -> [Urgent] {
        numbers.map { number in
            var row = Urgent.drop(device: Int64(number + 1), mnc: [1, 2, 4, nil][number % 4])
            row.longitude = 90_000_000 + Int64(number) * 100_000
            // Too far apart for a rule.
            row.receivedAt += Int64(number) * 600_000
            return row
        }
    }

    private func prefixes(_ wave: Int) -> [[UInt8]] {
        let words = ["", "a", "alerts", "alerts/", "alerts/624", "alerts/62402/", "alerts/62401/", "alerts/unknown/"]
        let severities = ["critical", "major", "minor", "warning", "indeterminate", "cleared"]
        let topics = severities.flatMap { ["alerts/62402/\($0)/", "alerts/62404/\($0)/", "alerts/unknown/\($0)/"] }
        let cells = (0..<30).map { "alerts/62402/major/1222\(String($0 + wave, radix: 4))" }
        let odd: [[UInt8]] = [
            [0], [0xFF], [UInt8](repeating: 0x61, count: 300), Array("alerts/heartbeat".utf8), Array("ALERTS/".utf8),
        ]
        return (words + topics + cells).map { Array($0.utf8) } + odd
    }

    private func client(_ pair: CurveKeyPair, _ server: AlertKeys) -> SocketSecurity {
        .curveClient(keys: pair, serverKey: server.serverPublicKey)
    }

    /// Ways to come in, of which only those with `mtn`'s key at its own endpoint may hear anything.
    private func attempts(
        _ mtn: (Added, AlertKeys), _ orange: (Added, AlertKeys), _ regulator: AlertKeys
    ) throws -> [Intruder] {
        let stranger = try CurveKeyPair.generate()
        func pub(_ keys: AlertKeys, _ security: SocketSecurity, _ mayHear: String? = nil) -> Intruder {
            .init(kind: .sub, endpoint: keys.alertsPub, security: security, mayHear: mayHear)
        }
        func replay(_ keys: AlertKeys, _ security: SocketSecurity, _ mayHear: String? = nil) -> Intruder {
            .init(kind: .dealer, endpoint: keys.alertsReplay, security: security, mayHear: mayHear)
        }
        return [
            pub(mtn.1, client(mtn.0.pair, mtn.1), "mtn"), replay(mtn.1, client(mtn.0.pair, mtn.1), "mtn"),
            pub(orange.1, client(mtn.0.pair, orange.1)), replay(orange.1, client(mtn.0.pair, orange.1)),
            pub(regulator, client(mtn.0.pair, regulator)), replay(regulator, client(orange.0.pair, regulator)),
            pub(mtn.1, client(mtn.0.pair, orange.1)), pub(mtn.1, client(orange.0.pair, mtn.1)),
            pub(orange.1, client(stranger, orange.1)), pub(orange.1, .clearText), replay(regulator, .clearText),
        ]
    }

    @Test
    func `10 000 hostile subscriptions while alarms flow hear no foreign frame; each tenant hears exactly its own`()
        async throws
    {
        let bench = try TenantServiceBench()
        let mtn = try Added("mtn", 1, ["62401"]), orange = try Added("orange", 2, ["62402"])
        let keys = try await bench.add([mtn, orange]), regulator = try bench.regulatorKeys()
        let subscribers = try (keys + [regulator]).map { try Subscriber($0) }
        for subscriber in subscribers { _ = try await subscriber.heartbeats.wait(for: 1) }
        let crowd = try HostileCrowd()
        let attempts = try attempts((mtn, keys[0]), (orange, keys[1]), regulator)
        var sent: [Urgent] = []
        var wave = 0
        while crowd.subscriptions < 10_000 {
            try await crowd.wave(attempts, prefixes: prefixes(wave), reconnects: 2) {
                let fresh = rows(sent.count..<sent.count + 40)
                try bench.ingest.append(fresh)
                sent += fresh
                return fresh.count { $0.mnc == 1 }
            }
            wave += 1
        }
        crowd.stop()
        #expect(crowd.foreign.isEmpty)
        #expect(crowd.frames > wave)
        for (subscriber, mnc) in zip(subscribers, [1, 2, nil] as [Int64?]) {
            let own = sent.filter { mnc == nil || $0.mnc == mnc }.map { $0.record.key.topic(.major) }
            let heard = try await subscriber.alarms.wait(for: own.count).map { String(decoding: $0[0], as: UTF8.self) }
            #expect(heard == own)
            subscriber.stop()
        }
        try await bench.end()
    }

    @Test
    func `when nobody answers for handshakes, nobody is let in, the tenants' own subscribers neither`() async throws {
        let bench = try EndpointBench(try RouterBench())
        try bench.thread.call { loop in try loop.zapHandler().close() }
        let (alarms, heartbeats, events) = (Inbox<[Frame]>(), Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        try bench.subscribe("", alarms: alarms, heartbeats: heartbeats, events: events)
        let failed = try await events.wait(for: 2).contains { event in
            switch event {
            case .handshakeFailed, .disconnected: true
            default: false
            }
        }
        #expect(failed)
        #expect(heartbeats.items.isEmpty && alarms.items.isEmpty)
    }

    @Test
    func `a tenant added while alarms flow hears all that are its own, live or by REPLAY, and removal ends it`()
        async throws
    {
        let bench = try TenantServiceBench()
        let regulator = try Subscriber(try bench.regulatorKeys())
        let mtn = try Added("mtn", 1, ["62401"])
        for part in 0..<5 { try bench.ingest.append(rows(part * 40..<(part + 1) * 40)) }
        try bench.exporter.append(.tenant, Added.columns([mtn]))
        for part in 5..<20 { try bench.ingest.append(rows(part * 40..<(part + 1) * 40)) }
        let keys = mtn.keys(at: try await bench.announcements.endpoint("mtn"))
        let complete = Set(rows(0..<800).filter { $0.mnc == 1 }.map { $0.record.key.topic(.major) })
        let subscriber = try Subscriber(keys)
        #expect(try await becomesTrueByReplay(keys, complete))
        _ = try await subscriber.heartbeats.wait(for: 1)
        try bench.exporter.append(.tenant, Added.columns([], removed: ["mtn"]))
        #expect(try await bench.announcements.isRemoved("mtn"))
        let file = "\(bench.home)/keys/mtn.alerts.json"
        #expect(try await eventually(within: 60) { !FileManager.default.fileExists(atPath: file) })
        let heard = subscriber.alarms.items.count
        try bench.ingest.append(rows(800..<804))
        _ = try await regulator.heartbeats.wait(for: 2)
        #expect(subscriber.alarms.items.count == heard)
        #expect(
            subscriber.alarms.items.allSatisfy { String(decoding: $0[0], as: UTF8.self).hasPrefix("alerts/62401/") })
        subscriber.stop()
        regulator.stop()
        try await bench.end()
    }

    /// Asks REPLAY until it gives these topics, each once.
    private func becomesTrueByReplay(_ keys: AlertKeys, _ topics: Set<String>) async throws -> Bool {
        for _ in 0..<200 {
            let answer = try await Replay.of(keys)
            if answer.count == topics.count { return Set(answer) == topics }
        }
        return false
    }
}
