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
