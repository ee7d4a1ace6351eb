import Foundation
import Lanes
import Testing

@testable import AlertRouter

/// `docs/examples/subscriber.py` against a real endpoint.
@Suite(.timeLimit(.minutes(1)), .enabled(if: ExampleSubscriber.isRunnable, "needs python3-zmq"))
struct ExampleSubscriberTests {
    @Test("the example of the documents handles every message once, also those it missed live")
    func complete() async throws {
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
}
