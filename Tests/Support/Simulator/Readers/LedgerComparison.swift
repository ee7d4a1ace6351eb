import Foundation
import GRDB
import Models
import PrivacyWorker
import Storage

/// Compares the ledger of consents with the model's, and verifies the audit log over it.
struct LedgerComparison {
    private let database: ServiceDatabase
    private let sealer: BlockSealer?

    init(_ database: ServiceDatabase, sealer: BlockSealer?) {
        self.database = database
        self.sealer = sealer
    }

    /// - Parameter entries: consents that ever were: the audit log keeps what the ledger has to forget.
    func compare(_ expected: [ReferenceLedgerEntry], entries: Int) throws {
        let stored = try database.read { db in
            try Row.fetchAll(db, sql: "SELECT device, version, received_at, document FROM consents ORDER BY number")
                .map { row -> ReferenceLedgerEntry in
                    let text: String = row[3]
                    let document = try JSONDecoder().decode(ConsentDocument.self, from: Data(text.utf8))
                    return ReferenceLedgerEntry(
                        device: row[0], version: row[1], purposes: Set(document.purposes), receivedAt: row[2])
                }
        }
        guard stored == expected else {
            throw SimulationFailure("the ledger of consents has \(stored), expected \(expected)")
        }
        let audit = try AuditCheck.run(database.reader(), keys: SimulatedReader.Plan.auditKeys, sealer: sealer)
        let consents = try database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM audit_entries WHERE action LIKE 'consent.%'")
        }
        guard audit.fault == nil, consents == entries else {
            throw SimulationFailure("the audit log has \(consents ?? 0) of \(entries) consents: \(audit)")
        }
    }
}
