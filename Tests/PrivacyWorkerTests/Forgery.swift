import Storage
import Testing

@testable import PrivacyWorker

/// What somebody makes of the file who may write it and has no key: numbers and chain fit, and no head on the lane is in the way.
struct Forgery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the worker and a verification say of it.
    let fault: AuditFault
    private let change: @Sendable (inout [AuditEntry]) -> Void
    private let isHeadFitted: Bool

    private init(
        _ name: String, _ fault: AuditFault, isHeadFitted: Bool,
        _ change: @escaping @Sendable (inout [AuditEntry]) -> Void
    ) {
        testDescription = "\(name), \(isHeadFitted ? "head fitted" : "head as it was")"
        self.fault = fault
        self.isHeadFitted = isHeadFitted
        self.change = change
    }

    /// Of a log of six entries.
    static let all: [Forgery] = [
        both("edit", .wrongEnd(number: 6)) { $0[2].detail = "{}" },
        both("edit of the last", .wrongEnd(number: 6)) { $0[5].detail = "{}" },
        both("removal", .wrongLength(signed: 6, found: 5)) { $0.remove(at: 2) },
        both("exchange", .wrongEnd(number: 6)) { $0.swapAt(2, 4) },
        both("repetition", .wrongLength(signed: 6, found: 7)) { $0.insert($0[2], at: 3) },
        both("truncation", .wrongLength(signed: 6, found: 4)) { $0.removeLast(2) },
        both("addition", .wrongLength(signed: 6, found: 7)) { $0.append($0[5]) },
        [Forgery("all removed", .wrongLength(signed: 6, found: 0), isHeadFitted: false) { $0 = [] }],
        [Forgery("all removed", .noHead, isHeadFitted: true) { $0 = [] }],
    ].flatMap { $0 }

    private static func both(
        _ name: String, _ fault: AuditFault, _ change: @escaping @Sendable (inout [AuditEntry]) -> Void
    ) -> [Forgery] {
        [
            Forgery(name, .wrongSignature, isHeadFitted: true, change),
            Forgery(name, fault, isHeadFitted: false, change),
        ]
    }

    func commit(on bench: PrivacyBench) throws {
        var entries = try bench.entries()
        let head = try bench.head()
        change(&entries)
        entries = AuditEntry.chained(entries)
        try bench.tamper("DELETE FROM audit_entries; DELETE FROM lane_privacy_blocks")
        if isHeadFitted { try bench.tamper("DELETE FROM audit_head") }
        try bench.database.write { db in
            let log = AuditLog(db)
            for entry in entries { try log.append(entry) }
            guard isHeadFitted, let last = entries.last, let head else { return }
            try log.save(AuditHead(count: last.number, hash: last.hash, at: last.at, signature: head.signature))
        }
    }
}

extension AuditEntry {
    /// Numbers and hashes made to fit again, as far as that is possible without a key.
    static func chained(_ entries: [AuditEntry]) -> [AuditEntry] {
        entries.enumerated().reduce(into: []) { chained, next in
            let (place, entry) = next
            chained.append(
                AuditEntry(
                    number: Int64(place + 1), at: entry.at, actor: entry.actor, action: entry.action,
                    subject: entry.subject, detail: entry.detail, previous: chained.last?.hash ?? AuditEntry.origin))
        }
    }
}
