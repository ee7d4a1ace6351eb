public import Models

/// One reward for one feedback, and how far its payment is.
public struct Grant: Sendable, Equatable {
    public let id: GrantID
    /// The device's ordinal.
    public let device: UInt64
    public let campaign: String
    /// The feedback.
    public let record: RecordIdentifier
    /// When the feedback was received.
    public let receivedAt: UnixMilliseconds
    /// Local day on which it was received, days since 1970.
    public let day: Int64
    /// Whole XAF, above 0.
    public let amount: Int64
    public var state = GrantState.pending
    /// The number of the present attempt to pay it, 0 before the first; the next one begins only when this one has certainly
    /// paid nothing.
    public var attempts = 0
    /// Attempts of which the provider said for certain that they paid nothing.
    public var failures = 0
    /// The last attempt that may have been made in a life of this home that was lost; asked about one after the other.
    public var lastLostAttempt = 0
    /// Under which the provider knows the present attempt; nil before the first.
    public var reference: PaymentReference?
    /// The provider's own name of the present attempt, empty if it has told none.
    public var providerID = ""
    /// Which attempt was paid, 0 if none is known to have been.
    public var paidAttempt = 0
    /// Times the provider was asked since it was last told to pay.
    public var asks = 0
    /// Entries of the ledger so far; names its next transaction.
    public var moves = 0
    /// When the provider was last told to pay.
    public var sentAt: UnixMilliseconds = 0
    public var changedAt: UnixMilliseconds
    /// When something is to be done about it, nil when nothing is.
    public var dueAt: UnixMilliseconds?
    /// The last word of the provider, empty if there is none.
    public var reason = ""
    /// What is odd about its record, until a person has decided; empty if nothing is. It is not paid meanwhile.
    public var suspected = ""
    /// Its record has a position.
    public var isPlaced = false
    /// What it is called since its subject was erased; nil if it is somebody's.
    public var erased: ErasedGrant?

    /// A grant that is owed from now on.
    ///
    /// - Parameter receivedAt: when the feedback was received; nil is now.
    public init(
        _ campaign: CampaignDocument, device: UInt64, record: RecordIdentifier, receivedAt: UnixMilliseconds? = nil,
        day: Int64, now: UnixMilliseconds
    ) {
        id = GrantID(device: device, campaign: campaign.id, record: record)
        self.device = device
        self.campaign = campaign.id
        self.record = record
        self.receivedAt = receivedAt ?? now
        self.day = day
        amount = campaign.amountXAF
        changedAt = now
        dueAt = now
    }

    /// One that was stored, with its constant parts.
    init(
        id: GrantID, device: UInt64, campaign: String, record: RecordIdentifier, receivedAt: UnixMilliseconds,
        day: Int64, amount: Int64, changedAt: UnixMilliseconds
    ) {
        self.id = id
        self.device = device
        self.campaign = campaign
        self.record = record
        self.receivedAt = receivedAt
        self.day = day
        self.amount = amount
        self.changedAt = changedAt
    }

    /// Goes over to another attempt, of which nothing is known yet.
    mutating func begin(attempt: Int) {
        attempts = attempt
        reference = PaymentReference(id, attempt: attempt)
        providerID = ""
        asks = 0
    }

    var document: GrantDocument {
        GrantDocument(
            grant: id.text, device: device, campaign: campaign, record: record.text, amountXAF: amount, state: state,
            changedAt: changedAt, receivedAt: receivedAt)
    }
}

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
