import Models
import Storage
import Testing
import Wire

@testable import PrivacyWorker

/// The worker goes on after somebody has tampered: it must not make a forgery sound by signing over it.
struct ForgeryTests {
    private let writer: ConsentWriter
    private let bench: PrivacyBench

    init() throws {
        writer = try ConsentWriter()
        bench = try PrivacyBench()
        for version in 1...5 { try bench.step(consent(Int64(version))) }
    }

    private func consent(_ version: Int64) throws -> [Block] {
        try writer.append([.sample(1, version, ["measurement"])])
    }

    @Test(arguments: Forgery.all)
    func `a forgery is not signed by the next consent`(forgery: Forgery) throws {
        try forgery.commit(on: bench)
        let before = try bench.entries(), head = try bench.head(), next = try consent(6)
        #expect(throws: AuditUnsound(fault: forgery.fault)) { try bench.step(next) }
        #expect(try bench.entries() == before && bench.head() == head)
        #expect(try bench.check().fault == forgery.fault)
    }

    @Test(arguments: Forgery.all)
    func `a worker does not start over a forgery`(forgery: Forgery) throws {
        try forgery.commit(on: bench)
        #expect(throws: AuditUnsound(fault: forgery.fault)) {
            try bench.effects(PrivacyBench.keys)
        }
    }

    @Test func `a last entry whose hash was kept is not signed over`() throws {
        try bench.tamper("UPDATE audit_entries SET detail = '{}' WHERE number = 6")
        let next = try consent(6)
        #expect(throws: AuditUnsound(fault: .changed(number: 6))) { try bench.step(next) }
    }

    @Test func `a head of another key stops the worker`() throws {
        let others = try AuditKeys(signing: [UInt8](2...33), subjects: [UInt8](33...64))
        let error = #expect(throws: AuditUnsound.self) {
            try bench.effects(others)
        }
        #expect(error?.fault == .wrongSignature)
        #expect(error?.description.contains("nkul-privacy-worker --verify") == true)
    }

    /// Sets the log back to four entries with the head that was signed then; `heads` on the lane go, too.
    private func setBack(heads: String) throws {
        let older = try PrivacyBench.keys.head(after: bench.entries()[3])
        try bench.tamper("DELETE FROM audit_entries WHERE number > 4; DELETE FROM lane_privacy_blocks WHERE \(heads)")
        try bench.database.write { try AuditLog($0).save(older) }
    }

    @Test func `a log set back is still found after the next consents`() throws {
        try setBack(heads: "FALSE")
        try bench.step(consent(6))
        #expect(try bench.check().fault == .setBack(published: 5, found: 5))
        try bench.step(consent(7))
        #expect(try bench.check().fault == .setBack(published: 5, found: 6))
    }

    @Test func `a log set back with all its heads is found by a head that was kept elsewhere, and only by that`() throws
    {
        let kept = try #require(try bench.head())
        try setBack(heads: "TRUE")
        try bench.step(consent(6))
        try bench.step(consent(7))
        #expect(try bench.check() == .init(entries: 6, fault: nil))
        var verifier = AuditVerifier(keys: PrivacyBench.keys, head: try bench.head(), published: [kept])
        for entry in try bench.entries() { verifier.take(entry) }
        #expect(verifier.finish() == .setBack(published: 6, found: 6))
    }
}
