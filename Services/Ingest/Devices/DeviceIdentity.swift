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

    public init(ordinal: UInt64, consent: Consent, consentVersion: Int64, past: [PastConsent] = []) {
        self.ordinal = ordinal
        self.consent = consent
        self.consentVersion = consentVersion
        self.past = past
    }

    /// What was allowed at a time. Before the enrolment, what was allowed with it: phones record before they enrol.
    func consent(at time: UnixMilliseconds) -> Consent {
        past.first { time < $0.until }?.consent ?? consent
    }
}
