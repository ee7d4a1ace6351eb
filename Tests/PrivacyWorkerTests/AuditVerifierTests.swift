import Models
import Testing

@testable import PrivacyWorker

/// Random tampering by somebody who can write everything but has no key.
struct AuditVerifierTests {
    private let keys = PrivacyBench.keys

    private func log(_ count: Int, _ dice: inout SplitMix64) -> [AuditEntry] {
        var entries: [AuditEntry] = []
        for number in 1...Int64(count) {
            entries.append(
                AuditEntry(
                    number: number, at: 1_000 + number, actor: "device", action: "consent.given",
                    subject: keys.subject(device: Int64(dice.below(5))), detail: "{\"version\":\(dice.below(3))}",
                    previous: entries.last?.hash ?? AuditEntry.origin))
        }
        return entries
    }

    private func fault(_ entries: [AuditEntry], _ head: AuditHead?) -> AuditFault? {
        var verifier = AuditVerifier(keys: keys, head: head)
        for entry in entries { verifier.take(entry) }
        return verifier.finish()
    }

    @Test func `of 1 000 random tamperings every one is found`() throws {
        var dice = SplitMix64(seed: 42)
        var missed: [String] = [], kinds: [String: Int] = [:]
        var round = 0
        while kinds.values.reduce(0, +) < 1_000 {
            round += 1
            let before = log(1 + dice.below(30), &dice)
            let head = try keys.head(after: before.last!)
            #expect(fault(before, head) == nil, "round \(round)")
            var tampering = Tampering(before, head)
            let kind = tampering.tamper(&dice)
            if dice.below(2) == 0 { tampering.entries = AuditEntry.chained(tampering.entries) }
            if dice.below(4) == 0, let last = tampering.entries.last {
                // The head made to fit, too, but for its signature.
                tampering.head.count = last.number
                tampering.head.hash = last.hash
            }
            // Mending can undo what was done; then nobody has tampered.
            guard tampering.entries != before || tampering.head != head else { continue }
            kinds[kind, default: 0] += 1
            if fault(tampering.entries, tampering.head) == nil { missed.append("round \(round): \(kind)") }
        }
        #expect(missed == [])
        #expect(kinds.count == Tampering.kinds && kinds.values.allSatisfy { $0 > 50 }, "\(kinds)")
    }

    @Test func `fields cannot be moved into each other`() {
        func hash(_ actor: String, _ action: String) -> [UInt8] {
            AuditEntry(
                number: 1, at: 0, actor: actor, action: action, subject: [], detail: "", previous: AuditEntry.origin
            ).hash
        }
        #expect(hash("ab", "c") != hash("a", "bc"))
    }
}
