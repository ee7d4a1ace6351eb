import Foundation
import GRDB
import IngestCommands
import IngestCommit
import IngestUploads
import Lanes
import Models
import QoE
import Storage
import SubjectRights
import Testing
import Wire

@testable import IngestSupport

/// Who is asked about an alarm, and who is not.
@Suite struct QuestionRoundTests {
    private static let minute: UnixMilliseconds = 60_000
    /// Reading.now is 09:53 in Douala: no quiet hour.
    private static let now = Reading.now
    private let policy = PromptPolicy.builtIn(timeZone: "Africa/Douala")

    /// Devices whose browsers are asked.
    private func bench(_ count: Int = 1, requestsLimit: Int = 1 << 20) throws -> EngineBench {
        let bench = try EngineBench(requestsLimit: requestsLimit)
        try bench.enrol(count)
        let changes = try (1...count).map { try bench.pushChange(UInt64($0)) }
        _ = try bench.engine.commit([], commands: changes, now: Self.now)
        return bench
    }

    private func round(
        _ alarm: Int = 1, _ moment: PushPromptDocument.Moment = .raised, _ devices: [UInt64] = [1],
        rule: PromptRule = .noService, at: UnixMilliseconds? = nil, by policy: PromptPolicy? = nil, perMinute: Int = 600
    ) -> QuestionRound {
        let occasion = AlarmOccasion(
            alarm: "a\(alarm)", rule: rule, moment: moment, at: at ?? Self.now, devices: devices)
        return QuestionRound(
            occasion, prompts: devices.map { "p\(alarm)\(moment)\($0)" }, by: policy ?? self.policy,
            perMinute: perMinute)
    }

    private func ask(
        _ bench: EngineBench, _ round: QuestionRound, now: UnixMilliseconds = QuestionRoundTests.now
    ) throws -> [QuestionOutcome] {
        try bench.engine.commit([], commands: [round], now: now).answers(to: QuestionRound.self)[0].get()
    }

    private func tell(
        _ bench: EngineBench, _ outcome: String, of prompt: String, seq: Int, now: UnixMilliseconds, device: UInt64 = 1,
        rule: String? = "no_service"
    ) throws {
        let rule = rule.map { #","rule":"\#($0)""# } ?? ""
        let text = """
            {"seq":\(seq),"captured_at_ms":\(now),"prompt_id":"\(prompt)","outcome":"\(outcome)","policy_version":"1"\(rule)}
            """
        let upload = try Reading.upload(Array(text.utf8), kind: .prompt, device: device, arrivedAt: now)
        #expect(try bench.receipt(upload, now: now).accepted == 1)
    }

    @Test func `who helped is asked when an alarm is raised, and when it is over, each once`() throws {
        let bench = try bench(2)
        let outcome = try bench.engine.commit([], commands: [round(1, .raised, [1, 2])], now: Self.now)
        #expect(try outcome.answers(to: QuestionRound.self)[0].get() == [.asked, .asked])
        let columns = try #require(try EngineBench.rows(outcome, .requests).last)
        #expect(columns[ColumnID.device]?.integers == [1, 2])
        let told = try columns.documents(PushPromptDocument.self).map(\.document)
        #expect(
            told[0]
                == PushPromptDocument(
                    prompt: "p1raised1", rule: "no_service", moment: .raised, topic: "a1", policyVersion: "default-1",
                    askedAt: Self.now))
        #expect(try ask(bench, round(1, .raised, [1, 2])) == [.repeated, .repeated])
        let later = Self.now + 61 * Self.minute
        #expect(try ask(bench, round(1, .over, [1, 2], at: later), now: later) == [.asked, .asked])
        #expect(try ask(bench, round(1, .over, [1, 2], at: later), now: later) == [.repeated, .repeated])
    }

    @Test func `the policy in force decides: pauses, the daily maximum, quiet hours and rules that are off`() throws {
        let bench = try bench()
        #expect(try ask(bench, round(1)) == [.asked])
        func at(_ minutes: Int64) -> UnixMilliseconds { Self.now + minutes * Self.minute }
        #expect(try ask(bench, round(2, at: at(59)), now: at(59)) == [.pause])
        #expect(try ask(bench, round(2, at: at(60)), now: at(60)) == [.asked])
        #expect(try ask(bench, round(3, at: at(120)), now: at(120)) == [.asked])
        #expect(try ask(bench, round(4, at: at(180)), now: at(180)) == [.dailyMaximum])
        // 21:53 in Douala, and 07:53 the next day.
        #expect(try ask(bench, round(5, at: at(720)), now: at(720)) == [.quietHours])
        #expect(try ask(bench, round(6, at: at(1_320)), now: at(1_320)) == [.asked])
        var off = policy
        off.rules = PromptPolicy.Rules(callDrop: policy.rules.callDrop)
        #expect(try ask(bench, round(7, at: at(1_440), by: off), now: at(1_440)) == [.ruleIsOff])
        #expect(try ask(bench, round(7, rule: .callDrop, at: at(1_440), by: off), now: at(1_440)) == [.asked])
    }

    @Test func `who ignored or dismissed a question is left alone for longer, and an answer ends that`() throws {
        let bench = try bench()
        func at(_ minutes: Int64) -> UnixMilliseconds { Self.now + minutes * Self.minute }
        #expect(try ask(bench, round(1)) == [.asked])
        try tell(bench, "shown", of: "p1raised1", seq: 1, now: at(1))
        #expect(try ask(bench, round(2, at: at(61)), now: at(61)) == [.asked], "shown alone changes nothing")
        try tell(bench, "ignored", of: "p2raised1", seq: 2, now: at(62))
        #expect(try ask(bench, round(3, at: at(122)), now: at(122)) == [.pause])
        #expect(try ask(bench, round(3, at: at(61 + 240)), now: at(61 + 240)) == [.asked])
        try tell(bench, "answered", of: "p3raised1", seq: 3, now: at(302))
        try tell(bench, "dismissed", of: "p3raised1", seq: 4, now: at(303))
        var often = policy
        often.dailyMaximum = 20
        #expect(try ask(bench, round(4, at: at(361), by: often), now: at(361)) == [.asked], "an answer stays one")
    }

    @Test func `prompts that the device tells of otherwise count, too`() throws {
        let bench = try bench()
        try tell(bench, "dismissed", of: "own", seq: 1, now: Self.now, rule: nil)
        #expect(
            try ask(bench, round(1, at: Self.now + 200 * Self.minute), now: Self.now + 200 * Self.minute) == [.pause])
        // Of a device that is not asked nothing is kept.
        let other = try EngineBench()
        try other.enrol(1)
        try tell(other, "shown", of: "own", seq: 1, now: Self.now)
        #expect(try other.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM push_prompts") } == 0)
    }

    @Test func `so many a minute are asked in all, and further ones are not`() throws {
        let bench = try bench(3), devices: [UInt64] = [1, 2, 3]
        #expect(try ask(bench, round(1, .raised, devices, perMinute: 2)) == [.asked, .asked, .perMinute])
        let soon = Self.now + 59_999, later = Self.now + 60_000
        #expect(try ask(bench, round(1, .raised, devices, perMinute: 2), now: soon).last == .perMinute)
        #expect(try ask(bench, round(1, .raised, devices, perMinute: 2), now: later).last == .asked)
        #expect(try ask(bench, round(2, .raised, [3], perMinute: 0)) == [.pause], "the policy comes first")
    }

    @Test func `a question that is late is none`() throws {
        let bench = try bench()
        let raised = Self.now - PushPromptDocument.lifetime
        #expect(try ask(bench, round(1, at: raised)) == [.late])
        #expect(try ask(bench, round(1, at: raised + 1)) == [.asked])
    }

    @Test func `who turned it off, was revoked or erased is not asked`() throws {
        let bench = try bench(3)
        _ = try bench.engine.commit([], commands: [PushChange(endOf: 1)], now: Self.now)
        try bench.database.write { try IngestStore($0).revoke(2, now: Self.now) }
        let erasure = ErasureChange(
            device: 3, request: "r", scope: .everything, source: .device, dueAt: Self.now + 1)
        _ = try bench.engine.commit([], commands: [erasure], now: Self.now)
        #expect(try ask(bench, round(1, .raised, [1, 2, 3, 4])) == [.gone, .gone, .gone, .gone])
    }

    @Test func `a full requests lane is told of no question, and nothing is noted`() throws {
        let bench = try EngineBench(requestsLimit: 1)
        try bench.enrol(1)
        try bench.database.write { try IngestStore($0).beginPush(of: 1, at: Self.now) }
        #expect(throws: DeviceAPIError.full(.requests)) { try ask(bench, round(1)) }
        #expect(try bench.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM push_prompts") } == 0)
    }

    @Test func `prompts are forgotten after 31 days, and when it is turned off`() throws {
        let bench = try bench(2)
        func count() throws -> Int? {
            try bench.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM push_prompts") }
        }
        #expect(try ask(bench, round(1, .raised, [1, 2])) == [.asked, .asked])
        _ = try bench.engine.commit([], commands: [PushChange(endOf: 1)], now: Self.now)
        #expect(try count() == 1)
        try bench.engine.maintain([:], now: Self.now + IngestStore.promptsKept)
        #expect(try count() == 1)
        try bench.engine.maintain([:], now: Self.now + IngestStore.promptsKept + 1)
        #expect(try count() == 0)
    }
}
