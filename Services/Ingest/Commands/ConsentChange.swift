internal import IngestDuplicates
internal import IngestSupport
public import IngestUploads
internal import Models
internal import ServiceKit

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
    /// When its request was signed, Unix seconds; nil if it was not.
    let signedAt: Int64?

    public init(
        device: UInt64, consent: Consent, policyVersion: String, ageBand: String? = nil, hasGuardian: Bool? = nil,
        signedAt: Int64? = nil
    ) {
        self.device = device
        self.consent = consent
        self.policyVersion = policyVersion
        self.ageBand = ageBand
        self.hasGuardian = hasGuardian
        self.signedAt = signedAt
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

extension ConsentChange: IngestCommand {
    public static var stage: CommandStage { .consenting }

    /// Changes the consent; saying again what is known changes nothing, so that a lost answer may be asked for again.
    ///
    /// - Returns: the consent as it stands then.
    public func apply(in commit: inout CommandCommit) throws -> Result<ConsentState, DeviceAPIError> {
        commit.count { $0.consents.add() }
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard let before = try commit.store.consent(of: device) else {
            return .failure(DeviceAPIError.unauthorized("nobody has this token"))
        }
        guard changes(before) else {
            // Noted all the same, so that the request cannot be replayed after a later change.
            if let signedAt { _ = try commit.store.takeSignature(of: device, madeAt: signedAt) }
            return .success(before)
        }
        guard !commit.isFull else { return .failure(.full(.requests)) }
        let after = applied(to: before, at: commit.now)
        // Whoever takes consent back needs nobody's leave.
        let isWider = !after.identity.consent.isSubset(of: before.identity.consent)
        if AgeBand.needsGuardian(after.ageBand), !after.hasGuardian, ageBand != nil || isWider {
            return .failure(.guardianRequired)
        }
        if let problem = try signatureProblem(isWider: isWider, commit.store) { return .failure(problem) }
        try commit.store.save(after)
        var memory = try commit.memories.memory(of: device)
        memory.consentMark = DeviceMemory.mark(ofConsent: after.identity.consentVersion)
        try commit.memories.save(memory, of: device)
        try commit.tell(.consent, of: device, after.document)
        if before.identity.consent.contains(.rewards), !after.identity.consent.contains(.rewards) {
            try commit.withdrawPayout(of: device)
        }
        if before.identity.consent.contains(.standings), !after.identity.consent.contains(.standings) {
            try commit.withdrawNickname(of: device)
        }
        if !after.identity.consent.contains(.measurement) { try commit.withdrawPush(of: device) }
        return .success(after)
    }

    /// A signature counts once. Who has signed one change signs each later one that allows more.
    private func signatureProblem(isWider: Bool, _ store: IngestStore) throws -> DeviceAPIError? {
        guard let signedAt else {
            return try isWider && store.signsConsents(device)
                ? DeviceAPIError(.signatureRequired, field: "Signature") : nil
        }
        guard try store.takeSignature(of: device, madeAt: signedAt) else { return .signatureReplayed }
        try store.noteSignedConsent(of: device)
        return nil
    }
}
