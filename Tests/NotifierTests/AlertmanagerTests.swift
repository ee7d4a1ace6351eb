import Channels
import Foundation
import Models
import NotifierMessages
import ServiceKit
import Testing

@testable import Notifier

/// Alertmanager is told how an alarm stands, again and again while it lasts.
@Suite struct AlertmanagerTests {
    private let id = "62401-1222-1"

    private func alerts(_ call: OutgoingCall) throws -> [JSONValue] {
        guard case .alertmanager(let url, resend: let resend) = call.channel.kind else { return [] }
        return try JSONValue(bytes: AlertmanagerMessage.request(call, to: url, resend: resend).body).array ?? []
    }

    private func time(_ text: JSONValue?) throws -> UnixMilliseconds {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return UnixMilliseconds((try style.parse(text?.string ?? "")).timeIntervalSince1970 * 1_000)
    }

    @Test func `what fires is pushed again before its end passes, also after a restart, and is over once`() throws {
        let bench = try NotifierBench()
        try bench.manager(resend: 10)
        try bench.alarm()
        var ends: [UnixMilliseconds] = [], starts: Set<String> = []
        for round in 0..<6 {
            if round == 3 { try bench.restart() }
            if round > 0 { try bench.tick(after: 10_000) }
            let calls = try bench.calls()
            let alert = try #require(try calls.first.map { try alerts($0.call) }?.first)
            ends.append(try time(alert["endsAt"]))
            starts.insert(alert["startsAt"]?.string ?? "")
            #expect(ends.last! - bench.now == 40_000)
            try bench.answer(calls[0].number, .delivered)
            #expect(try bench.calls().isEmpty)
        }
        #expect(starts == ["2025-06-15T15:06:40.000Z"] && ends == ends.sorted())
        try bench.clear()
        let last = try bench.calls()
        #expect(last.map { $0.call.deliveries.map(\.transition) } == [["cleared"]])
        let alert = try #require(try alerts(last[0].call).first)
        #expect(try time(alert["endsAt"]) <= bench.now && alert["labels"]?["severity"] == "major")
        try bench.answer(last[0].number, .delivered)
        try bench.tick(after: 3_600_000)
        #expect(try bench.deliver().isEmpty)
    }

    @Test func `an answer to what fired does not bring back what is over`() throws {
        let bench = try NotifierBench()
        try bench.manager()
        try bench.alarm()
        let calls = try bench.calls()
        try bench.clear()
        try bench.answer(calls[0].number, .delivered)
        #expect(try bench.deliver() == ["am \(id) cleared"])
        try bench.tick(after: 3_600_000)
        #expect(try bench.deliver().isEmpty)
    }

    @Test func `another severity ends the alert of the one before and fires at once`() throws {
        let bench = try NotifierBench()
        try bench.manager()
        try bench.alarm()
        try bench.deliver()
        try bench.alarm(id, .critical)
        let calls = try bench.calls()
        let sent = try alerts(calls[0].call)
        let severities = try sent.map {
            [$0["labels"]?["severity"]?.string ?? "", try time($0["endsAt"]) > bench.now ? "fires" : "over"]
        }
        #expect(Set(severities) == [["critical", "fires"], ["major", "over"]])
    }

    @Test func `a severity that changes while a call is on the way is told at once, not at the next push`() throws {
        let bench = try NotifierBench()
        try bench.manager(resend: 600)
        try bench.alarm()
        let before = try bench.calls()
        try bench.alarm(id, .critical)
        try bench.answer(before[0].number, .delivered)
        let sent = try bench.calls().flatMap { try alerts($0.call) }
        let firing = try sent.filter { try time($0["endsAt"]) > bench.now }
        #expect(firing.map { $0["labels"]?["severity"]?.string } == ["critical"])
    }

    @Test func `what fires is never given up while it lasts`() throws {
        var settings = NotifierSettings()
        settings.schedule.mostAttempts = 2
        let bench = try NotifierBench(settings)
        try bench.manager(resend: 10)
        try bench.alarm()
        for _ in 0..<8 {
            #expect(try bench.deliver(.failed("down")).count == 1)
            try bench.tick(after: 12_000)
        }
        #expect(try bench.outbox { try $0.count(.dead) } == 0)
        #expect(try bench.deliver() == ["am \(id) firing"])
    }

    @Test func `many alarms leave in few messages`() throws {
        let bench = try NotifierBench()
        try bench.manager()
        for number in 0..<250 { try bench.alarm("a\(number)") }
        var sizes: [Int] = []
        while let call = try bench.calls().first {
            sizes.append(call.call.deliveries.count)
            try bench.answer(call.number, .delivered)
        }
        #expect(sizes.reduce(0, +) == 250 && sizes.count <= 4 && sizes.allSatisfy { $0 <= 100 })
    }
}
