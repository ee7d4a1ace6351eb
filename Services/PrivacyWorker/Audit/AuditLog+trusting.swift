internal import GRDB

extension AuditLog {
    /// True if anything was ever kept in this database: then there is a signed head, and the key that signed it.
    func isBegun() throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM audit_head) OR EXISTS (SELECT 1 FROM audit_entries)
                    OR EXISTS (SELECT 1 FROM consents)
                """) ?? false
    }

    /// The head on which the next entry may be chained: signed by `keys`, and of the last entry; nil before the first.
    ///
    /// - Throws: ``AuditUnsound``. That entries before the last are as they were written only ``AuditVerifier`` can tell.
    func trustedHead(_ keys: AuditKeys) throws -> AuditHead? {
        guard let head = try head() else {
            if try isBegun() { throw AuditUnsound(fault: .noHead) }
            return nil
        }
        if let fault = try fault(of: head, keys) { throw AuditUnsound(fault: fault) }
        return head
    }

    private func fault(of head: AuditHead, _ keys: AuditKeys) throws -> AuditFault? {
        guard keys.hasSigned(head) else { return .wrongSignature }
        let last = try last()
        guard let last, last.number == head.count else {
            return .wrongLength(signed: head.count, found: last?.number ?? 0)
        }
        guard last.hash == head.hash else { return .wrongEnd(number: last.number) }
        return last.expectedHash == last.hash ? nil : .changed(number: last.number)
    }
}
