import Foundation
import Lanes
import Testing
import SocketTesting
import ZeroMQ

@testable import AlertRouter

/// `docs/examples/subscriber.py` against a real endpoint.
@Suite(.timeLimit(.minutes(1)), .enabled(if: ExampleSubscriber.isRunnable, "needs python3-zmq"))
struct ExampleSubscriberTests {
    @Test
    func `the example of the documents handles every message once, also those it missed live`() async throws {
        let router = try RouterBench()
        func commit(_ numbers: ClosedRange<UInt64>) throws {
            for number in numbers {
                var row = Urgent.drop(device: Int64(number))
                row.mnc = Int64(number)
                try router.engine.step([Urgent.block(number, [row])], now: row.receivedAt)
            }
        }
        try commit(1...5)
        let bench = try EndpointBench(router)
        let lines = Inbox<String>()
        let example = try ExampleSubscriber(keyFile: bench.keyFile, lines: lines)
        defer { example.stop() }
        let first = try await lines.wait(for: 5)
        #expect(first.map { $0.split(separator: " ").first } == ["1", "2", "3", "4", "5"])
        // 6 and 7 are lost on the way; 8 arrives, and heartbeats tell of 8.
        try commit(6...8)
        bench.publish([router.messages[7]])
        let all = try await lines.wait(for: 8)
        #expect(Set(all.compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }) == Set(1...8))
        #expect(all[5].hasPrefix("8 alerts/62408/major/"))
        #expect(all[5].contains("calls are dropped 1 devices"))
    }

    @Test
    func `the example follows a tenant with what tenant add printed`() async throws {
        let service = try TenantServiceBench()
        let mtn = try Added("mtn", 1, ["62401"])
        let keys = try await service.add([mtn])[0]
        let printed = [
            "tenant": "mtn", "token": "0", "alerts_pub": keys.alertsPub, "alerts_replay": keys.alertsReplay,
            "server_public_key": keys.serverPublicKey, "client_public_key": mtn.pair.publicKey,
            "client_secret_key": mtn.pair.secretKey,
        ]
        let file = service.home + "/printed.json"
        try JSONEncoder().encode(printed).write(to: URL(fileURLWithPath: file))
        try service.ingest.append([.drop(mnc: 2), .drop()])
        let lines = Inbox<String>()
        let example = try ExampleSubscriber(keyFile: file, lines: lines)
        #expect(try await lines.wait(for: 1)[0].hasPrefix("1 alerts/62401/major/"))
        example.stop()
        try await service.end()
    }
}
