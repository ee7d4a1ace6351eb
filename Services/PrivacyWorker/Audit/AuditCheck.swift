internal import Foundation
internal import GRDB
internal import Lanes
internal import Models
public import Storage
internal import Wire

/// Verifies the audit log of a database, also while the service writes it.
public enum AuditCheck {
    /// What a verification found.
    public struct Outcome: Sendable, Equatable {
        /// Entries that were looked at.
        public let entries: Int64
        /// Nil if the log is sound.
        public let fault: AuditFault?
    }

    /// Goes through the log in one read transaction, and compares it with the heads that are on the privacy lane.
    ///
    /// - Parameter sealer: opens the lane's blocks.
    /// - Throws: what the database throws, and what the lane's blocks throw if they are damaged.
    public static func run(_ database: ReadOnlyDatabase, keys: AuditKeys, sealer: BlockSealer?) throws -> Outcome {
        // The lane first: what is published afterwards is in the log that is read then.
        let published = try published(database, sealer)
        return try database.read { db in
            let log = AuditLog(db)
            var verifier = AuditVerifier(keys: keys, head: try log.head(), published: published)
            var entries: Int64 = 0
            try log.forEach { entry in
                entries += 1
                verifier.take(entry)
            }
            return Outcome(entries: entries, fault: verifier.finish())
        }
    }

    /// ``run(_:keys:sealer:)`` on a thread that may block: a long log takes seconds.
    static func runApart(_ database: ReadOnlyDatabase, keys: AuditKeys, sealer: BlockSealer?) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(with: Result { try run(database, keys: keys, sealer: sealer) })
            }
        }
    }

    private static func published(_ database: ReadOnlyDatabase, _ sealer: BlockSealer?) throws -> [AuditHead] {
        var heads: [AuditHead] = []
        var decoder = ColumnDecoder()
        var after: UInt64 = 0
        while true {
            let page = try Journal.read(
                lane: .privacy, from: database, after: after, kinds: [RecordKind.auditHead.id], sealer: sealer)
            for block in page.blocks {
                let documents = try block.columns(with: &decoder)[ColumnID.document]
                for text in (0..<block.header.rowCount).compactMap({ documents?.value($0) }) {
                    heads.append(AuditHead(try JSONDecoder().decode(AuditHeadDocument.self, from: Data(text))))
                }
            }
            guard !page.blocks.isEmpty, page.through > after else { return heads }
            after = page.through
        }
    }
}

/// What `audit.verify` answers.
struct AuditReport: Encodable, Sendable {
    let sound: Bool
    let entries: Int64
    /// A sentence on the first fault, if there is one.
    let fault: String?

    init(_ outcome: AuditCheck.Outcome) {
        sound = outcome.fault == nil
        entries = outcome.entries
        fault = outcome.fault?.description
    }
}
