public import Models

/// Entries that belong together; what enters is what leaves.
public struct LedgerTransaction: Sendable, Equatable {
    /// Follows from the grant and the number of the movement, so that none can be booked twice.
    public let id: String
    public let at: UnixMilliseconds
    public let entries: [LedgerEntry]

    /// - Throws: ``LedgerError`` if an amount is not above 0, or debits and credits differ.
    public init(id: String, at: UnixMilliseconds, entries: [LedgerEntry]) throws(LedgerError) {
        guard entries.allSatisfy({ $0.amount > 0 }) else { throw LedgerError.notPositive(transaction: id) }
        let sum = entries.reduce(0) { $0 + $1.side.rawValue * $1.amount }
        guard sum == 0, !entries.isEmpty else { throw LedgerError.unbalanced(transaction: id, by: sum) }
        self.id = id
        self.at = at
        self.entries = entries
    }

    /// What the `number`th movement of a grant is called.
    static func name(of number: Int, of grant: GrantID) -> String { "\(grant.text)-\(number)" }

    /// The `number`th movement of a grant's amount, from 1.
    init(
        _ grant: Grant, number: Int, from source: LedgerAccount.Kind, to target: LedgerAccount.Kind,
        at: UnixMilliseconds
    ) throws(LedgerError) {
        try self.init(
            id: Self.name(of: number, of: grant.erased?.id ?? grant.id), at: at,
            entries: [
                LedgerEntry(.credit, grant.amount, grant.account(source)),
                LedgerEntry(.debit, grant.amount, grant.account(target)),
            ])
    }
}
