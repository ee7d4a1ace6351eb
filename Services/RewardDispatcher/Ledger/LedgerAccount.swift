/// One account of the ledger: what it is for, and whose it is.
///
/// Money goes round in one circle of four kinds:
///
///     budget ──granted──▶ owed ──handed to the provider──▶ float ──confirmed──▶ paid
///        ▲                  ▲                                │                    │
///        │                  └────certainly not paid: again───┤                    │
///        ├──────────────────────rejected─────────────────────┘                    │
///        └──────────────────────reversed──────────────────────────────────────────┘
///
/// A payment of which the provider says only later that it was made goes from `budget` to `paid`.
public struct LedgerAccount: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        /// What a campaign has spent, as a negative balance; its owner is the campaign.
        case budget
        /// What is owed to a device.
        case owed
        /// What the provider was told to pay to a device, and has not settled.
        case float
        /// What was paid out to a device.
        case paid
    }

    public let kind: Kind
    /// Id of the campaign, or ordinal of the device, or what stands for one that was erased.
    public let owner: String

    public init(_ kind: Kind, owner: String) {
        self.kind = kind
        self.owner = owner
    }
}

extension Grant {
    /// The grant's account of a kind.
    func account(_ kind: LedgerAccount.Kind) -> LedgerAccount {
        LedgerAccount(kind, owner: kind == .budget ? campaign : erased?.owner ?? String(device))
    }
}
