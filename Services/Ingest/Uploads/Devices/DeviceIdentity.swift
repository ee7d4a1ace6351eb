internal import Models

/// What ingest knows of the device behind a token.
public struct DeviceIdentity: Sendable, Equatable {
    /// Number of the device in this home, from 1.
    public let ordinal: UInt64
    /// What is allowed now.
    public let consent: Consent
    /// Rises with each change of the consent, from 1.
    public let consentVersion: Int64
    /// What was allowed before, as far back as rows are accepted; oldest first, empty for almost everybody.
    public let past: [PastConsent]
    /// How far it is trusted; nil where nobody asks, as if it had been there for long.
    public private(set) var trust: DeviceTrust?

    public init(
        ordinal: UInt64, consent: Consent, consentVersion: Int64, past: [PastConsent] = [], trust: DeviceTrust? = nil
    ) {
        self.trust = trust
        self.ordinal = ordinal
        self.consent = consent
        self.consentVersion = consentVersion
        self.past = past
    }

    /// What every row of it carries that arrives at a time.
    func flags(at time: UnixMilliseconds) -> RowFlags { consent.flags.union(trust?.flags(at: time) ?? []) }

    /// Notes what its trust is from now on. Receipts may overtake each other: what says less is older.
    public mutating func learn(_ later: DeviceTrust) {
        if trust.map({ $0.daysSeen <= later.daysSeen }) ?? true { trust = later }
    }

    /// What was allowed at a time. Before the enrolment, what was allowed with it: phones record before they enrol.
    func consent(at time: UnixMilliseconds) -> Consent {
        past.first { time < $0.until }?.consent ?? consent
    }
}

/// A device that was found by its upload key: a key that may send and reads nothing.
package struct KeyedDevice: Sendable {
    package let identity: DeviceIdentity
    /// Of its token, by which it is known in memory.
    package let token: TokenHash

    package init(identity: DeviceIdentity, token: TokenHash) {
        self.identity = identity
        self.token = token
    }
}
