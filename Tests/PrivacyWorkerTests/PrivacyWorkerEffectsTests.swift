import GRDB
import Lanes
import Models
import Storage
import SubjectRights
import TemporaryFiles
import Testing
import Wire

@testable import PrivacyWorker

struct PrivacyWorkerEffectsTests {
    private let writer: ConsentWriter
    private let bench: PrivacyBench

    init() throws {
        writer = try ConsentWriter()
        bench = try PrivacyBench()
    }

    @Test func `consents are kept as they came and audited by what they are next to the one before`() throws {
        try bench.step(
            writer.append([.sample(1, 1, ["measurement", "rewards"]), .sample(2, 1, ["measurement"])])
                + writer.append([
                    .sample(1, 2, ["measurement"], at: 1_500), .sample(2, 2, ["measurement", "research"]),
                ])
                + writer.append([.sample(1, 1, ["measurement"])]))
        let ledger = try bench.database.read { db in
            try Row.fetchAll(db, sql: "SELECT device, version, received_at FROM consents ORDER BY number").map {
                [$0[0] as Int64, $0[1], $0[2]]
            }
        }
        #expect(ledger == [[1, 1, 1_000], [2, 1, 1_000], [1, 2, 1_500], [2, 2, 1_000], [1, 1, 1_000]])
        let entries = try bench.entries()
        #expect(
            entries.map(\.action) == [
                "log.opened", "consent.given", "consent.given", "consent.withdrawn", "consent.changed",
                "consent.out_of_order",
            ])
        #expect(entries[1].subject == entries[3].subject && entries[1].subject != entries[2].subject)
        #expect(entries[1].subject.count == 32)
        #expect(
            entries[3].detail == #"{"policy_version":"2025-1","purposes":["measurement"],"version":2}"#)
        #expect(try bench.check() == .init(entries: 6, fault: nil))
    }

    @Test func `the signed head of each commit is published on the privacy lane`() throws {
        let first = try bench.step([])
        let second = try bench.step(writer.append([.sample(1, 1, [])]))
        var decoder = ColumnDecoder()
        let heads = try (first + second).filter { $0.header.kind == RecordKind.auditHead.id }
            .map { try $0.columns(with: &decoder) }
        #expect(heads.map { $0[ColumnID.key].map { String(decoding: $0.bytes, as: UTF8.self) } } == ["head", "head"])
        let stored = try #require(try bench.head())
        let text = try #require(heads[1][ColumnID.document]).bytes
        #expect(String(decoding: text, as: UTF8.self).contains(#""at_ms":2000,"count":2"#))
        #expect(stored.count == 2 && PrivacyBench.keys.hasSigned(stored))
    }

    @Test func `what contacts do about alarms is in the log, with who, what and the outcome, without their words`()
        throws
    {
        let done = AlarmTask(
            command: AlarmCommand(
                task: "t1", alarm: "a1", act: .comment, tenant: "orange", contact: "ann", at: 5, text: "secret words"),
            state: .done, decidedAt: 6, version: 1)
        let failed = AlarmTask(
            command: AlarmCommand(task: "t2", alarm: "a1", act: .clear, tenant: "mtn", contact: "bob", at: 7),
            state: .failed, code: "not_the_owner", reason: "…", decidedAt: 8)
        try bench.hear(.alarmTask, .documents([("t1", done), ("t2", failed)]), from: "alert-router")
        let entries = try bench.entries().filter { $0.action.hasPrefix("alarm.") }
        #expect(entries.map(\.actor) == ["orange/ann", "mtn/bob"])
        #expect(entries.map(\.action) == ["alarm.comment", "alarm.clear"])
        #expect(entries.allSatisfy { $0.detail.contains("\"alarm\":\"a1\"") && !$0.detail.contains("secret") })
        #expect(entries.last?.detail.contains("\"code\":\"not_the_owner\"") == true)
        #expect(try bench.check().fault == nil)
    }

    @Test func `what contacts set, and how they log in, is in the log by its name`() throws {
        let acts = [
            ContactActDocument(tenant: "orange", contact: "ann", act: "rule.set", target: "outage", at: 5),
            ContactActDocument(tenant: "", contact: "nkul admin", act: "sensor.removed", target: "7", at: 6),
            ContactActDocument(tenant: "orange", contact: "ann", act: "session.code_used", target: "", at: 7),
        ]
        try bench.hear(
            .contactAct, .documents(acts.enumerated().map { ("a\($0)", $1) }), from: "analytics-exporter")
        let entries = try bench.entries().suffix(3)
        #expect(entries.map(\.actor) == ["orange/ann", "nkul admin", "orange/ann"])
        #expect(entries.map(\.action) == ["rule.set", "sensor.removed", "session.code_used"])
        #expect(entries.map(\.detail) == [#"{"target":"outage"}"#, #"{"target":"7"}"#, "{}"])
        #expect(try bench.check().fault == nil)
    }

    @Test func `what persons decide about rewards is in the log, with who and why, and not whose it was`() throws {
        let decision = RewardDecisionDocument(
            decision: "paid", campaign: "spring", amountXAF: 50, by: "ann", why: "statement of June, line 7")
        try bench.hear(.rewardDecision, .documents([("1-0", decision)]), from: "reward-dispatcher")
        let entry = try #require(try bench.entries().last)
        #expect(entry.actor == "ann" && entry.action == "reward.paid" && entry.subject == [])
        #expect(entry.detail == #"{"amount_xaf":50,"campaign":"spring","why":"statement of June, line 7"}"#)
        #expect(try bench.check().fault == nil)
    }

    @Test func `a block that comes again changes nothing`() throws {
        let blocks = try writer.append([.sample(1, 1, ["measurement"])])
        try bench.step(blocks)
        let before = try bench.entries()
        #expect(try bench.step(blocks).isEmpty)
        #expect(try bench.entries() == before)
    }

    @Test func `a log goes on where it was when the service starts again`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/state.sqlite"
        do {
            let first = try PrivacyBench(path: path)
            try first.step(writer.append([.sample(1, 1, [])]))
            try first.database.close()
        }
        let again = try PrivacyBench(path: path)
        try again.step([])
        try again.step(writer.append([.sample(1, 2, ["measurement"])]))
        #expect(try again.entries().map(\.action) == ["log.opened", "consent.given", "consent.changed"])
        #expect(try again.check() == .init(entries: 3, fault: nil))
    }

    @Test(arguments: [
        "DELETE FROM consents", "UPDATE consents SET version = 9", "DELETE FROM audit_entries",
        "UPDATE audit_entries SET actor = ''",
    ])
    func `ledger and log are append-only`(sql: String) throws {
        try bench.step(writer.append([.sample(1, 1, [])]))
        let error = #expect(throws: StorageError.self) { try bench.database.write { try $0.execute(sql: sql) } }
        #expect(error?.message.contains("append-only") == true)
    }
}
