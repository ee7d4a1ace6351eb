/// What is paid for a feedback, as operators announce it.
public struct ReferenceCampaign: Sendable, Equatable {
    public var id: String
    /// Whole XAF.
    public var amount: Int
    /// Grants of one device on one local day; 0 is without limit.
    public var dailyMaximum: Int
    /// Texts of the networks whose SIMs are paid; empty is any.
    public var networks: Set<String>
    public var isActive: Bool

    public init(id: String, amount: Int, dailyMaximum: Int, networks: Set<String>, isActive: Bool) {
        self.id = id
        self.amount = amount
        self.dailyMaximum = dailyMaximum
        self.networks = networks
        self.isActive = isActive
    }
}
