import GRDB
import Lanes
import Models
import Storage
import Testing

@testable import PrivacyWorker

@Suite struct RestoreNotesTests {
    @Test func `the audit log tells of a restore, once, and stays whole`() throws {
        let bench = try PrivacyBench()
        try bench.settle()
        let restoration = Restoration(
            id: "r1", backedUpAt: 10, restoredAt: 20,
            lanes: [.init(lane: .privacy, oldGeneration: 5, head: bench.engine.journals[0].head, generation: 6)],
            readers: [])
        try restoration.settle(bench.database) { try RestoreNotes.note(restoration, $0) }
        for _ in 0..<2 {
            let effects = try bench.effects(PrivacyBench.keys)
            let journal = try Journal(lane: .privacy, in: bench.database)
            let engine = try EffectEngine(
                database: bench.database, reads: PrivacyWorkerEffects.subscriptions(), journals: [journal],
                effects: effects)
            for _ in 0..<5 { try engine.step([], now: 3_000) }
        }
        let told = try bench.entries().filter { $0.action == "home.restored" }
        #expect(told.map(\.detail) == [#"{"backed_up_at_ms":"10","restore":"r1","restored_at_ms":"20"}"#])
        #expect(
            try bench.database.read { try AuditLog($0).trustedHead(PrivacyBench.keys) }?.hash
                == bench.entries().last?.hash)
    }
}
