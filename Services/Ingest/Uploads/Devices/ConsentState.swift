public import Models

/// The consent of a device as it stands, and since when.
public struct ConsentState: Sendable, Equatable {
    public let identity: DeviceIdentity
    public let policyVersion: String
    public let ageBand: String?
    public let hasGuardian: Bool
    public let changedAt: UnixMilliseconds

    package init(
        identity: DeviceIdentity, policyVersion: String, ageBand: String?, hasGuardian: Bool,
        changedAt: UnixMilliseconds
    ) {
        self.identity = identity
        self.policyVersion = policyVersion
        self.ageBand = ageBand
        self.hasGuardian = hasGuardian
        self.changedAt = changedAt
    }

    /// The JSON document of `GET /v1/me/consent`.
    package var body: [UInt8] {
        var json = JSONWriter()
        json.raw("{\"consent\":{")
        for (place, (name, purpose)) in Consent.purposes.enumerated() {
            json.raw(
                (place == 0 ? "\"" : ",\"") + name + "\":" + (identity.consent.contains(purpose) ? "true" : "false"))
        }
        json.raw("},\"policy_version\":")
        json.string(policyVersion)
        json.raw(",\"version\":\(identity.consentVersion),")
        json.time("changed_at", changedAt)
        json.raw("}")
        return json.bytes
    }

    /// What the privacy worker is told.
    package var document: ConsentDocument {
        ConsentDocument(
            version: identity.consentVersion,
            purposes: Consent.purposes.filter { identity.consent.contains($0.purpose) }.map(\.name),
            policyVersion: policyVersion, ageBand: ageBand, guardian: hasGuardian ? true : nil)
    }
}
