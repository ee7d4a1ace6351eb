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
