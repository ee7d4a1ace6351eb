/// What stands in a grant's place of its subject, once that is erased: random names that lead to nobody.
public struct ErasedGrant: Sendable, Equatable {
    /// Owner of its accounts in the ledger, the same in all grants of a subject, so that their sums still add up.
    public let owner: String
    /// Its name in the ledger, at once, and its identifier as soon as it is settled: until then it keeps the one that the
    /// provider knows it by.
    public let id: GrantID

    public init(owner: String, id: GrantID) {
        self.owner = owner
        self.id = id
    }
}
