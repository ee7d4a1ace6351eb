import Foundation
import HTTPTypes
import IngestCommands
import IngestUploads
import Lanes
import Models
import QoE
import ServiceKit
import Storage
import Synchronization
import Testing

@testable import IngestAPI
@testable import IngestCommit

/// From the router's lane to questions: alarms, who helped to raise them, and which of those have a browser that is asked.
@Suite(.timeLimit(.minutes(1))) struct AlarmQuestionsTests {
    /// The bench's copies, with who asks.
    private final class World {
        let bench: APIBench
        let questions: AlarmQuestions
        private let engine: EffectEngine
        private let counted: Counted

        final class Counted: Sendable {
            let all = Mutex<[QuestionOutcome: Int]>([:])
        }

        init(_ devices: Int = 2, asked: [UInt64] = [1], perMinute: Int = 600) async throws {
            bench = try await APIBench(hasNotifier: true)
            let counted = Counted()
            self.counted = counted
            questions = try bench.questions(perMinute: perMinute) { outcome, count in
                counted.all.withLock { $0[outcome, default: 0] += count }
            }
            engine = try bench.copies.engine(hasNotifier: true, questions: questions)
            for _ in 0..<devices { _ = try await bench.enrol() }
            for device in asked {
                _ = try await bench.queue.ask(try EngineBench().pushChange(device)).get()
            }
        }

        func take(_ alarms: [CopiesBench.Record], _ contributions: [CopiesBench.Record] = []) async throws {
            var blocks: [LaneBlock] = []
            if !alarms.isEmpty { blocks.append(try bench.copies.block(.alerts, .alarm, alarms)) }
            if !contributions.isEmpty { blocks.append(try bench.copies.block(.alerts, .contribution, contributions)) }
            try engine.step(blocks, now: Reading.now)
            await questions.finish()
        }

        func publish(_ policy: PromptPolicy) throws {
            let document = Array(try SortedJSON.text(of: policy).utf8)
            try engine.step(
                [bench.copies.block(.operations, .promptPolicy, [.init(key: "current", document: document)])],
                now: Reading.now)
        }

        func told() throws -> [PushPromptDocument] {
            try bench.documents(.pushPrompt, on: .requests, as: PushPromptDocument.self)
        }

        var counts: [QuestionOutcome: Int] { counted.all.withLock { $0 } }
    }

    private func alarm(
        _ number: Int = 1, _ state: String = "raised", rule: String = "urgent.no_service",
        at time: UnixMilliseconds = Reading.now
    ) -> CopiesBench.Record {
        let time = SystemTime.text(time), cleared = state == "cleared" ? #","alarmClearedTime":"\#(time)""# : ""
        let text = """
            {"id":"alarm-\(number)","perceivedSeverity":"major","state":"\(state)","ackState":"unacknowledged",\
            "alarmRaisedTime":"\(time)","rule":"\(rule)","cell":"1222230012301230","devices":7\(cleared)}
            """
        return CopiesBench.Record(key: "alarm-\(number)", document: Array(text.utf8))
    }

    private func contribution(_ device: UInt64, _ number: Int = 1, records: Int64 = 1) throws -> CopiesBench.Record {
        let document = ContributionDocument(
            alarm: "alarm-\(number)", device: device, records: records, firstAt: Reading.now)
        return CopiesBench.Record(
            key: document.key, device: device, document: Array(try JSONEncoder().encode(document)))
    }

    @Test
    func `of those who helped to raise an alarm, who is asked at all is asked when it is raised and when it is over`()
        async throws
    {
        let world = try await World()
        try world.publish(Self.eager)
        try await world.take([alarm()], [contribution(1), contribution(2)])
        try await world.take([alarm(1, "updated")], [contribution(1, records: 5)])
        let first = try #require(try world.told().first)
        #expect(try world.told().count == 1 && first.moment == .raised && first.rule == "no_service")
        #expect(first.topic == ImpactAlarm.name(ofAlarm: "alarm-1") && first.policyVersion == "9")
        #expect(first.prompt.utf8.count == 32 && !first.prompt.contains("alarm"))
        try await world.take([alarm(1, "cleared")])
        try await world.take([alarm(1, "cleared")])
        #expect(try world.told().map(\.moment) == [.raised, .over])
        #expect(world.counts == [.asked: 2])
    }

    /// A policy without pauses and quiet hours.
    private static let eager: PromptPolicy = {
        var policy = PromptPolicy.builtIn(timeZone: "Africa/Douala")
        policy.version = 9
        policy.pause = PromptPolicy.Pause(betweenMinutes: 0, afterIgnoredMinutes: 1, factor: 1, longestMinutes: 1)
        policy.quietHours = nil
        policy.dailyMaximum = 20
        return policy
    }()

    @Test func `a contribution may come before its alarm or after it, and nobody else's alarm is asked about`()
        async throws
    {
        let world = try await World(3, asked: [1, 2, 3])
        try world.publish(Self.eager)
        try await world.take([], [contribution(1)])
        #expect(try world.told().isEmpty)
        try await world.take([alarm()])
        #expect(world.counts == [.asked: 1])
        try await world.take([], [contribution(2)])
        #expect(world.counts == [.asked: 2])
        // Who is known to have helped when it is over is not asked how it is.
        try await world.take([alarm(1, "cleared")])
        #expect(world.counts == [.asked: 4])
        try await world.take([], [contribution(3)])
        #expect(world.counts == [.asked: 4])
    }

    @Test func `without a policy of its own a home goes by the built-in one`() async throws {
        let world = try await World()
        try await world.take([alarm()], [contribution(1)])
        try await world.take([alarm(2)], [contribution(1, 2)])
        #expect(try world.told().map(\.policyVersion) == ["default-1"] && world.counts == [.asked: 1, .pause: 1])
    }

    @Test func `an alarm that was read late, or begun before the copies were lost, is not asked about`() async throws {
        let world = try await World()
        let old = Reading.now - PushPromptDocument.lifetime
        try await world.take([alarm(1, at: old)], [contribution(1)])
        #expect(world.counts == [.late: 1])
        // Without its beginning an end is news of nothing.
        try await world.take([alarm(2, "cleared")], [contribution(1, 2)])
        #expect(try world.told().isEmpty && world.counts == [.late: 1])
    }

    @Test func `what is more than may be sent in a minute is not asked, and counted`() async throws {
        let world = try await World(3, asked: [1, 2, 3], perMinute: 2)
        try await world.take([alarm()], [contribution(1), contribution(2), contribution(3)])
        #expect(try world.told().count == 2 && world.counts == [.asked: 2, .perMinute: 1])
    }

    @Test func `occasions beyond a bound are not asked about, and counted`() async throws {
        let world = try await World()
        let occasion = AlarmOccasion(
            alarm: "a", rule: .noService, moment: .raised, at: Reading.now, devices: [1, 2])
        let many = AlarmQuestions.mostWaiting + 3
        world.questions.take([AlarmOccasion](repeating: occasion, count: many), by: Self.eager)
        await world.questions.finish()
        #expect(world.counts[.full] == 6 && world.counts[.asked] == 1)
        #expect(world.counts[.repeated] == AlarmQuestions.mostWaiting - 1)
    }

    @Test(arguments: [
        ("urgent.emergency", PromptRule.emergency), ("built-in.no_service", .noService),
        ("built-in.call_failure", .callDrop), ("urgent.rating", .slowSpeed), ("of-our-own", .slowSpeed),
    ])
    func `an alarm is asked about by the rule of what it is about`(rule: String, prompt: PromptRule) {
        #expect(ImpactAlarm.promptRule(of: rule) == prompt)
    }
}
