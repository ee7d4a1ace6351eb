package import Channels
internal import IngestSupport
package import IngestUploads
package import Models

/// The subscription of a device's browser that is to replace the one before, sealed already; or that there is to be none.
package struct PushChange: Sendable, Equatable {
    /// The device's ordinal.
    let device: UInt64
    /// Without anything sealed: the device is asked no more.
    let document: PushDocument

    /// Seals a subscription: what is committed tells nobody but the notifier.
    ///
    /// - Throws: `StorageError` if the key is none.
    package init(
        _ subscription: ChannelSecrets.PushSubscription, of device: UInt64, to key: ChannelKeyDocument
    ) throws {
        self.device = device
        document = try PushSeal.seal(subscription, of: device, to: key)
    }

    /// The device is asked no more.
    package init(endOf device: UInt64) {
        self.device = device
        document = PushDocument(key: nil, sealed: nil)
    }
}

extension PushChange: IngestCommand {
    package static var stage: CommandStage { .paying }

    /// Takes the subscription, by the consent as it stands now: it is refused without consent to measurement and ends with it.
    ///
    /// - Returns: since when the device is asked; nil if it is not.
    package func apply(in commit: inout CommandCommit) throws -> Result<UnixMilliseconds?, DeviceAPIError> {
        if let problem = commit.gate.refusal(of: device) { return .failure(problem) }
        guard !commit.isFull else { return .failure(.full(.requests)) }
        guard let state = try commit.store.consent(of: device) else {
            return .failure(.unauthorized("nobody has this token"))
        }
        guard document.sealed != nil else {
            try commit.withdrawPush(of: device)
            return .success(nil)
        }
        guard state.identity.consent.contains(.measurement) else { return .failure(.noMeasurementConsent) }
        try commit.store.beginPush(of: device, at: commit.now)
        try commit.tell(.push, of: device, document)
        return .success(try commit.store.pushSince(of: device))
    }
}

extension CommandCommit {
    /// Asks a device no more, if it was asked, and has the notifier forget where.
    mutating func withdrawPush(of device: UInt64) throws {
        guard try store.endPush(of: device) else { return }
        try tell(.push, of: device, PushDocument(key: nil, sealed: nil))
    }
}
