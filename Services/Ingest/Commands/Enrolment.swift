internal import IngestSupport
public import IngestUploads
internal import Models
internal import ServiceKit

/// A device that is to be known, as checked; secrets are hashes already.
public struct Enrolment: Sendable, Equatable {
    /// 16 random bytes, the UUID the device is told.
    public let deviceID: [UInt8]
    /// SHA-256 of the token.
    public let tokenHash: [UInt8]
    public let platform: String
    public let appVersion: String
    public let consent: Consent
    /// Version of the text that was consented to.
    public let policyVersion: String
    public let ageBand: String?
    public let hasGuardian: Bool
    /// P-256 public key in X9.63 form.
    public let deviceKey: [UInt8]?
    /// Hash of the activation code that it uses up; nil if it brought none.
    public let activation: [UInt8]?
    /// SHA-256 of the upload key that it has from the beginning; nil: none.
    package var uploadKey: [UInt8]?

    public init(
        deviceID: [UInt8], tokenHash: [UInt8], platform: String, appVersion: String, consent: Consent,
        policyVersion: String,
        ageBand: String? = nil, hasGuardian: Bool = false, deviceKey: [UInt8]? = nil, activation: [UInt8]? = nil
    ) {
        self.deviceID = deviceID
        self.tokenHash = tokenHash
        self.platform = platform
        self.appVersion = appVersion
        self.consent = consent
        self.policyVersion = policyVersion
        self.ageBand = ageBand
        self.hasGuardian = hasGuardian
        self.deviceKey = deviceKey
        self.activation = activation
    }
}

extension Enrolment: IngestCommand {
    public static var stage: CommandStage { .enrolling }

    /// Makes the device known, and uses up its activation code with it.
    public func apply(in commit: inout CommandCommit) throws -> Result<DeviceIdentity, DeviceAPIError> {
        guard !commit.isFull else { return .failure(.full(.requests)) }
        var batch: Int64?
        if let activation {
            let outcome = try commit.store.spendCode(activation, now: commit.now)
            commit.count { $0.activations[outcome.name]?.add() }
            guard case .accepted(let number) = outcome else { return .failure(.activationInvalid) }
            batch = number
        }
        let state = try commit.store.enrol(self, activatedBy: batch, now: commit.now)
        if let uploadKey {
            try commit.store.save(uploadKey: uploadKey, of: state.identity.ordinal, at: commit.now)
        }
        try commit.tell(.consent, of: state.identity.ordinal, state.document)
        commit.count { $0.enrolments.add() }
        return .success(state.identity)
    }
}
