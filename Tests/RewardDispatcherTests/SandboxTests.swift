import Foundation
import GRDB
import Models
import ServiceKit
import Storage
import TemporaryFiles
import Testing

@testable import RewardDispatcher

struct SandboxTests {
    private func call(_ seq: Int64, _ purpose: ProviderCall.Purpose = .pay) -> ProviderCall {
        let id = GrantID(device: 1, campaign: "c", record: RecordIdentifier(device: 1, seq: seq))
        return ProviderCall(
            purpose: purpose, grant: id, reference: PaymentReference(id, attempt: 1), device: 1, amount: 50, attempt: 1,
            ask: 0, at: 0, quietMilliseconds: 0)
    }

    private func store(_ script: SandboxScript, _ path: String = ":memory:") throws -> SandboxStore {
        SandboxStore(
            database: try ServiceDatabase(path: path, migrations: SandboxProvider.migrations), script: script)
    }

    @Test func `without a script it pays at once and says so when asked`() async throws {
        let provider = SandboxProvider(
            try SandboxScript(file: nil),
            database: try ServiceDatabase(path: ":memory:", migrations: SandboxProvider.migrations))
        #expect(await provider.ask(call(1, .ask)) == .notFound)
        let paid = await provider.pay(call(1))
        #expect(paid == .confirmed("sandbox-\(call(1).reference.text)"))
        #expect(await provider.ask(call(1, .ask)) == paid)
    }

    @Test func `fates come in the shares of the script, and the same for the same seed`() throws {
        var script = SandboxScript()
        script.timeoutPaid = 0.15
        script.timeoutUnpaid = 0.15
        script.error = 0.1
        script.rejected = 0.05
        func fates() throws -> [SandboxFate.Payment] {
            let store = try store(script)
            return try (1...2_000).map { try store.pay(call($0)).fate }
        }
        let first = try fates()
        #expect(try fates() == first)
        for (fate, share) in [
            (SandboxFate.Payment.paidInSilence, 0.15), (.lostInSilence, 0.15), (.failed, 0.1), (.rejected, 0.05),
            (.paid, 0.55),
        ] {
            #expect(abs(Double(first.count { $0 == fate }) / 2_000 - share) < 0.04)
        }
        script.seed = 2
        #expect(try fates() != first)
    }

    @Test func `its books outlive it, and a second payment of a reference is found out`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/sandbox.sqlite"
        var script = SandboxScript()
        script.timeoutPaid = 1
        let before = try store(script, path)
        #expect(try before.pay(call(1)).fate == .paidInSilence)
        try before.database.close()
        let after = try store(SandboxScript(), path)
        #expect(try after.ask(call(1, .ask)).known == .confirmed("sandbox-\(call(1).reference.text)"))
        _ = try after.pay(call(1))
        let payouts = try after.database.read { try Int64.fetchOne($0, sql: "SELECT payouts FROM payments") }
        #expect(payouts == 2)
    }

    @Test func `its books name no device, and a reference that was replaced does not come back`() throws {
        let database = try ServiceDatabase(path: ":memory:", migrations: SandboxProvider.migrations)
        let provider = SandboxProvider(SandboxScript(), database: database)
        let store = SandboxStore(database: database, script: SandboxScript())
        for seq in 1...2 as ClosedRange<Int64> { _ = try store.pay(call(seq)) }
        let replaced = ReplacedReference(reference: call(1).grant, replacement: GrantID(1, 2), attempts: 1)
        for _ in 1...2 { #expect(try provider.replace([replaced])) }
        #expect(try store.ask(call(1, .ask)).known == .notFound)
        #expect(try store.ask(call(2, .ask)).known == .confirmed("sandbox-\(call(2).reference.text)"))
        let (references, columns) = try database.read { db in
            (
                try String.fetchSet(db, sql: "SELECT reference FROM payments WHERE payouts = 1"),
                try db.columns(in: "payments").map(\.name)
            )
        }
        #expect(references == [PaymentReference(GrantID(1, 2), attempt: 1).text, call(2).reference.text])
        #expect(!columns.contains("device"))
    }

    @Test func `a call it does not answer ends with the patience of the caller, and is silence`() async throws {
        var script = SandboxScript()
        script.timeoutUnpaid = 1
        let provider = SandboxProvider(
            script, database: try ServiceDatabase(path: ":memory:", migrations: SandboxProvider.migrations))
        let (answers, entrance) = AsyncStream.makeStream(of: ProviderAnswer.self)
        let caller = ProviderCaller(provider, timeout: .milliseconds(20)) { _, answer in entrance.yield(answer) }
        let running = Task { await caller.run() }
        caller.carryOut([call(1)])
        var iterator = answers.makeAsyncIterator()
        let answer = await iterator.next()
        guard case .silent = answer else {
            Issue.record("\(String(describing: answer)) is not silence")
            return
        }
        running.cancel()
        await running.value
    }

    @Test func `a script is read as it is written, and what is wrong with it is said`() throws {
        let directory = try TemporaryDirectory()
        func script(_ text: String) throws -> SandboxScript {
            let path = directory.path + "/\(UUID().uuidString).json"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return try SandboxScript(file: path)
        }
        let read = try script(
            """
            {"seed": 7, "delay_ms": {"least": 5, "most": 50},
             "pay": {"timeout_paid": 0.15, "timeout_unpaid": 0.25, "error": 0.1, "rejected": 0.02},
             "ask": {"timeout": 0.1, "processing": 0.05}}
            """)
        #expect(read.seed == 7 && read.leastDelay == 5 && read.mostDelay == 50 && read.timeoutUnpaid == 0.25)
        #expect(read.askTimeout == 0.1 && read.askProcessing == 0.05 && read.rejected == 0.02)
        #expect(try script("{}") == SandboxScript())
        for wrong in [
            "{", #"{"pay":{"error":1.5}}"#, #"{"pay":{"error":0.6,"rejected":0.6}}"#,
            #"{"delay_ms":{"least":5,"most":1}}"#,
        ] {
            #expect(throws: ServiceError.self) { try script(wrong) }
        }
        #expect(throws: ServiceError.self) { try SandboxScript(file: "/nowhere/script.json") }
    }
}
