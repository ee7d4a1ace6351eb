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

/// One line of a transaction: an amount that enters an account or leaves it.
public struct LedgerEntry: Sendable, Equatable {
    public enum Side: Int64, Sendable {
        /// The amount enters the account.
        case debit = 1
        /// The amount leaves the account.
        case credit = -1
    }

    public let account: LedgerAccount
    /// Whole XAF, above 0.
    public let amount: Int64
    public let side: Side

    public init(_ side: Side, _ amount: Int64, _ account: LedgerAccount) {
        self.side = side
        self.amount = amount
        self.account = account
    }
}

/// What must never be in a ledger.
public enum LedgerError: Error, Equatable {
    /// Debits less credits, XAF.
    case unbalanced(transaction: String, by: Int64)
    case notPositive(transaction: String)
    /// The sum over all accounts, XAF, which is always 0.
    case doesNotAddUp(Int64)
}

extension LedgerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unbalanced(let transaction, let sum):
            "ledger: transaction \(transaction) has debits and credits that differ by \(sum) XAF"
        case .notPositive(let transaction): "ledger: transaction \(transaction) has an amount that is not above 0"
        case .doesNotAddUp(let sum): "ledger: debits and credits of all entries differ by \(sum) XAF"
        }
    }
}
