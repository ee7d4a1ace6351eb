/// What ingest knows of the device behind a token.
public struct DeviceIdentity: Sendable, Equatable {
    /// Number of the device in this home, from 1.
    public let ordinal: UInt64
    public let consent: Consent
    /// Rises with each change of the consent, from 1.
    public let consentVersion: Int64

    public init(ordinal: UInt64, consent: Consent, consentVersion: Int64) {
        self.ordinal = ordinal
        self.consent = consent
        self.consentVersion = consentVersion
    }
}
