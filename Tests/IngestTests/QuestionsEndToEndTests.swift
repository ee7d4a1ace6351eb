import Channels
import Crypto
import Foundation
import HTTPTypes
import IngestCommands
import Lanes
import Models
import NotifierMessages
import QoE
import ServiceKit
import Storage
import SubjectRights
import Synchronization
import Testing

@testable import IngestAPI
@testable import Notifier

/// A question on its whole way: alarm, ingest, lane, notifier, browser, and back.
@Suite(.timeLimit(.minutes(1))) struct QuestionsEndToEndTests {
    private final class Browser: Sendable {
        let key = P256.KeyAgreement.PrivateKey()
        let asked = Mutex<[(number: UInt64, call: OutgoingQuestion)]>([])
        let counts = Mutex<[QuestionOutcome: Int]>([:])

        var subscription: String {
            let point = Base64URL.text(key.publicKey.x963Representation)
            let secret = Base64URL.text([UInt8](repeating: 6, count: 16))
            return #"{"endpoint":"https://push.example.org/1","keys":{"p256dh":"\#(point)","auth":"\#(secret)"}}"#
        }
    }

    /// The notifier's engine over a file beside ingest's.
    private func notifier(_ bench: APIBench, _ browser: Browser) throws -> (EffectEngine, ServiceDatabase) {
        let database = try ServiceDatabase(
            path: bench.path + "/notifier.sqlite", migrations: NotifierEffects.migrations)
        let keys = try NotifierKeys(
            current: RecipientSeal.newKey(), vapid: VAPIDKey.newKey(), contact: "mailto:a@b.cm")
        let effects = try NotifierEffects(
            database, NotifierSettings(), keys, uptime: { 0 }, carryOut: { _ in },
            ask: { calls in browser.asked.withLock { $0 += calls } })
        let journal = try Journal(lane: .deliveries, in: database)
        let engine = try EffectEngine(
            database: database, reads: NotifierEffects.subscriptions, journals: [journal],
            effects: SubjectRightsEffects(
                effects, effects.subjects(), database: database, journals: [journal],
                key: ReceiptKey(secret: [UInt8](repeating: 3, count: 32), service: "notifier")))
        return (engine, database)
    }

    private func alarm(_ name: String) throws -> [CopiesBench.Record] {
        let text = """
            {"id":"\(name)","perceivedSeverity":"major","state":"raised","ackState":"unacknowledged",\
            "alarmRaisedTime":"\(SystemTime.text(Reading.now))","rule":"urgent.call_drop"}
            """
        return [CopiesBench.Record(key: name, document: Array(text.utf8))]
    }

    private func contribution(_ name: String) throws -> [CopiesBench.Record] {
        let document = ContributionDocument(alarm: name, device: 1, records: 1, firstAt: Reading.now)
        return [
            CopiesBench.Record(key: document.key, device: 1, document: Array(try JSONEncoder().encode(document)))
        ]
    }

    @Test func `an alarm that its reports helped to raise becomes what this browser alone opens, and is told of once`()
        async throws
    {
        let bench = try await APIBench(hasNotifier: true), token = try await bench.enrol(), browser = Browser()
        let (notifier, database) = try notifier(bench, browser)
        let questions = try bench.questions { outcome, count in
            browser.counts.withLock { $0[outcome, default: 0] += count }
        }
        let copies = try bench.copies.engine(hasNotifier: true, questions: questions)
        // The notifier tells its keys, and the browser subscribes by them.
        try notifier.step([], now: Reading.now)
        let told = try Journal.read(
            lane: .deliveries, from: database.reader(), after: 0, kinds: [RecordKind.channelKey.id])
        try copies.step(told.blocks.map { LaneBlock(lane: .deliveries, block: $0) }, now: Reading.now)
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(
            try await bench.call(.put, "/v1/me/push", Array(browser.subscription.utf8), headers: headers).status == 200)

        func raise(_ name: String) async throws {
            try copies.step(
                [
                    try bench.copies.block(.alerts, .alarm, alarm(name)),
                    try bench.copies.block(.alerts, .contribution, contribution(name)),
                ], now: Reading.now)
            await questions.finish()
        }
        try await raise("a1")
        try notifier.step(try bench.blocks([.push, .pushPrompt], on: .requests), now: Reading.now)
        try notifier.step([], now: Reading.now)
        let asked = browser.asked.withLock { $0 }
        #expect(asked.count == 1)
        let call = try #require(asked.first?.call)
        #expect(call.subscription.endpoint.text == "https://push.example.org/1")
        #expect(call.subscription.publicKey == [UInt8](browser.key.publicKey.x963Representation))
        #expect(call.question.topic == ImpactAlarm.name(ofAlarm: "a1") && call.question.rule == "call_drop")

        // What became of it decides about the next.
        let outcome = """
            {"seq":1,"captured_at_ms":\(Reading.now),"prompt_id":"\(call.question.prompt)","outcome":"dismissed",\
            "policy_version":"\(call.question.policyVersion)","rule":"call_drop"}
            """
        #expect(try await bench.send(outcome, token: token, path: "/v1/me/prompts").status == 200)
        try await raise("a2")
        #expect(browser.counts.withLock { $0 } == [.asked: 1, .pause: 1])
        #expect(try bench.blocks([.pushPrompt], on: .requests).count == 1)
    }
}
