/// What stops the aggregator.
public enum AggregatorError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A file of open rows holds what no aggregator wrote.
    case openRowsCorrupt(String)
    /// A cell of the store holds what no aggregator wrote; `--rebuild` makes it anew.
    case cellCorrupt(String)
    /// Open rows are of a kind that no programme here counts.
    case unknownKind(UInt8)
    /// An older program stopped amid a fold, and only the service can take that over.
    case olderFold
    /// An older program wrote the home, and only the service can take it over.
    case olderHome

    public var description: String {
        switch self {
        case .olderFold: "an older program stopped amid a fold: start nkul-batch-aggregator once, then dump"
        case .olderHome: "an older program wrote this home: start nkul-batch-aggregator once, then dump"
        case .unknownKind(let kind):
            "open rows are of kind \(kind), which no programme of this service counts"
        case .openRowsCorrupt(let what): "open rows are corrupt: \(what)"
        case .cellCorrupt(let what):
            "a statistics cell is corrupt: \(what); nkul-batch-aggregator --rebuild makes cells anew"
        }
    }
}
