internal import Models

/// A consent that is to replace a device's, as checked.
public struct ConsentChange: Sendable, Equatable {
    /// The device's ordinal.
    public let device: UInt64
    public let consent: Consent
    /// Version of the text that was consented to.
    public let policyVersion: String
    /// Nil keeps what is known.
    public let ageBand: String?
    /// Nil keeps what is known.
    public let hasGuardian: Bool?

    public init(
        device: UInt64, consent: Consent, policyVersion: String, ageBand: String? = nil, hasGuardian: Bool? = nil
    ) {
        self.device = device
        self.consent = consent
        self.policyVersion = policyVersion
        self.ageBand = ageBand
        self.hasGuardian = hasGuardian
    }

    /// False if it says what is known already.
    func changes(_ state: ConsentState) -> Bool {
        consent != state.identity.consent || policyVersion != state.policyVersion
            || ageBand ?? state.ageBand != state.ageBand || hasGuardian ?? state.hasGuardian != state.hasGuardian
    }

    /// What the device allows after it.
    func applied(to before: ConsentState, at now: UnixMilliseconds) -> ConsentState {
        var history = ConsentHistory(before.identity.past)
        history.end(before.identity.consent, at: now)
        return ConsentState(
            identity: DeviceIdentity(
                ordinal: device, consent: consent, consentVersion: before.identity.consentVersion + 1,
                past: history.past, trust: before.identity.trust),
            policyVersion: policyVersion, ageBand: ageBand ?? before.ageBand,
            hasGuardian: hasGuardian ?? before.hasGuardian, changedAt: now)
    }
}
