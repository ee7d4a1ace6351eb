package import IngestSupport
package import IngestUploads
internal import Models

/// A passkey that a device turns on, or off.
package struct PasskeyChange: Sendable, Equatable {
    package enum Wish: Sendable, Equatable {
        case on(Passkey)
        /// By the passkey itself.
        case off(PasskeyUse)
    }

    /// The device's ordinal.
    let device: UInt64
    let wish: Wish
    /// When its request was signed, Unix seconds; nil if the device has no key.
    let signedAt: Int64?

    package init(device: UInt64, _ wish: Wish, signedAt: Int64?) {
        self.device = device
        self.wish = wish
        self.signedAt = signedAt
    }
}

extension PasskeyChange: IngestCommand {
    package static var stage: CommandStage { .enrolling }

    package func apply(in commit: inout CommandCommit) throws -> Result<Bool, DeviceAPIError> {
        let store = commit.store
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard try store.consent(of: device) != nil else { return .failure(.unauthorized("nobody has this token")) }
        if case .on = wish, try store.passkey(of: device) != nil {
            return .failure(
                DeviceAPIError(.passkeyRequired, "turn off the one that is on first", field: PasskeyUse.field))
        }
        if case .off(let use) = wish, let problem = try store.problem(of: use, device) { return .failure(problem) }
        if let signedAt {
            guard try store.takeSignature(of: device, madeAt: signedAt) else { return .failure(.signatureReplayed) }
        }
        switch wish {
        case .on(let passkey): try store.save(passkey, of: device)
        case .off: try store.removePasskey(of: device)
        }
        return .success(true)
    }
}

/// The use of a passkey before something that cannot be taken back.
package enum PasskeyUse: Sendable, Equatable {
    /// An operator asks, or passkeys are off here.
    case notNeeded
    /// The device was not known to have one.
    case missing
    /// It was checked; how often it was used, as the authenticator told it.
    case checked(signCount: UInt32)

    package static let field = "Nkul-Passkey"
}

extension IngestStore {
    /// Notes the use of a passkey in this transaction.
    ///
    /// - Returns: why it does not count: the device has one that was not used, or that was used more often elsewhere.
    func problem(of use: PasskeyUse, _ device: UInt64) throws -> DeviceAPIError? {
        guard use != .notNeeded, try passkey(of: device) != nil else { return nil }
        guard case .checked(let count) = use else { return DeviceAPIError(.passkeyRequired, field: PasskeyUse.field) }
        return try takePasskey(of: device, signCount: count)
            ? nil : DeviceAPIError(.passkeyInvalid, "its count did not rise", field: PasskeyUse.field)
    }
}
