import Foundation
import Lanes
import Models
import Testing
import SocketTesting
import ZeroMQ

@testable import AlertRouter

@Suite(.timeLimit(.minutes(1)))
struct AlertEndpointTests {
    private let start: UnixMilliseconds = 1_750_000_000_000

    /// A store with this many messages, each of an operator of its own.
    private func router(_ count: Int) throws -> RouterBench {
        let router = try RouterBench()
        for number in 0..<count {
            var row = Urgent.drop(device: Int64(number))
            row.mnc = Int64(number)
            try router.engine.step([Urgent.block(UInt64(number + 1), [row])], now: start)
        }
        return router
    }

    private func seq(_ frames: [Frame]) throws -> Int {
        let header = try JSONSerialization.jsonObject(with: Data(frames[1])) as? [String: Any]
        return try #require(header?["seq"] as? Int)
    }

    private func end(_ seq: Int) -> [Frame] { [Frame("END".utf8), Frame("\(seq)".utf8)] }

    @Test
    func `a subscriber receives the messages of its prefix as three frames`() async throws {
        let router = try router(3)
        let bench = try EndpointBench(router)
        let (alarms, heartbeats) = (Inbox<[Frame]>(), Inbox<[Frame]>())
        try bench.subscribe("alerts/62401/", alarms: alarms, heartbeats: heartbeats)
        // A heartbeat that has come means that the subscription stands.
        _ = try await heartbeats.wait(for: 1)
        bench.publish(router.messages)
        #expect(try await alarms.wait(for: 1) == [router.messages[1].frames])
    }

    @Test
    func `a heartbeat carries the last number, also that of messages committed before the start`() async throws {
        let router = try router(2)
        let bench = try EndpointBench(router)
        let (alarms, heartbeats) = (Inbox<[Frame]>(), Inbox<[Frame]>())
        try bench.subscribe("alerts/nothing", alarms: alarms, heartbeats: heartbeats)
        let first = try await heartbeats.wait(for: 1)[0]
        #expect(try seq(first) == 2)
        #expect(first.count == 3)
        try router.engine.step([Urgent.block(3, [.emergency()])], now: start + 1)
        let known = router.messages.count
        bench.publish(Array(router.messages[2...]))
        while try seq(heartbeats.items.last!) != known {
            _ = try await heartbeats.wait(for: heartbeats.items.count + 1)
        }
    }

    @Test(arguments: [0, 1, 700, 1_500])
    func `REPLAY gives every message after a number, in order, and then END`(after: Int) async throws {
        let router = try router(1_500)
        let bench = try EndpointBench(router)
        let inbox = Inbox<[Frame]>()
        let dealer = try bench.dial(into: inbox)
        try bench.ask(["REPLAY", "\(after)", "alerts/"], on: dealer)
        let answer = try await inbox.wait(for: 1_500 - after + 1)
        #expect(answer.dropLast().map { $0 } == router.messages[after...].map(\.frames))
        #expect(answer.last == end(1_500))
    }

    @Test
    func `SNAPSHOT gives one message of each alarm of the prefix, and an answer that is empty still ends`() async throws
    {
        let router = try router(3)
        try router.engine.step([Urgent.block(4, [.emergency()])], now: start + 5_000)
        let bench = try EndpointBench(router)
        let inbox = Inbox<[Frame]>()
        let dealer = try bench.dial(into: inbox)
        try bench.ask(["SNAPSHOT", "alerts/62401/"], on: dealer)
        #expect(try await inbox.wait(for: 2) == [router.messages[4].frames, end(5)])
        try bench.ask(["SNAPSHOT", "alerts/99999/"], on: dealer)
        #expect(try await inbox.wait(for: 3).last == end(5))
    }

    @Test
    func `what is not a request is answered by an error that says what is`() async throws {
        let bench = try EndpointBench(try router(1))
        let inbox = Inbox<[Frame]>()
        let dealer = try bench.dial(into: inbox)
        try bench.ask(["HELLO"], on: dealer)
        let answer = try await inbox.wait(for: 1)[0]
        #expect(answer.first == Frame("ERROR".utf8))
        #expect(String(decoding: answer[1], as: UTF8.self).contains("REPLAY after-seq prefix"))
    }

    @Test
    func `many subscribers that replay at once all get everything`() async throws {
        let router = try router(1_100)
        let bench = try EndpointBench(router)
        let inboxes = (0..<8).map { _ in Inbox<[Frame]>() }
        for inbox in inboxes { try bench.ask(["REPLAY", "0", ""], on: bench.dial(into: inbox)) }
        for inbox in inboxes {
            let answer = try await inbox.wait(for: 1_101)
            #expect(answer.dropLast().map { $0 } == router.messages.map(\.frames))
        }
    }

    @Test
    func `a subscriber that missed everything live is complete after REPLAY, in the same order`() async throws {
        let router = try router(50)
        let bench = try EndpointBench(router)
        bench.publish(router.messages)
        let (alarms, heartbeats, answers) = (Inbox<[Frame]>(), Inbox<[Frame]>(), Inbox<[Frame]>())
        try bench.subscribe("alerts/", alarms: alarms, heartbeats: heartbeats)
        let ahead = try seq(try await heartbeats.wait(for: 1)[0])
        #expect(ahead == 50)
        try bench.ask(["REPLAY", "0", "alerts/"], on: bench.dial(into: answers))
        let answer = try await answers.wait(for: ahead + 1)
        #expect(try answer.dropLast().map(seq) == Array(1...50))
        #expect(alarms.items.isEmpty)
    }

    @Test
    func `a subscriber with another key is refused`() async throws {
        let bench = try EndpointBench(try router(1))
        let (alarms, heartbeats, events) = (Inbox<[Frame]>(), Inbox<[Frame]>(), Inbox<ConnectionEvent>())
        try bench.subscribe("", alarms: alarms, heartbeats: heartbeats, events: events, pair: .generate())
        #expect(try await events.wait(for: 2).contains { if case .handshakeFailed = $0 { true } else { false } })
        #expect(heartbeats.items.isEmpty)
    }
}
